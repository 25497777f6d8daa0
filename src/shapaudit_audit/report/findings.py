"""Results of a finished study, read for the report, whatever the paper."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd

from ..audit.reading import load_audit, load_repetitions, load_verified
from ..papers import file_of
from ..study.blocks.study import Study
from ..study.reading import load_architectures, load_scores
from ..study.sealed import read_document
from .labels import with_plain_labels

Found = TypeVar("Found")


@dataclass(frozen=True, eq=False)
class Findings:
    """A study's results, each part read when it is asked for.

    Attributes
    ----------
    results : the folder of results
    study : the configuration, its labels in plain characters
    published : the folder of the values printed in the papers
    """

    results: str | Path
    study: Study
    published: str | Path
    _made: dict[Callable, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self):
        object.__setattr__(self, "study", with_plain_labels(self.study))

    def once(self, function: Callable[["Findings"], Found]) -> Found:
        """``function(self)``, cached on these findings.

        A paper's package reads its own results in this way: see ``load`` in its ``findings``.
        """
        if function not in self._made:
            self._made[function] = function(self)
        return self._made[function]

    def printed(self, paper: str) -> pd.DataFrame:
        """The values that a paper prints, by the paper's key."""
        path = Path(self.published) / f"{paper}.csv"
        if not path.exists():
            path = file_of(paper, f"config/published/{paper}.csv")
        return pd.read_csv(path)

    @cached_property
    def audit(self) -> dict:
        """The claims with their verdicts."""
        return load_audit(self.results)

    @cached_property
    def verified(self) -> dict[str, str]:
        """The checker's result for each verdict, by the claim's id."""
        return load_verified(self.results)

    @cached_property
    def repetitions(self) -> dict[int, dict]:
        """Audits from other base seeds."""
        return load_repetitions(self.results, self.study)

    @cached_property
    def scores(self) -> dict[str, dict]:
        """Test scores by model."""
        return load_scores(self.results, self.study.models)

    @cached_property
    def searches(self) -> dict[str, dict]:
        """Random searches for an architecture."""
        return load_architectures(self.results, self.study)

    @cached_property
    def provenance(self) -> dict:
        """Commit, versions, machine, seed and configuration of the results."""
        return read_document(Path(self.results) / "provenance.json")
