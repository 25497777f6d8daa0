"""Evidence on claim 5d: how much lifts vary over orders where features are a little correlated."""

from fractions import Fraction
from itertools import permutations

import numpy as np

from shapaudit.truth.rational import rationals
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import random_integers
from shapaudit_papers.theory.regression import lifts

P, ROWS = 3, 8
SHARES = tuple(Fraction(1, 2**k) for k in range(9))  # of a common column in each feature
SIGNS = rationals(
    [1 - 2 * ((row & column).bit_count() & 1) for row in range(ROWS) for column in range(ROWS)]
).reshape(ROWS, ROWS)


def common_column(share: Fraction) -> np.ndarray:
    """Features (ROWS, P): orthogonal columns, each with a share of one more column."""
    return SIGNS[:, 1 : 1 + P] + share * SIGNS[:, 1 + P : 2 + P]


def gather_weak(context: Context, features=common_column) -> Evidence:
    """Per problem and share: the correlation, and the variance of a lift vector over its square.

    The variance is over all orders of the features, exactly: as many independent chains as this
    ratio over e^2 have the relative error e, whatever their number of features.
    """
    rows = []
    for k in range(context.settings.random_games):
        targets = random_integers(context, "bdb24-05d", k, count=2 * ROWS).reshape(2, ROWS)
        for share in (*SHARES, Fraction(0)):
            columns = features(share)
            train, test = ((columns, target + 1) for target in targets)
            walked = np.array([lifts(train, test, order) for order in permutations(range(P))])
            mean = walked.mean(axis=0)
            spread = ((walked - mean) ** 2).sum() / len(walked)
            gram = columns.T @ columns
            row = {"problem": k + 1, "correlation": gram[0, 1] / gram[0, 0]}
            rows.append(row | {"relative_variance": spread / (mean @ mean)})
    return {"rows": rows}
