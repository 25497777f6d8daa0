"""Run the estimators of one job on its experiment, each after choosing its tuned parameter."""

import numpy as np

from shapaudit.models import load_model
from shapaudit_audit.study.collection import load_collection
from shapaudit_audit.study.experiments import run_spec
from shapaudit_audit.study.layout import own_part
from shapaudit_audit.study.logs import log_to
from shapaudit_audit.study.results import read_truths, write_table
from shapaudit_audit.study.sealed import write_document

logger = log_to(snakemake.log[0])
experiment, setting = snakemake.wildcards.experiment, snakemake.params.experiment
collection = load_collection(snakemake.input.games, load_model(snakemake.input.model))
truths = read_truths(snakemake.input.truth)
keys = {"study": snakemake.params.study, "experiment": experiment, "game": setting["game"]}
tables, settings = [], {}
for name, spec in snakemake.params.specs.items():
    seed, axes = snakemake.params.seed, (experiment, name)
    table, settings[name] = run_spec(
        spec, own_part(setting, name), collection, truths, seed, axes, snakemake.threads
    )
    rows = len(table["explicand"])
    same = {**keys, "estimator": name}
    tables.append({key: np.full(rows, value) for key, value in same.items()} | table)
    logger.info("%s on %s: %d rows", name, experiment, rows)

joined = {key: np.concatenate([table[key] for table in tables]) for key in tables[0]}
write_table(joined, snakemake.output.table, "estimates")
write_document(snakemake.output.setting, settings, indent=2, sort_keys=True)
