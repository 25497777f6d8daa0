"""Evidence on claim 9, continued.

Random q and random orders as estimators of all players together.
"""

from collections.abc import Callable

import numpy as np

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import integer_games, vector_cases
from shapaudit_papers.theory.random_order import (
    Outcomes,
    marginal_law,
    moments,
    shared_outcomes,
    walk_outcomes,
)

PLAYERS = (3, 4)  # of the games whose walks are listed

Draw = Callable[[np.ndarray], Outcomes]


def gather_joint(
    context: Context, first: Draw = shared_outcomes, second: Draw = walk_outcomes
) -> Evidence:
    """Compare one coalition with random q and one walk: laws, covariances and sums."""
    rows, covariances = [], []
    for label, d, values in integer_games(context, "ccll23-09", dimensions=PLAYERS):
        laws = first(values), second(values)
        same = all(marginal_law(laws[0], i) == marginal_law(laws[1], i) for i in range(d))
        (_, shared), (_, walked) = (moments(law) for law in laws)
        covariances += vector_cases(label, shared.ravel(), walked.ravel())
        row = {"game": label, "players": d, "same_marginal_laws": same}
        row |= {"variance": np.trace(shared), "variance_walk": np.trace(walked)}
        rows.append(row | {"variance_of_sum": shared.sum(), "variance_of_sum_walk": walked.sum()})
    return {"rows": rows, "cases": covariances}
