"""Fit removals to fresh rows of a law and measure how their games err against the law's own."""

from shapaudit import datasets
from shapaudit.models import load_model
from shapaudit_audit.study.logs import log_to
from shapaudit_audit.study.removal_studies import study_removals, world_of
from shapaudit_audit.study.results import write_table

logger = log_to(snakemake.log[0])
params, name = snakemake.params, snakemake.wildcards.removal_study
dataset, model = datasets.read(snakemake.input.dataset), load_model(snakemake.input.model)
world = world_of(name, params.study["explicands"], dataset, model, params.seed)
(estimator,) = params.estimator.values()
tables = study_removals(params.study, params.removals, estimator, world)
for kind, table in tables.items():
    write_table(table, snakemake.output[kind], f"removal_{kind}")
logger.info(
    "%s: %d estimates of %d removals, %d fits refused",
    name,
    len(tables["values"]["run"]),
    len(params.removals),
    len(tables["refusals"]["fit"]),
)
