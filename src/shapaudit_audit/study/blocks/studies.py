"""Blocks of the studies of removals, of architectures and of explainers."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from .base import (
    INCREASING,
    REPORT_ONLY,
    SOME,
    SOMETHING,
    UNIQUE,
    Block,
    Budgets,
    Counts,
    Label,
    Name,
    Natural,
    OfPaper,
    Params,
    Positive,
    Several,
    named,
)
from .runs import batches

Fits: TypeAlias = Annotated[int, Meta(ge=3)]


class FewerBlock(Block, frozen=True, kw_only=True):
    """What a removal that takes long runs of a study."""

    fits: Fits | None = None
    """Fits, the first ones."""
    rows: Counts | None = None
    """Numbers of rows, of those of the study."""


class RemovalStudyBlock(OfPaper, frozen=True, kw_only=True):
    """How removals err under a known law."""

    label: Label = ""
    model: Annotated[str, named("models")]
    """Name of the model; the law of its dataset, whose loader's name ends in -law, is what rows are
    drawn from."""
    rows: Counts
    """Numbers of training rows that removals are fitted to, increasing."""
    fits: Fits
    """Fits with each number of rows, each to fresh rows; they are the units of limits."""
    explicands: Positive
    """Explicands, drawn from the law."""
    estimator: Annotated[str, named("estimators")]
    """Name of the estimator that plays the fitted games."""
    budgets: Budgets
    """Its evaluations, increasing."""
    runs: Several
    """Its runs on each game, at each budget."""
    row_limits: Counts
    """Rows that a fit and one explanation take at most, increasing; removals are compared at
    each."""
    per_job: Annotated[Positive, REPORT_ONLY] = 1
    """Removals that share a job; one by default."""
    fewer: dict[str, Annotated[FewerBlock, SOMETHING]] = {}
    """Removals that take long, by name, and what they run."""
    removals: Annotated[list[str], SOME, UNIQUE, named("removals")]
    """Names of the removals to study."""

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

    smallest: Positive
    """The smallest."""
    largest: Positive
    """The largest."""
    step: Positive
    """Their distance."""


class ArchitectureBlock(OfPaper, frozen=True, kw_only=True):
    """A random search for the architecture of a perceptron."""

    dataset: Annotated[str, named("datasets")]
    """Name of the dataset."""
    count: Positive
    """Architectures to draw."""
    layers: Natural
    """Hidden layers, from none to so many."""
    widths: WidthsBlock
    """Widths of a hidden layer."""
    params: Params = {}


class ExplainerBlock(Block, frozen=True, kw_only=True):
    """A method that looks into the model."""

    label: Label = ""
    explainer: str
    """Id of an explainer of shapaudit.explainers, a name that the literature has for it, or a
    dotted path package.module.Class."""
    params: Params = {}


class ExplainedModelBlock(Block, frozen=True, kw_only=True):
    """A model of an explanation study."""

    label: Label = ""
    trainer: str
    """A trainer of shapaudit.models, forest or histogram-boosting of scikit-learn, or lightgbm (an
    extra)."""
    params: Params = {}


class ExplanationTruthBlock(Block, frozen=True, kw_only=True):
    """How the exact values of an explanation study are computed."""

    method: Literal["enumeration", "permutations", "law", "explainer"]
    """enumeration, permutations or law, as for games; or explainer, the first of the explainers
    that is exact."""
    params: Params = {}


class ExplanationStudyBlock(OfPaper, frozen=True, kw_only=True):
    """Explainers beside estimators at equal cost, over many models."""

    label: Label = ""
    dataset: Annotated[str, named("datasets")]
    """Name of the dataset, which is drawn or split anew for every unit."""
    models: Annotated[dict[Name, ExplainedModelBlock], SOME]
    """Models by name; each is trained anew for every unit."""
    units: Positive
    """Data sets drawn and models trained; limits are over these."""
    explicands: Positive = 1
    """Test rows explained of each unit, over which its errors are averaged."""
    target: Literal["baseline", "marginal", "conditional"] = "baseline"
    """The game whose Shapley values all errors are measured against."""
    background: Positive | Literal["mean", "zero"]
    """What stands for absent features; mean, the mean of the training rows; zero; or a number of
    drawn training rows."""
    removal: Annotated[str | None, named("removals")] = None
    """Name of the removal by which estimators play a conditional game."""
    truth: ExplanationTruthBlock
    """How the exact values are computed."""
    explainers: Annotated[list[str], SOME, UNIQUE, named("explainers")]
    """Names of explainers; each explains the models that it can read."""
    estimators: Annotated[list[str], UNIQUE, named("estimators")] = []
    """Names of estimators, which spend rows of the model."""
    rows: Annotated[list[Positive], INCREASING] = []
    """Rows of the model that an estimator may take for an explanation, in multiples of the number
    of features, increasing."""
    keep: Natural = 0
    """Units of each model whose explanations of the first row are kept, for pictures."""
    per_job: Annotated[Positive | None, REPORT_ONLY] = None
    """Models that share a job; all by default."""

    def batches(self) -> dict[str, list[str]]:
        """Names of the models of each job, by the first."""
        return batches([*self.models], self.per_job or len(self.models))

    @property
    def one_baseline(self) -> bool:
        """Whether absent features take the values of a single row."""
        return self.background in ("mean", "zero", 1)
