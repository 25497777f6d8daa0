"""What configurations cost and what is wrong with changed ones; and what small studies find."""

import json
from collections.abc import Mapping
from copy import deepcopy
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from msgspec import to_builtins

from recorded import compare
from shapaudit.datasets import LOADERS
from shapaudit.estimators import Estimate, checked_runs, create
from shapaudit.games import TabularGame
from shapaudit.models import train
from shapaudit.seeding import generator
from shapaudit.truth import Truth, compute
from shapaudit_audit.jobs import Plan, evaluations
from shapaudit_audit.papers import ROLES
from shapaudit_audit.study import (
    config,
    costs,
    explanations,
    removal_studies,
    samples,
)
from shapaudit_audit.study.blocks.base import record, records
from shapaudit_audit.study.blocks.games import DatasetBlock, RemovalBlock
from shapaudit_audit.study.blocks.runs import EstimatorBlock, ExperimentBlock, PathBlock
from shapaudit_audit.study.blocks.studies import (
    ExplainerBlock,
    ExplanationStudyBlock,
    FewerBlock,
    RemovalStudyBlock,
)
from shapaudit_audit.study.blocks.study import Study
from shapaudit_audit.study.data_shapes import shape_of
from shapaudit_audit.study.equal_rows import Bill, estimates_within
from shapaudit_audit.study.experiments import run_experiment, run_spec
from shapaudit_audit.study.fresh_seeds import repetition_seeds
from shapaudit_audit.study.overlays import ConfigError, load_study

ROOT = Path(__file__).parents[2]
STUDIES = ("smoke", "config", "full")
STUDIED = ("experiments", "paths", "explanation_studies", "removal_studies")
D = 5


def study(name):
    return load_study(ROOT / "config" / f"{name}.yaml")


def read(name):
    return record(Study, study(name))


class Games:
    """Five small games, two of them to choose a parameter on."""

    n_players, n_experiment = D, 3
    games = tuple(TabularGame(row) for row in np.random.default_rng(7).normal(size=(5, 1 << D)))

    def game(self, explicand):
        return self.games[explicand]

    def experiment_games(self):
        return self.games[:3]

    def tuning_games(self):
        return self.games[3:]

    def predictions(self):
        return None


