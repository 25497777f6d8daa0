"""Amortised explanations: a network is trained once, and explains a row in one pass.

What is trained is the same, a network E from a row to d attributions; what it is trained on differs
between `FastShap` and `StochasticAmortisation`. Both play the games of a removal, whose rows of the
model are counted; additive efficient normalisation adds the same to all attributions of a row, so
that they sum to v(grand) - v(empty), in training and in use.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, NoReturn, Self

import numpy as np

from ..datasets import Dataset
from ..nets import Network, fit
from ..parameters import check_count
from ..removals import create as create_removal
from ..removals.base import FittedRemoval, RemovalGame
from .base import Background, ExplainerCard, ExplainerError, ExplainerMethod, FittedExplainer

HELD_OUT = 0.2  # share of the rows that say when to stop
LEAST_ROWS = 10
TARGETS = {"baseline": "baseline", "marginal": "marginal", "surrogate": "conditional"}


@dataclass(frozen=True)
class PlayedRow:
    """The game of one row, what its ends are worth, and the rows of the model that they took."""

    game: RemovalGame
    empty: float
    total: float
    rows: int


def play(removal: FittedRemoval, rows: np.ndarray, rng: np.random.Generator) -> Sequence[PlayedRow]:
    """The games of rows (m, d), with v(empty) and v(grand) - v(empty)."""
    ends = np.array([[False], [True]]) & np.ones(rows.shape[1], dtype=bool)
    played = []
    for row in rows:
        game = removal.game(row, rng)
        empty, grand = game(ends)
        spent = game.prepared_rows + int(game.rows(ends).sum())
        played.append(PlayedRow(game, float(empty), float(grand - empty), spent))
    return played


@dataclass(frozen=True, eq=False)
class FittedAmortised(FittedExplainer):
    """A trained network, with the removal whose games it explains."""

    explainer: "Amortised"
    background: Background
    removal: FittedRemoval
    network: Network
    units: np.ndarray  # mean and spread of the columns (2, d)
    scale: float
    fit_rows: int

    def output(self, rows: np.ndarray) -> np.ndarray:
        """v(grand) of the removal's games (m,): the model's output, or its surrogate's."""
        return np.array([row.empty + row.total for row in self._played(rows)])

    def _played(self, rows: np.ndarray) -> Sequence[PlayedRow]:
        return play(self.removal, rows, np.random.default_rng(0))

    def _given(self, baselines: np.ndarray) -> NoReturn:
        raise ExplainerError(
            f"{self.explainer.id} has learnt its background; fit it to other rows instead of "
            "giving baselines."
        )

    def _explained(
        self, explicands: np.ndarray, baselines: np.ndarray
    ) -> tuple[np.ndarray, float, int]:
        played = self._played(explicands)
        totals = np.array([row.total for row in played])
        raw = self.network((explicands - self.units[0]) / self.units[1]) * self.scale
        values = normalised(raw, totals)
        base = float(np.mean([row.empty for row in played])) if played else 0.0
        return values, base, sum(row.rows for row in played)


def normalised(raw: np.ndarray, totals: np.ndarray) -> np.ndarray:
    """Attributions (m, d) with the same added to all of a row, so that they sum to totals (m,)."""
    return raw + ((totals - raw.sum(axis=1)) / raw.shape[1])[:, None]


