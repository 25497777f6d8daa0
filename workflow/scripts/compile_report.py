"""Compile the report."""

from pathlib import Path

from shapaudit.report.typesetting import typeset
from shapaudit.study.logs import log_to

logger = log_to(snakemake.log.text)
output = Path(snakemake.output[0])
folders = [Path(snakemake.input.main).parent, output.parent, *snakemake.params.figures]
typeset(snakemake.input.main, output, folders, snakemake.log.latex)
logger.info("%s: %d bytes", output, output.stat().st_size)
