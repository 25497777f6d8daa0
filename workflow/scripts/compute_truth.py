"""Compute the Shapley values of one collection of games; compare two methods where asked to."""

from shapaudit.models import load_model
from shapaudit_audit.study.blocks.base import record
from shapaudit_audit.study.blocks.games import TruthBlock
from shapaudit_audit.study.collection import load_collection
from shapaudit_audit.study.ground_truth import compute_all
from shapaudit_audit.study.logs import log_to
from shapaudit_audit.study.results import truth_table, write_table

logger = log_to(snakemake.log[0])
name, asked = snakemake.wildcards.game, snakemake.params.asked
block = record(TruthBlock, asked["truth"])
collection = load_collection(snakemake.input.games, load_model(snakemake.input.model))
truths, differences = compute_all(
    collection, block.method, block.params, block.check, asked["seed"], snakemake.threads
)
write_table(truth_table(truths, block.check, differences), snakemake.output[0], "truth")
logger.info("%s: %d games by %s", name, len(truths), block.method)
