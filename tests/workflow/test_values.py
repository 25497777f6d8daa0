"""Tables of a small study against values computed here, each generator named by its axes.

The study has what a fault of a rule or a script could pass over: several seeds, explicands that are
selected, drawn, left out of the experiment and kept for tuning, two estimators in a job, and a
repetition from another base seed.
"""

import json

import numpy as np
import pandas as pd
import pytest
import yaml
from workspace import ROOT, run

from shapaudit import datasets, models
from shapaudit.estimators import AnytimeEstimator, create
from shapaudit.games import TabularGame
from shapaudit.seeding import derive_seed, generator
from shapaudit.truth import compute, shapley_from_table
from shapaudit_audit.audit.context import Context, Settings, StudyEstimates, StudyGame
from shapaudit_audit.audit.evidence import encode, evidence_in, gather_all, is_sampled
from shapaudit_audit.papers import PAPERS, package_of
from shapaudit_audit.study.blocks.base import records
from shapaudit_audit.study.blocks.runs import ExperimentBlock
from shapaudit_audit.study.collection import load_collection, make_game, select_rows
from shapaudit_audit.study.overlays import load_study
from shapaudit_audit.study.reading import load_settings
from shapaudit_audit.study.samples import with_samples

pytestmark = pytest.mark.studies

(GRAH,) = (key for key in PAPERS if key.startswith("grah"))
GAMES = ("classification", "okhrati-cancer")
EXPERIMENTS = {
    "classification": {"explicands": 4, "budgets": [8, 40, 100], "repetitions": 3, "keep": 2}
    | {"game": "classification", "estimators": ["optimised-mc", "paired-kernel-shap"]}
    | {"per_job": 2},
    "tuned": {"budgets": [40, 100], "repetitions": 2}
    | {"game": "classification", "estimators": ["psgd-sqrt-tuned"]},
    "cancer": {"budgets": [100], "repetitions": 2}
    | {"game": "okhrati-cancer", "estimators": ["plain-mc"]},
    "unaudited": {"budgets": [40], "repetitions": 1, "audit": False}
    | {"game": "classification", "estimators": ["optimised-mc"]},
}
BLOCKS = records(ExperimentBlock, EXPERIMENTS)
SELECTION = {"explicands": [3, "largest-2"], "baselines": [5, 7]}


def study():
    """The configuration: games of two kinds, with selected, drawn and tuning explicands."""
    config = load_study(ROOT / "config" / "smoke.yaml")
    config |= {"results": "results/values", "seed": 4, "experiments": EXPERIMENTS}
    config["games"] = {name: config["games"][name] for name in GAMES}
    sampled = {"method": "permutations", "params": {"shuffles": 16}}
    config["games"]["okhrati-cancer"] |= {
        "explicands": 3,
        "tuning_explicands": 1,
        "selection": SELECTION,
    }
    config["games"]["okhrati-cancer"]["truth"] = sampled
    config["games"]["classification"]["truth"] = {"method": "enumeration", "check": "diagonal"}
    wanted = {game["model"] for game in config["games"].values()}
    config["models"] = {name: config["models"][name] for name in wanted}
    config["paths"] = {"okhrati-cancer": config["paths"]["okhrati-cancer"]}
    del config["paths"]["okhrati-cancer"]["paper"]
    config["repetition"] = {"seeds": [9], "estimators": ["optimised-mc", "psgd-sqrt-tuned"]}
    for block in ("architectures", "removal_studies"):
        config.pop(block, None)
    return config


CONFIG = study()
RUNS = {"": 4, "repetitions/9/": 9}  # by folder: the base seed


@pytest.fixture(scope="module")
def results(project):
    """Folder of the results; the evidence is that on one paper."""
    (project / "config" / "values.yaml").write_text(yaml.safe_dump(CONFIG, sort_keys=False))
    again = RUNS.keys() - {""}
    targets = [
        "estimates",
        *(f"results/values/{run}evidence/{GRAH}.json" for run in RUNS),
        *(f"results/values/{run}truth/okhrati-cancer.parquet" for run in again),
    ]
    outcome = run(project, *targets, "--cores", "2", "--configfile", "config/values.yaml")
    assert outcome.returncode == 0, outcome.stdout[-3000:]
    return project / "results" / "values"


