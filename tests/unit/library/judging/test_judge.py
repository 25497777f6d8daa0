"""An estimator judged: its conduct, its runs, the file, and where it stands."""

import inspect
import json
import re
from dataclasses import asdict, dataclass
from typing import ClassVar

import numpy as np
import pytest

import estimators_to_judge as given
from judgements import WRAPPERS
from shapaudit.estimators import create, list_estimators
from shapaudit.estimators.checked_runs import EstimatorDiverged, EstimatorFailure
from shapaudit.games import GameError, bank
from shapaudit.judging import JudgementError, judge, run
from shapaudit.judging.judgement import bank_digest, read
from shapaudit.judging.page import page, shown
from shapaudit.judging.standing import FLOOR, RECORD, errors_of, files_in, on_record, places
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
    return run._runs(estimator, bank.load(game), 60, 2)[0]


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
        (given.Unwrapping, "has no attribute 'game'"),
        (given.Resetting, "property 'evaluations' .* has no setter"),
        (given.Lavish, "property 'budget' .* has no setter"),
        (given.Careful, "two runs with the same generator differ"),
        (given.Keeping, "two runs with the same generator differ"),
        (given.Sharing, "two runs with the same generator differ"),
        (given.Understating, "reports 1 evaluations; 91 were counted"),
        (given.Forking, "the child was refused"),
        (given.Linked, r"it opens .*mine, which has the answers"),
        (given.Asking, r"it opens .*bank\.npz, which has the answers"),
    ],
)
def test_an_estimator_that_cheats_is_caught(estimator, told):
    with pytest.raises(EstimatorFailure, match=told) as caught:
        judge(estimator(), games=["diabetes-forest-marginal"])
    assert caught.match(
        r"has the answers|This was on diabetes-forest-marginal, with \d+ evaluations, in run"
    )


def test_an_estimator_that_enters_some_games_only_is_refused():
    given.Choosy.asked.clear()
    names = ["wine-linear-baseline", "wine-booster-marginal"]
    with pytest.raises(EstimatorFailure, match="enters some games of 13 players and not others"):
        judge(given.Choosy(), games=names)


def test_an_array_of_a_class_of_its_own_has_the_error_of_its_values():
    plain = judge(given.Honest(), seeds=1, games=GAMES[:1])
    sly = judge(given.Subtle(), seeds=1, games=GAMES[:1])
    assert all(a.errors[0] < b.errors[0] for a, b in zip(plain.runs, sly.runs, strict=True))


def test_the_last_digit_may_change_from_run_to_run():
    assert judge(given.Rounding(), seeds=1, games=GAMES[:1]).runs


def test_a_failure_names_the_line_of_the_file():
    class Failing(given.Honest):
        def estimate(self, game, budget, rng):
            return {}["lost"]

    line = inspect.unwrap(Failing.estimate).__code__.co_firstlineno + 1
    with pytest.raises(
        EstimatorFailure, match=rf"\(line {line} of test_judge\.py\): KeyError: 'lost'"
    ):
        judge_runs(Failing(), "noise-8")


def test_values_whose_error_is_no_number_are_refused():
    class Huge(given.Honest):
        def estimate(self, game, budget, rng):
            _, spent = given.of_marginals(game, budget, rng)
            return given.Estimate(np.full(game.n_players, 1e308), spent)

    with pytest.raises(EstimatorDiverged, match="too large for their error"):
        judge_runs(Huge(), "noise-8")


@pytest.mark.parametrize("least", [None, 0, "2"])
def test_a_least_budget_that_is_no_count_is_refused(least):
    class Odd(given.Honest):
        def minimum_budget(self, n_players):
            return least

    with pytest.raises(EstimatorFailure, match=r"minimum_budget\(8\) of .* must be an integer"):
        judge_runs(Odd(), "noise-8")


def test_a_least_budget_that_fails_is_told():
    class Failing(given.Honest):
        def minimum_budget(self, n_players):
            raise RuntimeError("lost")

    told = r"minimum_budget\(8\) of .* fails \(line \d+ of test_judge\.py\): RuntimeError: lost"
    with pytest.raises(EstimatorFailure, match=told):
        judge_runs(Failing(), "noise-8")


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
    with pytest.raises(ValueError, match="at least one game"):
        judge(given.Honest(), games=[])
    with pytest.raises(TypeError, match=r"judge an instance of .*Estimator; got 'auto'"):
        judge("auto")


@pytest.fixture
def whole():
    """A judgement of all games, as a file has it."""
    return json.loads((RECORD / "svarm.json").read_text(encoding="utf-8"))


