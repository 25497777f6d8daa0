"""Blocks of data sets, models, removals and collections of games."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from .base import Block, Files, Label, Natural, Params, Positive, says

TABULATED_PLAYERS = 20  # up to here all 2^d values are computed once and read by later stages

Rows: TypeAlias = Annotated[
    list[Natural | Annotated[str, Meta(pattern="^largest-[1-9][0-9]*$")]], Meta(min_length=1)
]


class DatasetBlock(Block, frozen=True, kw_only=True):
    """A data table."""

    loader: Annotated[str, says("A registered loader of shapaudit.datasets.")]
    params: Params = {}


class ModelBlock(Block, frozen=True, kw_only=True):
    """A model that is trained on a data set, or read."""

    dataset: Annotated[str, says("Name of the dataset it is trained on.", names="datasets")]
    trainer: Annotated[str, says("A registered trainer of shapaudit.models.")]
    params: Params = {}
    files: Files = []


class RemovalBlock(Block, frozen=True, kw_only=True):
    """A way to remove features."""

    removal: Annotated[
        str, says("Id of a removal of shapaudit.removals, or a dotted path package.module.Class.")
    ]
    params: Params = {}
    files: Files = []


class SelectionBlock(Block, frozen=True, kw_only=True):
    """Explicands and baselines that are given."""

    explicands: Annotated[
        Rows,
        says(
            "Rows of the dataset, each by number from 0 or by its prediction's rank (largest-10)."
        ),
    ]
    baselines: Annotated[Rows, says("As many rows, given alike.")]


class TruthBlock(Block, frozen=True, kw_only=True):
    """How the Shapley values of a collection of games are known."""

    method: Annotated[str, says("A registered method of shapaudit.truth.")]
    params: Params = {}
    check: Annotated[
        str | None, says("A second exact method; the job fails when the two differ.")
    ] = None

    @property
    def methods(self) -> list[str]:
        """The method, and the second one where there is one."""
        return [self.method] + ([] if self.check is None else [self.check])


class ChosenGames(Block, frozen=True, kw_only=True):
    """A collection of games of one model, whatever is known of them."""

    label: Label = ""
    model: Annotated[str, says("Name of the model whose output is explained.", names="models")]
    reward: Annotated[
        Literal[
            "prediction", "same-class", "class-probability", "expectation", "r-squared", "table"
        ],
        says(
            "prediction, the model's output on a hybrid row; same-class, 1 when the hybrid row has "
            "the explicand's class; class-probability, what a perceptron gives to that class; "
            "expectation, the model's mean under the law of the data, given the features of the "
            "coalition; r-squared, what a regression on the coalition's features explains of its "
            "test data; or table, the values that files give, a game in each, of the loader "
            "game-tables and the trainer table."
        ),
    ]
    removal: Annotated[
        str | None,
        says(
            "Name of the removal that absent features are treated by, fitted to the training rows; "
            "without one, they take the values of each explicand's baseline. With one, a game has "
            "an explicand and no baseline.",
            names="removals",
        ),
    ] = None
    baseline: Annotated[
        Literal["drawn", "zero"],
        says("drawn, a training row for each explicand; or zero in all features."),
    ] = "drawn"
    players: Annotated[Positive, says("Number of players d; checked against the data.")]
    explicands: Annotated[
        Positive, says("Pairs of explicand and baseline, or regressions, in the experiment.")
    ]
    tuning_explicands: Annotated[
        Natural,
        says("Further explicands, kept out of the experiment, on which parameters are chosen."),
    ] = 0
    selection: Annotated[
        SelectionBlock | None,
        says("Explicands that are given, the first of the experiment; the others are drawn."),
    ] = None

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

    truth: Annotated[TruthBlock, says("How the Shapley values are known.")]
