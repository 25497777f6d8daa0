"""Run the estimators of one job on its experiment, each after choosing its tuned parameter."""

import numpy as np

from shapaudit.models import load_model
from shapaudit_audit.study.blocks.base import record, records
from shapaudit_audit.study.blocks.runs import EstimatorBlock, ExperimentBlock
from shapaudit_audit.study.collection import load_collection
from shapaudit_audit.study.experiments import run_spec
from shapaudit_audit.study.logs import log_to
from shapaudit_audit.study.results import read_truths, write_table
from shapaudit_audit.study.sealed import write_document

logger = log_to(snakemake.log[0])
name, asked = snakemake.wildcards.experiment, snakemake.params.asked
experiment = record(ExperimentBlock, asked["experiment"])
collection = load_collection(snakemake.input.games, load_model(snakemake.input.model))
truths = read_truths(snakemake.input.truth)
keys = {"study": asked["study"], "experiment": name, "game": experiment.game}
tables, settings = [], {}
for estimator, block in records(EstimatorBlock, asked["estimators"]).items():
    axes, threads = (name, estimator), snakemake.threads
    table, settings[estimator] = run_spec(
        block, experiment.part(estimator), collection, truths, asked["seed"], axes, threads
    )
    rows = len(table["explicand"])
    same = {**keys, "estimator": estimator}
    tables.append({key: np.full(rows, value) for key, value in same.items()} | table)
    logger.info("%s on %s: %d rows", estimator, name, rows)

joined = {key: np.concatenate([table[key] for table in tables]) for key in tables[0]}
write_table(joined, snakemake.output.table, "estimates")
write_document(snakemake.output.setting, settings, indent=2, sort_keys=True)
