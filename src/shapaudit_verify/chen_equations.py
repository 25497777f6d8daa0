"""Chen, Covert, Lundberg and Lee 2023, continued: Equations 8 and 11, and levels of q."""

import re
from fractions import Fraction

from .chen import games
from .definitions import entries, kernel, shapley, solve, squared
from .registry import rederives

PAPER = "chen_covert_lundberg_lee_2023/"
ENDS = (1, 10**3, 10**6)


@rederives(f"{PAPER}equations.gather_weights", lambda made: False)
def weights(piece, draws):
    """Least squares with an intercept over all coalitions, by the weight of both ends."""
    rows = []
    labels = [row["game"] for row in piece["rows"]]
    for label, d, values in games(draws, "ccll23-23", labels, 3):
        for end in ENDS:
            normal = [[Fraction(0)] * (d + 1) for _ in range(d + 1)]
            right = [Fraction(0)] * (d + 1)
            for members, value in enumerate(values):
                s = members.bit_count()
                weight = kernel(d, s) if 0 < s < d else Fraction(end)
                x = [1, *(members >> j & 1 for j in range(d))]
                for i in range(d + 1):
                    right[i] += weight * x[i] * value
                    for j in range(d + 1):
                        normal[i][j] += weight * x[i] * x[j]
            slopes = solve(normal, right)[1:]
            error = squared(a - b for a, b in zip(slopes, shapley(values), strict=True))
            rows.append({"game": label, "end_weight": end, "squared_error": error})
    return {"rows": rows}


def conditional_mean(covariance, mean, x, members):
    """E[x | x_S] of Gaussian features."""
    d = len(mean)
    inside = [j for j in range(d) if members >> j & 1]
    if not inside:
        return mean
    own = [[covariance[i][j] for j in inside] for i in inside]
    shift = solve(own, [x[j] - mean[j] for j in inside])
    return [
        mean[i] + sum(covariance[i][j] * s for j, s in zip(inside, shift, strict=True))
        for i in range(d)
    ]


@rederives(f"{PAPER}equations.gather_correlated")
def correlated(piece, draws):
    """Conditional values, and what they are at x as a linear function of x less the mean."""
    numbers = [int(re.match(r"model (\d+)", label)[1]) for label, *_ in piece["cases"]]
    cases, d = [], 3
    for k in range(max(numbers)):
        drawn = draws.integers("ccll23-24", k, count=3 * d + d * d)
        beta, mean, x, *root = (drawn[i : i + d] for i in range(0, len(drawn), d))
        covariance = [
            [sum(a * b for a, b in zip(p, q, strict=True)) + (i == j) for j, q in enumerate(root)]
            for i, p in enumerate(root)
        ]

        def values(explicand, beta=beta, mean=mean, covariance=covariance):
            means = (conditional_mean(covariance, mean, explicand, s) for s in range(1 << d))
            return shapley([sum(b * m for b, m in zip(beta, e, strict=True)) for e in means])

        closed = [Fraction(0)] * d
        for j in range(d):
            unit = values([m + (i == j) for i, m in enumerate(mean)])
            closed = [c + u * (x[j] - mean[j]) for c, u in zip(closed, unit, strict=True)]
        cases += entries(f"model {k + 1}", values(x), closed)
    return {"cases": cases}


@rederives(f"{PAPER}levels.gather_levels", None)
def levels(piece, _):
    """Errors on the unanimity game of ten players, with an even grid and with a random q."""
    rows, d, draws = [], 10, 2
    for row in piece["unanimity"]:
        count = row["levels"]
        chances = [Fraction(k, count - 1) ** (d - 1) for k in range(count)]
        bias = sum(chances) / count - Fraction(1, d)
        noise = sum(p - p * p for p in chances) / (draws * count**2)
        free = (Fraction(1, d) - Fraction(1, d * d)) / (draws * count)
        rows.append({"levels": count, "fixed": bias**2 + noise, "random": free})
    return {"unanimity": rows}
