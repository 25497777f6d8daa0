"""The evaluations of a run are counted before it starts, and an absurd run is not begun."""

import numpy as np
import pytest
from msgspec.structs import replace
from small_site import own_study

from shapaudit import datasets, models
from shapaudit.games import TabularGame
from shapaudit.truth import compute
from shapaudit_audit.study.blocks.games import (
    DatasetBlock,
    GameBlock,
    ModelBlock,
    RemovalBlock,
    TruthBlock,
)
from shapaudit_audit.study.blocks.runs import (
    CostlyBlock,
    EstimatorBlock,
    ExperimentBlock,
    PathBlock,
    TuneBlock,
)
from shapaudit_audit.study.blocks.studies import (
    ExplainedModelBlock,
    ExplainerBlock,
    ExplanationStudyBlock,
    ExplanationTruthBlock,
    FewerBlock,
    RemovalStudyBlock,
)
from shapaudit_audit.study.costs import (
    ROWS,
    explanation_rows,
    removal_rows,
    rows_per_value,
    run_evaluations,
    told,
    truth_evaluations,
)
from shapaudit_audit.study.experiments import run_spec
from shapaudit_audit.study.explanations import Blocks, run_study
from shapaudit_audit.study.overlays import ConfigError
from shapaudit_audit.study.removal_studies import study_removals, world_of
from shapaudit_audit.study.samples import deviations, path_evaluations

GAME = GameBlock(
    model="m",
    reward="prediction",
    players=6,
    explicands=4,
    tuning_explicands=2,
    truth=TruthBlock(method="enumeration"),
)
EXPERIMENT = ExperimentBlock(
    game="g", budgets=[3, 60, 120], repetitions=2, explicands=3, estimators=["k"]
)
PAIRED = EstimatorBlock(estimator="paired-kernel-shap")
DATA = DatasetBlock(loader="gaussian-law", params={"n_rows": 90, "n_features": 4})
REMOVALS = {
    "marginal": RemovalBlock(removal="marginal"),
    "gaussian": RemovalBlock(removal="gaussian", params={"draws": 20}),
    "surrogate": RemovalBlock(removal="surrogate", params={"hidden": [4], "epochs": 3}),
}
EXPLAINED = ExplanationStudyBlock(
    dataset="made-up",
    models={
        "net": ExplainedModelBlock(trainer="network", params={"hidden": [4], "epochs": 3}),
        "trees": ExplainedModelBlock(trainer="forest", params={"trees": 5}),
    },
    units=3,
    explicands=2,
    background=1,
    truth=ExplanationTruthBlock(method="enumeration"),
    explainers=["rescale"],
    estimators=["paired"],
    rows=[4, 6],
)
REMOVED = RemovalStudyBlock(
    model="net",
    rows=[30, 60],
    fits=3,
    explicands=3,
    estimator="paired",
    budgets=[8, 12],
    row_limits=[500],
    runs=2,
    fewer={"surrogate": FewerBlock(fits=1, rows=[60])},
    removals=[*REMOVALS],
)


@pytest.fixture
def study():
    """A configuration with the data, models and removals of the studies."""
    net = ModelBlock(dataset="made-up", trainer="network", params={"epochs": 4})
    return replace(
        own_study("a"), datasets={"made-up": DATA}, models={"net": net}, removals=REMOVALS
    )


class Collection:
    """Six games, two of them to choose a parameter on."""

    n_players, n_experiment = 6, 4

    def __init__(self):
        values = np.random.default_rng(0).random((6, 64))
        self.games = [TabularGame(table) for table in values]

    def game(self, explicand):
        return self.games[explicand]

    def experiment_games(self):
        return self.games[:4]

    def tuning_games(self):
        return self.games[4:]


@pytest.mark.parametrize(
    "spec",
    [
        EstimatorBlock(estimator="optimised-monte-carlo"),
        EstimatorBlock(estimator="multilinear"),
        EstimatorBlock(
            estimator="projected-sgd",
            params={"step": "constant"},
            tune=TuneBlock(parameter="scale", grid=[0.01, 0.02, 0.03]),
        ),
    ],
    ids=lambda spec: spec.estimator,
)
def test_a_run_takes_no_more_evaluations_than_are_counted_and_not_much_less(spec):
    collection = Collection()
    rng = np.random.default_rng(0)
    truths = [compute("enumeration", game, rng) for game in collection.games]
    table, setting = run_spec(spec, EXPERIMENT, collection, truths, 1, ("e", "k"))
    counted = run_evaluations(spec, EXPERIMENT, GAME)
    per_run = {}
    anytime = spec.estimator != "multilinear"
    for explicand, repetition, spent in zip(
        table["explicand"], table["repetition"], table["evaluations"], strict=True
    ):
        key = explicand, repetition
        per_run[key] = max(per_run.get(key, 0), spent) if anytime else per_run.get(key, 0) + spent
    tuned = setting["tuning"]["evaluations"] if setting["tuning"] else 0
    assert 0.8 * counted <= sum(per_run.values()) + tuned <= counted


