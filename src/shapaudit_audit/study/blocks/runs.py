"""Blocks of estimators, and of the experiments and paths that run them."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from .base import (
    REPORT_ONLY,
    SOME,
    SOMETHING,
    UNIQUE,
    Block,
    Budgets,
    Files,
    Label,
    Name,
    Natural,
    Number,
    OfPaper,
    Params,
    Positive,
    Several,
    named,
)


class TuneBlock(Block, frozen=True, kw_only=True):
    """A parameter that is chosen by experiment."""

    parameter: str
    """Name of the parameter."""
    grid: Annotated[list[Number], Meta(min_length=2)]
    """Values to choose from."""


class EstimatorBlock(Block, frozen=True, kw_only=True):
    """An estimator and its parameters."""

    label: Label = ""
    estimator: str
    """An id of shapaudit.estimators, a name in the literature as LS_ANTI or Leverage SHAP, or a
    dotted path to a class."""
    params: Params = {}
    files: Files = []
    tune: TuneBlock | None = None
    """A parameter chosen on the tuning explicands, at the experiment's last budget."""


class CostlyBlock(Block, frozen=True, kw_only=True):
    """What an estimator that takes long runs of an experiment."""

    explicands: Positive | None = None
    """Explicands, the first ones; those of the experiment by default."""
    evaluations: Natural | None = None
    """Most evaluations of a budget that it gets; all by default, 0 where it does not run."""


class ExperimentBlock(OfPaper, frozen=True, kw_only=True):
    """Estimators on the games of a collection, at several budgets and with several seeds."""

    role: Annotated[Name | None, REPORT_ONLY] = None
    """What the findings on the paper take the experiment for; the paper's package lists its
    roles."""
    data: Annotated[Name | None, REPORT_ONLY] = None
    """Name of the data in the paper's published tables."""
    game: Annotated[str, named("games")]
    """Name of the game collection."""
    budgets: Budgets
    """Evaluations at which the error is recorded, increasing; an estimator leaves out those below
    its minimum."""
    repetitions: Positive
    """Seeds per explicand."""
    reference: Annotated[str | None, REPORT_ONLY] = None
    """Estimator that the others are compared with; the first of estimators by default."""
    explicands: Positive | None = None
    """Explicands of the game to use, the first ones; all by default."""
    per_job: Annotated[Positive, REPORT_ONLY] = 1
    """Estimators that share a job; one by default."""
    costly: dict[str, Annotated[CostlyBlock, SOMETHING]] = {}
    """Estimators that take long, by name, and what they run; the report names them where they are
    left out. One that is not under estimators does not run at all."""
    keep: Positive | None = None
    """First explicands of which the estimates are kept, not only their errors; none by default."""
    audit: Annotated[bool, REPORT_ONLY] = True
    """Whether the claims look at the experiment and its games."""
    estimators: Annotated[list[str], SOME, UNIQUE, named("estimators")]
    """Names of the estimators to run."""

    @property
    def compared_with(self) -> str:
        """Name of the estimator that the others are compared with."""
        return self.reference or self.estimators[0]

    def batches(self) -> dict[str, list[str]]:
        """Names of the estimators of each job, by the first.

        An estimator added at the end of the list changes the last job only.
        """
        return batches(self.estimators, self.per_job)

    def part(self, estimator: str) -> "ExperimentBlock":
        """The block for one estimator, with fewer explicands and budgets if that is costly."""
        limits = self.costly.get(estimator, CostlyBlock())
        most = self.budgets[-1] if limits.evaluations is None else limits.evaluations
        return replace(
            self,
            budgets=[budget for budget in self.budgets if budget <= most],
            explicands=limits.explicands or self.explicands,
        )


class PathBlock(OfPaper, frozen=True, kw_only=True):
    """Standard deviations of estimates with growing numbers of samples."""

    game: Annotated[str, named("games")]
    """Name of the game collection."""
    explicands: Positive
    """Explicands of the game, the first ones."""
    samples: Positive
    """Largest number of samples."""
    step: Positive
    """Distance of the numbers of samples, and the first of them."""
    replicates: Several
    """Estimates with the same number of samples, at a few numbers."""
    estimators: Annotated[list[str], SOME, UNIQUE, named("estimators")]
    """Names of estimators that have samples, walks or draws at levels of q."""


def batches(names: list[str], size: int) -> dict[str, list[str]]:
    """Names in groups of so many, by the first of each."""
    return {names[k]: names[k : k + size] for k in range(0, len(names), size)}
