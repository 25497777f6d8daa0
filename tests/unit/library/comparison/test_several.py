"""Several outputs in one comparison: the same rows of the model for all, and units on the page."""

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import yaml
from sklearn.ensemble import RandomForestClassifier
from sklearn.svm import LinearSVC

from shapaudit.command import main
from shapaudit.comparison import Comparison, Comparisons, TableError, compare, prepared, run, words
from shapaudit.comparison.drawn import DrawnRows
from shapaudit.comparison.quantity import Quantity
from shapaudit.comparison.words import named
from shapaudit.datasets.mixed import players_of
from shapaudit.explanations.asking import SpeedTrial
from shapaudit.explanations.rows_game import RowsGame
from shapaudit.models.predictors import Predictor
from shapaudit.truth import shapley_exact
from shapaudit_audit.study.overlays import load_study

RNG = np.random.default_rng(0)
TABLE = pd.DataFrame(RNG.normal(size=(80, 8)), columns=list("abcdefgh"))
LABELS = np.where(TABLE.a * TABLE.b > 0.3, "high", np.where(TABLE.c > 0, "mid", "low"))
TWO = ("leverage-shap", "antithetic-monte-carlo")


class Counted:
    """Three outputs of which each needs other columns; counts the rows that it is asked for."""

    NAMES = ("rent", "heat", "noise")

    def __init__(self):
        self.asked = 0

    def __call__(self, rows):
        self.asked += len(rows)
        outputs = {"rent": rows.a * rows.b + rows.c, "heat": np.maximum(rows.d, rows.e)}
        return pd.DataFrame(outputs | {"noise": rows.a * rows.b * rows.c * rows.d})


def compared(model, **settings):
    given = {"explicands": 10, "background": 2, "estimators": TWO, "seed": 3}
    return compare(model, TABLE, **given | settings)


@pytest.fixture
def like_clockwork(monkeypatch):
    """The plan does not depend on the machine: a row takes what the test says."""

    def clock(seconds):
        monkeypatch.setattr("shapaudit.explanations.asking.PATIENCE", np.inf)  # of a stall, too
        monkeypatch.setattr(SpeedTrial, "_speed", lambda *_: seconds)
        monkeypatch.setattr(SpeedTrial, "__init__", timed(SpeedTrial.__init__, seconds))
        monkeypatch.setattr(prepared, "within", lambda planned, *_: planned)

    def timed(original, seconds):
        def init(self, *arguments):
            original(self, *arguments)
            self.row_seconds = seconds

        return init

    return clock


@pytest.mark.parametrize("seconds", [1e-6, 0.01])  # all coalitions; a reference, rows remembered
def test_all_outputs_take_the_rows_of_one(like_clockwork, seconds):
    like_clockwork(seconds)
    settings = {"minutes": 0.6} if seconds > 1e-3 else {}
    single, three = Counted(), Counted()
    alone = compared(single, output="heat", **settings)
    both = compared(three, **settings)
    assert isinstance(alone, Comparison)
    assert isinstance(both, Comparisons)
    assert list(both) == ["rent", "heat", "noise"]
    assert alone.plan.truth == ("enumeration" if seconds < 1e-3 else "reference")
    assert three.asked == single.asked
    assert both.rows == alone.rows
    pd.testing.assert_frame_equal(both["heat"].values, alone.values)
    own = ["estimator", "budget", "row", "evaluations", "error"]
    errors = alone.errors[alone.errors.run == 0].reset_index(drop=True)
    pd.testing.assert_frame_equal(both["heat"].errors[own], errors[own])


def test_without_memory_of_rows_coalitions_are_shared(like_clockwork, monkeypatch):
    like_clockwork(0.01)
    monkeypatch.setattr(run, "SLOW", np.inf)
    single, three = Counted(), Counted()
    alone = compared(single, output="rent", minutes=0.6)
    both = compared(three, minutes=0.6)
    assert alone.plan.truth == both.plan.truth == "reference"
    assert three.asked <= single.asked  # which asks again for what estimators share
    pd.testing.assert_frame_equal(both["rent"].values, alone.values)


def test_values_of_every_output_are_those_of_enumeration_of_its_own_rows():
    comparisons = compared(Counted())
    drawn, players = DrawnRows(TABLE, 2, 10, 3), players_of(list(TABLE.columns), None)
    for name in comparisons:
        game = RowsGame(
            lambda rows, name=name: Counted()(rows)[name].to_numpy(),
            *(drawn.explained.iloc[[4]], drawn.background(2), players),
        )
        values = comparisons[name].values.iloc[4]
        np.testing.assert_allclose(values, shapley_exact(game).values, atol=1e-12)
        row = TABLE.iloc[[values.name]].reset_index(drop=True)
        pd.testing.assert_frame_equal(row, drawn.explained.iloc[[4]].reset_index(drop=True))
    assert set(comparisons.errors["row"]) == set(comparisons["rent"].values.index)


