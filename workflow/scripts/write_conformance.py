"""Gather the answers of all packages, and write their page."""

import json
from pathlib import Path

from shapaudit_audit.conformance.gather import publish, versions_of
from shapaudit_audit.conformance.run import read
from shapaudit_audit.study.logs import log_to

logger = log_to(snakemake.log[0])
rows = [row for path in snakemake.input.answers for row in read(Path(path))]
absent = Path(snakemake.input.absent).read_text("utf-8") if snakemake.input.absent else "{}"
versions = versions_of(f"{snakemake.input.environments[0]}/bin/python")
output = snakemake.output
publish(rows, versions, json.loads(absent), Path(output.table), Path(output.page))
