"""Results of the studies of removals, for the report and the site.

Errors are relative: root mean squared errors of Shapley values, squares summed over players, over
the root of the mean squared norm of the law's own values. Units are fits, each to fresh rows; the
law, the model and the explicands are given.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from shapaudit.removals import RemovalCard, resolve
from shapaudit.statistics.error_split import split_limits

from ..study.blocks.studies import RemovalStudyBlock
from ..study.blocks.study import Study
from ..study.equal_rows import COUNTED
from ..study.reading import load_removal_study
from .leads import lead_table

# By target: columns of the law's Shapley values, and of squared errors from them.
TRUTHS = {"conditional": ("truth", "squared_error"), "marginal": ("marginal", "marginal_error")}
PARTS = ("removal_bias", "removal_variance", "estimation_bias", "estimation_variance", "cross")


@dataclass(frozen=True, eq=False)
class RemovalStudy:
    """One study, of one law.

    Attributes
    ----------
    name, label : of the study
    block : of the configuration
    cards : of the removals, by name; None for a user's removal without a card
    tables : by name, see `study.reading.load_removal_study`; of removals and numbers of rows with a
        fit that was refused only ``refusals`` are read, for the other fits were chosen by the data
    """

    name: str
    label: str
    block: RemovalStudyBlock
    cards: Mapping[str, RemovalCard | None]
    tables: Mapping[str, pd.DataFrame]

    @cached_property
    def refused(self) -> pd.DataFrame:
        """Numbers of fits refused, and the first reason, by removal and rows.

        Columns: removal, rows, refused, fits (that were to be made), reason.
        """
        refusals = self.tables["refusals"].groupby(["removal", "rows"], sort=False)
        table = refusals.agg(refused=("fit", "size"), reason=("reason", "first")).reset_index()
        return table.assign(fits=[self.fits_of(name) for name in table["removal"]])

    def fits_of(self, removal: str) -> int:
        """Fits of a removal with each number of rows."""
        return self.block.fits_of(removal)

    def _complete(self, kind: str) -> pd.DataFrame:
        """A table without the removals and numbers of rows for which a fit was refused."""
        table = self.tables[kind]
        refused = set(zip(self.refused["removal"], self.refused["rows"], strict=True))
        cells = zip(table["removal"], table["rows"], strict=True)
        return table[[cell not in refused for cell in cells]]

    @cached_property
    def values(self) -> pd.DataFrame:
        """Estimates and exact values; columns of the schema "removal_values"."""
        return self._complete("values")

    @cached_property
    def fits(self) -> pd.DataFrame:
        """Errors of coalitions' values; columns of the schema "removal_fits"."""
        return self._complete("fits")

    def within(self, target: str = "conditional") -> pd.DataFrame:
        """Relative errors of estimates from equally many rows, root mean squares over one fit.

        From the values of the law's game of the ``target``, one of `TRUTHS`. Columns: counted,
        limit, removal, rows, fit, error; of removals that each limit is enough for, in all fits
        and for all explicands.
        """
        truth, error = TRUTHS[target]
        table = self._complete("rows")
        keys = ["counted", "limit", "removal", "rows", "fit"]
        squares = table.groupby(keys, sort=False)[error].agg(["mean", "size"])
        runs = self.block.explicands * self.block.runs
        errors = np.sqrt(squares["mean"][squares["size"] == runs]) / self.norm(truth)
        errors = errors.rename("error").reset_index()
        made = errors.groupby(keys[:-1])["fit"].transform("size")
        return errors[made == errors["removal"].map(self.fits_of)]

    @property
    def removals(self) -> list[str]:
        """Names, in the order of the configuration."""
        return self.block.removals

    @property
    def players(self) -> int:
        """Number of features."""
        return self.tables["values"]["player"].nunique()

    @cached_property
    def scale(self) -> float:
        """Root of the mean squared norm of the law's own Shapley values."""
        return self.norm("truth")

    def norm(self, column: str) -> float:
        """Root mean squared norm of the Shapley values in a column, "truth" or "marginal"."""
        truth = self.tables["values"].groupby(["explicand", "player"])[column].first()
        return float(np.sqrt(truth.pow(2).groupby("explicand").sum().mean()))

    @cached_property
    def errors(self) -> pd.DataFrame:
        """Relative errors of fitted games' exact values; columns removal, rows, fit, error."""
        once = self.values[
            (self.values["run"] == 0) & (self.values["budget"] == self.block.budgets[0])
        ]
        squares = (once["exact"] - once["truth"]) ** 2
        keys = ["removal", "rows", "fit"]
        sums = squares.groupby([once[key] for key in [*keys, "explicand"]]).sum()
        roots = np.sqrt(sums.groupby(keys).mean()) / self.scale
        return roots.rename("error").reset_index()

    @cached_property
    def curves(self) -> pd.DataFrame:
        """Root mean squared relative error (removal, rows) of the exact values of fitted games."""
        squares = self.errors["error"] ** 2
        keys = [self.errors[key] for key in ("removal", "rows")]
        return np.sqrt(squares.groupby(keys).mean()).unstack("rows").reindex(self.removals)

    @cached_property
    def measures(self) -> pd.DataFrame:
        """Mean squared errors of coalitions' values, of all sizes; index removal, rows.

        Columns: error, from the law's values; error_from_data, from the model's output on the
        explicand; rows_per_value and fit_rows, of the model; auxiliary_fit_rows.
        """
        frame, weight = self.fits, self.fits["coalitions"]
        averaged = ["error", "error_from_data", "rows_per_value"]
        weighted = frame[averaged].mul(weight, axis=0).assign(weight=weight)
        sums = weighted.groupby([frame["removal"], frame["rows"]]).sum()
        means = sums[averaged].div(sums["weight"], axis=0)
        spent = frame.groupby(["removal", "rows"])[["fit_rows", "auxiliary_fit_rows"]].mean()
        return means.join(spent)

    @cached_property
    def remaining(self) -> float:
        """Conditional variance of the output under the law, mean over explicands and coalitions.

        The error from data is the sum of this variance and the true error.
        """
        own = self.fits[["remaining", "coalitions"]]
        return float(np.average(own["remaining"], weights=own["coalitions"]))

    def splits(self, alpha: float) -> pd.DataFrame:
        """The parts of the relative squared error of estimates, by removal, rows and budget.

        Columns beside these: the parts, total, low and high, limits of the total at confidence
        1 - alpha each, and model_rows, of fit and estimate together. A part is an unbiased estimate
        and may be below 0.
        """
        rows = []
        keys = ["removal", "rows", "budget"]
        for key, own in self.values.groupby(keys, sort=False):
            limits = split_limits(*_arrays(own), alpha)
            parts = {part: limits[part].estimate / self.scale**2 for part in PARTS}
            total = limits["total"]
            ends = {"total": total.estimate, "low": total.low, "high": total.high}
            rows.append(
                dict(zip(keys, key, strict=True))
                | parts
                | {name: value / self.scale**2 for name, value in ends.items()}
                | {"model_rows": float(own["model_rows"].mean())}
            )
        return pd.DataFrame(rows)

    def final(self, alpha: float) -> pd.DataFrame:
        """Rows of `splits` at the most rows and the largest budget, by removal."""
        splits = self.splits(alpha)
        most = (splits["rows"] == max(self.block.rows)) & (
            splits["budget"] == self.block.budgets[-1]
        )
        return splits[most].set_index("removal")


