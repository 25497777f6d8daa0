"""Enumerate the cases with the models of an environment."""

from pathlib import Path

from shapaudit_audit.conformance.run import enumerate_cases
from shapaudit_audit.study.logs import log_to

logger = log_to(snakemake.log[0])
enumerate_cases(f"{snakemake.input.environment}/bin/python", Path(snakemake.output[0]))
