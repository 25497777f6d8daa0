"""Run a notebook whose figures are the rule's outputs; it is kept as it ran, and as a page."""

import os
from pathlib import Path

from shapaudit_audit.schemas.validation import without_address_grammars
from shapaudit_audit.study.logs import log_to

with without_address_grammars():  # all of these import jsonschema
    import nbformat
    import papermill

    from shapaudit_audit.report.executed import as_page, stripped

logger = log_to(snakemake.log.text)
asked = snakemake.params.asked
executed = Path(snakemake.output.executed)
# Paths as seen from the copy, where it can be opened and run again.
papermill.execute_notebook(
    snakemake.input.notebook,
    snakemake.log.notebook,
    parameters={
        name: os.path.relpath(path, executed.parent) for name, path in asked["notebook"].items()
    },
    kernel_name="python3",
    cwd=executed.parent,
    progress_bar=False,
    request_save_on_cell_execute=False,  # before and after each cell, with all figures
    # A kernel is interrupted before it is shut down, and would sometimes say so on the terminal.
    extra_arguments=["--log-level=CRITICAL"],
)
for path, caption in zip(snakemake.output.captions, asked["captions"], strict=True):
    Path(path).write_text(caption + "\n", encoding="utf-8")
book = stripped(nbformat.read(snakemake.log.notebook, as_version=nbformat.NO_CONVERT))
nbformat.write(book, executed)
Path(snakemake.output.page).write_text(as_page(book), encoding="utf-8")
logger.info("%s: done", snakemake.input.notebook)
