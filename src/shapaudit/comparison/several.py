"""What a comparison found on several outputs of a model, such as the classes of a classifier."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from .comparison import Comparison, least_regret
from .plan import Plan


@dataclass(frozen=True)
class Comparisons:
    """Errors of estimators on several outputs, all from the same rows of the model.

    ``found["setosa"]`` is the `Comparison` of one output; iteration and ``len`` are those of a
    mapping.

    Attributes
    ----------
    outputs : the comparison of each output, by its name
    """

    outputs: Mapping[str, Comparison]

    def __getitem__(self, name: str) -> Comparison:
        """The comparison of an output."""
        return self.outputs[name]

    def __iter__(self) -> Iterator[str]:
        """Names of the outputs."""
        return iter(self.outputs)

    def __len__(self) -> int:
        """Number of outputs."""
        return len(self.outputs)

    @property
    def parts(self) -> list[Comparison]:
        """The comparisons of the outputs, in their order."""
        return list(self.outputs.values())

    @property
    def plan(self) -> Plan:
        """How rows were explained, and at what price, for all outputs together."""
        return self.parts[0].plan

    @property
    def rows(self) -> int:
        """Rows of the model that were evaluated; each gives all outputs."""
        return self.parts[0].rows

    @property
    def errors(self) -> pd.DataFrame:
        """Runs of all outputs, as `Comparison.errors` behind a column ``output``."""
        return self._joined([part.errors for part in self.parts])

    @property
    def values(self) -> pd.DataFrame:
        """Shapley values; the index has the output and the number of the row in the table."""
        return self._by_row([part.values for part in self.parts])

    @property
    def ends(self) -> pd.DataFrame:
        """Base values and predictions, as `Comparison.ends`, with the index of the values."""
        return self._by_row([part.ends for part in self.parts])

    @property
    def background_rows(self) -> pd.DataFrame:
        """Table of the rows that absent columns were filled from."""
        return self.parts[0].background_rows

    def table(self) -> pd.DataFrame:
        """A line per output, estimator and budget, as `Comparison.table`."""
        return self._joined([part.table() for part in self.parts])

    def needed(self) -> pd.DataFrame:
        """Evaluations for 10, 5 and 1 %, a line per output and estimator; see `Comparison.needed`.

        One evaluation gives the values of a coalition for all outputs.
        """
        tables = [part.needed() for part in self.parts]
        return pd.concat(tables, keys=list(self.outputs), names=["output", "estimator"])

    def best(self) -> str:
        """Estimator of the least median error over the best, over all outputs, rows and budgets."""
        return least_regret(self.parts)

    def _by_row(self, frames: list[pd.DataFrame]) -> pd.DataFrame:
        return pd.concat(frames, keys=list(self.outputs), names=["output", "row"])

    def _joined(self, frames: list[pd.DataFrame]) -> pd.DataFrame:
        named = zip(self.outputs, frames, strict=True)
        parts = [frame.assign(output=name) for name, frame in named]
        both = pd.concat(parts, ignore_index=True)
        return both[["output", *both.columns.drop("output")]]

    def __str__(self) -> str:
        """The answer in words, and the evaluations needed for each output."""
        from .words import told

        return told(self)

    def save(self, folder: str | Path) -> None:
        """Write the files of `Comparison.save`, each with all outputs."""
        from .page import write

        write(self, folder)