@pytest.fixture(scope="module", params=RUNS, ids=["study", "repetition"])
def made(request, results):
    """What one run left and its base seed."""
    return results / request.param, RUNS[request.param]


def model_of(folder, game):
    return models.load_model(folder / "models" / CONFIG["games"][game]["model"])


def dataset_of(folder, game):
    name = CONFIG["models"][CONFIG["games"][game]["model"]]["dataset"]
    return name, datasets.read(folder / "datasets" / f"{name}.npz")


@pytest.mark.parametrize("game", GAMES)
def test_data_sets_and_models_come_from_the_seeds_of_their_names(made, game):
    folder, seed = made
    name, dataset = dataset_of(folder, game)
    block = CONFIG["datasets"][name]
    rng = generator(seed, "dataset", name)
    loaded = datasets.load(block["loader"], block.get("params", {}), rng)
    np.testing.assert_array_equal(dataset.features, loaded.features)
    for part, rows in loaded.split.items():
        np.testing.assert_array_equal(dataset.split[part], rows)

    name = CONFIG["games"][game]["model"]
    block = CONFIG["models"][name]
    drawn = derive_seed(seed, "model", name) % 2**31
    trained = models.train(block["trainer"], dataset, block.get("params", {}), drawn)
    rows, target = dataset.rows("test")
    read = model_of(folder, game)
    np.testing.assert_array_equal(read.predict(rows), trained.predict(rows))
    score = json.loads((folder / "models" / f"{name}.score.json").read_text(encoding="utf-8"))
    assert (score["trainer"], score["test_rows"]) == (block["trainer"], len(rows))
    assert score["score"] == models.held_out_score(trained, rows, target)[0]


def test_selected_explicands_come_before_those_drawn(made):
    folder, seed = made
    _, dataset = dataset_of(folder, "okhrati-cancer")
    model = model_of(folder, "okhrati-cancer")
    read = load_collection(folder / "games" / "okhrati-cancer", model)
    second = np.argsort(-model.predict(dataset.features), kind="stable")[1]
    np.testing.assert_array_equal(read.explicands[:2], dataset.features[[3, second]])
    np.testing.assert_array_equal(read.baselines[:2], dataset.features[[5, 7]])
    rng = generator(seed, "pairs", "okhrati-cancer")
    drawn, zeros = select_rows(dataset, model, 2, "class-probability", rng, "zero")
    np.testing.assert_array_equal(read.explicands[2:], drawn)
    np.testing.assert_array_equal(read.baselines[2:], zeros)


def truth_of(folder, game):
    return pd.read_parquet(folder / "truth" / f"{game}.parquet").sort_values(
        ["explicand", "player"]
    )


@pytest.mark.parametrize(("game", "counts"), [("classification", (6, 2)), (GAMES[1], (3, 1))])
def test_tables_are_those_of_all_explicands(made, game, counts):
    folder, _ = made
    block, model = CONFIG["games"][game], model_of(folder, game)
    read = load_collection(folder / "games" / game, model)
    assert (len(read.experiment_games()), len(read.tuning_games())) == counts
    places = np.array([5, 22, -7 % (1 << block["players"])])
    coalitions = (places[:, None] >> np.arange(block["players"]) & 1).astype(bool)
    for x, r, table in zip(read.explicands, read.baselines, read.tables, strict=True):
        values = make_game(model, block["reward"], x, r, "own")(coalitions)
        np.testing.assert_allclose(table[places], values, atol=1e-12)


