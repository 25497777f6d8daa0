"""An estimator judged: its conduct, its runs, the file, and where it stands."""

import json
import re
from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np
import pytest

import estimators_to_judge as given
from judgements import WRAPPERS
from shapaudit.estimators import create, list_estimators
from shapaudit.estimators.checked_runs import EstimatorFailure
from shapaudit.games import GameError, bank
from shapaudit.judging import JudgementError, judge, run
from shapaudit.judging.judgement import bank_digest, read
from shapaudit.judging.page import page, shown
from shapaudit.judging.standing import FLOOR, RECORD, errors_of, on_record, places
from shapaudit.own_files import FolderError

GAMES = ["noise-8", "products-linear-baseline"]


@pytest.fixture(scope="module")
def judged():
    return judge(given.Honest(), seeds=2, games=GAMES)


def test_the_same_estimator_gets_the_same_errors_in_any_company(judged):
    again = judge(given.Honest(), seeds=2, games=GAMES[1:])
    own = [own for own in judged.runs if own.game == GAMES[1]]
    assert [r.errors for r in again.runs] == [r.errors for r in own]
    assert [r.budget for r in again.runs] == [30, 60, 100, 200]  # of 256 coalitions
    assert [r.evaluations for r in again.runs][:2] == [[25, 25], [57, 57]]


def test_errors_are_norms_over_those_of_the_values(judged):
    solved, first = bank.load(GAMES[0]), judged.runs[0]
    rng = np.random.Generator(np.random.PCG64(0))  # any other draws: the same order of size
    values, _ = given.of_marginals(solved.game, first.budget, rng)
    other = np.linalg.norm(values - solved.values) / np.linalg.norm(solved.values)
    assert 0.2 < first.errors[0] / other < 5


def test_exact_values_have_no_error():
    class Exact(given.Honest):
        def estimate(self, game, budget, rng):
            game(np.zeros((1, game.n_players), dtype=bool))
            return given.Estimate(bank.load("noise-8").values, 1)

    assert judge_runs(Exact(), "noise-8").errors == [0.0, 0.0]


def judge_runs(estimator, game):
    return run._runs(estimator, bank.load(game), 60, 2)


@pytest.mark.parametrize(
    ("estimator", "told"),
    [
        (given.Spendthrift, "91 of 100 evaluations of a game of the bank are spent"),
        (given.Liar, "reports 90 evaluations; 91 were counted"),
        (given.Global, "two runs with the same generator differ"),
        (given.Fresh, "two runs with the same generator differ"),
        (given.Peeping, "depends on values of the game that it has not asked for"),
        (given.Reader, r"it opens .*bank\.npz, which has the answers"),
        (given.Remembering, "two runs with the same generator differ"),
    ],
)
def test_an_estimator_that_cheats_is_caught(estimator, told):
    with pytest.raises(EstimatorFailure, match=told):
        judge(estimator(), games=["diabetes-forest-marginal"])


def test_global_generators_are_put_back():
    np.random.seed(5)  # noqa: NPY002
    expected = np.random.rand()  # noqa: NPY002
    np.random.seed(5)  # noqa: NPY002
    judge(given.Honest(), seeds=1, games=GAMES[:1])
    assert np.random.rand() == expected  # noqa: NPY002


def test_a_budget_below_the_least_is_refused_and_counted_as_nothing():
    @dataclass(frozen=True)
    class Dear(given.Honest):
        id: ClassVar[str] = "dear"

        def minimum_budget(self, n_players):
            return 90

    refused = judge_runs(Dear(), "noise-8")
    assert (refused.errors, refused.refused) == ([], "needs 90 evaluations")


def test_a_game_that_the_bank_lacks_and_no_seeds_are_refused():
    with pytest.raises(GameError, match="no game 'mine'"):
        judge(given.Honest(), games=["mine"])
    with pytest.raises(ValueError, match="seeds must be 1 or more; got 0"):
        judge(given.Honest(), seeds=0)


