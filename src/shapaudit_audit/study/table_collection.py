"""Collections of games whose values are given."""

from dataclasses import dataclass
from typing import ClassVar

from shapaudit.games import Game, GameError, TabularGame
from shapaudit.models import Model
from shapaudit.models.value_table import ValueTables

from .collection_base import Collection

REWARD = "table"


@dataclass(frozen=True, eq=False)
class TableCollection(Collection):
    """The first ``n_tables`` games of a file or a folder, in the order of their files."""

    saved: ClassVar = ("name", "reward", "n_tables", "n_experiment")

    model: ValueTables
    n_tables: int
    reward: str = REWARD

    @property
    def n_players(self) -> int:
        """Number of players d."""
        return self.model.n_players

    @property
    def n_games(self) -> int:
        """Number of games, those for tuning included."""
        return self.n_tables

    def structured(self, number: int) -> Game:
        """The table."""
        return TabularGame(self.model.values[number], self.label(number))


def build_tables(name: str, model: Model, games: int, tuning_games: int) -> TableCollection:
    """The first ``games`` tables for experiments, and the next ``tuning_games`` for tuning.

    Raises `GameError` when there are fewer, or the model is no table.
    """
    wanted = games + tuning_games
    known = len(model.values) if isinstance(model, ValueTables) else 0
    if known < wanted:
        raise GameError(
            f"the reward {REWARD} of {name} takes {wanted} games, and its model has {known}; lower "
            "explicands, or give a file for each game to a model of the trainer 'table'."
        )
    assert isinstance(model, ValueTables)
    tables = model.values[:wanted]
    return TableCollection(name, model, games, tables, wanted)
