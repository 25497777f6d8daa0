"""Standard deviations of estimates with growing numbers of samples."""

from shapaudit.models import load_model
from shapaudit_audit.study.blocks.base import record, records
from shapaudit_audit.study.blocks.runs import EstimatorBlock, PathBlock
from shapaudit_audit.study.collection import load_collection
from shapaudit_audit.study.logs import log_to
from shapaudit_audit.study.results import write_table
from shapaudit_audit.study.samples import deviations

logger = log_to(snakemake.log[0])
name, asked = snakemake.wildcards.path, snakemake.params.asked
path, specs = record(PathBlock, asked["path"]), records(EstimatorBlock, asked["estimators"])
collection = load_collection(snakemake.input.games, load_model(snakemake.input.model))
table = deviations(specs, path, collection, asked["seed"], name)
write_table(table, snakemake.output[0], "deviations")
logger.info("%s: %d rows", name, len(table["explicand"]))