def test_what_is_saved_is_read_again(judged, tmp_path):
    path = tmp_path / "honest.json"
    judged.save(path)
    assert asdict(read(path)) == asdict(judged)
    judged.save(path)
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(FolderError, match=r"honest\.json has been changed"):
        judged.save(path)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"format": "other"}, "another format than 'shapaudit-judgement 1'"),
        ({"bank": "0"}, "about other games"),
        ({"seeds": 3}, "noise-8 with 30 evaluations: not one error and one count for each"),
        ({"more": 1}, "is no judgement .*more"),
        ({"runs": 7}, "is no judgement"),
    ],
)
def test_a_file_that_is_wrong_is_told_why(judged, tmp_path, change, told):
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(json.loads(judged.text()) | change), encoding="utf-8")
    with pytest.raises(JudgementError, match=told):
        read(path)


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("game", "mine", "the bank has no game 'mine'"),
        ("errors", [-1.0, 1.0], "an error is negative or not finite"),
        ("evaluations", [31, 30], "more evaluations than the budget"),
        ("refused", "why", "not one error"),
    ],
)
def test_a_run_that_cannot_be_is_refused(judged, tmp_path, key, value, told):
    content = json.loads(judged.text())
    content["runs"][0][key] = value
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(JudgementError, match=told):
        read(path)


def test_places_are_those_of_the_regret(judged):
    better = judge(create("stratified-least-squares"), name="better", seeds=2, games=GAMES)
    errors = errors_of([judged, better])
    wins = (errors["better"] < errors["Honest"]).mean()
    assert wins > 0.8
    standing = places([judged, better])
    first = [place for place in standing if place.situation == "all"]
    assert [(place.name, place.place, place.of) for place in first] == [
        ("better", 1, 2),
        ("Honest", 2, 2),
    ]
    assert first[0].median == 1.0
    raised = errors.clip(lower=FLOOR)
    ratio = (raised["Honest"] / raised["better"]).clip(lower=1.0)
    assert first[1].median == pytest.approx(ratio.median())
    assert first[1].worst == pytest.approx(ratio.max())
    assert first[1].low <= first[1].median <= first[1].high
    game, budget = ratio.idxmax()
    assert first[1].where == f"{game} with {budget:,} evaluations"
    assert {place.situation for place in standing} == {
        *("all", "games made up, up to 200 evaluations", "other models, up to 200 evaluations")
    }


def test_the_page_shows_the_judged_one_first_and_escapes_names(judged):
    better = judge(create("svarm"), name="<svarm>", seeds=2, games=GAMES)
    text = page([judged, better], places([judged, better]), "Honest")
    assert "<h1>Honest among the estimators</h1>" in text
    assert "&lt;svarm&gt;" in text
    assert "<svarm>" not in text
    assert text.count('class="own"') == 3  # in each situation
    own = [place for place in places([judged, better]) if place.name == "Honest"]
    first = re.findall(r"<td>(\d+) of 2</td>", text.partition("</table>")[0])
    assert first == [str(place.place) for place in own]
    assert "2 games" in text


@pytest.mark.parametrize(
    ("regret", "text"),
    [(1.0, "1"), (1.3749, "1.37"), (87.84, "87.8"), (999.4, "999"), (31_461.0, "31,500")],
)
def test_a_regret_has_three_digits_and_no_exponent(regret, text):
    assert shown(regret) == text


def test_two_judgements_of_a_name_are_refused(judged, tmp_path):
    for name in ("a", "b"):
        judged.save(tmp_path / f"{name}.json")
    with pytest.raises(JudgementError, match="two judgements are called 'Honest'"):
        on_record(tmp_path)


def test_the_record_has_the_estimators_of_the_package():
    assert {own.name for own in on_record()} == {*list_estimators()} - {*WRAPPERS}
    assert {own.bank for own in on_record()} == {bank_digest()}


@pytest.mark.parametrize("name", ["auto", "svarm", "stratified-least-squares"])
def test_the_record_is_what_the_estimators_give(name):
    """Of a game of two budgets; the errors of `auto` are compared up to its last digits."""
    kept = {(r.game, r.budget): r for r in read(RECORD / f"{name}.json").runs}
    for own in judge(create(name), name=name, games=["products-linear-baseline"]).runs:
        assert own.errors == pytest.approx(kept[own.game, own.budget].errors, rel=1e-3, abs=1e-9)
