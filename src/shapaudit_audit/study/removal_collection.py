"""Collections of games of a fitted removal, one per explicand, with noise seeded by its number."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, ClassVar, Self, cast

import numpy as np

from shapaudit.datasets import Dataset, LawDataset
from shapaudit.datasets.laws import Law, law_from_arrays, law_to_arrays
from shapaudit.games import ConditionalGame, Game, GameError, TabularGame, realisation
from shapaudit.models import Model
from shapaudit.removals import FittedRemoval, load_removal
from shapaudit.seeding import generator

from .collection_base import CHECKSUM, Collection
from .explicands import drawn_explicands
from .fingerprint import fixed_rows

REWARD = "removal"
FOLDER = "removal"  # of the fitted removal, in the folder of the games


class NoisyTable(TabularGame):
    """The table of a removal's game; realisations are drawn from the game itself."""

    def __init__(self, values: np.ndarray, name: str, drawn_from: Callable[[], Game]):
        super().__init__(values, name)
        self.drawn_from = cache(drawn_from)

    def realisation(self, rng: np.random.Generator) -> Game:
        """A game of one fresh draw; the table where the removal has no noise."""
        fresh = realisation(self.drawn_from(), rng)
        return self if fresh is self.drawn_from() else fresh


@dataclass(frozen=True, eq=False)
class RemovalCollection(Collection):
    """Games of explicands (n_games, d) by a fitted removal.

    Where the data are drawn from a known law, the attribute ``population`` of each game is the
    conditional game of that law, which the truth method "law" uses, so that errors include those
    of the removal. The noise of a game is drawn from ``seed``, the collection's name and the game's
    number, so that every job that reads the collection has the same games.
    """

    saved: ClassVar = ("name", "reward", "explicands", "seed", "n_experiment")

    explicands: np.ndarray
    seed: int
    removal: FittedRemoval | None = None
    law: Law | None = None
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
        """Predictions of the model on hybrid rows of consecutive explicands (64,)."""
        return self.model.predict(fixed_rows(self.explicands, np.roll(self.explicands, 1, axis=0)))

    def game(self, number: int) -> Game:
        """The game, from its table where there is one; fresh noise comes from the removal."""
        if self.tables is None:
            return self.structured(number)
        return NoisyTable(self.tables[number], self.label(number), partial(self.structured, number))

    def structured(self, number: int) -> Game:
        """The game of an explicand."""
        rng = generator(self.seed, "removal", self.name, number)
        explicand = self.explicands[number]
        game: Any = self._fitted().game(explicand, rng)  # of any class: it may name a population
        if self.law is not None:
            game.population = ConditionalGame(self.law, self.model, explicand, self.label(number))
        return game

    def _fitted(self) -> FittedRemoval:
        """The fitted removal, which a collection lacks only while it is being read."""
        if self.removal is None:
            raise GameError(f"the games {self.name} lack their removal; read them by `load`.")
        return self.removal

    def kept(self) -> dict[str, Any]:
        """The fields and the arrays of the law, where there is one."""
        return super().kept() | ({} if self.law is None else law_to_arrays(self.law))

    @classmethod
    def restored(cls, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields and the law."""
        law = law_from_arrays(fields) if fields.keys() - {*cls.saved, CHECKSUM} else None
        return super().restored(fields) | {"law": law}

    def save(self, directory: str | Path) -> None:
        """Write the files of every collection, and the fitted removal in a folder of its own."""
        super().save(directory)
        self._fitted().save(Path(directory) / FOLDER)

    @classmethod
    def load(cls, directory: str | Path, model: Model) -> Self:
        """Read what `save` wrote."""
        removal = load_removal(Path(directory) / FOLDER, model)
        return replace(super().load(directory, model), removal=removal)


def build_removal_games(
    name: str,
    dataset: Dataset,
    removal: FittedRemoval,
    games: int,
    tuning_games: int,
    rng: np.random.Generator,
    seed: int,
) -> RemovalCollection:
    """Games of distinct test rows, for experiments and for tuning, tabulated for d up to 20."""
    explicands = drawn_explicands(dataset, games + tuning_games, rng)
    law = dataset.law if isinstance(dataset, LawDataset) else None
    model = cast(Model, removal.model)  # a study's models are whole ones
    fields = (name, model, games, None, explicands, seed, removal, law)
    return RemovalCollection(*fields).tabulated()
