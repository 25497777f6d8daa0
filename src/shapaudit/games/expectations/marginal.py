"""Exact values of the marginal game of a law: absent features have their own joint law.

v(S) = E[f(x_S, X_absent)], Chen et al. 2023, Equation 4. It is the conditional value of S under the
law in which the present features are independent of the absent ones.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ...datasets.laws import ChainLaw, CopulaLaw, DiscreteLaw, GaussianLaw, Law, MixtureLaw
from ...models import Model
from ..base import GameError
from . import expectation_of


def marginal_values(
    law: Law, model: Model, explicands: np.ndarray, coalitions: np.ndarray
) -> np.ndarray:
    """Values (n, m) at explicands (n, d) of coalitions (m, d) bool.

    Laws with finitely many rows take any model, others those of which conditional expectations are
    known; raises `GameError` for another one.
    """
    if isinstance(law, DiscreteLaw | ChainLaw):
        return _of_table(law, model, explicands, coalitions)
    return np.stack([_of_cut(law, model, explicands, own) for own in coalitions], axis=1)


def _of_cut(law: Law, model: Model, explicands: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Values (n,) of one coalition, by the law without correlations between it and the rest."""
    total = np.zeros(len(explicands))
    for weight, part in _cut(law, members[:, None] == members):
        expectation = expectation_of(part, model)
        if expectation is None:
            raise GameError(
                f"no closed form is known for the marginal game of a {type(model).__name__} under "
                f"a {type(law).__name__}; choose another model or law"
            )
        total += weight * expectation.values(explicands, members[None])[:, 0]
    return total


def _cut(law: Law, kept: np.ndarray) -> Iterator[tuple[float, Law]]:
    """Weights and laws with the covariances (d, d) that are kept, and zeros elsewhere.

    Of a mixture each component by itself: what is present does not tell of the component.
    """
    if isinstance(law, MixtureLaw):
        for weight, mean, covariance in zip(law.weights, law.means, law.covariances, strict=True):
            yield float(weight), GaussianLaw(mean, covariance * kept)
    elif isinstance(law, GaussianLaw | CopulaLaw):
        yield 1.0, replace(law, covariance=law.covariance * kept)
    else:
        raise GameError(f"the marginal game of a {type(law).__name__} is not known")


def _of_table(
    law: DiscreteLaw | ChainLaw, model: Model, explicands: np.ndarray, coalitions: np.ndarray
) -> np.ndarray:
    """Sums over the combinations of absent features, each with its probability."""
    support, weights = law.support, law.probabilities
    codes = np.stack([np.unique(column, return_inverse=True)[1] for column in support.T], axis=1)
    strides = np.cumprod(np.append(1, codes.max(axis=0) + 1))[:-1]
    values = np.empty((len(explicands), len(coalitions)))
    for k, members in enumerate(coalitions):
        combined = codes @ np.where(members, 0, strides)
        _, first, place = np.unique(combined, return_index=True, return_inverse=True)
        mass = np.bincount(place, weights)
        rows = np.where(members, explicands[:, None], support[first])
        outputs = np.asarray(model.predict(rows.reshape(-1, len(members))), dtype=np.float64)
        values[:, k] = outputs.reshape(len(explicands), -1) @ mass
    return values
