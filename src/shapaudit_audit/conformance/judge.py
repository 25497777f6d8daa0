"""Verdicts: how far the values of a package are from exact ones."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

RIGHT, REFUSED, WRONG, CRASHED, NOT_OFFERED = "right", "refused", "wrong", "crashed", "not offered"
VERDICTS = (RIGHT, REFUSED, WRONG, CRASHED, NOT_OFFERED)
MOST_DIGITS = 15

# An error within the first share of the largest value is right, and so is one within the second of
# the largest output: packages add up outputs, XGBoost in single precision.
OF_VALUES = 2e-5
OF_OUTPUTS = {"xgboost": 2.0**-20}
OF_OUTPUTS_DOUBLE = 1e-10


class Verdict(NamedTuple):
    """What became of a cell.

    ``error`` is the largest error of a value, as a share of the largest exact one (of the largest
    output where all values are 0); ``convention`` names the output that was met.
    """

    verdict: str
    error: float = math.nan
    convention: str = ""
    message: str = ""

    @property
    def digits(self) -> int | None:
        """Decimal digits to which the largest value is right; None where there is no error."""
        if not math.isfinite(self.error):
            return None
        if self.error == 0.0:
            return MOST_DIGITS
        return max(0, min(MOST_DIGITS, math.floor(-math.log10(self.error))))


def judge(values: Any, exact: Mapping[str, np.ndarray], size: float, library: str) -> Verdict:
    """Verdict on values beside exact ones (m, players) of each convention; the nearest counts.

    ``size`` is the largest output of the model, in absolute terms.
    """
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as why:
        return Verdict(CRASHED, message=f"returned no numbers: {why}")
    nearest = Verdict(WRONG, math.inf)
    for convention, truth in exact.items():
        if found.shape != truth.shape:
            shapes = f"returned values of shape {found.shape} in place of {truth.shape}"
            return Verdict(CRASHED, message=shapes)
        if not np.isfinite(found).all():
            return Verdict(WRONG, math.inf, message="values that are no finite numbers")
        largest = float(np.abs(truth).max()) or size or 1.0
        error = float(np.abs(found - truth).max())
        allowed = OF_VALUES * largest + OF_OUTPUTS.get(library, OF_OUTPUTS_DOUBLE) * size
        verdict = RIGHT if error <= allowed else WRONG
        share = error / largest
        if (verdict == WRONG, share) < (nearest.verdict == WRONG, nearest.error):
            nearest = Verdict(verdict, share, convention if verdict == RIGHT else "")
    return nearest