def test_truths_are_exact_where_all_coalitions_are_counted(made):
    folder, _ = made
    truth = truth_of(folder, "classification")
    tables = np.load(folder / "games" / "classification" / "tables.npy")
    values = truth["value"].to_numpy().reshape(8, 6)
    np.testing.assert_allclose(values, [shapley_from_table(table) for table in tables], atol=1e-12)
    assert (truth["check"] == "diagonal").all()
    assert truth["difference"].max() < 1e-9


def test_truths_by_samples_come_from_the_seeds_of_their_games(made):
    folder, seed = made
    read = load_collection(folder / "games" / GAMES[1], model_of(folder, GAMES[1]))
    truth = truth_of(folder, GAMES[1])
    for explicand in range(4):
        rng, rows = (
            generator(seed, "truth", GAMES[1], explicand),
            truth[truth["explicand"] == explicand],
        )
        own = compute("permutations", read.structured(explicand), rng, shuffles=16)
        np.testing.assert_allclose(rows["value"], own.values, rtol=1e-9)
        np.testing.assert_allclose(rows["standard_error"], own.standard_errors, rtol=1e-9)


def estimated(read, name, axes, seed, explicand, repetition, **params):
    """Estimate at 100 evaluations of the explicand's game, with the generator of its axes.

    That of an anytime estimator is the last of those at all budgets of its experiment.
    """
    spec = CONFIG["estimators"][name]
    estimator = create(spec["estimator"], spec.get("params", {}) | params)
    rng = generator(seed, *axes, "pair", explicand, repetition, 100)
    if "tuning" in axes:
        return estimator.estimate(TabularGame(read.tables[read.n_experiment + explicand]), 100, rng)
    game, budgets = TabularGame(read.tables[explicand]), EXPERIMENTS[axes[0]]["budgets"]
    if not isinstance(estimator, AnytimeEstimator):
        return estimator.estimate(game, 100, rng)
    least = estimator.minimum_budget(read.n_players)
    return estimator.trajectory(game, [n for n in budgets if n >= least], rng)[-1]


def collection_of(folder, experiment):
    game = EXPERIMENTS[experiment]["game"]
    return load_collection(folder / "games" / game, model_of(folder, game))


def table_of(folder, experiment):
    tables = sorted((folder / "estimates" / experiment).glob("*.parquet"))
    return pd.concat(map(pd.read_parquet, tables), ignore_index=True)


def seeds_of(run, experiment):
    return 1 if "repetitions" in run.parts else EXPERIMENTS[experiment]["repetitions"]


def check_errors(rows, read, seed, **params):
    """Errors of a run at its last budget are those of estimates made here."""
    for row in rows.itertuples():
        axes, at = (row.experiment, row.estimator), (row.explicand, row.repetition)
        estimate = estimated(read, row.estimator, axes, seed, *at, **params)
        error = estimate.values - shapley_from_table(read.tables[row.explicand])
        assert row.squared_error == pytest.approx(error @ error, rel=1e-9, abs=1e-20)
        assert row.evaluations == estimate.evaluations


def test_errors_are_those_of_the_seeds_of_experiment_and_estimator(made):
    folder, seed = made
    read, frame = collection_of(folder, "classification"), table_of(folder, "classification")
    assert set(frame["estimator"]) == (
        {"optimised-mc"} if seed == 9 else {"optimised-mc", "paired-kernel-shap"}
    )
    assert (frame["study"] == CONFIG["study"]).all()
    assert (frame["game"] == "classification").all()
    for name, rows in frame.groupby("estimator"):
        runs = set(zip(rows["explicand"], rows["repetition"], strict=True))
        assert runs == set(np.ndindex(4, seeds_of(folder, "classification"))), name
    check_errors(frame[frame["budget"] == 100], read, seed)
    spread = frame.groupby(["estimator", "explicand", "budget"])["squared_error"].nunique()
    assert spread.max() == seeds_of(folder, "classification")


