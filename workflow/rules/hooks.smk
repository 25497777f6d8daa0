"""What a run says at its start and at its end."""

import atexit
import sys
import time

from shapaudit.study.costs import MOST_HOURS, costs_of, price

STARTED = time.time()
WITHOUT_LATEX = (
    "latexmk or pdflatex is missing: everything but the PDF of the report is built. "
    "workflow/setup/install_latex.sh says how to get them."
)
HINTS = [] if HAS_LATEX else [WITHOUT_LATEX]


def say_last(*parts):
    """Print texts after Snakemake's own last lines."""
    atexit.register(print, "\n" + "\n\n".join(parts), file=sys.stderr)


def workers():
    """What the jobs are shared among; a run on a cluster has a number of jobs, but no cores."""
    cores = workflow.global_resources["_cores"].value
    return f"{cores} cores" if cores else f"{workflow.nodes} jobs at a time"


onstart:
    jobs = [(job.rule.name, job.wildcards_dict) for job in workflow.dag.needrun_jobs()]
    try:
        costs = costs_of(jobs, config, REPEATED)
        shown = price(costs, workers(), config.get("most_hours", MOST_HOURS))
    except ConfigError as error:
        raise WorkflowError(str(error)) from error
    for text in [shown] * bool(costs) + HINTS:
        print(text, file=sys.stderr)


onsuccess:
    from shapaudit.report.run_summary import of_success

    say_last(of_success(RESULTS, BENCHMARKS, STARTED, PAPERS), *HINTS)


onerror:
    from shapaudit.report.run_failure import of_failure

    say_last(of_failure(log))
