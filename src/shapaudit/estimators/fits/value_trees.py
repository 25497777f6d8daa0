"""Boosted trees fitted to the values of few pairs, not to their differences.

A difference of complements depends on the odd part alone. Where odd and even part come from the
same sets of players, as in the largest of some numbers or in a sum of few unanimity games, the two
values say more, and trees, to which the parts are no different, use that. The largest of some
numbers is a list of decisions, one for each player: deep trees find it.
"""

import numpy as np

from ..pairs import Pairs
from ..surrogates import Fitted, of_trees
from .fit import Fit, uncorrected
from .trees import fit_trees

FOLDS, DEPTH = 4, 8
LEAST_PAIRS = 2 * FOLDS


def fit_value_trees(pairs: Pairs) -> Fit:
    """The trees fitted to all pairs, with the residuals of four-fold cross-validation."""
    fold_of = np.arange(len(pairs.values)) % FOLDS  # each has pairs of all sizes, as these ascend
    left_out = pairs.odd_part.copy()
    for fold in (fold_of == k for k in range(FOLDS)):
        left_out[fold] -= _fitted(pairs.part(~fold)).odd_part(pairs.coalitions[fold])
    return uncorrected(_fitted(pairs).shapley, pairs.total, left_out)


def _fitted(pairs: Pairs) -> Fitted:
    middle = 0.5 * np.mean(pairs.values + pairs.opposite)
    values, opposite = pairs.values - middle, pairs.opposite - middle
    return of_trees(fit_trees(pairs.coalitions, values, opposite, DEPTH))
