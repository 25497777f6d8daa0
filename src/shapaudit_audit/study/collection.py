"""Collections of games of one kind: explicands chosen from a dataset, tabulated where small."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from shapaudit.datasets import Dataset
from shapaudit.games import (
    BaselineGame,
    Game,
    GameError,
    PerceptronGame,
    RadialGame,
    SameClassGame,
    TreeGame,
)
from shapaudit.models import (
    ChiSquareClassifier,
    Model,
    Perceptron,
    RadialRegression,
    TreeEnsemble,
)

from .blocks.games import SelectionBlock
from .collection_base import Collection, read_fields
from .explicands import drawn_explicands
from .fingerprint import fixed_rows
from .law_collection import REWARD as EXPECTATION
from .law_collection import LawCollection, build_expectations
from .regression_collection import REWARD as R_SQUARED
from .regression_collection import RegressionCollection, build_regressions
from .removal_collection import REWARD as REMOVAL
from .removal_collection import RemovalCollection
from .table_collection import REWARD as TABLE
from .table_collection import TableCollection, build_tables

REWARDS = ("prediction", "same-class", "class-probability")
BASELINES = ("drawn", "zero")

_RANKED = "largest-"


def make_game(model: Model, reward: str, explicand, baseline, name: str) -> Game:
    """Game of a model at one explicand and baseline (d,).

    ``reward`` is "prediction", v(S) = f(z(x, r, S)); "same-class", v(S) = 1 when
    f(z(x, r, S)) = f(x) and 0 otherwise; or "class-probability", what a perceptron gives to its
    class of x. The known functions of Grah & Thouvenot 2020, tree ensembles and perceptrons come
    with their structure, so that evaluations and walks are cheap. Raises `GameError` for other
    rewards, and for probabilities of another model.
    """
    if reward not in REWARDS:
        raise GameError(f"unknown reward {reward!r} of {name}; known: {', '.join(REWARDS)}.")
    if reward == "class-probability":
        if not isinstance(model, Perceptron):
            raise GameError(f"the reward of {name} needs a perceptron, not {type(model).__name__}.")
        return PerceptronGame(model, explicand, baseline, name=name)
    if reward == "same-class":
        if isinstance(model, ChiSquareClassifier):
            return SameClassGame(explicand, baseline, model.threshold, name)
        own = float(model.predict(np.asarray(explicand)[None])[0])
        return BaselineGame(_same_as(model.predict, own), explicand, baseline, name)
    if isinstance(model, RadialRegression):
        return RadialGame(explicand, baseline, name)
    ensemble = getattr(model, "ensemble", model)
    if isinstance(ensemble, TreeEnsemble):
        return TreeGame(ensemble, explicand, baseline, name)
    return BaselineGame(model.predict, explicand, baseline, name)


def _same_as(predict: Callable, own: float) -> Callable:
    return lambda rows: (predict(rows) == own).astype(np.float64)


def select_rows(
    dataset: Dataset,
    model: Model,
    count: int,
    reward: str,
    rng: np.random.Generator,
    baseline: str = "drawn",
) -> tuple[np.ndarray, np.ndarray]:
    """Explicands and baselines (count, d): distinct test rows, and training rows or zeros.

    For the same-class reward the baseline is drawn from the other class, so that v is 0 on the
    empty and 1 on the grand coalition (Grah & Thouvenot 2020, Section 5.1). A ``baseline`` of
    "zero" is the same for all. Raises `GameError` when there are not enough rows.
    """
    train, _ = dataset.rows("train")
    if baseline not in BASELINES:
        raise GameError(f"unknown baseline {baseline!r}; known: {', '.join(BASELINES)}.")
    explicands = drawn_explicands(dataset, count, rng)
    if baseline == "zero":
        return explicands, np.zeros_like(explicands)
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


def given_rows(
    dataset: Dataset, model: Model, selection: SelectionBlock, most: int
) -> tuple[np.ndarray, np.ndarray]:
    """Explicands and baselines (k, d) that a configuration names.

    A row of the dataset is given by its number, or by the rank of its prediction: "largest-10" is
    the row with the 10th largest one (Chen et al. 2023 explain rows 0 and 1, and that row).

    Raises `GameError` for unequal numbers of the two, more than ``most``, or no such row.
    """
    explicands, baselines = selection.explicands, selection.baselines
    if len(explicands) != len(baselines) or len(explicands) > most:
        raise GameError(
            f"the selection names {len(explicands)} explicands and {len(baselines)} baselines; "
            f"give equally many, at most the {most} explicands of the experiment."
        )
    places = [*explicands, *baselines]
    ranked = np.array([str(place).startswith(_RANKED) for place in places])
    rows = np.array([int(str(place).removeprefix(_RANKED)) for place in places]) - ranked
    if rows.min() < 0 or rows.max() >= dataset.n_rows:
        raise GameError(
            f"the selection names rows {places}; {dataset.name} has {dataset.n_rows} rows."
        )
    order = np.argsort(-model.predict(dataset.features), kind="stable")
    rows = np.where(ranked, order[rows], rows)
    explicand_rows, baseline_rows = np.split(dataset.features[rows], 2)
    return explicand_rows, baseline_rows


@dataclass(frozen=True, eq=False)
class GameCollection(Collection):
    """Games of pairs of explicand and baseline.

    Attributes
    ----------
    reward : what the output of the model is worth, see `make_game`
    explicands, baselines : (n_games, d)
    """

    saved: ClassVar = ("name", "reward", "explicands", "baselines", "n_experiment")

    reward: str
    explicands: np.ndarray
    baselines: np.ndarray

    @property
    def n_players(self) -> int:
        """Number of players d."""
        return self.explicands.shape[1]

    @property
    def n_games(self) -> int:
        """Number of explicands, those for tuning included."""
        return len(self.explicands)

    def predictions(self) -> np.ndarray:
        """What the model predicts on hybrid rows of the first explicands (64,)."""
        return self.model.predict(fixed_rows(self.explicands, self.baselines))

    def structured(self, number: int) -> Game:
        """The explicand's game as the model defines it."""
        explicand, baseline = self.explicands[number], self.baselines[number]
        return make_game(self.model, self.reward, explicand, baseline, self.label(number))


