"""Loaders of data drawn from laws: parameters of the law, rows, targets, in this order."""

from collections.abc import Callable, Sequence

import numpy as np

from ...parameters import check_count, listed
from ...registers import loader
from ..base import DatasetError, random_split
from .base import Law
from .chain import ChainLaw
from .copula import CopulaLaw
from .dataset import LawDataset
from .discrete import DiscreteLaw
from .gaussian import GaussianLaw
from .mixture import MixtureLaw

MOST_CORRELATED = 0.9  # bound of the correlations within pairs


def draw(rng: np.random.Generator, name: str, law: Law, n_rows: int, noise: float) -> LawDataset:
    """Rows of a law, a target that depends on them smoothly and with interactions, and a split.

    With z the standardised columns the target is sum_j b_j z_j + z_1 z_2 + |z_3| + normal noise,
    b_j of random sign and 1 / sqrt(j) in size, columns counted modulo d.

    Raises
    ------
    DatasetError
        When there are fewer than two rows, or the standard deviation of the noise is negative.
    """
    check_count(f"dataset loader {name!r}: n_rows", n_rows, 2, DatasetError)
    if not noise >= 0:
        raise DatasetError(f"dataset loader {name!r}: noise must not be negative, got {noise}")
    rows, d = law.sample(rng, n_rows), law.n_features
    spread = rows.std(axis=0)
    z = (rows - rows.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    effects = rng.choice([-1.0, 1.0], size=d) / np.sqrt(1 + np.arange(d))
    signal = z @ effects + z[:, 0] * z[:, 1 % d] + np.abs(z[:, 2 % d])
    return LawDataset(
        name=name,
        features=rows,
        target=signal + noise * rng.standard_normal(n_rows),
        feature_names=tuple(f"x{j + 1}" for j in range(d)),
        split=random_split(n_rows, rng),
        provenance="generated",
        law=law,
    )


@loader("gaussian-law", generated=True)
def load_gaussian(
    rng: np.random.Generator,
    *,
    n_rows: int,
    n_features: int,
    shape: str = "factor",
    correlation: float = 0.5,
    noise: float = 0.5,
) -> LawDataset:
    """Normal features: with two common "factor"s, "equicorrelated", or in independent "pairs".

    ``correlation`` is that of all pairs of features if equicorrelated; of the others those are
    random.

    Raises `DatasetError` for another shape, or an odd number of features in pairs.
    """
    name = "gaussian-law"
    check_count(f"dataset loader {name!r}: n_features", n_features, 1, DatasetError)
    if shape == "pairs" and n_features % 2:
        raise DatasetError(f"dataset loader {name!r}: pairs need an even n_features")
    makers: dict[str, Callable[[], Law]] = {
        "factor": lambda: GaussianLaw.factor(rng, n_features),
        "equicorrelated": lambda: GaussianLaw.equicorrelated(n_features, correlation),
        "pairs": lambda: GaussianLaw.pairs(
            rng.uniform(-MOST_CORRELATED, MOST_CORRELATED, n_features // 2)
        ),
    }
    return draw(rng, name, _made(name, "shape", shape, makers), n_rows, noise)


@loader("mixture-law", generated=True)
def load_mixture(
    rng: np.random.Generator,
    *,
    n_rows: int,
    n_features: int,
    components: int = 3,
    noise: float = 0.5,
) -> LawDataset:
    """A mixture of normal laws with random means and correlations."""
    name = "mixture-law"
    check_count(f"dataset loader {name!r}: n_features", n_features, 1, DatasetError)
    check_count(f"dataset loader {name!r}: components", components, 1, DatasetError)
    return draw(rng, name, MixtureLaw.random(rng, n_features, components), n_rows, noise)


@loader("copula-law", generated=True)
def load_copula(
    rng: np.random.Generator,
    *,
    n_rows: int,
    n_features: int,
    margins: Sequence[str] = ("lognormal", "exponential", "cubic"),
    noise: float = 0.5,
) -> LawDataset:
    """A normal copula with two common factors; features take the margins in turn."""
    name = "copula-law"
    check_count(f"dataset loader {name!r}: n_features", n_features, 1, DatasetError)
    if not margins:
        raise DatasetError(f"dataset loader {name!r}: margins must name one or more")
    return draw(rng, name, CopulaLaw.factor(rng, n_features, margins), n_rows, noise)


@loader("discrete-law", generated=True)
def load_discrete(
    rng: np.random.Generator,
    *,
    n_rows: int,
    n_features: int = 2,
    table: str = "ising",
    levels: int = 2,
    noise: float = 0.5,
) -> LawDataset:
    """A joint table over the levels 0, 1, ...: a random "ising" model, or "independent" features;
    or the "square", X2 = X1^2 with X1 uniform on -1, 0, 1, which has two features.

    Raises `DatasetError` for another table, too many rows of it, or a square of other size.
    """
    name = "discrete-law"
    check_count(f"dataset loader {name!r}: n_features", n_features, 1, DatasetError)
    check_count(f"dataset loader {name!r}: levels", levels, 2, DatasetError)
    if table == "square" and n_features != 2:
        raise DatasetError(f"dataset loader {name!r}: the square has 2 features, not {n_features}")
    steps = np.arange(float(levels)).tolist()
    makers: dict[str, Callable[[], Law]] = {
        "ising": lambda: DiscreteLaw.ising(rng, n_features, steps),
        "independent": lambda: DiscreteLaw.independent(n_features, steps),
        "square": DiscreteLaw.square,
    }
    return draw(rng, name, _made(name, "table", table, makers), n_rows, noise)


@loader("chain-law", generated=True)
def load_chain(
    rng: np.random.Generator,
    *,
    n_rows: int,
    n_features: int,
    levels: int = 2,
    persistence: float = 0.5,
    noise: float = 0.5,
) -> LawDataset:
    """A Markov chain over at most 14 features with the levels 0, 1, ...

    A feature repeats its neighbour with probability ``persistence``, else it follows random rows.
    Raises `DatasetError` for more features, or a persistence below 0 or above 1.
    """
    name = "chain-law"
    check_count(f"dataset loader {name!r}: levels", levels, 2, DatasetError)
    steps = np.arange(float(levels)).tolist()
    return draw(rng, name, ChainLaw.random(rng, n_features, steps, persistence), n_rows, noise)


def _made(name: str, what: str, key: str, makers: dict[str, Callable[[], Law]]) -> Law:
    if key not in makers:
        raise DatasetError(
            f"dataset loader {name!r}: unknown {what} {key!r}; the known ones are {listed(makers)}"
        )
    return makers[key]()