def test_a_parameter_is_chosen_on_the_tuning_explicands_alone(made):
    folder, seed = made
    read, frame = collection_of(folder, "tuned"), table_of(folder, "tuned")
    name, axes = "psgd-sqrt-tuned", ("tuned", "psgd-sqrt-tuned", "tuning")
    tune = CONFIG["estimators"][name]["tune"]
    (setting,) = load_settings(folder, "tuned", BLOCKS["tuned"]).values()
    means = []
    for value in tune["grid"]:
        errors = [
            estimated(read, name, axes, seed, explicand, 0, **{tune["parameter"]: value}).values
            - shapley_from_table(read.tables[6 + explicand])
            for explicand in range(2)
        ]
        means.append(np.linalg.norm(errors, axis=1).mean())
    assert setting["tuning"]["errors"] == pytest.approx(means, rel=1e-9)
    chosen = tune["grid"][int(np.argmin(means))]
    assert setting["params"][tune["parameter"]] == chosen
    check_errors(frame[frame["budget"] == 100], read, seed, **{tune["parameter"]: chosen})
    assert set(frame["explicand"]) == set(range(6))


def test_kept_estimates_are_those_of_the_first_seed(results):
    kept = pd.read_parquet(results / "kept" / "classification.parquet")
    read = collection_of(results, "classification")
    assert set(kept["explicand"]) == {0, 1}
    for (name, explicand), rows in kept[kept["budget"] == 100].groupby(["estimator", "explicand"]):
        estimate = estimated(read, name, ("classification", name), 4, explicand, 0)
        np.testing.assert_allclose(rows.sort_values("player")["value"], estimate.values, rtol=1e-9)


def test_paths_follow_the_seeds_of_their_names(results):
    name = "okhrati-cancer"
    block, read = CONFIG["paths"][name], collection_of(results, "cancer")
    table = pd.read_parquet(results / "paths" / f"{name}.parquet")
    assert set(table["estimator"]) == set(block["estimators"])
    along = table[(table["kind"] == "path") & (table["samples"] == 20)]
    assert len(along) == block["explicands"] * len(block["estimators"])
    for row in along.itertuples():
        spec = CONFIG["estimators"][row.estimator]
        values = []
        for samples in (10, 20):
            sized, budget = with_samples(create(spec["estimator"], spec.get("params")), samples, 15)
            axes = ("path", name, row.estimator, row.explicand, "along", samples)
            game = TabularGame(read.tables[row.explicand])
            values.append(sized.estimate(game, budget, generator(4, *axes)).values)
        assert row.deviation == pytest.approx(np.std(values, axis=0).mean(), rel=1e-9)
        assert row.evaluations == budget


def test_the_evidence_looks_at_the_explicands_of_experiments_and_at_what_is_audited(made):
    folder, seed = made
    games, estimates = [], {}
    for name in GAMES:
        tables = np.load(folder / "games" / name / "tables.npy")
        games.append(StudyGame.from_tables(name, tables[: CONFIG["games"][name]["explicands"]]))
    for name in ("classification", "tuned", "cancer")[: 3 if seed == 4 else 2]:
        frame = table_of(folder, name)
        frame["error"] = np.sqrt(frame["squared_error"])
        estimates[name] = StudyEstimates(frame, load_settings(folder, name, BLOCKS[name]))
    settings = {key: value for key, value in CONFIG["claims"].items() if key != "alpha"}
    published = {key: ROOT / "config/published" / f"{key}.csv" for key in PAPERS[GRAH].reads}
    context = Context(
        CONFIG["study"], seed, tuple(games), Settings(**settings), estimates, published
    )
    gathers = evidence_in(package_of(GRAH))
    if seed == 9:
        gathers = {key: gather for key, gather in gathers.items() if is_sampled(gather)}
    written = json.loads((folder / "evidence" / f"{GRAH}.json").read_text(encoding="utf-8"))
    assert (written["seed"], written["study"]) == (seed, CONFIG["study"])
    assert written["pieces"] == json.loads(
        json.dumps({key: encode(piece) for key, piece in gather_all(gathers, context, "").items()})
    )
