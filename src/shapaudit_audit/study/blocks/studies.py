"""Blocks of the studies of removals, of architectures and of explainers."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from .base import (
    SOMETHING,
    Block,
    Budgets,
    Counts,
    Label,
    Name,
    Natural,
    Paper,
    Params,
    Positive,
    Several,
    says,
)
from .runs import batches

Fits: TypeAlias = Annotated[int, Meta(ge=3)]


class FewerBlock(Block, frozen=True, kw_only=True):
    """What a removal that takes long runs of a study."""

    fits: Annotated[Fits | None, says("Fits, the first ones.")] = None
    rows: Annotated[Counts | None, says("Numbers of rows, of those of the study.")] = None


class RemovalStudyBlock(Block, frozen=True, kw_only=True):
    """How removals err under a known law."""

    paper: Paper = None
    label: Label = ""
    model: Annotated[
        str,
        says(
            "Name of the model; the law of its dataset, whose loader's name ends in -law, is what "
            "rows are drawn from.",
            names="models",
        ),
    ]
    rows: Annotated[
        Counts, says("Numbers of training rows that removals are fitted to, increasing.")
    ]
    fits: Annotated[
        Fits,
        says("Fits with each number of rows, each to fresh rows; they are the units of limits."),
    ]
    explicands: Annotated[Positive, says("Explicands, drawn from the law.")]
    estimator: Annotated[
        str, says("Name of the estimator that plays the fitted games.", names="estimators")
    ]
    budgets: Annotated[Budgets, says("Its evaluations, increasing.")]
    runs: Annotated[Several, says("Its runs on each game, at each budget.")]
    row_limits: Annotated[
        Counts,
        says(
            "Rows that a fit and one explanation take at most, increasing; removals are compared "
            "at each."
        ),
    ]
    per_job: Annotated[
        Positive, says("Removals that share a job; one by default.", report_only=True)
    ] = 1
    fewer: Annotated[
        dict[str, Annotated[FewerBlock, SOMETHING]],
        says("Removals that take long, by name, and what they run."),
    ] = {}
    removals: Annotated[
        list[str],
        says("Names of the removals to study.", min_length=1, unique=True, names="removals"),
    ]

    def batches(self) -> dict[str, list[str]]:
        """Names of the removals of each job, by the first."""
        return batches(self.removals, self.per_job)

    def fits_of(self, removal: str) -> int:
        """Number of fits of a removal with each number of rows."""
        return self.fewer.get(removal, FewerBlock()).fits or self.fits

    def rows_of(self, removal: str) -> list[int]:
        """Numbers of rows that a removal is fitted to."""
        return self.fewer.get(removal, FewerBlock()).rows or self.rows


class WidthsBlock(Block, frozen=True, kw_only=True, rename={"smallest": "from", "largest": "to"}):
    """Widths of a hidden layer."""

    smallest: Annotated[Positive, says("The smallest.")]
    largest: Annotated[Positive, says("The largest.")]
    step: Annotated[Positive, says("Their distance.")]


class ArchitectureBlock(Block, frozen=True, kw_only=True):
    """A random search for the architecture of a perceptron."""

    paper: Paper = None
    dataset: Annotated[str, says("Name of the dataset.", names="datasets")]
    count: Annotated[Positive, says("Architectures to draw.")]
    layers: Annotated[Natural, says("Hidden layers, from none to so many.")]
    widths: Annotated[WidthsBlock, says("Widths of a hidden layer.")]
    params: Params = {}


class ExplainerBlock(Block, frozen=True, kw_only=True):
    """A method that looks into the model."""

    label: Label = ""
    explainer: Annotated[
        str,
        says(
            "Id of an explainer of shapaudit.explainers, a name that the literature has for it, or "
            "a dotted path package.module.Class."
        ),
    ]
    params: Params = {}


class ExplainedModelBlock(Block, frozen=True, kw_only=True):
    """A model of an explanation study."""

    label: Label = ""
    trainer: Annotated[
        str,
        says(
            "A trainer of shapaudit.models, forest or histogram-boosting of scikit-learn, or "
            "lightgbm (an extra)."
        ),
    ]
    params: Params = {}


class ExplanationTruthBlock(Block, frozen=True, kw_only=True):
    """How the exact values of an explanation study are computed."""

    method: Annotated[
        Literal["enumeration", "permutations", "law", "explainer"],
        says(
            "enumeration, permutations or law, as for games; or explainer, the first of the "
            "explainers that is exact."
        ),
    ]
    params: Params = {}


class ExplanationStudyBlock(Block, frozen=True, kw_only=True):
    """Explainers beside estimators at equal cost, over many models."""

    paper: Paper = None
    label: Label = ""
    dataset: Annotated[
        str,
        says("Name of the dataset, which is drawn or split anew for every unit.", names="datasets"),
    ]
    models: Annotated[
        dict[Name, ExplainedModelBlock],
        says("Models by name; each is trained anew for every unit.", min_length=1),
    ]
    units: Annotated[Positive, says("Data sets drawn and models trained; limits are over these.")]
    explicands: Annotated[
        Positive, says("Test rows explained of each unit, over which its errors are averaged.")
    ] = 1
    target: Annotated[
        Literal["baseline", "marginal", "conditional"],
        says("The game whose Shapley values all errors are measured against."),
    ] = "baseline"
    background: Annotated[
        Positive | Literal["mean", "zero"],
        says(
            "What stands for absent features; mean, the mean of the training rows; zero; or a "
            "number of drawn training rows."
        ),
    ]
    removal: Annotated[
        str | None,
        says("Name of the removal by which estimators play a conditional game.", names="removals"),
    ] = None
    truth: Annotated[ExplanationTruthBlock, says("How the exact values are computed.")]
    explainers: Annotated[
        list[str],
        says(
            "Names of explainers; each explains the models that it can read.",
            min_length=1,
            unique=True,
            names="explainers",
        ),
    ]
    estimators: Annotated[
        list[str],
        says(
            "Names of estimators, which spend rows of the model.", unique=True, names="estimators"
        ),
    ] = []
    rows: Annotated[
        list[Positive],
        says(
            "Rows of the model that an estimator may take for an explanation, in multiples of the "
            "number of features, increasing."
        ),
    ] = []
    keep: Annotated[
        Natural,
        says("Units of each model whose explanations of the first row are kept, for pictures."),
    ] = 0
    per_job: Annotated[
        Positive | None, says("Models that share a job; all by default.", report_only=True)
    ] = None

    def batches(self) -> dict[str, list[str]]:
        """Names of the models of each job, by the first."""
        return batches([*self.models], self.per_job or len(self.models))

    @property
    def one_baseline(self) -> bool:
        """Whether absent features take the values of a single row."""
        return self.background in ("mean", "zero", 1)
