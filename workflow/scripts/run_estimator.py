"""Run one estimator on one experiment, after choosing its parameter where it is tuned."""

import json
from dataclasses import asdict
from pathlib import Path

from shapaudit.collection import GameCollection
from shapaudit.estimators import create
from shapaudit.experiments import run_experiment, tune
from shapaudit.logs import log_to
from shapaudit.models import load_model
from shapaudit.results import read_truths, write_table

logger = log_to(snakemake.log[0])
name, experiment = snakemake.wildcards.estimator, snakemake.wildcards.experiment
spec, setting = snakemake.params.spec, snakemake.params.experiment
collection = GameCollection.load(snakemake.input.games, load_model(snakemake.input.model))
truths = read_truths(snakemake.input.truth)
seed, axes, budgets = snakemake.params.seed, (experiment, name), setting["budgets"]
n = collection.n_experiment

estimator, tuning = create(spec["estimator"], spec.get("params")), None
if "tune" in spec:
    parameter, grid = spec["tune"]["parameter"], spec["tune"]["grid"]
    games = collection.tuning_games()
    estimator, tuning = tune(estimator, parameter, grid, games, truths[n:], budgets[-1], seed, axes)
frame = run_experiment(
    estimator,
    collection.experiment_games(),
    truths[:n],
    budgets,
    setting["repetitions"],
    seed,
    axes,
)
keys = {"study": snakemake.params.study, "experiment": experiment, "game": setting["game"]}
for position, (key, value) in enumerate({**keys, "estimator": name}.items()):
    frame.insert(position, key, value)
write_table(frame, snakemake.output.table, "estimates")
content = {
    "estimator": spec["estimator"],
    "params": asdict(estimator),
    "tuning": None if tuning is None else asdict(tuning),
}
text = json.dumps(content, indent=2, sort_keys=True)
Path(snakemake.output.setting).write_text(text + "\n", encoding="utf-8")
logger.info("%s on %s: %d rows", name, experiment, len(frame))
