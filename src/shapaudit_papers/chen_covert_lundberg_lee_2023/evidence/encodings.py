"""Evidence on claim 16: the examples of Figure 4, as far as their algebra goes."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import asin, pi

from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import random_integers, vector_cases
from shapaudit_papers.theory.removal import baseline_game, gaussian_game, linear

PRINTED = (0, -10)  # Section 4.4: values of gender for a man, in either encoding
MALE = {"text of Section 4.4": 0, "caption of Figure 4": 1}  # value of x_3 for a man
CORRELATIONS = tuple(Fraction(k, 10) for k in (-9, -5, 0, 5, 9, 10))
HIGH = tuple(Fraction(k, 100) for k in (50, 80, 90, 95, 99))
ELSEWHERE = (1, Fraction(1, 10), 2)  # an explicand whose proxy deviates more than the feature


def gather_gender(context: Context, male: Mapping[str, int] = MALE) -> Evidence:
    """Return baseline values of gender at zero, for the coefficient that fits a printed value.

    x_3' = 1 - x_3 has the coefficient -beta; at most one of the two printed values can be beta
    times 0.
    """
    rows = []
    for source, value in male.items():
        other = 1 - value
        beta = Fraction(PRINTED[0], value) if value else Fraction(-PRINTED[1], other)
        row = {"convention": source, "x3": value, "coefficient": beta}
        rows.append(row | {"value_x3": beta * value, "value_other": -beta * other})
    return {"rows": rows, "printed": PRINTED}


def gather_encodings(context: Context, mean_in_step: bool = True) -> Evidence:
    """Return attributions of a linear model before and after recoding its last feature.

    z = a + b x has the coefficient beta / b and a new intercept. The mean is recoded with the
    data; zero is not.
    """
    mean_cases: list[Case] = []
    zero_cases: list[Case] = []
    for k in range(context.settings.random_games):
        drawn = random_integers(context, "ccll23-16", k, count=10).tolist()
        beta, x, mean = drawn[:4], drawn[4:7], drawn[7:]
        a, b = Fraction(k + 1), Fraction(-2 - k)
        recoded = [beta[0] - beta[3] * a / b, *beta[1:3], beta[3] / b]
        point = [*x[:2], a + b * x[2]]
        moved = [*mean[:2], a + b * mean[2] if mean_in_step else mean[2]]
        zero = [Fraction(0)] * 3
        for cases, (before, after) in (
            (mean_cases, (mean, moved)),
            (zero_cases, (zero, zero)),
        ):
            sides = (
                shapley_values(baseline_game(linear(c), row, baseline))
                for c, row, baseline in ((beta, x, before), (recoded, point, after))
            )
            cases += vector_cases(f"encoding {k + 1}", *sides)
    return {"mean": mean_cases, "zero": zero_cases}


def gather_splitting(
    context: Context, correlations: Sequence[Fraction] = CORRELATIONS, game=gaussian_game
) -> Evidence:
    """Return conditional values of linear models with a correlated pair, and the closed form."""
    cases, gaps = [], []
    for k in range(context.settings.random_games):
        drawn = random_integers(context, "ccll23-16c", k, count=3).tolist()
        ones = [Fraction(1)] * 3
        for rho in correlations:
            phi = shapley_values(game(drawn, ones, rho))
            kept, given = 1 - rho / 2, rho / 2
            closed = rationals(
                [
                    drawn[0],
                    drawn[1] * kept + drawn[2] * given,
                    drawn[2] * kept + drawn[1] * given,
                ]
            )
            label = f"coefficients {', '.join(map(str, drawn))}, correlation {rho}"
            cases += vector_cases(label, phi, closed)
            gaps.append(Case(label, abs(phi[1] - phi[2]), abs(drawn[1] - drawn[2])))
    return {"cases": cases, "gaps": gaps, "correlations": correlations}


def gather_partial(
    context: Context, correlations: Sequence[Fraction] = HIGH, game=gaussian_game
) -> Evidence:
    """Return conditional values of the partial model, which does not use the third feature.

    They are those of the figure's explicand, then those of another one. ``share_larger`` is the
    probability of an explicand at which the unused feature has the larger value in size: that
    0 < x_2 / x_3 < rho, the ratio being a Cauchy variable.
    """
    rows = []
    for rho in correlations:
        at_one, at_other = (
            shapley_values(game(rationals([1, 1, 0]).tolist(), rationals(x).tolist(), rho))
            for x in ([1] * 3, ELSEWHERE)
        )
        row = {"correlation": rho, "value_2": at_one[1], "value_3": at_one[2]}
        row |= {"ratio": float(at_one[2] / at_one[1])}
        row |= {"other_2": at_other[1], "other_3": at_other[2]}
        rows.append(row | {"share_larger": asin(rho) / pi})
    return {"rows": rows}
