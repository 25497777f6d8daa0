"""What the verdict on the bias of the grid counts and tells, against counts by hand."""

import numpy as np
import pytest

from shapaudit_audit.audit.context import Context, Settings, StudyGame
from shapaudit_papers.chen_covert_lundberg_lee_2023.claims import grid_bias
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence.grid_bias import gather_trials
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence.kernel_draws import gather_moderate

GAME = "chen-diabetes printed explicand"
# By method and samples: squared bias, and what 100 trials show by chance.
CELLS = {
    ("ME", 500): (3.0, 1.0),
    ("ME", 1000): (1.0, 2.0),
    ("ME-ANTI", 500): (0.5, 0.25),
    ("ME-ANTI", 1000): (1.2, 0.3),
    ("MEF", 500): (0.0, 1.0),
    ("MEF", 1000): (0.7, 0.7),
}


def evidence(game=GAME):
    return {
        "rows": [
            {"game": game, "players": 10, "method": method, "samples": samples, "levels": 9}
            | {"squared_bias": bias, "variance": grid_bias.TRIALS * noise}
            | {"bias_over_trial_noise": bias / noise}
            for (method, samples), (bias, noise) in CELLS.items()
        ]
    }


def test_cases_are_counted_and_the_largest_is_told():
    verdict = grid_bias.check_trials(evidence(), 0.05)
    assert verdict.status == "refuted"
    assert "is not zero in 5 of 6 cases" in verdict.summary
    assert f"in 3 of them it exceeds what {grid_bias.TRIALS} trials show by chance (up to 4 " in (
        verdict.summary
    )
    assert verdict.numbers == {"biased": 5, "cases": 6, "largest_ratio": pytest.approx(4.0)}


def test_the_printed_explicand_tells_each_method_from_its_fewest_samples_on():
    told = grid_bias.check_trials(evidence(), 0.05).setting.summary
    assert "ME 3 against 1 at 500 samples, above it up to 500 samples; " in told
    assert "ME-ANTI 0.5 against 0.25 at 500 samples, above it up to 1000 samples; " in told
    assert "MEF 0 against 1 at 500 samples, never above it." in told
    assert grid_bias.check_trials(evidence("random 1"), 0.05).setting.status == "inconclusive"


def test_rules_tell_the_largest_number_of_players_and_keep_a_dozen_rows():
    rows = [
        {"players": d, "levels": (d + 1) // 2, "equal": 0.5 / d, "trapezoid": 0.3, "midpoint": 0.2}
        | {"gauss-legendre": 1e-14 * (d == 9)}
        for d in range(3, 40)
    ]
    verdict = grid_bias.check_rules({"rows": rows}, 0.05)
    assert verdict.status == "proved"
    assert "At $d=39$ and 20 levels" in verdict.summary
    assert (
        "equal weights is 0.0128, that of the trapezoid rule 0.3 and that of the" in verdict.summary
    )
    assert verdict.numbers["largest_gauss_legendre"] == 1e-14
    assert verdict.numbers["smallest_other"] == pytest.approx(0.5 / 39)
    assert [row["players"] for row in verdict.rows] == list(range(3, 40, 3))
    off = [row | {"gauss-legendre": 1e-9} for row in rows]
    assert grid_bias.check_rules({"rows": off}, 0.05).rows == tuple(off)


def test_without_bias_the_reach_is_told():
    none = [row | {"squared_bias": 0.0, "bias_over_trial_noise": 0.0} for row in evidence()["rows"]]
    verdict = grid_bias.check_trials({"rows": none}, 0.05)
    assert (verdict.status, verdict.reach) == ("exact", "6 games and numbers of samples")
    assert verdict.setting.status == "exact"


@pytest.mark.parametrize("gather", [gather_trials, gather_moderate])
def test_additive_games_are_left_out_because_only_rounding_would_be_compared(gather):
    members = (np.arange(64)[:, None] >> np.arange(6) & 1).astype(float)
    weights = np.array([[1, 0, 0, 0, 0, 0], [0.1, 0.7, -0.3, 1 / 3, 0.2, -1.1], [0] * 6])
    additive = 0.1 + weights @ members.T
    nearly = additive[1] + 1e-6 * members[:, 0] * members[:, 1]
    games = StudyGame.from_tables("study", np.vstack([additive, nearly]))
    settings = Settings(random_games=1, simulated_explicands=4)
    rows = gather(Context("made-up", 1, (games,), settings=settings))["rows"]
    assert {row["game"] for row in rows} == {"random 1", "study 4"}
