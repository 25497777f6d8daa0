"""Collections of conditional games of explicands whose law is known."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from shapaudit.datasets import Dataset, LawDataset
from shapaudit.datasets.laws import Law, law_from_arrays, law_to_arrays
from shapaudit.games import ConditionalGame, GameError, all_coalitions
from shapaudit.games.conditional import closed_form
from shapaudit.models import Model

from .blocks.games import TABULATED_PLAYERS
from .collection_base import Collection
from .explicands import drawn_explicands

REWARD = "expectation"


@dataclass(frozen=True, eq=False)
class LawCollection(Collection):
    """Games of the model's conditional expectation, given features of an explicand.

    Attributes
    ----------
    explicands : (n_games, d)
    law : of a row
    """

    saved: ClassVar = ("name", "reward", "explicands", "n_experiment")

    explicands: np.ndarray
    law: Law
    reward: str = REWARD

    @property
    def n_players(self) -> int:
        """Number of features d."""
        return self.explicands.shape[1]

    @property
    def n_games(self) -> int:
        """Number of explicands, those for tuning included."""
        return len(self.explicands)

    def predictions(self) -> np.ndarray:
        """Predictions of the model on the explicands (n_games,)."""
        return self.model.predict(self.explicands)

    def structured(self, number: int) -> ConditionalGame:
        """The game under the law."""
        return ConditionalGame(self.law, self.model, self.explicands[number], self.label(number))

    def tabulated(self) -> Self:
        """The same games with their tables, of all explicands at once, up to 20 features."""
        if self.n_players > TABULATED_PLAYERS:
            return self
        expectation = closed_form(self.structured(0))
        tables = expectation.values(self.explicands, all_coalitions(self.n_players))
        return replace(self, tables=tables)

    def kept(self) -> dict[str, Any]:
        """The fields and the arrays of the law."""
        return super().kept() | law_to_arrays(self.law)

    @classmethod
    def restored(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields and the law."""
        return super().restored(fields) | {"law": law_from_arrays(fields)}


def build_expectations(
    name: str,
    dataset: Dataset,
    model: Model,
    games: int,
    tuning_games: int,
    rng: np.random.Generator,
) -> LawCollection:
    """Games of distinct test rows, ``games`` for experiments and ``tuning_games`` for tuning.

    They are tabulated for at most 20 features. Raises `GameError` when the data have no law or too
    few test rows, or no closed form is known.
    """
    if not isinstance(dataset, LawDataset):
        raise GameError(
            f"the reward {REWARD} of {name} needs data drawn from a law, which {dataset.name} are "
            "not; choose a dataset loader whose name ends in '-law'."
        )
    explicands = drawn_explicands(dataset, games + tuning_games, rng)
    return LawCollection(name, model, games, None, explicands, dataset.law).tabulated()
