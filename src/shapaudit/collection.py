"""Collections of games of one kind: pairs of rows chosen from a dataset, tabulated where small."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .datasets import Dataset
from .games import (
    BaselineGame,
    Game,
    GameError,
    RadialGame,
    SameClassGame,
    TabularGame,
    tabulate,
)
from .models import ChiSquareClassifier, Model, RadialRegression

TABULATED_PLAYERS = 20  # up to here all 2^d values are computed once and read by later stages
REWARDS = ("prediction", "same-class")


def make_game(model: Model, reward: str, explicand, baseline, name: str) -> Game:
    """Game of a model at one explicand and baseline (d,).

    ``reward`` is "prediction", v(S) = f(z(x, r, S)), or "same-class", v(S) = 1 when
    f(z(x, r, S)) = f(x) and 0 otherwise. The known functions of Grah & Thouvenot 2020 come with
    their structure, so that a step of a walk is cheap. Raises `GameError` for other rewards.
    """
    if reward not in REWARDS:
        raise GameError(f"unknown reward {reward!r} of {name}; known: {', '.join(REWARDS)}.")
    if reward == "same-class":
        if isinstance(model, ChiSquareClassifier):
            return SameClassGame(explicand, baseline, model.threshold, name)
        own = float(model.predict(np.asarray(explicand)[None])[0])
        return BaselineGame(_same_as(model.predict, own), explicand, baseline, name)
    if isinstance(model, RadialRegression):
        return RadialGame(explicand, baseline, name)
    return BaselineGame(model.predict, explicand, baseline, name)


def _same_as(predict: Callable, own: float) -> Callable:
    return lambda rows: (predict(rows) == own).astype(np.float64)


def select_pairs(
    dataset: Dataset, model: Model, count: int, reward: str, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Explicands and baselines (count, d): distinct test rows, and training rows.

    For the same-class reward the baseline is drawn from the other class, so that v is 0 on the
    empty and 1 on the grand coalition (Grah & Thouvenot 2020, Section 5.1). Raises `GameError`
    when there are not enough rows.
    """
    test, _ = dataset.rows("test")
    train, _ = dataset.rows("train")
    if count > len(test):
        raise GameError(
            f"{count} pairs need as many test rows; dataset {dataset.name} has {len(test)}."
        )
    explicands = test[rng.permutation(len(test))[:count]]
    if reward != "same-class":
        return explicands, train[rng.integers(len(train), size=count)]
    own, others = model.predict(explicands), model.predict(train)
    baselines = np.empty_like(explicands)
    for label in np.unique(own):
        candidates = train[others != label]
        if len(candidates) == 0:
            raise GameError(
                f"all training rows of {dataset.name} have class {label}: no baseline of another "
                "class; use more rows."
            )
        members = own == label
        baselines[members] = candidates[rng.integers(len(candidates), size=members.sum())]
    return explicands, baselines


@dataclass(frozen=True, eq=False)
class GameCollection:
    """Games of one kind, the first ``n_experiment`` for experiments, the others for tuning.

    Attributes
    ----------
    name : the game's name in the configuration
    model, reward : what the games are made of
    explicands, baselines : (P, d)
    n_experiment : number of pairs that experiments use
    tables : (P, 2^d) values, or None for more than 20 players
    """

    name: str
    model: Model
    reward: str
    explicands: np.ndarray
    baselines: np.ndarray
    n_experiment: int
    tables: np.ndarray | None

    @property
    def n_players(self) -> int:
        """Number of players d."""
        return self.explicands.shape[1]

    def structured(self, pair: int) -> Game:
        """The pair's game as the model defines it."""
        name = f"{self.name}[{pair}]"
        return make_game(self.model, self.reward, self.explicands[pair], self.baselines[pair], name)

    def game(self, pair: int) -> Game:
        """The pair's game, from its table where there is one."""
        if self.tables is None:
            return self.structured(pair)
        return TabularGame(self.tables[pair], f"{self.name}[{pair}]")

    def experiment_games(self) -> list[Game]:
        """Games of the experiment's pairs."""
        return [self.game(pair) for pair in range(self.n_experiment)]

    def tuning_games(self) -> list[Game]:
        """Games of the pairs kept out of the experiment."""
        return [self.game(pair) for pair in range(self.n_experiment, len(self.explicands))]

    def save(self, directory: str | Path) -> None:
        """Write ``pairs.npz`` and, where there are tables, ``tables.npy``."""
        directory = Path(directory)
        directory.mkdir(parents=True, exist_ok=True)
        with (directory / "pairs.npz").open("wb") as file:
            np.savez(
                file,
                name=self.name,
                reward=self.reward,
                explicands=self.explicands,
                baselines=self.baselines,
                n_experiment=self.n_experiment,
            )
        if self.tables is not None:
            np.save(directory / "tables.npy", self.tables, allow_pickle=False)

    @classmethod
    def load(cls, directory: str | Path, model: Model) -> "GameCollection":
        """Read what `save` wrote; tables are mapped into memory, not read."""
        directory = Path(directory)
        with np.load(directory / "pairs.npz", allow_pickle=False) as file:
            pairs = {key: file[key] for key in file.files}
        path = directory / "tables.npy"
        return cls(
            name=str(pairs["name"]),
            model=model,
            reward=str(pairs["reward"]),
            explicands=pairs["explicands"],
            baselines=pairs["baselines"],
            n_experiment=int(pairs["n_experiment"]),
            tables=np.load(path, mmap_mode="r", allow_pickle=False) if path.exists() else None,
        )


def build_collection(
    name: str,
    dataset: Dataset,
    model: Model,
    reward: str,
    pairs: int,
    tuning_pairs: int,
    rng: np.random.Generator,
) -> GameCollection:
    """Select the pairs and tabulate their games where d is at most 20."""
    explicands, baselines = select_pairs(dataset, model, pairs + tuning_pairs, reward, rng)
    bare = GameCollection(name, model, reward, explicands, baselines, pairs, None)
    if bare.n_players > TABULATED_PLAYERS:
        return bare
    tables = np.stack([tabulate(bare.structured(pair)).values for pair in range(len(explicands))])
    return GameCollection(name, model, reward, explicands, baselines, pairs, tables)
