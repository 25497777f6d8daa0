"""Run one estimator on one experiment, after choosing its parameter where it is tuned."""

import json
from pathlib import Path

from shapaudit.collection import GameCollection
from shapaudit.experiments import run_spec
from shapaudit.logs import log_to
from shapaudit.models import load_model
from shapaudit.results import read_truths, write_table

logger = log_to(snakemake.log[0])
name, experiment = snakemake.wildcards.estimator, snakemake.wildcards.experiment
spec, setting = snakemake.params.spec, snakemake.params.experiment
collection = GameCollection.load(snakemake.input.games, load_model(snakemake.input.model))
truths = read_truths(snakemake.input.truth)
seed, axes = snakemake.params.seed, (experiment, name)
table, content = run_spec(spec, setting, collection, truths, seed, axes)

rows = len(table["pair"])
keys = {"study": snakemake.params.study, "experiment": experiment, "game": setting["game"]}
keys = {key: [value] * rows for key, value in {**keys, "estimator": name}.items()}
write_table(keys | table, snakemake.output.table, "estimates")
text = json.dumps(content, indent=2, sort_keys=True)
Path(snakemake.output.setting).write_text(text + "\n", encoding="utf-8")
logger.info("%s on %s: %d rows", name, experiment, rows)