def test_what_is_saved_is_read_again(tmp_path):
    path = tmp_path / "honest.json"
    judged = read(RECORD / "svarm.json")
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
        ({"seeds": 1}, "it has 1 seeds, and the others have 3"),
        ({"more": 1}, "is no judgement .*more"),
        ({"runs": 7}, "is no judgement"),
        ({"runs": []}, "it lacks .* with 30 evaluations"),
        ({"name": ""}, "its name is ''"),
        ({"name": None}, "its name is None"),
        ({"name": "auto "}, "its name is 'auto '"),
        ({"name": "auto\u200b"}, "its name is 'auto"),
        ({"estimator": {}}, "is no judgement .*class"),
        ({"estimator": {"class": "A", "sha256": 1}}, "no class or no digest"),
    ],
)
def test_a_file_that_is_wrong_is_told_why(whole, tmp_path, change, told):
    assert_refused(whole | change, tmp_path, told)


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("game", "mine", "the bank has no game 'mine'"),
        ("game", ["a"], "is no judgement"),
        ("budget", 31, "it lacks .* with 30 evaluations"),
        ("budget", "30", "it lacks .* with 30 evaluations"),
        ("budget", 60, "with 60 evaluations is there twice"),
        ("errors", [-1.0, 1.0, 1.0], "an error is no number, negative or too large"),
        ("errors", [None, 1.0, 1.0], "an error is no number"),
        ("errors", [True, True, True], "an error is no number"),
        ("errors", [1e200, 1.0, 1.0], "an error is no number, negative or too large"),
        ("errors", [10**400, 1.0, 1.0], "an error is no number, negative or too large"),
        ("errors", ["a", 1.0, 1.0], "an error is no number"),
        ("errors", 0.1, "is no judgement"),
        ("errors", [0.1], "not one error and one count for each of the seeds"),
        ("evaluations", [31, 30, 30], "a count of evaluations is no whole number from 1 to"),
        ("evaluations", [-5, 30, 30], "a count of evaluations is no whole number from 1 to"),
        ("evaluations", [30.0, 30, 30], "a count of evaluations is no whole number from 1 to"),
        ("seconds", "1", "its seconds are no number"),
        ("refused", "why", "not one error"),
    ],
)
def test_a_run_that_cannot_be_is_refused(whole, tmp_path, key, value, told):
    assert whole["runs"][0]["budget"] == 30
    whole["runs"][0][key] = value
    assert_refused(whole, tmp_path, told)


def test_a_file_with_more_or_fewer_runs_is_refused(whole, tmp_path):
    runs = whole["runs"]
    assert_refused(whole | {"runs": runs[1:]}, tmp_path, "it lacks .* with 30 evaluations")
    more = {**runs[0], "budget": 2000, "game": "noise-8"}  # of 256 coalitions
    told = "noise-8 is not played with 2000 evaluations"
    assert_refused(whole | {"runs": [*runs, more]}, tmp_path, told)


def test_a_game_that_is_left_out_at_evaluations_at_which_its_like_is_entered_is_refused(
    whole, tmp_path
):
    for run_ in whole["runs"]:
        if (run_["game"], run_["budget"]) == ("wine-linear-baseline", 200):
            run_ |= {"errors": [], "evaluations": [], "refused": "needs 300 evaluations"}
    assert_refused(whole, tmp_path, "it enters some games of 13 players and not others")


def assert_refused(content, folder, told):
    path = folder / "changed.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(JudgementError, match=rf"changed\.json.*{told}"):
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


def test_two_judgements_of_a_name_are_refused_and_so_is_a_folder_without_any(tmp_path):
    with pytest.raises(JudgementError, match="is no folder with judgements"):
        on_record(tmp_path)
    for name in ("a", "b"):
        read(RECORD / "svarm.json").save(tmp_path / f"{name}.json")
    with pytest.raises(JudgementError, match="two judgements are called 'svarm'"):
        on_record(tmp_path)


def test_the_list_of_the_files_that_were_written_is_no_judgement(tmp_path):
    read(RECORD / "svarm.json").save(tmp_path / "mine.json")
    assert [path.name for path in files_in(tmp_path)] == ["mine.json"]
    assert (tmp_path / "shapaudit.json").exists()


def test_the_record_has_the_estimators_of_the_package():
    assert {own.name for own in on_record()} == {*list_estimators()} - {*WRAPPERS}
    assert {own.bank for own in on_record()} == {bank_digest()}


@pytest.mark.parametrize("name", sorted({*list_estimators()} - {*WRAPPERS}))
def test_the_record_is_what_the_estimators_give(name):
    """On two games, up to the digits that processors round differently."""
    kept = {(r.game, r.budget): r for r in read(RECORD / f"{name}.json").runs}
    for own in judge(create(name), name=name, games=["products-linear-baseline", "noise-8"]).runs:
        recorded = kept[own.game, own.budget]
        assert own.errors == pytest.approx(recorded.errors, rel=1e-3, abs=1e-9), own
        assert (own.evaluations, own.refused) == (recorded.evaluations, recorded.refused)


def test_the_record_is_of_the_present_files():
    for own in on_record():
        assert own.estimator["sha256"] == run._described(create(own.name))["sha256"], own.name
