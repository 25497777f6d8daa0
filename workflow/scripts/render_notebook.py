"""Run a notebook whose figures are the rule's outputs; the executed notebook is kept as a log."""

from pathlib import Path

import papermill

from shapaudit.study.logs import log_to

logger = log_to(snakemake.log.text)
papermill.execute_notebook(
    snakemake.input.notebook,
    snakemake.log.notebook,
    parameters=dict(snakemake.params.notebook),
    kernel_name="python3",
    cwd=Path.cwd(),
    progress_bar=False,
    extra_arguments=["--log-level=ERROR"],
)
logger.info("%s: done", snakemake.input.notebook)
