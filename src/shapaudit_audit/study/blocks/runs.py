"""Blocks of estimators, and of the experiments and paths that run them."""

from typing import Annotated

from msgspec.structs import replace

from .base import (
    SOMETHING,
    Block,
    Budgets,
    Files,
    Label,
    Name,
    Natural,
    Number,
    Paper,
    Params,
    Positive,
    Several,
    says,
)


class TuneBlock(Block, frozen=True, kw_only=True):
    """A parameter that is chosen by experiment."""

    parameter: Annotated[str, says("Name of the parameter.")]
    grid: Annotated[list[Number], says("Values to choose from.", min_length=2)]


class EstimatorBlock(Block, frozen=True, kw_only=True):
    """An estimator and its parameters."""

    label: Label = ""
    estimator: Annotated[
        str,
        says(
            "An id of shapaudit.estimators, a name in the literature as LS_ANTI or Leverage SHAP, "
            "or a dotted path to a class."
        ),
    ]
    params: Params = {}
    files: Files = []
    tune: Annotated[
        TuneBlock | None,
        says("A parameter chosen on the tuning explicands, at the experiment's last budget."),
    ] = None


class CostlyBlock(Block, frozen=True, kw_only=True):
    """What an estimator that takes long runs of an experiment."""

    explicands: Annotated[
        Positive | None, says("Explicands, the first ones; those of the experiment by default.")
    ] = None
    evaluations: Annotated[
        Natural | None,
        says("Most evaluations of a budget that it gets; all by default, 0 where it does not run."),
    ] = None


class ExperimentBlock(Block, frozen=True, kw_only=True):
    """Estimators on the games of a collection, at several budgets and with several seeds."""

    paper: Paper = None
    role: Annotated[
        Name | None,
        says(
            "What the findings on the paper take the experiment for; the paper's package lists its "
            "roles.",
            report_only=True,
        ),
    ] = None
    data: Annotated[
        Name | None,
        says("Name of the data in the paper's published tables.", report_only=True),
    ] = None
    game: Annotated[str, says("Name of the game collection.", names="games")]
    budgets: Annotated[
        Budgets,
        says(
            "Evaluations at which the error is recorded, increasing; an estimator leaves out those "
            "below its minimum."
        ),
    ]
    repetitions: Annotated[Positive, says("Seeds per explicand.")]
    reference: Annotated[
        str | None,
        says(
            "Estimator that the others are compared with; the first of estimators by default.",
            report_only=True,
        ),
    ] = None
    explicands: Annotated[
        Positive | None, says("Explicands of the game to use, the first ones; all by default.")
    ] = None
    per_job: Annotated[
        Positive, says("Estimators that share a job; one by default.", report_only=True)
    ] = 1
    costly: Annotated[
        dict[str, Annotated[CostlyBlock, SOMETHING]],
        says(
            "Estimators that take long, by name, and what they run; the report names them where "
            "they are left out. One that is not under estimators does not run at all."
        ),
    ] = {}
    keep: Annotated[
        Positive | None,
        says(
            "First explicands of which the estimates are kept, not only their errors; none by "
            "default."
        ),
    ] = None
    audit: Annotated[
        bool, says("Whether the claims look at the experiment and its games.", report_only=True)
    ] = True
    estimators: Annotated[
        list[str],
        says("Names of the estimators to run.", min_length=1, unique=True, names="estimators"),
    ]

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


class PathBlock(Block, frozen=True, kw_only=True):
    """Standard deviations of estimates with growing numbers of samples."""

    paper: Paper = None
    game: Annotated[str, says("Name of the game collection.", names="games")]
    explicands: Annotated[Positive, says("Explicands of the game, the first ones.")]
    samples: Annotated[Positive, says("Largest number of samples.")]
    step: Annotated[Positive, says("Distance of the numbers of samples, and the first of them.")]
    replicates: Annotated[
        Several, says("Estimates with the same number of samples, at a few numbers.")
    ]
    estimators: Annotated[
        list[str],
        says(
            "Names of estimators that have samples, walks or draws at levels of q.",
            min_length=1,
            unique=True,
            names="estimators",
        ),
    ]


def batches(names: list[str], size: int) -> dict[str, list[str]]:
    """Names in groups of so many, by the first of each."""
    return {names[k]: names[k : k + size] for k in range(0, len(names), size)}
