"""Pictures of explanations, drawn by matplotlib when they are asked for."""

from typing import TYPE_CHECKING

from ...datasets.mixed import TableError
from ...parameters import hint, listed
from ..explanation import Explanation
from .chosen import one_output, one_row, several_rows
from .convergence import plot_convergence as plot_convergence

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Plots:
    """Pictures of an explanation: ``explanation.plot.beeswarm()``.

    Every method draws on the axes ``ax``, by default those of a new figure, and returns them. Of
    a model with several outputs one is chosen by its name, ``output``. Intervals and limits are
    those of `Explanation.intervals` and `Explanation.mean_abs`, at 95 % for all features together.
    Features that do not fit into ``max_features`` rows are summed up in the last one, with the
    sums of their limits, which hold when those do.
    """

    def __init__(self, explanation: Explanation):
        self._explanation = explanation

    def bar(
        self,
        max_features: int = 12,
        *,
        output: str | int | None = None,
        ax: "Axes | None" = None,
    ) -> "Axes":
        """The values of one row with intervals, or mean absolute values of several with limits."""
        from .bars import bars_of_means, bars_of_row

        explanation = one_output(self._explanation, output, "bar")
        if len(explanation) == 1:
            return bars_of_row(one_row(explanation, "bar"), max_features, ax)
        return bars_of_means(explanation, max_features, ax)

    def waterfall(
        self,
        max_features: int = 10,
        *,
        output: str | int | None = None,
        ax: "Axes | None" = None,
    ) -> "Axes":
        """From the base value of one row to its prediction, with the interval of each value."""
        from .waterfall import waterfall

        row = one_row(one_output(self._explanation, output, "waterfall"), "waterfall")
        return waterfall(row, max_features, ax)

    def beeswarm(
        self,
        max_features: int = 12,
        *,
        output: str | int | None = None,
        ax: "Axes | None" = None,
    ) -> "Axes":
        """All values of each feature, coloured by the rank of its entry.

        Entries that are missing or without order, such as texts, have open points. Where intervals
        are wider than points, a bar beneath those of a feature has their median width.
        """
        from .beeswarm import beeswarm

        table = several_rows(one_output(self._explanation, output, "beeswarm"), "beeswarm")
        return beeswarm(table, max_features, ax)

    def dependence(
        self,
        feature: str,
        *,
        output: str | int | None = None,
        ax: "Axes | None" = None,
    ) -> "Axes":
        """The values of a feature against its entries, with their intervals.

        Numbers and dates have a scale; all other entries, and numbers that are few, have places
        side by side. Entries that are missing, or infinite, stand at the left edge.
        """
        from .dependence import dependence

        table = several_rows(one_output(self._explanation, output, "dependence"), "dependence")
        names = table.feature_names
        if feature not in names:
            raise TableError(
                f"no feature {feature!r}: there are {listed(names)}{hint(str(feature), names)}"
            )
        return dependence(table, names.index(feature), ax)