def test_classes_of_a_forest_have_exact_values_by_its_trees(like_clockwork):
    like_clockwork(0.01)
    forest = RandomForestClassifier(5, max_depth=4, random_state=0).fit(TABLE, LABELS)
    comparisons = compared(forest, minutes=2.0, background=20, target="size")
    assert comparisons.plan.truth == "trees"
    assert list(comparisons) == ["high", "low", "mid"]
    totals = sum(comparisons[name].values.to_numpy() for name in comparisons)
    np.testing.assert_allclose(totals, 0.0, atol=1e-6)  # probabilities sum to 1
    assert str(comparisons["low"].quantity) == "the probability that size is low"


def test_some_of_the_outputs_are_chosen_in_their_order():
    comparisons = compared(Counted(), output=["noise", "rent"])
    assert list(comparisons) == ["noise", "rent"]
    with pytest.raises(TableError, match="no output 'rant'; there are 'rent', 'heat', 'noise'"):
        compared(Counted(), output=["rant"])
    with pytest.raises(TableError, match="named twice: 'rent', 'rent'"):
        compared(Counted(), output=["rent", "rent"])
    with pytest.raises(TableError, match=r"gives 21 outputs per row.*choose up to 20"):
        compared(lambda rows: np.tile(rows[["a"]].to_numpy(), 21))


def test_a_classifier_without_probabilities_gives_its_scores():
    """And not its labels, which are no numbers, or are numbers that mean nothing."""
    several = LinearSVC(random_state=0).fit(TABLE, LABELS)
    scores = Predictor(several)
    np.testing.assert_array_equal(scores(TABLE), several.decision_function(TABLE))
    assert scores.names == ("high", "low", "mid")
    two = LinearSVC(random_state=0).fit(TABLE, LABELS == "high")
    np.testing.assert_array_equal(Predictor(two)(TABLE)[:, 0], two.decision_function(TABLE))
    np.testing.assert_array_equal(Predictor(two, False)(TABLE)[:, 0], -two.decision_function(TABLE))


def test_a_classifier_of_several_targets_names_the_class_of_each():
    targets = np.stack([LABELS == "high", TABLE.c > 0], axis=1)
    forest = RandomForestClassifier(3, random_state=0).fit(TABLE, targets)
    chances = Predictor(forest)
    expected = np.concatenate(forest.predict_proba(TABLE), axis=1)
    np.testing.assert_array_equal(chances(TABLE), expected)
    assert chances.names == ("0: False", "0: True", "1: False", "1: True")


@pytest.mark.parametrize(
    ("quantity", "name", "units"),
    [
        (Quantity(), "the model’s output", "units of the model’s output"),
        (Quantity("", "rent"), "rent", "units of rent"),
        (Quantity("", "rent", "EUR"), "rent, in EUR", "EUR"),
        (Quantity("1", "", "EUR"), "output 1, in EUR", "EUR"),
        (Quantity("1", "", "s"), "output 1, in s", "s"),
        (Quantity("yes", "", "probability"), "the probability of yes", "probability"),
        (Quantity("yes", "sold", "probability"), "the probability that sold is yes", "probability"),
    ],
)
def test_what_is_explained_is_said_with_its_unit(quantity, name, units):
    assert (str(quantity), quantity.units) == (name, units)


@pytest.mark.parametrize(
    ("unit", "amount"), [("", "0.0123"), ("EUR", "0.0123 EUR"), ("s", "0.0123 s")]
)
def test_amounts_have_their_unit_but_for_probabilities(unit, amount):
    assert Quantity("yes", "sold", unit).amount(0.01234) == amount
    assert Quantity("yes", "sold", "probability").amount(0.01234) == "0.0123"


@pytest.mark.parametrize(
    ("unit", "said"),
    [
        ("", "the outputs of flat: rent, heat and noise."),
        ("EUR", "the outputs of flat: rent, heat and noise, in EUR."),
        ("s", "the outputs of flat: rent, heat and noise, in s."),
        ("probability", "the probabilities of flat: rent, heat and noise."),
    ],
)
def test_outputs_are_named_with_their_unit(unit, said):
    parts = [SimpleNamespace(quantity=Quantity(name, "flat", unit)) for name in Counted.NAMES]
    assert named(SimpleNamespace(parts=parts)) == f"What is explained are {said}"


