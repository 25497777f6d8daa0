"""Removals that average f over observed rows that match the explicand, exactly or nearly.

No hybrid row is evaluated: f is evaluated once on each training row, in fitting.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numba import njit

from ..games import Game
from ..models import CountedModel, Predicts
from ..parameters import listed
from .base import FittedRemoval, Removal, RemovalCard, RemovalError, TrainingData, columns_of
from .completed import BackgroundRows, CompletedGame

Fallback = Literal["error", "marginal", "own"]


@dataclass(frozen=True)
class ExactMatch(Removal):
    """v(S) = the mean of f over the training rows with x'_S = x_S (CES; Section 5.1.3).

    v of the grand coalition is f(x), which is known.

    Categories are kept: they match where they are equal.

    Parameters
    ----------
    own_row : whether the explicand counts as one of the rows, so that one always matches
    fallback : what v(S) is where no row matches: an "error", the "marginal" mean over all training
        rows (n rows of f), or the explicand's "own" output
    """

    id: ClassVar = "exact-match"
    card: ClassVar = RemovalCard(
        definition="The mean of f over the training rows that equal the explicand on S.",
        source="Chen et al. 2023, Section 5.1.3; Sundararajan & Najmi 2020",
        target="conditional",
        noise="none",
        uses="rows",
        exact_for="the empirical law of the training rows",
    )

    own_row: bool = False
    fallback: Fallback = "error"

    @property
    def keeps_categories(self) -> bool:
        """Rows are compared and kept."""
        return True

    def learn(
        self, model: CountedModel, background: TrainingData, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        """The rows, and f on them."""
        return {"rows": background.rows, "outputs": observed_outputs(self, model, background.rows)}

    def play(
        self, fitted: FittedRemoval, explicand: np.ndarray, rng: np.random.Generator
    ) -> "MatchedGame":
        """Means over matching rows; raises `RemovalError` for values that no row has."""
        similar = fitted.arrays["rows"] == explicand
        if not self.own_row and self.fallback == "error":
            _refuse_unseen(self, similar, fitted.names, explicand)
        return MatchedGame(fitted, explicand, similar, self.own_row, self.fallback, known=True)


@dataclass(frozen=True)
class Cohort(Removal):
    """v(S) = the mean of f over the training rows that are similar to x on every feature of S.

    Mase, Owen & Seiler 2019. The rows are observed ones, so that v of the grand coalition is the
    mean over the explicand's cohort, not f(x).

    Categories are kept: they are similar only where they are equal, as those in ``categorical``.

    Parameters
    ----------
    ratio : values are similar within this share of the feature's range
    percentiles : lower and upper percentile between which the range is taken
    categorical : names of features whose values are similar only when equal
    own_row : whether the explicand counts as one of the rows
    fallback : as in `ExactMatch`
    """

    id: ClassVar = "cohort"
    card: ClassVar = RemovalCard(
        definition="The mean of f over the training rows similar to the explicand on all of S.",
        source="Mase, Owen & Seiler 2019; Chen et al. 2023, Section 5.1.3",
        target="conditional",
        noise="none",
        uses="rows",
        exact_for="the empirical law of categorical features, but for the grand coalition",
    )

    ratio: float = 0.1
    percentiles: tuple[float, ...] = (0.0, 100.0)
    categorical: tuple[str, ...] = ()
    own_row: bool = True
    fallback: Fallback = "error"

    def __post_init__(self) -> None:
        super().__post_init__()
        low, high = (*self.percentiles, -1.0, -1.0)[:2]
        if not (0 < self.ratio <= 1 and 0 <= low < high <= 100 and len(self.percentiles) == 2):
            raise RemovalError(
                f"{self.id}: ratio must lie in (0, 1] and percentiles be two increasing numbers "
                f"from 0 to 100; got {self.ratio} and {self.percentiles}."
            )

    @property
    def keeps_categories(self) -> bool:
        """Rows are compared and kept."""
        return True

    def learn(
        self, model: CountedModel, background: TrainingData, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        """The rows, f on them, and how far values may differ."""
        rows = background.rows
        low, high = np.percentile(rows, self.percentiles, axis=0)
        equal = columns_of(
            f"{self.id}: categorical",
            (*self.categorical, *background.categorical),
            background.names,
        )
        width = np.where(equal, 0.0, self.ratio * (high - low))
        return {"rows": rows, "outputs": observed_outputs(self, model, rows), "width": width}

    def play(
        self, fitted: FittedRemoval, explicand: np.ndarray, rng: np.random.Generator
    ) -> "MatchedGame":
        """Means over cohorts; raises `RemovalError` for values to which no row is similar."""
        similar = np.abs(fitted.arrays["rows"] - explicand) <= fitted.arrays["width"]
        if not self.own_row and self.fallback == "error":
            _refuse_unseen(self, similar, fitted.names, explicand)
        return MatchedGame(fitted, explicand, similar, self.own_row, self.fallback, known=False)


class MatchedGame:
    """Means of outputs over the rows that are similar on a coalition.

    Parameters
    ----------
    fitted : with "rows" (n, d) and "outputs" (n,)
    explicand : (d,)
    similar : (n, d) bool, on which features each row is similar
    own_row : whether the explicand's output counts as that of one more row
    fallback : see `ExactMatch`
    known : whether v of the grand coalition is the explicand's output

    Raises
    ------
    RemovalError
        When no row is similar on a coalition, naming its features, with the fallback "error".
    """

    prepared_rows = 1  # the explicand's

    def __init__(
        self,
        fitted: FittedRemoval,
        explicand: np.ndarray,
        similar: np.ndarray,
        own_row: bool,
        fallback: Fallback,
        known: bool,
    ) -> None:
        self.fitted, self.explicand, self.fallback = fitted, explicand, fallback
        self.n_players, self.name = explicand.size, fitted.removal.id
        self.known, self.own_row = known, own_row
        outputs, rows = fitted.arrays["outputs"], fitted.arrays["rows"]
        self.own = observed_outputs(fitted.removal, fitted.model, explicand[None])[0]
        if own_row:
            similar = np.vstack([similar, np.ones_like(similar[:1])])
            outputs = np.append(outputs, self.own)
        self.similar, self.outputs = np.ascontiguousarray(similar), outputs
        background = BackgroundRows(explicand, rows, np.ones(len(rows)))
        self.background_rows = len(rows)
        self.marginal = CompletedGame(fitted, explicand, background)

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        values, counts = _matched_means(coalitions, self.similar, self.outputs)
        if self.known:
            values[coalitions.all(axis=1)] = self.own
        alone = self._alone(coalitions, counts)
        if not alone.any():
            return values
        if self.fallback == "error":
            members = np.flatnonzero(coalitions[np.argmax(alone)])
            raise RemovalError(
                f"{self.name}: no training row matches the explicand on the features "
                f"{listed(self.fitted.names[j] for j in members)} together; take fallback "
                "'marginal' or 'own', own_row true, or a removal that models the distribution, "
                "as gaussian or surrogate."
            )
        values[alone] = self.own if self.fallback == "own" else self.marginal(coalitions[alone])
        return values

    def _alone(self, coalitions: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """Coalitions (m,) on which no row matches, and whose value is not known either."""
        return (counts == 0) & ~(self.known & coalitions.all(axis=1))

    def rows(self, coalitions: np.ndarray) -> np.ndarray:
        """Rows of the model (m,): none, but for coalitions with the fallback "marginal"."""
        _, counts = _matched_means(coalitions, self.similar, self.outputs)
        falls = self._alone(coalitions, counts) & (self.fallback == "marginal")
        return np.where(falls, self.background_rows, 0)

    def realisation(self, rng: np.random.Generator) -> Game:
        """One matching row of each coalition: the first in a random order of all rows."""
        return _FirstMatch(self, rng.permutation(len(self.outputs)))


class _FirstMatch:
    """The output of the first row of an order that matches on a coalition."""

    def __init__(self, game: MatchedGame, order: np.ndarray):
        self.game, self.n_players, self.name = game, game.n_players, game.name
        self.similar, self.outputs = game.similar[order], game.outputs[order]

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        values, matched = _first_match(coalitions, self.similar, self.outputs)
        rest = ~matched | (self.game.known & coalitions.all(axis=1))
        if rest.any():
            values[rest] = self.game(coalitions[rest])
        return values


def observed_outputs(removal: Removal, model: Predicts, rows: np.ndarray) -> np.ndarray:
    """Outputs (n,) of the model on rows (n, d); raises `RemovalError` unless they are finite."""
    outputs = np.asarray(model.predict(rows), dtype=np.float64)
    if not np.isfinite(outputs).all():
        row = int(np.argmin(np.isfinite(outputs)))
        raise RemovalError(
            f"{removal.id}: the model's output is {outputs[row]} on the observed row "
            f"{rows[row].tolist()}; make the model give finite numbers."
        )
    return outputs


def _refuse_unseen(
    removal: Removal, similar: np.ndarray, names: tuple[str, ...], explicand: np.ndarray
) -> None:
    unseen = np.flatnonzero(~similar.any(axis=0))
    if unseen.size:
        told = ", ".join(f"{names[j]!r} = {explicand[j]:g}" for j in unseen)
        raise RemovalError(
            f"{removal.id}: no training row matches the explicand in {told}; take fallback "
            "'marginal' or 'own', own_row true, or a removal that needs no matches."
        )


@njit(cache=True, nogil=True)
def _matches(coalition: np.ndarray, similar: np.ndarray) -> bool:
    j = 0
    while j < coalition.size and (similar[j] or not coalition[j]):
        j += 1
    return j == coalition.size


@njit(cache=True, nogil=True)
def _matched_means(
    coalitions: np.ndarray, similar: np.ndarray, outputs: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Means (m,) over matching rows, NaN without any, and how many there are (m,)."""
    means = np.empty(coalitions.shape[0])
    counts = np.zeros(coalitions.shape[0], dtype=np.int64)
    for k in range(coalitions.shape[0]):
        total = 0.0
        for i in range(outputs.size):
            if _matches(coalitions[k], similar[i]):
                total += outputs[i]
                counts[k] += 1
        means[k] = total / counts[k] if counts[k] else np.nan
    return means, counts


@njit(cache=True, nogil=True)
def _first_match(
    coalitions: np.ndarray, similar: np.ndarray, outputs: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    values = np.empty(coalitions.shape[0])
    matched = np.zeros(coalitions.shape[0], dtype=np.bool_)
    for k in range(coalitions.shape[0]):
        for i in range(outputs.size):
            if _matches(coalitions[k], similar[i]):
                values[k] = outputs[i]
                matched[k] = True
                break
    return values, matched
