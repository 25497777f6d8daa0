"""Numbers of simulated evidence, against the paper's equations step by step and recounts."""

import numpy as np
import pytest

from shapaudit.samplers import sample_sizes, uniform_subsets
from shapaudit_audit.audit.context import Context, Settings, StudyGame
from shapaudit_papers.grah_thouvenot_2020.evidence.algorithms import dykstra_accuracy
from shapaudit_papers.grah_thouvenot_2020.evidence.probability import markov
from shapaudit_papers.grah_thouvenot_2020.evidence.rates.runs import runs_of

D = 4
# C = 3, neither 1 nor anywhere near it, so that units show.
GAMES = 3.0 * np.random.default_rng(0).uniform(-1, 1, size=(2, 1 << D))
GAMES[:, 0], GAMES[:, 5] = 0.0, 3.0


@pytest.fixture(scope="module")
def context():
    settings = Settings(simulated_explicands=2, repetitions=200, iterations=25)
    return Context("tiny", 3, (StudyGame.from_tables("random", GAMES),), settings)


def projected(point, total, radius):
    """On the sum first, then towards the equal split until the ball is met."""
    centre = np.full(D, total / D)
    step = point - point.mean()
    longest = np.sqrt(radius**2 - total**2 / D)
    return centre + step * min(1.0, longest / np.linalg.norm(step))


@pytest.mark.parametrize("rule", ["inverse", "square root"])
def test_points_before_projection_follow_the_equations(context, rule):
    game = context.games[0].games[0]
    bound, radius, mu = 3.0, 6.0, 1 - 1 / D
    lengths = np.sqrt(np.arange(1, D))
    terms = (lengths * radius + bound) / (lengths * (D - np.arange(1, D)))
    largest, law = 2 * (D - 1) * terms.sum(), terms / terms.sum()  # B, and p summed by size
    points = dykstra_accuracy.before_projection(game, radius, bound, rule, np.random.default_rng(1))
    rng = np.random.default_rng(1)
    sizes = sample_sizes(law, dykstra_accuracy.STEPS, rng)
    coalitions = uniform_subsets(sizes, D, rng)
    total = game.values[-1]
    phi = np.full(D, total / D)
    for t, (size, members) in enumerate(zip(sizes, coalitions, strict=True), start=1):
        step = 2 / (mu * (t + 1)) if rule == "inverse" else 2 * radius / (largest * np.sqrt(t))
        off = phi[members].sum() - game(members[None])[0]
        gradient = 2 * (D - 1) / (size * (D - size) * law[size - 1]) * off * members
        np.testing.assert_allclose(points[t - 1], phi - step * gradient, rtol=1e-9, atol=1e-9)
        phi = projected(phi - step * gradient, total, radius)


def test_exceedances_are_counted_at_shares_of_the_squared_bound(context):
    rows = markov.gather_on_ball(context)["rows"]
    for record in runs_of(context, ("inverse", "square root", "constant"), "intersection"):
        mine = [
            row
            for row in rows
            if (row["explicand"], row["rule"]) == (record["explicand"], record["rule"])
        ]
        ceiling = 4 * (D * 3.0**2 - GAMES[record["explicand"] - 1, -1] ** 2 / D)  # D = C sqrt(d)
        levels = [0.01 * 9, 0.1 * 9, 9.0, ceiling]
        assert [row["epsilon_over_c2"] * 9 for row in mine] == pytest.approx(levels)
        for row, level in zip(mine, levels, strict=True):
            assert row["exceedances"] == sum(error >= level for error in record["errors"][:, -1])
            assert row["steps"] == 25
        assert [row["runs"] for row in mine] == [len(record["errors"])] * 4
        assert mine[0]["bound"] == pytest.approx(100 * mine[2]["bound"])


def test_without_the_ball_levels_are_multiples_of_the_bound(context):
    rows = markov.gather_without_ball(context)["rows"]
    assert {row["steps"] for row in rows} == {1, 5, 25}
    for row in rows:
        assert any(row["bound"] == pytest.approx(1 / k) for k in (1, 10, 100))
    assert len(rows) == 2 * 3 * 3
