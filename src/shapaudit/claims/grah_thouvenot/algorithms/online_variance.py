"""Claim 15: the online variance of Algorithm 1."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product

from ...base import Evidence, Verdict
from ...context import Context
from ...exact import Case, first_mismatch, random_integers, verdict_against
from ..common import BOTH, claim

LENGTHS = (2, 3, 5, 10, 30)  # of the random sequences
INDUCTION = range(3, 21)  # more t than the degree in t of the induction step
POINTS = (-1, 0, 1)  # more values than the degree in each sum

Step = Callable[[Fraction, Fraction, Fraction, int], Fraction]


def printed_step(variance: Fraction, mean: Fraction, x: Fraction, t: int) -> Fraction:
    """(t - 2)/(t - 1) sigma^2 + (x - mean)^2 / t, the update of Algorithm 1 at t > 1."""
    return Fraction(t - 2, t - 1) * variance + (x - mean) ** 2 / t


def online_variance(sequence: Iterable[Fraction], step: Step = printed_step) -> Fraction:
    """Variance after the sequence, mean and variance updated in the order of Algorithm 1."""
    variance = mean = Fraction(0)
    for t, x in enumerate(sequence, start=1):
        if t > 1:
            variance = step(variance, mean, x, t)
        mean = Fraction(t - 1, t) * mean + Fraction(x) / t
    return variance


def sample_variance(total: Fraction, squares: Fraction, count: int) -> Fraction:
    """Unbiased variance from the sum, the sum of squares and the number of terms."""
    return (squares - Fraction(total) ** 2 / count) / (count - 1)


def gather_variance(context: Context, step: Step = printed_step) -> Evidence:
    """Random integer sequences, and the induction step at enough points to be an identity.

    With s, q the sum and sum of squares of the first t - 1 terms and x the next, both sides of the
    step are polynomials of degree at most 2 in s and x and 1 in q, and, times t (t - 1)^2, of
    degree at most 3 in t. They are equal if they agree on 3 x 3 x 3 points for 18 values of t.
    """
    sequences = []
    for length in LENGTHS:
        for k in range(context.settings.random_games):
            xs = random_integers(context, "gt20-15", length, k, count=length)
            right = sample_variance(xs.sum(), (xs**2).sum(), length)
            sequences.append(
                Case(f"{length} terms, sequence {k + 1}", online_variance(xs, step), right)
            )
    induction = []
    for t, total, squares, x in product(INDUCTION, POINTS, POINTS, POINTS):
        before = sample_variance(Fraction(total), Fraction(squares), t - 1)
        left = step(before, Fraction(total, t - 1), Fraction(x), t)
        right = sample_variance(Fraction(total + x), Fraction(squares + x * x), t)
        induction.append(Case(f"t = {t}, s = {total}, q = {squares}, x = {x}", left, right))
    return {"sequences": sequences, "induction": induction}


def check_variance(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when sequences and induction step agree exactly."""
    sample = {key: len(evidence[key]) for key in ("sequences", "induction")}
    if wrong := first_mismatch([*evidence["sequences"], *evidence["induction"]]):
        return verdict_against(
            wrong,
            f"{wrong.label}: the update gives {wrong.left}, the unbiased variance {wrong.right}.",
            sample=sample,
        )
    return Verdict(
        "proved",
        f"Exact on {sample['sequences']} random sequences, and the induction step is a polynomial "
        f"identity, verified at {sample['induction']} points, more than its degree allows to "
        "agree by chance.",
        "sound",
        sample=sample,
        evidence="lem:welford",
    )


CLAIMS = (
    claim(
        id="gt20-15",
        title="Online variance of Algorithm 1",
        where=f"Section 3, Algorithm 1; {BOTH}",
        statement=r"$\hat\sigma_j^2\leftarrow\frac{t-2}{t-1}\hat\sigma_j^2+(\phi_j-"
        r"\hat\phi_j)^2/t$ for $t>1$, before $\hat\phi_j$ is updated, is the unbiased sample "
        r"variance of the first $t$ marginal contributions.",
        gather=gather_variance,
        check=check_variance,
    ),
)
