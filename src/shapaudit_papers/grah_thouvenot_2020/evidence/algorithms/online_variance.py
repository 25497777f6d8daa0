"""Evidence on claim 15: the online variance of Algorithm 1."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import random_integers

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
