"""Removal by weighted rows: near ones count for more; alone, or for small coalitions only."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Literal

import numpy as np
from numba import njit

from ..models import CountedModel
from ..parameters import check_count, listed
from .bandwidth import chosen_bandwidths, regressed_rows
from .base import FittedRemoval, Removal, RemovalCard, RemovalError, TrainingData, columns_of
from .completed import Completed, CompletedGame, Completions, EqualNumbers
from .copula import Copula
from .gaussian import Gaussian, factorise, moments
from .matching import observed_outputs


@dataclass(frozen=True)
class Kernel(Removal):
    """v(S) = the weighted mean of f(x_S, x'_absent) over training rows x', by nearness.

    Aas, Jullum & Loland 2021, Section 3.3. With D^2 = (x_S - x'_S)' C_SS^-1 (x_S - x'_S) / |S|, a
    row weighs exp(-D^2 / (2 bandwidth^2)); the heaviest rows are kept until they have a share
    of the whole weight, and at most K of them.

    Categories are kept: only equal ones count, as on the features in ``categorical``.

    Parameters
    ----------
    bandwidth : in units of D; with the selection "aicc" not looked at
    share : of the whole weight that the kept rows have, in (0, 1]
    most : rows K per value; None for any number
    categorical : names of features on which only equal rows count, whatever their distance
    selection : "fixed", or "aicc", one bandwidth per size of coalitions by a corrected information
        criterion for the model's output, which is then evaluated on 250 training rows at most
    """

    id: ClassVar = "kernel"
    card: ClassVar = RemovalCard(
        definition="The mean over completions by training rows, weighted by their nearness on S.",
        source="Aas, Jullum & Loland 2021, Section 3.3; Chen et al. 2023, Section 5.1.3",
        target="conditional",
        noise="none",
        uses="distribution",
        exact_for="the empirical law of categorical features",
    )

    bandwidth: float = 0.1
    share: float = 0.95
    most: int | None = None
    categorical: tuple[str, ...] = ()
    selection: Literal["fixed", "aicc"] = "fixed"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.bandwidth > 0 and 0 < self.share <= 1):
            raise RemovalError(
                f"{self.id}: bandwidth must be above 0 and share in (0, 1]; got {self.bandwidth} "
                f"and {self.share}."
            )
        if self.most is not None:
            check_count(f"{self.id}: most", self.most, 1, RemovalError)

    @property
    def keeps_categories(self) -> bool:
        """Rows are weighted and kept."""
        return True

    def learn(
        self, model: CountedModel, background: TrainingData, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        """The rows, and the covariance of their features that are not categorical."""
        rows, names = background.rows, background.names
        equal = columns_of(
            f"{self.id}: categorical", (*self.categorical, *background.categorical), names
        )
        if self.most is not None and self.most > len(rows):
            raise RemovalError(
                f"{self.id}: {self.most} rows cannot be had of {len(rows)} training rows; take "
                "most of at most that many, or leave it out."
            )
        covariance = np.zeros((len(names), len(names)))
        if not equal.all():
            kept = tuple(name for name, is_equal in zip(names, equal, strict=True) if not is_equal)
            among = TrainingData(rows[:, ~equal], None, kept)
            covariance[np.ix_(~equal, ~equal)] = moments(self.id, among)["covariance"]
        learnt = {"rows": rows, "covariance": covariance, "equal": equal}
        if self.selection == "aicc":
            few = regressed_rows(rows, rng)
            outputs = observed_outputs(self, model, few)
            near = partial(squares, learnt | {"rows": few})
            learnt["bandwidths"] = chosen_bandwidths(few, outputs, near, rng)
        return learnt

    def play(
        self, fitted: FittedRemoval, explicand: np.ndarray, rng: np.random.Generator
    ) -> CompletedGame:
        """The weighted mean; raises `RemovalError` for categories that no row has."""
        return CompletedGame(fitted, explicand, self.completions(fitted, explicand))

    def completions(self, fitted: FittedRemoval, explicand: np.ndarray) -> "WeightedRows":
        """Training rows with their weights."""
        rows, equal = fitted.arrays["rows"], fitted.arrays["equal"]
        unseen = equal & ~(rows == explicand).any(axis=0)
        if unseen.any():
            told = ", ".join(
                f"{fitted.names[j]!r} = {explicand[j]:g}" for j in np.flatnonzero(unseen)
            )
            raise RemovalError(
                f"{self.id}: no training row has the category {told}; leave such features out of "
                "categorical, or explain rows whose categories occur in the training rows."
            )
        return WeightedRows(self, fitted, explicand)


def squares(arrays: Mapping[str, np.ndarray], row: np.ndarray, members: np.ndarray) -> np.ndarray:
    """D^2 (n,) of the rows that were learnt from a row (d,), on the members (d,) bool."""
    factor = np.empty_like(arrays["covariance"])
    distances = np.empty(len(arrays["rows"]))
    present = np.flatnonzero(members)
    _distances(
        row, arrays["rows"], arrays["covariance"], arrays["equal"], present, factor, distances
    )
    return distances


class WeightedRows:
    """Completions by training rows, with the weights of `Kernel`."""

    def __init__(self, kernel: Kernel, fitted: FittedRemoval, explicand: np.ndarray):
        self.kernel, self.fitted, self.explicand = kernel, fitted, explicand
        self.background = fitted.arrays["rows"]
        self.size = min(len(self.background), kernel.most or len(self.background))
        fixed = np.full(explicand.size + 1, kernel.bandwidth)
        self.bandwidths = fitted.arrays.get("bandwidths", fixed)

    def weighted(self, coalitions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Places of the kept rows, their weights, and how many each coalition has."""
        arrays, kernel = self.fitted.arrays, self.kernel
        places = np.empty((len(coalitions), self.size), dtype=np.int64)
        weights = np.empty(places.shape)
        counts = _nearest(
            coalitions,
            self.explicand,
            self.background,
            arrays["covariance"],
            arrays["equal"],
            self.bandwidths,
            kernel.share,
            places,
            weights,
        )
        if (counts == 0).any():
            members = np.flatnonzero(coalitions[np.argmin(counts)])
            raise RemovalError(
                f"{kernel.id}: no training row has the categories of the explicand in "
                f"{listed(self.fitted.names[j] for j in members)} together; leave some of them out "
                "of categorical, or take a removal that needs no matches."
            )
        kept = np.arange(self.size) < counts[:, None]
        return places[kept], weights[kept], counts

    def complete(self, coalitions: np.ndarray) -> Completed:
        """The kept rows, with the explicand's values on each coalition."""
        places, weights, counts = self.weighted(coalitions)
        inside = np.repeat(coalitions, counts, axis=0)
        rows = np.where(inside, self.explicand, self.background[places])
        return Completed(rows, weights, np.concatenate([[0], np.cumsum(counts)]))

    def single(self, rng: np.random.Generator) -> Completions:
        """One row of each coalition, drawn by weight."""
        return OneOf(self, float(rng.random()))


class OneOf(EqualNumbers):
    """Of the completions of a coalition the one in whose share of the weight ``place`` lies."""

    size = 1

    def __init__(self, completions: Completions, place: float):
        self.completions, self.place = completions, place

    def complete(self, coalitions: np.ndarray) -> Completed:
        """One row of each coalition."""
        parts = [self._one(coalition[None]) for coalition in coalitions]
        rows = np.concatenate([np.empty((0, coalitions.shape[1])), *parts])
        return Completed(rows, np.ones(len(parts)), np.arange(len(parts) + 1))

    def _one(self, coalition: np.ndarray) -> np.ndarray:
        done = self.completions.complete(coalition)
        shares = np.cumsum(done.weights)
        row = np.searchsorted(shares, self.place * shares[-1], side="right")
        return done.rows[[min(row, len(shares) - 1)]]

    def single(self, rng: np.random.Generator) -> "OneOf":
        """Another place."""
        return OneOf(self.completions, float(rng.random()))


@dataclass(frozen=True)
class Combined(Removal):
    """The kernel removal for coalitions of few features, a parametric one for larger ones.

    Aas, Jullum & Loland 2021, Section 3.4.

    All columns are numbers; a table with categories is refused.

    Parameters
    ----------
    largest : number of features up to which the kernel is taken
    beyond : "gaussian" or "copula", with their defaults but for the draws
    draws : rows per value of that
    bandwidth, share, most : of the kernel
    """

    id: ClassVar = "combined"
    card: ClassVar = RemovalCard(
        definition="The kernel removal for small coalitions, a Gaussian or copula for larger ones.",
        source="Aas, Jullum & Loland 2021, Section 3.4",
        target="conditional",
        noise="frozen",
        uses="distribution",
    )

    largest: int = 3
    beyond: Literal["gaussian", "copula"] = "gaussian"
    draws: int = 100
    bandwidth: float = 0.1
    share: float = 0.95
    most: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count(f"{self.id}: largest", self.largest, 0, RemovalError)
        _ = self.parts  # which check their own parameters

    @property
    def parts(self) -> tuple[Kernel, Gaussian | Copula]:
        """The two removals."""
        beyond = {"gaussian": Gaussian, "copula": Copula}[self.beyond]
        return Kernel(self.bandwidth, self.share, self.most), beyond(self.draws)

    def learn(
        self, model: CountedModel, background: TrainingData, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        """What either learns, under its own id."""
        try:
            learnt = {part.id: part.learn(model, background, rng) for part in self.parts}
        except RemovalError as error:
            raise RemovalError(f"{self.id}: {error}") from error
        return {f"{id}/{key}": a for id, arrays in learnt.items() for key, a in arrays.items()}

    def play(
        self, fitted: FittedRemoval, explicand: np.ndarray, rng: np.random.Generator
    ) -> CompletedGame:
        """The game that is played by size."""
        try:
            by_size = [part.play(self._of(fitted, part), explicand, rng) for part in self.parts]
        except RemovalError as error:
            raise RemovalError(f"{self.id}: {error}") from error
        pieces = [game.completions for game in by_size]
        return CompletedGame(fitted, explicand, BySize(self.largest, *pieces))

    @staticmethod
    def _of(fitted: FittedRemoval, part: Removal) -> FittedRemoval:
        prefix = f"{part.id}/"
        own = {
            key.removeprefix(prefix): array
            for key, array in fitted.arrays.items()
            if key.startswith(prefix)
        }
        return FittedRemoval(part, fitted.model, fitted.names, own, 0)


class BySize:
    """Completions of coalitions of up to ``largest`` members by one way, of others by another."""

    def __init__(self, largest: int, small: Completions, large: Completions):
        self.largest, self.small, self.large = largest, small, large
        self.size = max(small.size, large.size)

    def complete(self, coalitions: np.ndarray) -> Completed:
        """Completions of either kind, in the coalitions' order."""
        small = coalitions.sum(axis=1) <= self.largest
        parts = [(small, self.small.complete(coalitions[small]))]
        parts += [(~small, self.large.complete(coalitions[~small]))]
        counts = np.empty(len(coalitions), dtype=np.int64)
        for chosen, done in parts:
            counts[chosen] = np.diff(done.starts)
        starts = np.concatenate([[0], np.cumsum(counts)])
        rows, weights = np.empty((starts[-1], coalitions.shape[1])), np.empty(starts[-1])
        for chosen, done in parts:
            inside = np.repeat(chosen, counts)
            rows[inside], weights[inside] = done.rows, done.weights
        return Completed(rows, weights, starts)

    def single(self, rng: np.random.Generator) -> "BySize":
        """One fresh completion of either."""
        return BySize(self.largest, self.small.single(rng), self.large.single(rng))


@njit(cache=True, nogil=True)
def _distances(
    explicand: np.ndarray,
    rows: np.ndarray,
    covariance: np.ndarray,
    equal: np.ndarray,
    present: np.ndarray,
    factor: np.ndarray,
    distances: np.ndarray,
) -> None:
    """D^2 (n,) of rows on the present features; infinite where a categorical one differs."""
    among = present[~equal[present]]
    matched = present[equal[present]]
    factorise(covariance, among, factor)
    work = np.empty(among.size)
    for i in range(rows.shape[0]):
        total = 0.0
        for j in matched:
            if rows[i, j] != explicand[j]:
                total = np.inf
        for a in range(among.size):
            value = explicand[among[a]] - rows[i, among[a]]
            for k in range(a):
                value -= factor[a, k] * work[k]
            work[a] = value / factor[a, a]
            total += work[a] * work[a]
        distances[i] = total / max(among.size, 1)


@njit(cache=True, nogil=True)
def _nearest(
    coalitions: np.ndarray,
    explicand: np.ndarray,
    rows: np.ndarray,
    covariance: np.ndarray,
    equal: np.ndarray,
    bandwidths: np.ndarray,
    share: float,
    places: np.ndarray,
    weights: np.ndarray,
) -> np.ndarray:
    """Fill places and weights (m, K) of the rows to keep, heaviest first; their numbers (m,).

    Rows so light that all of them together have less than the share that may be left out are not
    sorted.
    """
    n, d = rows.shape
    most = places.shape[1]
    counts = np.zeros(coalitions.shape[0], dtype=np.int64)
    factor, distances = np.empty((d, d)), np.empty(n)
    lightest = max((1.0 - share) / n, 1e-300)
    for k in range(coalitions.shape[0]):
        present = np.flatnonzero(coalitions[k])
        bandwidth = bandwidths[present.size]
        reach = -2.0 * bandwidth * bandwidth * np.log(lightest)
        _distances(explicand, rows, covariance, equal, present, factor, distances)
        nearest = distances.min()
        if nearest == np.inf:
            continue
        near = np.flatnonzero(distances <= nearest + reach)
        order = near[np.argsort(distances[near], kind="mergesort")]
        weight = np.exp((nearest - distances[order]) / (2.0 * bandwidth * bandwidth))
        wanted = share * weight.sum()
        so_far = 0.0
        count = 0
        while count < min(order.size, most) and (count == 0 or so_far < wanted):
            places[k, count] = order[count]
            weights[k, count] = weight[count]
            so_far += weight[count]
            count += 1
        counts[k] = count
    return counts
