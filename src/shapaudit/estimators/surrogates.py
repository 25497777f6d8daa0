"""Games fitted to pairs of coalitions, whose Shapley values are known exactly."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..games.tree import TreeGame
from ..models.trees import TreeEnsemble
from ..truth.tree import tree_shapley
from .fits.fourier import OddFeatures, fit_odd
from .fits.trees import fit_trees
from .odd_fourier import fit_odd_part
from .pairs import Pairs
from .walsh import sets_of_order

Surrogate = Literal["trees", "polynomial", "fourier"]


@dataclass(frozen=True, eq=False)
class Fitted:
    """Shapley values (d,) of a game, and its odd part as a function of coalitions (m, d)."""

    shapley: np.ndarray
    odd_part: Callable[[np.ndarray], np.ndarray]


def _additive(values: np.ndarray) -> Fitted:
    return Fitted(values, lambda coalitions: np.where(coalitions, 0.5, -0.5) @ values)


def linear(pairs: Pairs) -> Fitted:
    """The additive game of least squares."""
    return _additive(pairs.regressed(pairs.odd_part, pairs.total))


def corrected(pairs: Pairs) -> Fitted:
    """The additive game of least squares, its residuals regressed once more.

    With about as many pairs as players the normal equations are badly conditioned. The first
    solution is accurate to about half of the digits; one step of iterative refinement recovers the
    others (Björck 1987).
    """
    first = linear(pairs)
    left = pairs.odd_part - first.odd_part(pairs.coalitions)
    values = first.shapley + pairs.regressed(left, 0.0)
    return _additive(values)


def boosted(pairs: Pairs) -> Fitted:
    """Boosted trees on the bits of a coalition, fitted to the odd part."""
    return of_trees(fit_trees(pairs.coalitions, pairs.odd_part, -pairs.odd_part))


def of_trees(ensemble: TreeEnsemble) -> Fitted:
    """The baseline game of trees on the bits of a coalition."""
    d = ensemble.n_features
    ends = np.ones(d), np.zeros(d)
    game = TreeGame(ensemble, *ends)
    return Fitted(
        tree_shapley(ensemble, *ends),
        lambda coalitions: 0.5 * (game(coalitions) - game(~coalitions)),
    )


def residual_pairs(pairs: Pairs, base: Fitted) -> Pairs:
    """Pairs whose odd part is the residual of a fitted game."""
    left = pairs.odd_part - base.odd_part(pairs.coalitions)
    return Pairs(pairs.coalitions, left, -left, pairs.weights, pairs.empty, pairs.grand)


def trees(pairs: Pairs, rng: np.random.Generator) -> Fitted:
    """Boosted trees on the bits of a coalition, beside an additive game."""
    base = linear(pairs)
    rest = boosted(residual_pairs(pairs, base))
    return Fitted(
        base.shapley + rest.shapley,
        lambda coalitions: base.odd_part(coalitions) + rest.odd_part(coalitions),
    )


def polynomial(pairs: Pairs, rng: np.random.Generator) -> Fitted:
    """Additive game and all interactions of three players, by ridge regression."""
    d = pairs.coalitions.shape[1]
    sets = sets_of_order(3, d)
    features = OddFeatures(d, [sets], np.ones(len(sets)))
    grand = np.ones((1, d), dtype=bool)
    fitted = fit_odd(
        [features],
        np.concatenate([pairs.coalitions, grand]),
        np.append(pairs.odd_part, 0.5 * pairs.total),
    )
    return Fitted(fitted.shapley(), fitted.odd_part)


def fourier(pairs: Pairs, rng: np.random.Generator) -> Fitted:
    """The regression of `OddFourier`."""
    fitted = fit_odd_part(pairs, "products", True, rng)
    return linear(pairs) if fitted is None else Fitted(fitted.shapley(), fitted.odd_part)


SURROGATES = {"trees": trees, "polynomial": polynomial, "fourier": fourier}


def fit_surrogate(name: str, pairs: Pairs, rng: np.random.Generator) -> Fitted:
    """The named surrogate; with fewer than 2 d pairs the additive game of least squares."""
    m, d = pairs.coalitions.shape
    if m == 0:
        return Fitted(np.zeros(d), lambda coalitions: np.zeros(len(coalitions)))
    return corrected(pairs) if d < 3 or m < 2 * d else SURROGATES[name](pairs, rng)