@pytest.mark.parametrize(("cheap", "use"), [(0, "{0}: over"), (18, "exact values, which take")])
def test_the_answer_says_what_all_outputs_need(tmp_path, monkeypatch, cheap, use):
    monkeypatch.setattr(words, "cheap_exact", lambda *_: cheap)
    comparisons = compared(Counted(), target="flat", unit="EUR")
    told = str(comparisons)
    assert told.startswith(
        "What is explained are the outputs of flat: rent, heat and noise, in EUR."
    )
    assert f"Use {'the ' * bool(cheap)}{use.format(comparisons.best())}" in told
    assert f"{comparisons.best()}: over all 3 outputs, " in told
    for name in comparisons:
        needed = comparisons[name].needed().loc[comparisons.best()]
        assert re.search(rf"^{name} +" + " +".join(map(re.escape, needed)), told, re.MULTILINE)
    comparisons.save(tmp_path)
    table = pd.read_csv(tmp_path / "table.csv")
    pd.testing.assert_frame_equal(table, comparisons.table())
    assert list(table["output"].unique()) == list(comparisons)
    values = pd.read_csv(tmp_path / "values.csv", index_col=["output", "row"])
    np.testing.assert_allclose(values.loc["noise"], comparisons["noise"].values)
    ends = pd.read_csv(tmp_path / "outputs.csv", index_col=["output", "row"])
    pd.testing.assert_frame_equal(ends, comparisons.ends)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<svg role=") == 3
    for k, name in enumerate(comparisons, 1):
        assert f'<section id="output-{k}">\n<h2>{name}</h2>' in page
        assert f"What is explained is flat, output {name}, in EUR." in page
    assert page.count("Mean error of a player (EUR)") == 3
    ids = re.findall(r' id="([^"]*)"', page)
    assert len(ids) == len(set(ids))


def test_where_players_are_few_no_estimator_is_compared(tmp_path):
    labels = np.where(TABLE.a > 0.5, "high", np.where(TABLE.b > 0, "mid", "low"))
    forest = RandomForestClassifier(3, random_state=0).fit(TABLE[["a", "b"]], labels)
    comparisons = compare(forest, TABLE[["a", "b"]], explicands=10, target="size")
    comparisons.save(tmp_path)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    sentences = (
        "What is explained are the probabilities of size: high, low and mid.",
        "With 2 players no estimator was compared",
        "Exact values are affordable here: 2 players have 4 coalitions",
    )
    for sentence in sentences:
        assert sentence in str(comparisons)
        assert sentence in page
    assert len(pd.read_csv(tmp_path / "values.csv")) == 30


def test_other_estimators_that_are_best_on_single_outputs_are_named():
    comparisons = compared(Counted())
    best = comparisons.best()
    other = next(name for name in TWO if name != best)
    for name in comparisons:
        errors, better = comparisons[name].errors, other if name == "heat" else best
        errors["error"] = np.where(errors.estimator == better, 0.1, 1.0)
    assert (comparisons.best(), comparisons["heat"].best()) == (best, other)
    assert f"On single outputs another estimator is best: {other} for heat" in str(comparisons)


MODEL = """
import numpy as np


def predict(rows):
    return np.stack([rows["a"] * rows["b"] + rows["c"], np.maximum(rows["d"], rows["e"])], axis=1)
"""


def test_a_study_has_a_game_for_each_output(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    TABLE.assign(rent=TABLE.a).to_csv("flats.csv", index=False)
    (tmp_path / "two_of_mine.py").write_text(MODEL, encoding="utf-8")
    command = ["compare", "--data", "flats.csv", "--target", "rent", "--unit", "EUR"]
    command += ["--function", "two_of_mine.py:predict", "--explicands", "10", "--background", "2"]
    assert main([*command, "--estimators", *TWO]) == 0
    assert "over all 2 outputs" in capsys.readouterr().out
    study = load_study(tmp_path / "comparison" / "study.yaml")
    assert list(study["experiments"]) == list(study["models"]) == ["mine-1", "mine-2"]
    labels = [game["label"] for game in study["games"].values()]
    assert labels == ["rent: 0", "rent: 1"]
    outputs = [entry["params"]["output"] for entry in study["models"].values()]
    assert outputs == ["0", "1"]
    assert main([*command, "--estimators", *TWO, "--output", "1", "--to", "second"]) == 0
    (model,) = yaml.safe_load((tmp_path / "second/study.yaml").read_text())["models"].values()
    assert model["params"]["output"] == "1"
