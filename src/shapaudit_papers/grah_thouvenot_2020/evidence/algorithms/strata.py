"""Evidence on claim 16d: walks that meet every size equally, and variances within the sizes."""

from collections.abc import Callable
from fractions import Fraction

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import exact_dimensions

Shifts = Callable[[int], list[tuple[int, ...]]]

# Contributions of a player of three to 0, 1 and 2 others: one, two and one coalition.
CONTRIBUTIONS = (((2,), (3, 3), (-5,)), ((1,), (-6, 6), (-1,)))


def orbit(n_players: int) -> list[tuple[int, ...]]:
    """Return the d cyclic shifts of one permutation."""
    order = tuple(range(n_players))
    return [order[k:] + order[:k] for k in range(n_players)]


def variances(sizes: tuple[tuple[int, ...], ...]) -> tuple[Fraction, list[Fraction]]:
    """Return the variance of one draw over all sizes, and the variances within the sizes.

    Sizes are equally likely, and so are the coalitions of one size.
    """
    means = [Fraction(sum(own), len(own)) for own in sizes]
    squares = [Fraction(sum(x * x for x in own), len(own)) for own in sizes]
    mean = sum(means, Fraction(0)) / len(sizes)
    within = [square - m * m for square, m in zip(squares, means, strict=True)]
    return sum(squares, Fraction(0)) / len(sizes) - mean * mean, within


def gather_strata(
    context: Context, shifts: Shifts = orbit, contributions=CONTRIBUTIONS
) -> Evidence:
    """Return how often walks of an orbit meet each player at each position, and two variances."""
    unequal = []
    for d in exact_dimensions(context):
        met = {(player, k) for order in shifts(d) for k, player in enumerate(order)}
        if len(met) != d * d:
            unequal.append(d)
    rows = []
    for k, sizes in enumerate(contributions, start=1):
        whole, within = variances(sizes)
        rows.append(
            {"game": k, "variance": whole}
            | {f"within_size_{size}": part for size, part in enumerate(within)}
        )
    return {"max_dimension": exact_dimensions(context)[-1], "unequal": unequal, "rows": rows}
