"""Compare explainers with estimators on the models of one job of an explanation study."""

from shapaudit_audit.study.blocks.base import record
from shapaudit_audit.study.blocks.studies import ExplanationStudyBlock
from shapaudit_audit.study.explanations import Blocks, run_study
from shapaudit_audit.study.logs import log_to
from shapaudit_audit.study.results import write_table

logger = log_to(snakemake.log[0])
name, asked = snakemake.wildcards.explanation, snakemake.params.asked
study, blocks = record(ExplanationStudyBlock, asked["study"]), record(Blocks, asked["blocks"])
table, kept = run_study(name, study, blocks, asked["seed"])
write_table(table, snakemake.output.table, "explanations")
write_table(kept, snakemake.output.kept, "attributions")
logger.info("%s: %d rows", name, len(table["unit"]))