@dataclass(frozen=True)
class Amortised(ExplainerMethod):
    """Common part of amortised explainers: a removal, a network, and its training.

    Parameters
    ----------
    removal : games of the "baseline" (the mean of the rows), "marginal" (all rows) or "surrogate"
    evaluations : values of the game of each row that training sees, besides its two ends
    hidden : widths of the hidden layers
    epochs, patience : epochs at most, and without improvement on held-out rows before it stops
    batch, rate : rows per step, step size of Adam
    """

    removal: Literal["baseline", "marginal", "surrogate"] = "marginal"
    evaluations: int = 32
    hidden: tuple[int, ...] = (64, 64)
    epochs: int = 200
    patience: int = 20
    batch: int = 32
    rate: float = 3e-3

    definition: ClassVar[str]
    source: ClassVar[str]

    def __post_init__(self) -> None:
        """Raise ValueError for a parameter outside its choices."""
        super().__post_init__()
        for key in ("evaluations", "epochs", "patience", "batch"):
            check_count(f"{self.id}: {key}", getattr(self, key), 1, ExplainerError)
        if self.rate <= 0:
            raise ExplainerError(f"{self.id}: rate must be above 0; got {self.rate}.")

    @property
    def card(self) -> ExplainerCard:
        """The card of these parameters."""
        return ExplainerCard(
            models="any",
            target=TARGETS[self.removal],
            definition=self.definition,
            cost=r"O(\text{weights})",
            source=self.source,
            exact_for="",
            bias="a network of limited size, trained on a limited number of rows",
            deterministic=False,
        )

    def check_baselines(self, rows: np.ndarray) -> None:
        """Accept any number of rows, since the explainer is trained on them."""

    @abstractmethod
    def objectives(
        self, rows: np.ndarray, played: Sequence[PlayedRow], scale: float, rng: np.random.Generator
    ) -> tuple["Learning", int]:
        """The objective on rows (n, d), in units of ``scale``, and rows of the model it took."""

    def _fitted(
        self, model: Any, background: Background, rng: np.random.Generator
    ) -> FittedExplainer:
        rows = background.rows
        if not callable(getattr(model, "predict", None)):
            raise ExplainerError(
                f"{self.id} needs a model with a method predict; got a {type(model).__name__}."
            )
        self.check_features(background, getattr(model, "n_features", background.n_features))
        if len(rows) < LEAST_ROWS:
            raise ExplainerError(
                f"{self.id}: {len(rows)} rows are too few to train a network on and to see when to "
                f"stop; give {LEAST_ROWS} or more, or take an explainer that trains nothing."
            )
        removal = self._removal(model, background, rng)
        played = play(removal, rows, rng)
        scale = float(np.std([row.total for row in played])) or 1.0
        mean, spread = rows.mean(axis=0), rows.std(axis=0)
        units = np.stack([mean, np.where(spread > 0, spread, 1.0)])
        scaled = (rows - units[0]) / units[1]
        learning, spent = self.objectives(scaled, played, scale, rng)
        order = rng.permutation(len(rows))
        held = max(2, round(HELD_OUT * len(rows)))
        d = background.n_features
        network = fit(
            Network.start([d, *self.hidden, d], "relu", rng),
            learning.of(order[held:]),
            learning.of(order[:held]),
            rng,
            batch=self.batch,
            epochs=self.epochs,
            patience=self.patience,
            rate=self.rate,
            decay=0.9,
        )
        spent += removal.fit_rows + sum(row.rows for row in played)
        return FittedAmortised(self, background, removal, network, units, scale, spent)

    def _removal(
        self, model: Any, background: Background, rng: np.random.Generator
    ) -> FittedRemoval:
        split = {"train": np.arange(len(background.rows)), "test": np.arange(0)}
        names = background.names
        data = Dataset(self.id, background.rows, None, names, split, "given to the explainer")
        return create_removal(self.removal).fit(model, data, rng)


@dataclass(frozen=True, eq=False)
class Learning(ABC):
    """An `Objective` of `shapaudit.nets` over rows, which can be restricted to some of them.

    Every attribute has an entry for each row.

    Attributes
    ----------
    rows : (n, d), standardised
    totals : v(grand) - v(empty) (n,), in units of the scale
    """

    rows: np.ndarray
    totals: np.ndarray

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.rows)

    def of(self, chosen: np.ndarray) -> Self:
        """The objective on the rows with these numbers."""
        return type(self)(*(getattr(self, field.name)[chosen] for field in fields(self)))

    @abstractmethod
    def gradient(self, network: Network, chosen: np.ndarray) -> np.ndarray:
        """Gradient (P,) on the rows with these numbers."""

    @abstractmethod
    def value(self, network: Network) -> float:
        """The objective on all rows."""
