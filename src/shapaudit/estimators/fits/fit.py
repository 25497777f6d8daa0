"""A fit to pairs of complements, in the form in which `auto` combines it with others."""

from dataclasses import dataclass

import numpy as np

LEAST_REMAINING = 1e-3  # of 1 - leverage: below, the fit goes through the pair


@dataclass(frozen=True, eq=False)
class Fit:
    """Shapley values and residuals of a fit to pairs.

    Attributes
    ----------
    values : (d,), Shapley values
    left : (m,), residuals of the odd part, which least squares are to regress; zeros where nothing
        is to be added
    left_out : (m,), leave-one-out residuals of the pairs
    doubt : (m,) or one number, at least 1: inflation factor of the leave-one-out residuals, where
        choices that were made on all pairs make these too small
    chosen : number of hyperparameters chosen on all pairs, which have the same effect
    """

    values: np.ndarray
    left: np.ndarray
    left_out: np.ndarray
    doubt: np.ndarray | float = 1.0
    chosen: int = 0


def uncorrected(
    values: np.ndarray,
    total: float,
    left_out: np.ndarray,
    doubt: np.ndarray | float = 1.0,
    chosen: int = 0,
) -> Fit:
    """A fit whose residuals are not regressed; the efficiency gap is shared equally.

    With few pairs per player, least squares on the residuals would add more noise than accuracy.
    """
    shared = values + (total - values.sum()) / len(values)
    return Fit(shared, np.zeros(len(left_out)), left_out, doubt, chosen)
