"""What a run says at its start and at its end."""

import atexit
import sys
import time

STARTED = time.time()
WITHOUT_LATEX = (
    "latexmk or pdflatex is missing: everything but the PDF of the report is built. "
    "workflow/setup/install_latex.sh says how to get them."
)
HINTS = [] if HAS_LATEX else [WITHOUT_LATEX]


def say_last(*parts):
    """Print texts after Snakemake's own last lines."""
    atexit.register(print, "\n" + "\n\n".join(parts), file=sys.stderr)


onstart:
    for hint in HINTS:
        print(hint, file=sys.stderr)


onsuccess:
    from shapaudit.report.run_summary import of_success

    say_last(of_success(RESULTS, BENCHMARKS, STARTED, PAPERS), *HINTS)


onerror:
    from shapaudit.report.run_failure import of_failure

    say_last(of_failure(log))
