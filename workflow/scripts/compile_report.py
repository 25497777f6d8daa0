"""Compile the report and its supplement."""

from pathlib import Path

from shapaudit_audit.report.typesetting import typeset
from shapaudit_audit.study.logs import log_to

logger = log_to(snakemake.log.text)
outputs = [Path(path) for path in snakemake.output]
documents = dict(zip(outputs, map(Path, snakemake.input.documents), strict=True))
sources = Path(snakemake.input.documents[0]).parent
typeset(
    documents, [sources, outputs[0].parent, *snakemake.params.asked["folders"]], snakemake.log.latex
)
for output in outputs:
    logger.info("%s: %d bytes", output, output.stat().st_size)
