"""L-Shapley, C-Shapley and FastSHAP in our world, and in others where what is said fails."""

from fractions import Fraction

import numpy as np
import pytest
from parts import part
from synthetic import PUBLISHED

from shapaudit.estimators.structured import CShapley, LShapley
from shapaudit.truth.rational import shapley_values
from shapaudit_audit.audit.context import Context, Settings
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import amortised as networks
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import descent as descent_evidence
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import structured as evidence
from shapaudit_papers.theory.constants import kernel_weight
from shapaudit_papers.theory.least_squares import LeastSquaresProblem

CONTEXT = Context("tiny", 3, (), Settings(random_games=2), published=PUBLISHED)


def observe(claim_id, **world):
    claim = part(claim_id)
    return claim.judge(claim.gather(CONTEXT, **world), 0.05)


def far(radius):
    """A radius that reaches all players."""
    return {"L-Shapley": LShapley(radius=9), "C-Shapley": CShapley(radius=9)}


def present(radius):
    """Weights of the Shapley value of a smaller neighbourhood."""
    return {"L-Shapley": LShapley(radius=radius - 1), "C-Shapley": CShapley(radius=radius)}


def myerson(radius):
    """Myerson's weights in the place of the constant ones."""
    return {"L-Shapley": LShapley(radius=radius), "C-Shapley": CShapley(weights="myerson")}


def other_kernel(problem):
    """Least squares with equal weights for all coalitions."""
    return LeastSquaresProblem(problem.values, lambda d, size: Fraction(1)).solution()


def own_normalisation(problem):
    """The free optimum of another weight, off by more than one number."""
    weight = lambda d, size: kernel_weight(d, size) * size  # noqa: E731
    return networks.free(LeastSquaresProblem(problem.values, weight))


def from_the_truth(problem):
    """A start at the Shapley values has no bias."""
    return problem.solution()


def longer_steps(problem):
    """Steps of twice the size that is told."""
    whole = problem.weights
    problem.weights = 2 * whole
    iterate = descent_evidence.expected_iterate(problem)
    problem.weights = whole
    return iterate


@pytest.mark.parametrize(
    ("claim_id", "world", "status", "consequence"),
    [
        ("41b", {}, "proved", "stands"),
        ("41b", {"expected": from_the_truth}, "refuted", "setting"),
        ("41b", {"expected": longer_steps}, "refuted", "setting"),
        ("structured.gather_bias", {}, "proved", "stands"),
        ("structured.gather_bias", {"make": far}, "refuted", "wrong"),
        ("structured.gather_bias", {"make": present}, "refuted", "wrong"),
        ("structured.gather_weights", {}, "refuted", "slip"),
        ("structured.gather_weights", {"make": myerson}, "exact", "stands"),
        ("structured.gather_counts", {}, "exact", "stands"),
        ("gather_optimum", {}, "proved", "stands"),
        ("gather_optimum", {"optimum": networks.free}, "refuted", "wrong"),
        ("gather_optimum", {"optimum": other_kernel}, "refuted", "wrong"),
        ("45d", {}, "proved", "stands"),
        ("45d", {"optimum": networks.constrained}, "refuted", "wrong"),
        ("45d", {"optimum": own_normalisation}, "refuted", "wrong"),
    ],
)
def test_verdicts_in_our_world_and_in_others(claim_id, world, status, consequence):
    verdict = observe(claim_id, **world)
    assert (verdict.status, verdict.consequence or consequence) == (status, consequence)


def test_the_sums_of_weights_are_as_told():
    rows = {
        (row["method"], row["radius"]): row for row in observe("structured.gather_weights").rows
    }
    printed = [rows["C-Shapley", radius]["middle"] for radius in (1, 2, 3)]
    assert printed == ["8/15", "9/14", "32/45"]
    assert rows["C-Shapley", 9]["end"] == "65/132"
    for name in ("L-Shapley", "C-Shapley by Myerson"):
        own = [rows[name, radius] for radius in (1, 2, 3, 9)]
        assert {str(row[key]) for row in own for key in ("smallest", "largest")} == {"1"}


def test_the_error_of_one_interaction_is_its_share():
    """Players 1 and 6 interact alone: with radius 2 their shares of a half are left out."""
    coefficients = np.array([Fraction(0)] * 64, dtype=object)
    coefficients[0b100001] = Fraction(1)
    values = evidence._table(coefficients)
    assert list(shapley_values(values)) == [Fraction(1, 2), 0, 0, 0, 0, Fraction(1, 2)]
    local = [evidence._local_value(LShapley(radius=2), values, i) for i in range(6)]
    assert local == [0] * 6


def test_counts_are_those_of_chains():
    rows = {
        (row["method"], row["players"], row["radius"]): row
        for row in observe("structured.gather_counts").rows
    }
    # Subsets of windows of three on a chain of ten: eight windows share pairs, singles and none.
    windows = {frozenset(s) for i in range(8) for s in _subsets(range(i, i + 3))}
    assert rows["L-Shapley", 10, 1]["evaluations"] == len(windows)


def _subsets(players):
    players = list(players)
    for k in range(1 << len(players)):
        yield [p for j, p in enumerate(players) if k >> j & 1]


def test_the_printed_biases_decide_whether_a_bias_is_high():
    """Table 2: the largest at 500 to 10,000 samples, and not at 50,000 and 100,000."""
    claim = part("41b")
    evidence = claim.gather(CONTEXT)
    printed = {row["data"]: row for row in evidence["printed"]}
    assert printed["diabetes"] == {"data": "diabetes", "columns": 6, "largest": 4}
    assert claim.judge(evidence, 0.05).setting.status == "supported"
    low = [row | {"largest": 3} for row in evidence["printed"]]
    assert claim.judge(evidence | {"printed": low}, 0.05).setting.status == "refuted"
