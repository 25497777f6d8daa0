"""Evidence on claims 82 and 83: baselines that are drawn anew."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product

import numpy as np

from shapaudit.truth.rational import shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import vector_cases
from shapaudit_papers.theory.removal import Row, baseline_game, marginal_game, quadratic

from .removal import problems

COUNTS = (2, 10, 100)  # fresh baselines per order


def contributions(table: np.ndarray) -> Iterator[list[Fraction]]:
    """Return the contribution of each player when it joins, for each order."""
    d = len(table).bit_length() - 1
    for order in permutations(range(d)):
        added, members = [Fraction(0)] * d, 0
        for player in order:
            added[player] = table[members | 1 << player] - table[members]
            members |= 1 << player
        yield added


def gather_fresh(
    context: Context, drawn: Callable[[Sequence[Row]], Sequence[Row]] = list
) -> Evidence:
    """Return mean contributions over all orders and baselines, and the marginal values.

    ``drawn`` selects the baselines from which one is drawn anew for each order.
    """
    cases = []
    for label, _, model, x, rows in problems(context, "ccll23-82", quadratic, lambda d: d * d):
        units = [
            unit for row in drawn(rows) for unit in contributions(baseline_game(model, x, row))
        ]
        mean = [sum(column) / len(units) for column in zip(*units, strict=True)]
        cases += vector_cases(label, mean, shapley_values(marginal_game(model, x, rows)))
    return {"cases": cases}


def gather_counts(context: Context, cost: Callable[[int], int] = int) -> Evidence:
    """Return the variance with several fresh baselines per order, at equal rows of the model.

    The cases compare the variance with two baselines, over all orders and pairs, with the sum
    of its two parts. ``factors`` are the least and the largest over features with any variance,
    by number of baselines. ``cost`` gives the rows that so many baselines take.
    """
    cases = []
    factors: dict[int, list[Fraction]] = {count: [] for count in COUNTS}
    for label, _, model, x, rows in problems(context, "ccll23-83", quadratic, lambda d: d * d):
        tables = [list(contributions(baseline_game(model, x, row))) for row in rows]
        for i in range(len(x)):
            by_order = [[units[i] for units in order] for order in zip(*tables, strict=True)]
            between, within = _parts(by_order)
            pairs = [(a + b) / 2 for order in by_order for a, b in product(order, repeat=2)]
            cases.append(Case(f"{label}, feature {i + 1}", _variance(pairs), between + within / 2))
            for count in COUNTS if between + within else ():
                with_more = cost(count) * (between + within / count)
                factors[count].append(with_more / (between + within))
    return {
        "cases": cases,
        "factors": [
            {"baselines": count, "least": min(ratios), "largest": max(ratios)}
            for count, ratios in factors.items()
        ],
    }


def _variance(values: Sequence[Fraction]) -> Fraction:
    mean = sum(values) / Fraction(len(values))
    return sum(value * value for value in values) / Fraction(len(values)) - mean**2


def _parts(by_order: Sequence[Sequence[Fraction]]) -> tuple[Fraction, Fraction]:
    """Return the variance of the means over baselines and the mean of the variances over them."""
    means = [sum(order) / Fraction(len(order)) for order in by_order]
    within = sum((_variance(order) for order in by_order), Fraction(0)) / len(by_order)
    return _variance(means), within
