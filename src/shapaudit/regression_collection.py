"""Collections of regression games: one per regression of a model, tabulated where small."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .games import Game, GameError, RegressionGame, TabularGame, tabulate
from .games.regression_penalised import PenalisedRegressionGame
from .layout import TABULATED_PLAYERS
from .models import LeastSquares

REWARD = "r-squared"


@dataclass(frozen=True, eq=False)
class RegressionCollection:
    """Games of R^2, the first ``n_experiment`` for experiments, the others for tuning.

    Attributes
    ----------
    name : the game's name in the configuration
    model : its regressions are the games
    n_games, n_experiment : number of games, and of those that experiments use
    tables : (n_games, 2^d) values, or None for more than 20 features
    """

    name: str
    model: LeastSquares
    n_games: int
    n_experiment: int
    tables: np.ndarray | None

    @property
    def n_players(self) -> int:
        """Number of features d."""
        return self.model.n_features

    def structured(self, pair: int) -> Game:
        """The game as the model defines it."""
        problems, name = self.model.regressions[pair], f"{self.name}[{pair}]"
        if self.model.fit == "least-squares":
            return RegressionGame(problems, name)
        return PenalisedRegressionGame(problems, self.model.fit, self.model.penalty, name)

    def game(self, pair: int) -> Game:
        """The game, from its table where there is one."""
        if self.tables is None:
            return self.structured(pair)
        return TabularGame(self.tables[pair], f"{self.name}[{pair}]")

    def experiment_games(self) -> list[Game]:
        """Games of the experiment."""
        return [self.game(pair) for pair in range(self.n_experiment)]

    def tuning_games(self) -> list[Game]:
        """Games kept out of the experiment."""
        return [self.game(pair) for pair in range(self.n_experiment, self.n_games)]

    def save(self, directory: str | Path) -> None:
        """Write ``pairs.npz`` and, where there are tables, ``tables.npy``."""
        directory = Path(directory)
        directory.mkdir(parents=True, exist_ok=True)
        counts = {"n_games": self.n_games, "n_experiment": self.n_experiment}
        with (directory / "pairs.npz").open("wb") as file:
            np.savez(file, name=self.name, reward=REWARD, **counts)
        if self.tables is not None:
            np.save(directory / "tables.npy", self.tables, allow_pickle=False)

    @classmethod
    def load(cls, directory: str | Path, model: LeastSquares) -> "RegressionCollection":
        """Read what `save` wrote; tables are mapped into memory, not read."""
        directory = Path(directory)
        with np.load(directory / "pairs.npz", allow_pickle=False) as file:
            name, counts = str(file["name"]), (int(file["n_games"]), int(file["n_experiment"]))
        path = directory / "tables.npy"
        tables = np.load(path, mmap_mode="r", allow_pickle=False) if path.exists() else None
        return cls(name, model, *counts, tables)


def build_regressions(
    name: str, model: LeastSquares, pairs: int, tuning_pairs: int
) -> RegressionCollection:
    """Take the model's regressions in order, and tabulate them up to 20 features.

    Raises `GameError` when the model is not least squares, or has too few regressions.
    """
    wanted = pairs + tuning_pairs
    if not isinstance(model, LeastSquares) or len(model.regressions) < wanted:
        raise GameError(
            f"the reward r-squared of {name} needs a least-squares model with problems: {wanted}."
        )
    bare = RegressionCollection(name, model, wanted, pairs, None)
    if bare.n_players > TABULATED_PLAYERS:
        return bare
    tables = np.stack([_table(bare.structured(pair)) for pair in range(wanted)])
    return RegressionCollection(name, model, wanted, pairs, tables)


def _table(game: Game) -> np.ndarray:
    return game.table() if isinstance(game, RegressionGame) else tabulate(game).values
