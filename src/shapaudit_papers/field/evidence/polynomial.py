"""Evidence on claim 7.

With pairs, an even order of PolySHAP adds nothing to the odd order below it.
"""

from collections.abc import Iterator

import numpy as np

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import random_integers, vector_cases
from shapaudit_papers.theory.polynomial import polynomial_shapley

ORDERS = {2: (4, 5), 4: (5,)}  # numbers of players by even order
MOST_DRAWS = 3  # of one coalition


def samples(context: Context, paired: bool) -> Iterator[tuple[str, int, np.ndarray, np.ndarray]]:
    """Label, order, values and counts (2^d,) of random integer games and samples.

    A sample that leaves the fit open is drawn again.
    """
    for order, players in ORDERS.items():
        for d in players:
            rng = context.generator("field26-07", "sample", order, d)
            for k in range(context.settings.random_games if order == 2 else 1):
                values = random_integers(context, "field26-07", "game", order, d, k, count=1 << d)
                counts = rng.integers(1, MOST_DRAWS + 1, size=1 << d)
                if order == 2:
                    counts *= rng.random(1 << d) < 0.9
                yield (
                    f"order {order}, d = {d}, game {k + 1}",
                    order,
                    values,
                    (counts + counts[::-1] if paired else counts),
                )


def gather_orders(context: Context, paired: bool = True) -> Evidence:
    """Shapley values of the fits of an even order and of the odd order below it."""
    cases: list[Case] = []
    games = 0
    for label, order, values, counts in samples(context, paired):
        upper, lower = (polynomial_shapley(values, counts, k) for k in (order, order - 1))
        cases += vector_cases(label, upper, lower)
        games += 1
    return {"cases": cases, "games": games}