def test_only_what_runs_of_a_costly_estimator_is_counted():
    limits = {"k": CostlyBlock(explicands=2, evaluations=100)}
    block = replace(EXPERIMENT, costly=limits, explicands=None)
    spec = EstimatorBlock(estimator="multilinear")
    assert run_evaluations(spec, block.part("k"), GAME) == 2 * 2 * 60  # 3 are below its minimum
    assert run_evaluations(spec, block.part("other"), GAME) == 4 * 2 * (60 + 120)


@pytest.mark.parametrize(
    ("truth", "count"),
    [
        (TruthBlock(method="enumeration"), 6 * 64),
        (TruthBlock(method="enumeration", check="diagonal"), 2 * 6 * 64),
        (TruthBlock(method="permutations", params={"shuffles": 100}), 6 * 100 * 7),
        (TruthBlock(method="orbits", params={"orbits": 10}), 6 * 10 * 6 * 7),
        (TruthBlock(method="tree"), 0),
        (TruthBlock(method="inversion"), 0),
    ],
    ids=lambda part: getattr(part, "method", part),
)
def test_truth_is_counted(truth, count):
    assert truth_evaluations(replace(GAME, truth=truth)) == count


def test_paths_are_counted():
    specs = {
        "mc": EstimatorBlock(estimator="optimised-monte-carlo"),
        "owen": EstimatorBlock(estimator="multilinear"),
    }
    path = PathBlock(game="g", explicands=2, samples=12, step=4, replicates=3, estimators=[*specs])
    table = deviations(specs, path, Collection(), 1, "p")
    along = table["evaluations"][table["kind"] == "path"].sum()
    again = 3 * table["evaluations"][table["kind"] == "replicates"].sum()
    assert path_evaluations(specs, path, 6) == along + again


def test_an_explanation_study_takes_no_more_rows_than_are_counted_and_not_much_less(study):
    explainers = {"rescale": ExplainerBlock(explainer="deeplift")}
    blocks = Blocks(dataset=DATA, explainers=explainers, estimators={"paired": PAIRED})
    table, _ = run_study("one", EXPLAINED, blocks, 1)
    truths = 2 * 3 * 2 * 2**4  # models, units, explicands, coalitions
    spent = 2 * table["rows"][table["budget"] > 0].sum() + truths
    counted = explanation_rows(study, EXPLAINED)
    assert 0.8 * counted <= spent <= counted


@pytest.mark.parametrize(
    ("method", "params", "background", "rows"),
    [
        ("explainer", {}, 1, 0),
        ("law", {}, 1, 16),
        ("permutations", {"shuffles": 10}, 3, 10 * 5 * 3),
        ("enumeration", {}, "mean", 16),
        ("enumeration", {}, 7, 16 * 7),
    ],
)
def test_the_truths_of_an_explanation_study_are_counted(study, method, params, background, rows):
    truth = ExplanationTruthBlock(method=method, params=params)
    block = replace(EXPLAINED, truth=truth, background=background, estimators=[], rows=[])
    assert explanation_rows(study, block) == rows * 2 * 3 * 2


def test_a_removal_study_takes_no_more_rows_than_are_counted_and_not_much_less(study):
    data = datasets.load(DATA.loader, DATA.params, np.random.default_rng(0))
    model = models.train("network", data, {"epochs": 4}, 0)
    world = world_of("two", REMOVED.explicands, data, model, 1)
    fits = study_removals(REMOVED, REMOVALS, PAIRED, world)["fits"]
    spent = 3 * (fits["coalitions"] * fits["rows_per_value"]).sum()
    counted = removal_rows(study, REMOVED)
    assert 0.7 * counted <= spent <= counted


@pytest.mark.parametrize(
    ("removal", "params", "rows"),
    [
        ("gaussian", {"draws": 40}, 40),
        ("marginal", {"rows": 7}, 7),
        ("marginal", {}, ROWS),
        ("kernel", {"most": 20}, 20),
        ("combined", {"draws": 30, "most": 80}, 80),
        ("surrogate", {}, 1),
    ],
)
def test_a_value_by_a_removal_takes_its_rows(removal, params, rows):
    assert rows_per_value(RemovalBlock(removal=removal, params=params)) == rows


def test_a_removal_that_uses_all_rows_takes_as_many_as_there_are():
    assert rows_per_value(REMOVALS["marginal"], 70) == 70
    assert rows_per_value(REMOVALS["gaussian"], 70) == 20


def test_the_counts_are_one_table():
    text = told({"games.a": 12345, "explanation_studies.long": 10**9}, 10**12)
    assert text.splitlines() == [
        "evaluations of games and models, at most",
        f"games.a{' ' * 33}{' ' * 16}12,345",
        f"explanation_studies.long{' ' * 16}{' ' * 9}1,000,000,000",
        f"all{' ' * 37}{' ' * 9}1,000,012,345",
    ]


def test_an_absurd_run_is_refused_in_words():
    counts = {"games.a": 700, "games.b": 300}
    told(counts, 1000)
    with pytest.raises(
        ConfigError, match=r"1,000 evaluations, 700 of them for games\.a, and most_"
    ):
        told(counts, 999)
