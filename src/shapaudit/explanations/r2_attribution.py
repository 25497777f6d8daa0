"""What the attribution of R² returns."""

from dataclasses import dataclass
from html import escape

import numpy as np
import pandas as pd

SHOWN = 20  # features in a text
DIGITS = "{:.4f}".format


@dataclass(frozen=True, eq=False)
class R2Attribution:
    """Shapley values of the R² of a regression.

    Attributes
    ----------
    values : (d,), which sum to ``r2``
    standard_errors : (d,); 0 where the values are exact
    half_widths : (d,) of intervals around the values that hold for all features together at 95 %;
        0 where the values are exact
    r2 : of the regression on all features
    feature_names : names of the d players: columns, or groups of columns
    evaluations : regressions, one for each set of features that was looked at, repeats included
    how : a sentence that says which R² this is, and how it was attributed
    exact : whether the values have no error but rounding
    converged : whether all half-widths are within the tolerance
    """

    values: np.ndarray
    standard_errors: np.ndarray
    half_widths: np.ndarray
    r2: float
    feature_names: tuple[str, ...]
    evaluations: int
    how: str
    exact: bool
    converged: bool

    def to_frame(self) -> pd.DataFrame:
        """A line per feature, in the order of the columns.

        Columns: ``feature``, ``value``, ``standard_error``, ``low`` and ``high``, the simultaneous
        limits of 95 %, and ``share`` of R², which is missing where R² is not positive.
        """
        return pd.DataFrame(
            {
                "feature": np.array(self.feature_names, dtype=object),
                "value": self.values,
                "standard_error": self.standard_errors,
                "low": self.values - self.half_widths,
                "high": self.values + self.half_widths,
                "share": self.values / self.r2 if self.r2 > 0 else np.nan,
            }
        )

    def __repr__(self) -> str:
        frame = self._largest_first()
        more = len(frame) - SHOWN
        text = frame.head(SHOWN).to_string(index=False, na_rep="", float_format=DIGITS)
        tail = f"\nand {more} more, see to_frame()" if more > 0 else ""
        return f"R² = {self.r2:.4f}. {self.how}.\n{text}{tail}"

    def _repr_html_(self) -> str:
        table = self._largest_first().to_html(index=False, na_rep="", float_format=DIGITS)
        return f"<p>R² = {self.r2:.4f}. {escape(self.how)}.</p>\n{table}"

    def _largest_first(self) -> pd.DataFrame:
        """What is shown: limits, unless the values are exact, and no standard errors."""
        frame = self.to_frame().sort_values("value", ascending=False, kind="stable")
        hidden = ["standard_error", "low", "high"] if self.exact else ["standard_error"]
        return frame.drop(columns=hidden)
