"""Compute the Shapley values of one collection of games; compare two methods where asked to."""

from shapaudit.models import load_model
from shapaudit_audit.study.collection import load_collection
from shapaudit_audit.study.ground_truth import compute_all
from shapaudit_audit.study.logs import log_to
from shapaudit_audit.study.results import truth_table, write_table

logger = log_to(snakemake.log[0])
name, spec = snakemake.wildcards.game, snakemake.params.spec
collection = load_collection(snakemake.input.games, load_model(snakemake.input.model))
method, check = spec["method"], spec.get("check")
truths, differences = compute_all(
    collection, method, spec.get("params", {}), check, snakemake.params.seed, snakemake.threads
)
write_table(truth_table(truths, check, differences), snakemake.output[0], "truth")
logger.info("%s: %d games by %s", name, len(truths), method)
