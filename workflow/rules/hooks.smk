"""What a run says at its start and at its end."""

import atexit
import os
import sys
import time
from collections import Counter

from shapaudit_audit.study import external
from shapaudit_audit.study.console import Progress, quiet
from shapaudit_audit.study.costs import told
from snakemake.logging import logger

STARTED = time.time()
WITHOUT_LATEX = (
    "latexmk or pdflatex is missing: everything but the PDF of the report is built. "
    "workflow/setup/install_latex.sh says how to get them."
)
WITH_PDF = {"all", "paper"}  # targets that have one
LEFT_OUT = []  # parts of data sets that were not to be had

# The log has the details. Where nothing is run, as in a dry run, they are what is asked for.
RUNS = workflow.is_main_process and not workflow.output_settings.dryrun
CONSOLE = quiet(logger) if RUNS and not workflow.output_settings.verbose else None


def say_last(*parts):
    """Print texts after Snakemake's own last lines."""
    atexit.register(print, "\n" + "\n\n".join(parts), file=sys.stderr)


def hints():
    """What was left out of the data, and what a person who asked for a PDF should know."""
    asked = STUDY.reported and not jobs.has_latex() and os.environ.get("SHAPAUDIT_LATEX") != "skip"
    lacking = asked and WITH_PDF & {job.rule.name for job in workflow.dag.jobs}
    return LEFT_OUT + [WITHOUT_LATEX] * bool(lacking)


def workers():
    """What the jobs are shared among; a run on a cluster has a number of jobs, but no cores."""
    cores = workflow.global_resources["_cores"].value
    return f"{cores} cores" if cores else f"{workflow.nodes} jobs at a time"


def select_jobs_once():
    """Drop Snakemake's default limit of jobs started per second, unless a run sets its own.

    With a limit, every job that has ended makes Snakemake look at all open jobs once more in each
    second that follows: after some hundred jobs that takes a processor of its own.
    """
    limit = workflow.scheduling_settings.max_jobs_per_timespan
    if limit and (limit.max_jobs, limit.timespan) == (100, 1):
        workflow.scheduler.job_rate_limiter = None


def to_load(to_run):
    """Datasets that some jobs load, given with their rules' names and wildcards."""
    return [wildcards["dataset"] for rule, wildcards in to_run if rule == "load_dataset"]


onstart:
    select_jobs_once()
    to_run = [(job.rule.name, job.wildcards_dict) for job in workflow.dag.needrun_jobs()]
    try:
        counts = jobs.evaluations(PLAN, to_run)
        shown = told(counts, STUDY.most_evaluations)
        LEFT_OUT.extend(external.fetched_or_refused(STUDY, to_load(to_run)))
    except ConfigError as error:
        raise WorkflowError(str(error)) from error
    for text in [shown] * bool(counts) + LEFT_OUT:
        print(text, file=sys.stderr)
    if CONSOLE:
        CONSOLE.progress = Progress(Counter(rule for rule, _ in to_run))


def recorded_memory():
    """The peak of each rule over the jobs of this study, also written down beside the logs."""
    from shapaudit_audit.report import run_memory

    measured = [
        run_memory.Job(job.rule.name, job.resources.get("mem_mb"), str(job.benchmark), job.log)
        for job in workflow.dag.jobs
        if job.benchmark
    ]
    peaks = run_memory.peaks(measured)
    run_memory.record(peaks, f"{LOGS}/memory.csv")
    return peaks


def asked_memory():
    """Megabytes that the rules of this study ask for."""
    return {job.rule.name: job.resources.get("mem_mb") for job in workflow.dag.jobs}


onsuccess:
    from shapaudit_audit.report.run_summary import of_success

    say_last(of_success(RESULTS, BENCHMARKS, STARTED, PAPERS, recorded_memory()), *hints())


onerror:
    from shapaudit_audit.report.run_failure import of_failure
    from shapaudit_audit.report.run_memory import near

    say_last(*filter(None, [of_failure(log, asked_memory()), near(recorded_memory())]))
