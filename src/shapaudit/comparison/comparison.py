"""What a comparison found, as tables and in words."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from ..datasets.mixed import TableError
from ..statistics.limits import MINIMUM_UNITS, limit_rank
from ..statistics.regret import evaluations_to_reach
from ..statistics.typical import joint_ratios
from .plan import Plan
from .quantity import Quantity

LEVEL = 0.95
EXACT = 1e-9  # error over the norm of the values, below which errors are rounding and equal
ENDS = ("base_value", "prediction")  # v(empty) and v(grand) of a row
TARGETS = (0.1, 0.05, 0.01)  # errors, as shares of the norm of the values


@dataclass(frozen=True)
class Comparison:
    """Errors of estimators on a user's model.

    Attributes
    ----------
    errors : one run per row: estimator, budget, row, run, evaluations, error (the Euclidean norm
        over the players), scale (that of the values), per_player (mean absolute error of a
        player, in the units of the model), seconds (of the estimator, and of the model where its
        values were not tabulated)
    values : Shapley values (rows, players) in the units of the model; the index, as ``row`` of the
        errors, has the numbers of the rows in the table, from 0 on
    plan : how they were found, and at what price
    background : rows in whose place absent columns were filled
    rows : rows of the model that were evaluated
    resolution : median norm of the standard errors of the values; 0 where they are exact
    quantity : what was explained, and its unit
    ends : for each row its ``base_value``, the mean output over the background, and its
        ``prediction``; the values of the row are their difference
    background_rows : table of the rows that absent columns were filled from
    """

    errors: pd.DataFrame
    values: pd.DataFrame
    plan: Plan
    background: int
    rows: int
    resolution: float
    quantity: Quantity = field(default_factory=Quantity)
    ends: pd.DataFrame = field(default_factory=lambda: pd.DataFrame(columns=ENDS))
    background_rows: pd.DataFrame = field(default_factory=pd.DataFrame)

    @property
    def parts(self) -> list["Comparison"]:
        """Itself: the comparison on its only output."""
        return [self]

    @property
    def exact_evaluations(self) -> int:
        """Evaluations after which values are exact: all coalitions."""
        return 2 ** self.values.shape[1]

    @property
    def values_estimated(self) -> bool:
        """Whether the values have errors that are more than rounding."""
        return bool(self.resolution > EXACT * self.errors["scale"].median())

    @property
    def typical_value(self) -> float:
        """Mean absolute value of a player on a typical row, in the units of the model."""
        return float(self.values.abs().mean(axis=1).median())

    def by_row(self) -> pd.DataFrame:
        """Means over the runs: one line per estimator, budget and row.

        ``relative`` is the error over the norm of the row's values; 0 where both are 0. Errors of
        less than `EXACT` of that norm are raised to it: they are of rounding.
        """
        if self.errors.empty:
            return self.errors
        keys = ["estimator", "budget", "row"]
        means = self.errors.groupby(keys, sort=False).mean().reset_index()
        means["error"] = means["error"].clip(lower=EXACT * means["scale"])
        means["relative"] = (means["error"] / means["scale"]).where(means["error"] > 0, 0.0)
        return means.drop(columns="run")

    def table(self) -> pd.DataFrame:
        """A line per estimator and budget.

        ``relative``: median over the rows of error over norm of the values, with limits of 95 %
        (``low``, ``high``; NaN for fewer than 6 rows); ``per_player``: the median of the mean
        absolute error of a player, in the units of the model; ``seconds`` per explanation.
        """
        if not len(self.errors):
            return self.errors
        lines = []
        for (name, budget), part in self.by_row().groupby(["estimator", "budget"], sort=False):
            relative = np.sort(part["relative"].to_numpy())
            rank = limit_rank(len(relative), (1 - LEVEL) / 2)
            low, high = (relative[rank - 1], relative[-rank]) if rank else (np.nan, np.nan)
            lines.append(
                {
                    "estimator": name,
                    "budget": budget,
                    "relative": float(np.median(relative)),
                    "low": float(low),
                    "high": float(high),
                    "per_player": float(part["per_player"].median()),
                    "seconds": float(part["seconds"].median()),
                }
            )
        return pd.DataFrame(lines)

    def needed(self) -> pd.DataFrame:
        """Evaluations for 10, 5 and 1 % of the norm on a typical row, a line per estimator.

        Read off the medians of `table` by interpolation; ">n" where the largest budget n is not
        enough, "<=n" where the smallest is.
        """
        signs = {"": "", "at most": "<=", "more than": ">"}
        lines = {
            name: [f"{signs[word]}{number:,.0f}" for number, word in reached]
            for name, reached in self.reached().items()
        }
        columns = [f"{target:.0%}" for target in TARGETS]
        return pd.DataFrame.from_dict(lines, orient="index", columns=columns)

    def reached(self) -> dict[str, list[tuple[float, str]]]:
        """What `needed` says, as numbers and "", "at most" or "more than", by estimator."""
        if self.errors.empty:
            return {}
        return {
            str(name): [
                evaluations_to_reach(target, part["budget"], part["relative"]) for target in TARGETS
            ]
            for name, part in self.table().groupby("estimator", sort=False)
        }

    @property
    def constant(self) -> bool:
        """Whether all values are zero."""
        return not self.values.to_numpy().any()

    @property
    def exact_seconds(self) -> float:
        """Seconds that the exact values of a row take; infinite where none were computed."""
        each = self.plan.seconds / self.plan.explicands
        return {"trees": 0.0, "enumeration": each}.get(self.plan.truth, np.inf)

    def best(self) -> str:
        """Estimator of the least median error over the best, over all rows and budgets.

        Raises `TableError` where there are too few players for any to be compared.
        """
        return least_regret([self])

    def ratios(self) -> dict[str, tuple[float, float, float]]:
        """Errors of the others over those of the best at the largest budget on a typical row.

        With limits that hold for all of them together at 95 %; (ratio, 0, inf) for fewer than 10
        rows, which have none.
        """
        if self.errors.empty:
            return {}
        by_row, best = self.by_row(), self.best()
        last = by_row[by_row["budget"] == by_row["budget"].max()]
        wide = last.pivot(index="row", columns="estimator", values="error").dropna(axis=1)
        pairs = [(name, best) for name in wide.columns if name != best]
        if best not in wide.columns or not pairs:
            return {}
        ratios = joint_ratios({"all": wide}, pairs, 1 - LEVEL)["all"]
        few = len(wide) < MINIMUM_UNITS
        return {
            name: (ratio.estimate, 0.0, np.inf) if few else (ratio.estimate, ratio.low, ratio.high)
            for (name, _), ratio in zip(pairs, ratios, strict=True)
        }

    def __str__(self) -> str:
        """The answer in words, and the evaluations needed."""
        from .words import told

        return told(self)

    def save(self, folder: str | Path) -> None:
        """Write page.html, table.csv, errors.csv, values.csv, outputs.csv and background.csv."""
        from .page import write

        write(self, folder)


def least_regret(parts: Sequence[Comparison]) -> str:
    """Estimator of the least median error over the best, over all outputs, rows and budgets."""
    if parts[0].errors.empty:
        players = parts[0].values.shape[1]
        raise TableError(
            f"no estimator was compared, since all {2**players} coalitions of {players} players "
            "are evaluated; take the exact values, which are in values"
        )
    by_output = pd.concat(
        [part.by_row() for part in parts], keys=range(len(parts)), names=["output"]
    )
    keys = ["output", "budget", "row"]
    wide = by_output.reset_index(level=0).pivot(index=keys, columns="estimator", values="error")
    regret = wide.div(wide.min(axis=1).clip(lower=1e-300), axis=0).where(wide > 0, 1.0)
    return str(regret.where(wide.notna()).median().idxmin())
