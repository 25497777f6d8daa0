"""Run a notebook whose figures are the rule's outputs; the executed notebook is kept as a log."""

from pathlib import Path

from shapaudit.schemas.validation import without_address_grammars
from shapaudit.study.logs import log_to

with without_address_grammars():
    import papermill

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
for path, caption in zip(snakemake.output.captions, snakemake.params.captions, strict=True):
    Path(path).write_text(caption + "\n", encoding="utf-8")
logger.info("%s: done", snakemake.input.notebook)
