"""Run the estimators of an experiment again on its first explicands; keep what they estimate."""

from shapaudit.models import load_model
from shapaudit_audit.study.blocks.base import record, records
from shapaudit_audit.study.blocks.runs import EstimatorBlock, ExperimentBlock
from shapaudit_audit.study.collection import load_collection
from shapaudit_audit.study.logs import log_to
from shapaudit_audit.study.results import write_table
from shapaudit_audit.study.samples import kept_estimates

logger = log_to(snakemake.log[0])
name, asked = snakemake.wildcards.experiment, snakemake.params.asked
experiment = record(ExperimentBlock, asked["experiment"])
specs = records(EstimatorBlock, asked["estimators"])
collection = load_collection(snakemake.input.games, load_model(snakemake.input.model))
table = kept_estimates(specs, experiment, collection, asked["seed"], name)
write_table(table, snakemake.output[0], "kept")
logger.info("%s: %d values", name, len(table["explicand"]))
