"""Repeat the study from another base seed, as far as its claims look, and audit it."""

from shapaudit.claims import write_json
from shapaudit.study.logs import log_to
from shapaudit.study.repetition import repeat

logger = log_to(snakemake.log[0])
audited = repeat(snakemake.params.study, int(snakemake.wildcards.seed))
write_json(snakemake.output[0], audited, snakemake.input.schema)
logger.info("%d verdicts", len(audited["claims"]))