@pytest.mark.parametrize("name", STUDIES)
def test_what_studies_cost(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    settings, counts = read(name), {}
    for game, block in settings.games.items():
        counts[f"{name} game {game}"] = costs.truth_evaluations(block)
    for key, block in settings.experiments.items():
        counts[f"{name} experiment {key}"] = [
            costs.run_evaluations(
                settings.estimators[own], block.part(own), settings.game_of(block)
            )
            for own in block.estimators
        ]
    for key, block in settings.explanation_studies.items():
        counts[f"{name} explanation {key}"] = costs.explanation_rows(settings, block)
    for key, block in settings.removal_studies.items():
        counts[f"{name} removal {key}"] = costs.removal_rows(settings, block)
    counts[f"{name} removals"] = [
        costs.rows_per_value(spec, 70) for spec in settings.removals.values()
    ]
    compare("study", counts)


@pytest.mark.parametrize("name", STUDIES)
def test_what_jobs_cost(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    plan = Plan(study(name))
    settings = plan.study
    asked = [("build_games", {"game": game}) for game in settings.games]
    asked += [("compute_truth", {"game": game}) for game in settings.games]
    for key, block in settings.experiments.items():
        named = {"experiment": key}
        asked += [("run_estimators", named | {"batch": batch}) for batch in block.batches()]
        asked += [("keep_estimates", named)] if block.keep else []
    asked += [("run_paths", {"path": path}) for path in settings.paths]
    for key, block in settings.explanation_studies.items():
        asked += [("study_explainers", {"explanation": key, "first": k}) for k in block.batches()]
    for key, block in settings.removal_studies.items():
        named = {"removal_study": key}
        asked += [("study_removals", named | {"removal": batch}) for batch in block.batches()]
    counts = evaluations(plan, asked)
    told = {f"{name} jobs": costs.told(counts, settings.most_evaluations).splitlines()}
    with pytest.raises(ConfigError) as refused:
        costs.told(counts, 1)
    told[f"{name} too many"] = str(refused.value)
    compare("study", {f"{name} jobs {key}": count for key, count in counts.items()} | told)


@pytest.mark.parametrize("name", STUDIES)
def test_parts_of_studies(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    settings = read(name)
    experiments, games = settings.audited()
    own = {
        "audited": [*experiments, *games],
        "repeated": json.dumps(to_builtins(settings.repeated())).split(","),
        "compared": [*settings.compared(), "-", *settings.on_games_of_papers()],
        "models": settings.models_of(settings.experiments),
        "batches": [block.batches() for block in settings.experiments.values()],
        "references": [block.compared_with for block in settings.experiments.values()],
        "shapes": [shape_of(block) for block in settings.datasets.values()],
        "seeds": len(repetition_seeds(settings)),
    }
    compare("study", {f"{name} {key}": part for key, part in own.items()})


def places(block, path=()):
    """Paths to all entries of a configuration."""
    for key, value in block.items():
        yield (*path, key)
        if isinstance(value, Mapping):
            yield from places(value, (*path, key))


def changed(value):
    """Other values of an entry, of the same kind."""
    if isinstance(value, bool | Mapping):
        return []
    if isinstance(value, int | float):
        return [0, 1000 * value]
    if isinstance(value, list):
        return [value[::-1], [*value, "nowhere"]]
    return ["nowhere"]


def excerpt(settings):
    """A study of one's own with few entries of each kind, and all that these name."""
    few = {key: dict(list(block.items())[:2]) for key, block in settings.items() if key in STUDIED}
    for block in few["experiments"].values():
        block.pop("paper", None), block.pop("role", None)
    for block in few["paths"].values():
        block.pop("paper", None), block.pop("role", None)
    named = [few, settings["repetition"]]
    for key in ("games", "models", "datasets", "estimators", "removals", "explainers"):
        text = json.dumps(named)
        few[key] = {name: block for name, block in settings[key].items() if f'"{name}"' in text}
    return {key: few.get(key, block) for key, block in settings.items()}


def mistakes():
    """A small study with a change at each kind of place, and what the change is."""
    settings = excerpt(study("smoke"))
    seen = set()
    for path in places(settings):
        last = path[0], path[-1] if len(path) > 2 else "", len(path)
        if last in seen:
            continue
        seen.add(last)
        parent = settings
        for key in path[:-1]:
            parent = parent[key]
        for value in changed(parent[path[-1]]):
            other = deepcopy(settings)
            below = other
            for key in path[:-1]:
                below = below[key]
            below[path[-1]] = value
            yield f"{'.'.join(path)} {value}", other


def test_what_is_wrong_with_a_configuration(monkeypatch):
    monkeypatch.chdir(ROOT)
    messages = {}
    for name, content in mistakes():
        try:
            config.validate(content, ROLES)
            messages[name] = "nothing"
        except ConfigError as error:
            messages[name] = str(error).splitlines()
    compare("mistakes", {"smoke": list(messages.items())})


def returned(*fields):
    """An estimator that gives back what it is told to."""

    class Broken(type(create("paired-kernel-shap"))):
        def estimate(self, game, budget, rng):
            game(np.eye(D, dtype=bool))
            return Estimate(*fields) if fields else "nothing"

        def __str__(self):
            return "broken"

    return Broken()


def test_what_is_wrong_with_an_estimate():
    good, short = np.zeros(D), np.zeros(D - 1)
    cases = [(), ([0.0] * D, 5, None), (short, 5, None), (good, 5, short), (good, 6, None)]
    cases += [(good, 4, None), (good, 5.0, None), (good, 21, None), (good, 0, None)]
    cases += [(good + np.nan, 5, None), (good, 5, good - 1), (good, 5, good + np.nan)]
    cases += [(good.astype(complex), 5, None), (good, True, None), (good, 5, good)]
    outcomes = []
    for values in cases:
        fields = values and (values[0], values[2], values[1])
        try:
            (run,) = checked_runs.run_once(
                returned(*fields), Games.games[0], [20], lambda budget: None
            )
            outcomes.append(run.evaluations)
        except checked_runs.EstimatorFailure as error:
            outcomes.append(f"{type(error).__name__}: {error}")
    compare("study", {f"estimate {k}": answer for k, answer in enumerate(outcomes)})


def test_runs_of_estimators():
    rng = np.random.default_rng(0)
    truths = [compute("enumeration", game, rng) for game in Games.games]
    blurred = [Truth(truth.values, "reference", "p", np.full(D, 0.2)) for truth in truths]
    tuned = {"parameter": "scale", "grid": [0.01, 0.1, 1.0]}
    specs = {
        "kernel": {"estimator": "paired-kernel-shap"},
        "walks": {"estimator": "optimised-monte-carlo"},
        "tuned": {"estimator": "projected-sgd", "params": {"step": "constant"}, "tune": tuned},
    }
    own = {"game": "g", "budgets": [3, 12, 24], "repetitions": 3, "estimators": [*specs]}
    block, columns = record(ExperimentBlock, own), {}
    for name, spec in records(EstimatorBlock, specs).items():
        table, setting = run_spec(spec, block, Games(), truths, 5, ("e", name))
        columns |= {f"run {name} {key}": column for key, column in table.items()}
        columns[f"run {name}"] = setting
    estimator = create("optimised-monte-carlo")
    table = run_experiment(estimator, Games.games, blurred, [12, 24], 2, 5, ("e", "b"))
    columns |= {f"run blurred {key}": column for key, column in table.items()}
    compare("study", columns)


def test_runs_by_samples():
    names = {"walks": "optimised-monte-carlo", "multilinear": "multilinear"}
    specs = {name: EstimatorBlock(estimator=estimator) for name, estimator in names.items()}
    same = {"game": "g", "estimators": [*specs]}
    path = PathBlock(**same, explicands=2, samples=12, step=2, replicates=3)
    made = [create(estimator) for estimator in names.values()]
    block = ExperimentBlock(**same, budgets=[2, 20, 28], repetitions=1, keep=2)
    kept = samples.kept_estimates(specs, block, Games(), 3, "k")
    spread = samples.deviations(specs, path, Games(), 3, "p")
    columns = {f"kept {key}": column for key, column in kept.items()}
    columns |= {f"path {key}": column for key, column in spread.items()}
    columns["path evaluations"] = samples.path_evaluations(specs, path, D)
    columns["budgets of samples"] = samples.sample_budgets(made, (4, 10, 20), D)
    prices = np.arange(1 << D)
    bills = {"model": Bill(9, prices), "all": Bill(30, 2 * prices), "same": Bill(9, prices)}
    within = estimates_within(
        create("paired-kernel-shap"), Games.games[0], bills, (8, 200, 400, 600), 2,
        partial(generator, 4),
    )  # fmt: skip
    columns["within"] = [[*map(str, entry[:-1]), *entry[-1]] for entry in within]
    compare("study", columns)


def test_a_study_of_removals():
    dataset = LOADERS["gaussian-law"](generator(1, "data"), n_rows=60, n_features=3)
    model = train("polynomial", dataset, {}, 0)
    world = removal_studies.world_of("one", 2, dataset, model, 5)
    removals = {
        name: RemovalBlock(removal=name) for name in ("marginal", "gaussian", "exact-match")
    }
    block = RemovalStudyBlock(
        **{"model": "m", "estimator": "kernel", "removals": [*removals]},
        **{"rows": [20, 40], "fits": 2, "explicands": 2, "runs": 2},
        **{"budgets": [6, 8], "row_limits": [100, 400]},
        fewer={"gaussian": FewerBlock(fits=1, rows=[40])},
    )
    spec = EstimatorBlock(estimator="paired-kernel-shap")
    tables = removal_studies.study_removals(block, removals, spec, world)
    columns = {f"removal {kind} {key}": c for kind, own in tables.items() for key, c in own.items()}
    rows = world.rows(20, 1)
    columns["removal world"] = [rows.target, world.predictions(), world.values, world.marginal]
    compare("study", columns)


def test_a_study_of_explainers():
    # Networks are left out: how they are trained depends on the processor.
    models = {"forest": {"trainer": "forest", "params": {"trees": 3}}}
    models["booster"] = {"trainer": "xgboost", "params": {"n_estimators": 4}}
    data = DatasetBlock(loader="diabetes")
    named = {"path": "path-dependent-tree", "tree": "interventional-tree"}
    explainers = {name: {"explainer": explainer} for name, explainer in named.items()}
    blocks = explanations.Blocks(
        dataset=data,
        explainers=records(ExplainerBlock, explainers),
        estimators={"paired": EstimatorBlock(estimator="paired-kernel-shap")},
    )
    columns = {}
    for truth, background in (("enumeration", "zero"), ("permutations", "mean")):
        block = {"units": 2, "explicands": 2, "background": background, "rows": [1, 4], "keep": 1}
        block |= {"truth": {"method": truth}, "explainers": [*named], "estimators": ["paired"]}
        own = record(ExplanationStudyBlock, block | {"dataset": "d", "models": models})
        for number, table in enumerate(explanations.run_study("s", own, blocks, 3)):
            columns |= {f"explanation {truth} {number} {key}": c for key, c in table.items()}
    compare("study", columns)
