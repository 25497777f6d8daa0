"""Fit removals to fresh rows of a law and measure how their games err against the law's own."""

from shapaudit import datasets
from shapaudit.models import load_model
from shapaudit_audit.study.blocks.base import record, records
from shapaudit_audit.study.blocks.games import RemovalBlock
from shapaudit_audit.study.blocks.runs import EstimatorBlock
from shapaudit_audit.study.blocks.studies import RemovalStudyBlock
from shapaudit_audit.study.logs import log_to
from shapaudit_audit.study.removal_studies import study_removals, world_of
from shapaudit_audit.study.results import write_table

logger = log_to(snakemake.log[0])
name, asked = snakemake.wildcards.removal_study, snakemake.params.asked
study = record(RemovalStudyBlock, asked["study"])
removals = records(RemovalBlock, asked["removals"])
(estimator,) = records(EstimatorBlock, asked["estimators"]).values()
dataset, model = datasets.read(snakemake.input.dataset), load_model(snakemake.input.model)
world = world_of(name, study.explicands, dataset, model, asked["seed"])
tables = study_removals(study, removals, estimator, world)
for kind, table in tables.items():
    write_table(table, snakemake.output[kind], f"removal_{kind}")
logger.info(
    "%s: %d estimates of %d removals, %d fits refused",
    name,
    len(tables["values"]["run"]),
    len(removals),
    len(tables["refusals"]["fit"]),
)
