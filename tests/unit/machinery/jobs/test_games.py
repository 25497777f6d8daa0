"""Jobs from data to games: what they read, what runs them again, and what they cost."""

import pytest

from shapaudit_audit.jobs import (
    BuildGames,
    ComputeTruth,
    FitRemoval,
    LoadDataset,
    SearchArchitecture,
    TrainModel,
)
from shapaudit_audit.study.costs import truth_evaluations

SEARCH = {
    **{"paper": "okhrati_lipani_2021", "dataset": "digits", "count": 2, "layers": 1},
    "widths": {"from": 5, "to": 9, "step": 2},
}
RESULTS = "results/smoke"
GAMES = {"game": "diabetes"}


def games(**changes):
    return {"games": {"diabetes": changes}}


def given(job):
    """Inputs that there are, by name."""
    return {name: files for name, files in job.inputs().items() if files}


def test_a_data_set_is_asked_by_its_block(plan):
    job = LoadDataset(plan(), {"dataset": "gaussian-6"})
    params = {"n_rows": 200, "n_features": 6}
    assert job.asked() == {"seed": 1, "dataset": {"loader": "gaussian", "params": params}}
    assert job.inputs() == {"own": [], "schemas": []}
    table = {"loader": "csv", "params": {"path": "mine.csv"}}
    own = LoadDataset(plan({"datasets": {"mine": table}}), {"dataset": "mine"})
    assert own.inputs()["own"] == ["mine.csv"]
    assert own.evaluations() == 0


def test_a_model_is_asked_by_its_block_and_reads_its_data(plan):
    job = TrainModel(plan(), {"model": "regression"})
    assert set(job.asked()) == {"seed", "model"}
    assert job.asked()["model"]["dataset"] == "gaussian-6"
    assert given(job) == {"dataset": f"{RESULTS}/datasets/gaussian-6.npz"}
    again = TrainModel(plan(), {"run": "repetitions/2/", "model": "regression"})
    assert again.asked() == job.asked() | {"seed": 2}
    assert again.inputs()["dataset"] == f"{RESULTS}/repetitions/2/datasets/gaussian-6.npz"


@pytest.mark.parametrize(("players", "threads"), [(499, 1), (500, 4)])
def test_walks_of_a_large_regression_share_threads_which_no_value_depends_on(
    plan, players, threads
):
    large = plan({"games": {"bdb-medium": {"players": players}}})
    jobs = [
        TrainModel(large, {"model": "bdb-medium"}),
        ComputeTruth(large, {"game": "bdb-medium"}),
    ]
    assert [job.threads() for job in jobs] == [threads, threads]
    assert TrainModel(large, {"model": "regression"}).threads() == 1


def test_a_search_is_asked_by_the_names_of_the_configuration(plan):
    job = SearchArchitecture(plan({"architectures": {"s": SEARCH}}), {"architecture": "s"})
    asked = {key: value for key, value in SEARCH.items() if key != "paper"}
    assert job.asked() == {"seed": 1, "architecture": asked}
    assert given(job) == {"dataset": f"{RESULTS}/datasets/digits.npz"}


def test_a_removal_is_fitted_to_the_data_of_a_model(plan):
    names = {"removal": "gaussian", "model": "gaussian-network"}
    job = FitRemoval(plan(), names)
    assert job.asked()["removal"]["removal"] == "gaussian"
    assert given(job) == {
        "dataset": f"{RESULTS}/datasets/gaussian-law-6.npz",
        "model": f"{RESULTS}/models/gaussian-network",
    }
    assert "shapaudit.removals.gaussian" in job.code()
    assert "shapaudit.removals.surrogate" not in job.code()


def test_games_read_a_fitted_removal_where_they_have_one(plan):
    job = BuildGames(plan(), {"game": "conditional-gaussian"})
    assert job.inputs()["removal"] == f"{RESULTS}/removals/{job.block.model}/gaussian"
    assert BuildGames(plan(), GAMES).inputs()["removal"] == []
    assert "shapaudit.removals.gaussian" in job.code()


@pytest.mark.parametrize(
    ("above", "built", "computed"),
    [
        (games(label="Another label"), True, True),
        (games(truth={"check": "diagonal"}), True, False),
        (games(explicands=5), False, True),
        (games(baseline="zero"), False, True),
        ({"seed": 3}, False, False),
        ({"games": {"regression": {"explicands": 5}}}, True, True),
    ],
    ids=str,
)
def test_games_and_their_truth_are_asked_apart(plan, above, built, computed):
    for job, same in ((BuildGames, built), (ComputeTruth, computed)):
        assert (job(plan(above), GAMES).asked() == job(plan(), GAMES).asked()) == same


def test_tables_and_truths_are_counted(plan):
    built, computed = BuildGames(plan(), GAMES), ComputeTruth(plan(), GAMES)
    assert built.evaluations() == (6 + 2) * 2**10
    assert computed.evaluations() == truth_evaluations(computed.block) == (6 + 2) * 2**10
    large = BuildGames(plan(), {"game": "classification-large"})
    assert large.evaluations() == 0  # 24 players have no table
    assert built.spends_on() == computed.spends_on() == "games.diabetes"


def test_any_game_can_be_asked_for_from_another_seed(plan):
    whole = plan()
    names = [name for name in whole.study.games if name not in whole.repeated.games]
    assert names
    for name in names:
        job = ComputeTruth(whole, {"run": "repetitions/2/", "game": name})
        assert job.asked()["seed"] == 2
        assert job.inputs()["games"] == f"{RESULTS}/repetitions/2/games/{name}"
