"""Hardness, axioms, semivalues, graphs, gradients and groups, in worlds that are and are not so."""

from fractions import Fraction

import pytest
from parts import part

from shapaudit_audit.audit.context import Context, Settings
from shapaudit_papers.chen_covert_lundberg_lee_2023.claims import (
    foundations,
)
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import beyond as wider
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import foundations as evidence
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence.table_one import METHODS
from shapaudit_papers.theory.sampled_least_squares import expected_fit, penalised_moments

CONTEXT = Context(
    "tiny", 3, (), Settings(max_exact_dimension=8, brute_force_dimension=4, random_games=3)
)


def observe(claim_id, **world):
    claim = part(claim_id)
    return claim.judge(claim.gather(CONTEXT, **world), 0.05)


VERDICTS = {
    "35": ("proved", "stands"),
    "gather_uniqueness": ("proved", "stands"),
    "gather_semivalues": ("refuted", "slip"),
    "foundations.gather_inverse": ("inconsistent", "slip"),
    "gather_strategies": ("inconsistent", "slip"),
    "40": ("exact", "stands"),
    "43": ("exact", "stands"),
    "gather_flat_graph": ("exact", "stands"),
    "88": ("exact", "stands"),
    "gather_gradients": ("exact", "stands"),
    "gather_references": ("inconsistent", "slip"),
    "94": ("exact", "stands"),
}


@pytest.mark.parametrize("claim_id", VERDICTS)
def test_verdicts(claim_id):
    verdict = observe(claim_id)
    assert (verdict.status, verdict.consequence) == VERDICTS[claim_id]


def chained(d, rng):
    """Each feature is the one before it."""
    del rng
    return wider.Graph(
        [lambda cause, own, before: int(before[-1]) if before else own for _ in range(d)]
    )


def sloped(context):
    """A model with a gradient."""
    row = Fraction(1), Fraction(2)
    yield "plane", lambda x: x[0] + x[1], row, (Fraction(0), Fraction(0))


def without_its_player(members, player, everybody):
    return everybody ^ members ^ 1 << player


def unpenalised(values, draws, penalty):
    del penalty
    return penalised_moments(values, draws, Fraction(0))


BIASED = [m._replace(unbiased="No") if m.strategy == "SV" else m for m in METHODS]
WORLDS = {
    "35": ({"quota": lambda total: total}, "refuted"),
    "gather_uniqueness": ({"rules": {"Shapley": evidence.banzhaf}}, "refuted"),
    "gather_semivalues": ({"schemes": {"Shapley": evidence.SCHEMES["Shapley"]}}, "exact"),
    "foundations.gather_inverse": ({"inverse": without_its_player}, "exact"),
    "gather_strategies": ({"methods": BIASED}, "exact"),
    "40": ({"moments": unpenalised}, "refuted"),
    "43": ({"players": ((Fraction(1), Fraction(1, 2)), (Fraction(3), Fraction(1, 3)))}, "refuted"),
    "gather_flat_graph": ({"graph": chained}, "refuted"),
    "88": ({"weight": lambda d: Fraction(1, d)}, "refuted"),
    "gather_gradients": ({"models": sloped}, "refuted"),
    "gather_references": ({"references": [("a comparison", "5", "5.2.2")]}, "exact"),
    "94": ({"counts": ((4, 4),)}, "refuted"),
}


@pytest.mark.parametrize("claim_id", WORLDS)
def test_other_worlds(claim_id):
    world, status = WORLDS[claim_id]
    assert observe(claim_id, **world).status == status


def test_each_axiom_is_needed():
    rows = observe("gather_uniqueness").rows
    broken = [[axiom for axiom in foundations.AXIOMS if not row[axiom]] for row in rows]
    assert broken == [[], ["efficiency"], ["symmetry"], ["null"], ["additivity"]]
    without = {name: rule for name, rule in evidence.RULES.items() if name != "equal split"}
    assert "null" in observe("gather_uniqueness", rules=without).summary


def test_a_wrong_order_is_as_likely_as_computed():
    """Both counts are listed, and compared one by one."""
    row = wider.gather_order(CONTEXT)["rows"][0]
    draws, third = row["draws"], Fraction(1, 3)
    first = wider.binomial(draws, Fraction(1, 2))
    second = wider.binomial(draws, third)
    wrong = sum(
        p * q * (1 if other * Fraction(27, 20) > k else Fraction(other * Fraction(27, 20) == k, 2))
        for k, p in enumerate(first)
        for other, q in enumerate(second)
    )
    assert row["wrong"] == float(wrong)


def test_a_fair_game_has_no_first_of_two_equals():
    equal = ((Fraction(1), Fraction(1, 2)),) * 2
    rows = wider.gather_order(CONTEXT, equal)["rows"]
    assert [row["wrong"] for row in rows] == [0.5] * len(rows)


def test_a_penalty_of_zero_is_kernel_shap():
    values = [Fraction(x) for x in (0, 3, -1, 4, 2, 8, 5, 7)]
    mean, variance = penalised_moments(values, 2, Fraction(0))
    assert mean.tolist() == expected_fit(values, 2).tolist()
    far, small = penalised_moments(values, 2, Fraction(10**9))
    assert 0 < small < variance / 10**6
    assert all(abs(x - Fraction(7, 3)) < Fraction(1, 10**6) for x in far)