def _arrays(own: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Truth (m, d), exact values (R, m, d) and estimates (R, T, m, d) of one removal."""
    keys = ["fit", "run", "explicand", "player"]
    shape = [own[key].nunique() for key in keys]
    ordered = own.sort_values(keys)
    truth, exact, estimates = (
        ordered[name].to_numpy().reshape(shape) for name in ("truth", "exact", "estimate")
    )
    return truth[0, 0], exact[:, 0], estimates


def removal_studies(results: str | Path, study: Study, names: Sequence[str]) -> list[RemovalStudy]:
    """Studies of removals of a configuration, read from the folder of its results."""
    blocks = {name: study.removal_studies[name] for name in names}
    return [
        RemovalStudy(
            name,
            block.label,
            block,
            {key: resolve(study.removals[key].removal).card for key in block.removals},
            load_removal_study(results, name, block),
        )
        for name, block in blocks.items()
    ]


def choices(studies: Sequence[RemovalStudy], alpha: float) -> pd.DataFrame:
    """The best removal by study and rows, and those not significantly different from it.

    Errors are those of the exact values of fitted games. Columns: study, players, rows, and those
    of `leads.Lead`. The limits of all pairs of removals in all studies hold together with
    probability 1 - alpha.
    """
    cells = {
        (study.label, study.players, int(count)): own
        for study in studies
        for count, own in study.errors.groupby("rows")
    }
    return lead_table(("study", "players", "rows"), cells, alpha)


def at_equal_rows(
    studies: Sequence[RemovalStudy],
    alpha: float,
    target: str = "conditional",
    ways: Sequence[str] = COUNTED,
) -> pd.DataFrame:
    """As `choices`, for estimates at equal rows, the fit included, by each way of counting rows.

    Errors are from the law's values of the ``target``. Columns: study, players, rows (to be fitted
    to), counted, limit, and those of `leads.Lead`. Limits hold for all pairs in all lines together.
    """
    cells = {
        (study.label, study.players, int(count), counted, int(limit)): own
        for study in studies
        for (counted, count, limit), own in study.within(target).groupby(
            ["counted", "rows", "limit"], sort=False
        )
        if counted in ways
    }
    names = ("study", "players", "rows", "counted", "limit")
    return lead_table(names, cells, alpha)


def agreement(study: RemovalStudy) -> pd.DataFrame:
    """How well the error that data alone show orders the removals, by rows of the fits.

    Columns: rows, removals, rank_values and rank_shapley (Spearman's correlation of the error from
    data with the true error of coalitions' values, and with that of the Shapley values), chosen
    (least error from data), best (least error of the Shapley values), regret (error of the first
    over that of the second).
    """
    rows = []
    for count, own in study.measures.groupby("rows"):
        own = own.droplevel("rows")
        shapley = study.curves[count].dropna()
        from_data = own["error_from_data"].reindex(shapley.index)
        chosen, best = from_data.idxmin(), shapley.idxmin()
        rows.append(
            {
                "rows": int(count),
                "removals": len(shapley),
                "rank_values": float(from_data.corr(own["error"], method="spearman")),
                "rank_shapley": float(from_data.corr(shapley, method="spearman")),
                "chosen": chosen,
                "best": best,
                "regret": float(shapley[chosen] / shapley[best]),
            }
        )
    return pd.DataFrame(rows)
