"""Structured data, and costs that are paid first: worlds where what is said is true, and others."""

from fractions import Fraction

import numpy as np
import pytest
from parts import part

from shapaudit.estimators import Estimate, PairedKernelSHAP
from shapaudit.estimators.structured import LShapley
from shapaudit.games import all_coalitions
from shapaudit.truth import shapley_from_table
from shapaudit_audit.audit.context import Context, Settings
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import (
    amortised,
    break_even,
    structured_errors,
)

CONTEXT = Context("tiny", 3, settings=Settings(random_games=2, fitted_worlds=10, fitted_rows=30))
ALPHA = 0.05
WORLDS = 20


class EqualSplit:
    """Two evaluations, whatever the budget."""

    def estimate(self, game, budget, rng):
        d = game.n_players
        empty, grand = game(np.array([[False] * d, [True] * d]))
        return Estimate(np.full(d, (grand - empty) / d), 2)


def judge(claim_id, evidence):
    return part(claim_id).judge(evidence, ALPHA)


def spread(size):
    """Numbers (worlds,) around a size."""
    return size * np.exp(np.random.default_rng(0).normal(size=WORLDS) / 10)


def structured(**sizes):
    """Evidence of claim 91: squared errors of local methods, over 1 of both rivals."""
    errors = {
        f"chain: {name.replace('_', '-')}, radius 1": np.stack(
            [spread(size), np.ones(WORLDS), np.ones(WORLDS)], axis=1
        )
        for name, size in sizes.items()
    }
    return {"errors": errors, "rivals": ["one", "other"]}


@pytest.mark.parametrize(
    ("sizes", "status", "consequence"),
    [
        ({"L_Shapley": 0.1, "C_Shapley": 0.1}, "supported", "stands"),
        ({"L_Shapley": 0.1, "C_Shapley": 9}, "refuted", "hypothesis"),
        ({"L_Shapley": 9, "C_Shapley": 9}, "refuted", "wrong"),
        ({"L_Shapley": 1, "C_Shapley": 1}, "inconclusive", "undecided"),
    ],
)
def test_local_methods_are_judged_by_their_errors(sizes, status, consequence):
    verdict = judge("91", structured(**sizes))
    assert (verdict.status, verdict.consequence) == (status, consequence)


def test_weights_that_are_not_the_published_ones_decide_nothing():
    evidence = structured(L_Shapley=0.1, C_Shapley=0.1)
    evidence["errors"]["chain: C-Shapley by Myerson, radius 1"] = structured(L_Shapley=9)["errors"][
        "chain: L-Shapley, radius 1"
    ]
    assert judge("91", evidence).status == "supported"


def amortisation(needed=20.0, error=0.1, walks=1.0, multilinear=1.0, fit=2000.0):
    """Evidence of claims 92 and 93b, with 100 and 300 rows."""
    errors = np.stack([spread(error), spread(error) * walks, spread(error) * multilinear], axis=1)
    both = (WORLDS, 2, 3)
    return {
        "errors": np.broadcast_to(errors[:, None], both),
        "fits": np.broadcast_to(np.array([[fit], [3 * fit]]), both),
        "needed": np.stack([spread(needed)] * 2, axis=1),
        "learners": [break_even.LEAST_SQUARES, break_even.WALKS, break_even.MULTILINEAR],
        "rows": [100, 300],
        "ends": 2,
    }


@pytest.mark.parametrize(
    ("claim_id", "world", "status"),
    [
        ("92a", {}, "supported"),
        ("92a", {"needed": 1.0}, "refuted"),
        ("92a", {"error": 9.0}, "refuted"),
        ("92a", {"error": 1.0}, "inconclusive"),
        ("92b", {}, "supported"),
        ("92b", {"fit": 200.0}, "refuted"),
        ("92b", {"fit": 900.0}, "inconclusive"),
        ("93b", {"walks": 0.5}, "supported"),
        ("93b", {"walks": 0.5, "multilinear": 9.0}, "supported"),
        ("93b", {"walks": 9.0}, "refuted"),
    ],
)
def test_what_pays_is_judged_by_rows_and_errors(claim_id, world, status):
    assert judge(claim_id, amortisation(**world)).status == status


