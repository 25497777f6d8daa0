"""What is fitted to pairs of complements, as `auto` combines it with others."""

from dataclasses import dataclass

import numpy as np

LEAST_REMAINING = 1e-3  # of 1 - leverage: below, the fit goes through the pair


@dataclass(frozen=True, eq=False)
class Fit:
    """Shapley values and residuals of something fitted to pairs.

    Attributes
    ----------
    values : (d,), Shapley values
    left : (m,), odd part of the game less that of the fit, to which least squares are added; zeros
        where nothing is to be added
    left_out : (m,), the residuals of each pair where a fit that has not seen it is subtracted
    doubt : (m,) or one number, at least 1, how much larger that may be for what was chosen on all
        pairs
    chosen : number of hyperparameters chosen on all pairs, for which that may be larger, too
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
    """A fit to which nothing is added, but equal shares of what its values lack of the total.

    With few pairs for each player least squares on the residuals add more noise than they mend.
    """
    shared = values + (total - values.sum()) / len(values)
    return Fit(shared, np.zeros(len(left_out)), left_out, doubt, chosen)
