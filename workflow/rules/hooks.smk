"""What a run checks and says at its start and at its end; the logger plug-in shows the rest."""

import os
import threading
import time

from shapaudit_audit.console import say
from shapaudit_audit.study import external
from shapaudit_audit.study.costs import told

STARTED = time.time()
WITHOUT_LATEX = (
    "latexmk or pdflatex is missing: everything but the PDF of the report is built. "
    "workflow/setup/install_latex.sh says how to get them."
)
WITH_PDF = {"all", "paper"}  # targets that have one
HINTS = []  # what was left out


def hints(to_run):
    """What cannot be had of the data, and what a person who asked for a PDF should know.

    ``to_run`` are jobs, given by their rules' names and wildcards.
    """
    datasets = [wildcards["dataset"] for rule, wildcards in to_run if rule == "load_dataset"]
    lacking = (
        STUDY.reported and not jobs.has_latex() and os.environ.get("SHAPAUDIT_LATEX") != "skip"
    )
    asked = WITH_PDF & {rule for rule, _ in to_run}
    return [
        *external.fetched_or_refused(STUDY, datasets),
        *([WITHOUT_LATEX] if lacking and asked else []),
    ]


def stop_timers():
    """Let the process end: Snakemake's limit of jobs per time leaves a timer after each job."""
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.cancel()


onstart:
    to_run = planned_jobs()
    try:
        counts = jobs.evaluations(PLAN, to_run)
        shown = told(counts, STUDY.most_evaluations)
        HINTS.extend(hints(to_run))
    except ConfigError as error:
        raise WorkflowError(str(error)) from error
    for text in [shown] * bool(counts) + HINTS:
        say(text)


def describe():
    """Make a crate of the results, where they are on this machine and complete."""
    from shapaudit_audit.report.crate import write_crate

    rules = {rule.name: rule.message or "" for rule in workflow.rules}
    write_crate(RESULTS, PROJECT, rules, BENCHMARKS, external.sources_of(STUDY))


onsuccess:
    stop_timers()
    describe()
    from shapaudit_audit.report.run_summary import of_success

    ending = of_success(RESULTS, BENCHMARKS, STARTED, PAPERS)
    say("\n\n".join([f"Complete log: {', '.join(log)}", ending, *HINTS]))


onerror:
    stop_timers()
    say(f"Complete log: {', '.join(log)}")