def test_the_fit_is_over_what_an_explanation_saves():
    summary = judge("92a", amortisation(needed=22.0)).summary
    often = 2000 / (np.median(spread(22.0)) - 2)
    assert f"pays off from {often:.0f} explanations onwards" in summary
    numbers = judge("92a", amortisation(needed=22.0)).numbers
    assert (numbers["pays.few"], numbers["pays.many"]) == (round(often), round(3 * often))
    assert (numbers["rows.few"], numbers["rows.many"]) == (100, 300)


def kept(values, given):
    """A loss that is biased towards sharing equally."""
    return amortised.walk_losses(values, given) + (given[0] - given[-1]) ** 2


def test_objectives_have_one_optimum_and_another_has_not():
    claim = part("gather_losses")
    assert claim.judge(claim.gather(CONTEXT), ALPHA).status == "proved"
    other = claim.gather(CONTEXT, losses={"walks": kept})
    assert claim.judge(other, ALPHA).status == "refuted"


def test_the_steepness_of_least_squares_is_one_over_twice_the_harmonic_number():
    assert [amortised.steepness("least squares", d) for d in (2, 3, 4)] == [
        Fraction(1, 2), Fraction(1, 3), Fraction(3, 11)
    ]  # fmt: skip


def test_marginal_tables_are_means_over_the_background():
    rng = np.random.default_rng(5)
    target = structured_errors.motif(structured_errors.NEAR, rng)
    x, rows = rng.integers(2, size=(2, 4, structured_errors.PLAYERS)).astype(float)
    tables = structured_errors.marginal_tables(target, x[:2], rows)
    coalitions = all_coalitions(structured_errors.PLAYERS)
    for explicand, table in zip(x[:2], tables, strict=True):
        wanted = np.mean([target(np.where(coalitions, explicand, row)) for row in rows], axis=0)
        np.testing.assert_allclose(table, wanted)


def test_neighbours_alone_are_exact_within_their_reach_and_distant_players_are_not():
    for reach, exact in ((structured_errors.NEAR, True), (structured_errors.FAR, False)):
        rng = np.random.default_rng(6)
        target = structured_errors.motif(reach, rng)
        rows = rng.integers(2, size=(8, structured_errors.PLAYERS)).astype(float)
        (table,) = structured_errors.marginal_tables(target, rows[:1], rows[1:])
        games = [(structured_errors.TabularGame(table), shapley_from_table(table))]
        error = structured_errors.squared_error(LShapley(radius=2), games, 144, rng)
        assert (error == structured_errors.SQUARED_ERROR_ROUNDING) == exact


def test_every_case_meets_every_rival_at_the_evaluations_of_its_method():
    budgets = []

    class Noting(PairedKernelSHAP):
        def estimate(self, game, budget, rng):
            budgets.append(budget)
            return super().estimate(game, budget, rng)

    made = {"chain": {"L": LShapley(radius=1)}, "grid": {}}
    evidence = structured_errors.gather_structured(CONTEXT, local=made, rivals={"one": Noting()})
    assert {errors.shape for errors in evidence["errors"].values()} == {(10, 2)}
    assert len(evidence["errors"]) == 4
    assert set(budgets) == set(evidence["evaluations"].values()) == {44}


def test_rows_that_are_needed_are_those_of_the_best_rival():
    rng = np.random.default_rng(7)
    world = break_even.random_world(rng, 30)
    assert break_even.squared_error(world, world.truth) == 0
    split = np.repeat(world.truth.mean(axis=1, keepdims=True), break_even.PLAYERS, axis=1)
    assert break_even.squared_error(world, split) == pytest.approx(1)
    assert break_even.needed(world, 1.0, (EqualSplit(),), rng) == break_even.BUDGETS[0]
    assert break_even.needed(world, 0.5, (EqualSplit(),), rng) == break_even.BUDGETS[-1]
    both = break_even.needed(world, 0.02, (EqualSplit(), PairedKernelSHAP()), rng)
    assert break_even.BUDGETS[0] < both < break_even.BUDGETS[-1]


def test_fits_are_of_equal_rows_and_each_world_has_its_own():
    evidence = break_even.gather_amortised(CONTEXT)
    assert evidence["rows"] == [10, 30]
    spent = evidence["fits"][0]
    assert (spent == spent[:, :1]).sum() >= 4
    assert (spent / spent[:, :1] > 0.9).all()
    assert len(np.unique(evidence["errors"])) == evidence["errors"].size
