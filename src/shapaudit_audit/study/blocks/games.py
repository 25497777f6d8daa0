"""Blocks of data sets, models, removals and collections of games."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from .base import SOME, Block, Files, Label, Natural, Params, Positive, named

TABULATED_PLAYERS = 20  # up to here all 2^d values are computed once and read by later stages

Rows: TypeAlias = Annotated[
    list[Natural | Annotated[str, Meta(pattern="^largest-[1-9][0-9]*$")]], SOME
]


class DatasetBlock(Block, frozen=True, kw_only=True):
    """A data table."""

    loader: str
    """A registered loader of shapaudit.datasets."""
    params: Params = {}


class ModelBlock(Block, frozen=True, kw_only=True):
    """A model that is trained on a data set, or read."""

    dataset: Annotated[str, named("datasets")]
    """Name of the dataset it is trained on."""
    trainer: str
    """A registered trainer of shapaudit.models."""
    params: Params = {}
    files: Files = []


class RemovalBlock(Block, frozen=True, kw_only=True):
    """A way to remove features."""

    removal: str
    """Id of a removal of shapaudit.removals, or a dotted path package.module.Class."""
    params: Params = {}
    files: Files = []


class SelectionBlock(Block, frozen=True, kw_only=True):
    """Explicands and baselines that are given."""

    explicands: Rows
    """Rows of the dataset, each by number from 0 or by its prediction's rank (largest-10)."""
    baselines: Rows
    """As many rows, given alike."""


class TruthBlock(Block, frozen=True, kw_only=True):
    """How the Shapley values of a collection of games are known."""

    method: str
    """A registered method of shapaudit.truth."""
    params: Params = {}
    check: str | None = None
    """A second exact method; the job fails when the two differ."""

    @property
    def methods(self) -> list[str]:
        """The method, and the second one where there is one."""
        return [self.method] + ([] if self.check is None else [self.check])


class ChosenGames(Block, frozen=True, kw_only=True):
    """A collection of games of one model, whatever is known of them."""

    label: Label = ""
    model: Annotated[str, named("models")]
    """Name of the model whose output is explained."""
    reward: Literal[
        "prediction", "same-class", "class-probability", "expectation", "r-squared", "table"
    ]
    """prediction, the model's output on a hybrid row; same-class, 1 when the hybrid row has the
    explicand's class; class-probability, what a perceptron gives to that class; expectation, the
    model's mean under the law of the data, given the features of the coalition; r-squared, what a
    regression on the coalition's features explains of its test data; or table, the values that
    files give, a game in each, of the loader game-tables and the trainer table."""
    removal: Annotated[str | None, named("removals")] = None
    """Name of the removal that absent features are treated by, fitted to the training rows; without
    one, they take the values of each explicand's baseline. With one, a game has an explicand and no
    baseline."""
    baseline: Literal["drawn", "zero"] = "drawn"
    """drawn, a training row for each explicand; or zero in all features."""
    players: Positive
    """Number of players d; checked against the data."""
    explicands: Positive
    """Pairs of explicand and baseline, or regressions, in the experiment."""
    tuning_explicands: Natural = 0
    """Further explicands, kept out of the experiment, on which parameters are chosen."""
    selection: SelectionBlock | None = None
    """Explicands that are given, the first of the experiment; the others are drawn."""

    @property
    def count(self) -> int:
        """Number of games, those for tuning included."""
        return self.explicands + self.tuning_explicands

    @property
    def tabulated(self) -> bool:
        """Whether all 2^d values are computed once."""
        return self.players <= TABULATED_PLAYERS


class GameBlock(ChosenGames, frozen=True, kw_only=True):
    """A collection of games of one model, and how their Shapley values are known."""

    truth: TruthBlock
    """How the Shapley values are known."""