def build_collection(
    name: str,
    dataset: Dataset,
    model: Model,
    reward: str,
    games: int,
    tuning_games: int,
    rng: np.random.Generator,
    selection: SelectionBlock | None = None,
    baseline: str = "drawn",
) -> Collection:
    """Choose the explicands and tabulate their games where d is at most 20.

    The games of the reward "r-squared" are the regressions of the model, in their order, and those
    of "table" its tables; those of
    "expectation" have test rows and no baselines. Of other rewards, the explicands of
    ``selection``, see `given_rows`, come first; the others are drawn.
    """
    if reward == R_SQUARED:
        return build_regressions(name, model, games, tuning_games)
    if reward == TABLE:
        return build_tables(name, model, games, tuning_games)
    if reward == EXPECTATION:
        return build_expectations(name, dataset, model, games, tuning_games, rng)
    explicands, baselines = np.empty((2, 0, dataset.n_features))
    if selection is not None:
        explicands, baselines = given_rows(dataset, model, selection, games)
    missing = games + tuning_games - len(explicands)
    drawn = select_rows(dataset, model, missing, reward, rng, baseline)
    explicands = np.concatenate([explicands, drawn[0]])
    baselines = np.concatenate([baselines, drawn[1]])
    return GameCollection(name, model, games, None, reward, explicands, baselines).tabulated()


def load_collection(directory: str | Path, model: Model) -> Collection:
    """Read a saved collection of games of the model."""
    kinds: dict[str, type[Any]] = {
        R_SQUARED: RegressionCollection,
        EXPECTATION: LawCollection,
        REMOVAL: RemovalCollection,
        TABLE: TableCollection,
    }
    return kinds.get(read_fields(directory)["reward"], GameCollection).load(directory, model)
