"""The same expectations a second way, to check the closed forms by.

Each coalition alone, from `Law.given` instead of sweeps; and by another rule: sums over the rows
that are left, points that have the right moments, products of integrals along principal axes,
Gauss-Legendre in pieces, Owen's T. Slow, and as exact.
"""

from collections.abc import Callable
from functools import singledispatch
from typing import Any

import numpy as np
import scipy

from ...datasets.laws import MARGINS, ChainLaw, CopulaLaw, DiscreteLaw, GaussianLaw, Law, MixtureLaw
from ...models import NetworkRegression, Polynomial, RadialRegression
from ...models.base import Model
from . import expectation_of
from .additive import AdditiveExpectation
from .base import Expectation
from .boxes import BoxExpectation, cut
from .normal import NormalExpectation
from .table import TableExpectation

REACH = 12.0  # standard deviations of the normal law that integrals take in
LEGENDRE = np.polynomial.legendre.leggauss(30)
# Of the law of the absent features, which is of the kind that the closed form is for.
Mean = Callable[[Any, np.ndarray, np.ndarray], float]


class NumericalExpectation:
    """Values by `Law.given` and numerical integration, where `expectation_of` has a closed form."""

    def __init__(self, law: Law, model: Model, closed: Expectation):
        self.law, self.mean = law, mean_under(closed, model)

    def values(self, explicands: np.ndarray, coalitions: np.ndarray) -> np.ndarray:
        """Values (n, m)."""
        return np.array(
            [
                [self.mean(self.law.given(own, x[own]), own, x) for own in coalitions]
                for x in np.asarray(explicands, dtype=np.float64)
            ]
        )


def numerical_expectation(law: Law, model: Model) -> NumericalExpectation | None:
    """The second way, or None where there is no closed form to check."""
    closed = expectation_of(law, model)
    return None if closed is None else NumericalExpectation(law, model, closed)


@singledispatch
def mean_under(closed: Expectation, model: Model) -> Mean:
    """A function of the law of the rest, the members (d,) bool and the explicand (d,): E f."""
    raise TypeError(f"{type(closed).__name__} has no second way; write one")


@mean_under.register
def _(closed: TableExpectation, model: Model) -> Mean:
    def mean(rest: DiscreteLaw | ChainLaw, members: np.ndarray, explicand: np.ndarray) -> float:
        rows = _completed(rest.support, members, explicand)
        return float(rest.probabilities @ model.predict(rows))

    return mean


@mean_under.register
def _(closed: NormalExpectation, model: Model) -> Mean:
    ways: dict[type, Callable[..., float]] = {
        Polynomial: _by_points,
        RadialRegression: _by_axes,
        NetworkRegression: _by_units,
    }
    way = ways[type(model)]

    def mean(rest: GaussianLaw | MixtureLaw, members: np.ndarray, explicand: np.ndarray) -> float:
        if isinstance(rest, MixtureLaw):
            parts = [way(law, model, members, explicand) for law in rest.components]
            return float(np.dot(rest.weights, parts))
        return way(rest, model, members, explicand)

    return mean


def _by_points(
    rest: GaussianLaw, model: Model, members: np.ndarray, explicand: np.ndarray
) -> float:
    """Mean of f at m +- sqrt(k) times the columns of a root of C: right up to the third degree."""
    if members.all():
        return float(model.predict(explicand[None])[0])
    steps = np.sqrt(rest.n_features) * np.linalg.cholesky(rest.covariance).T
    points = rest.mean + np.concatenate([steps, -steps])
    return float(model.predict(_completed(points, members, explicand)).mean())


def _by_axes(rest: GaussianLaw, model: Model, members: np.ndarray, explicand: np.ndarray) -> float:
    """f is the same in turned coordinates, of which the principal axes are independent."""
    own = float(model.predict(np.where(members, explicand, 0.0)[None])[0])
    variances, axes = np.linalg.eigh(rest.covariance)
    nodes = np.linspace(-REACH, REACH, 601)
    weights = np.exp(-0.5 * nodes**2) / np.sqrt(2 * np.pi) * (nodes[1] - nodes[0])
    points = (axes.T @ rest.mean)[:, None] + np.sqrt(variances)[:, None] * nodes
    return own * float(np.prod(np.exp(-0.5 * points**2) @ weights))


def _by_units(
    rest: GaussianLaw, model: NetworkRegression, members: np.ndarray, explicand: np.ndarray
) -> float:
    """One integral per unit, in pieces that end where a ReLU has its kink."""
    network = model.network
    activation = {"relu": lambda z: np.maximum(z, 0), "probit": scipy.special.ndtr}
    (weights, ends), (biases, last) = network.weights, network.biases
    middles = biases + explicand[members] @ weights[members] + rest.mean @ weights[~members]
    variances = np.sum((rest.covariance @ weights[~members]) * weights[~members], axis=0)
    spreads = np.sqrt(variances)
    kinks = np.clip(-middles / np.where(spreads > 0, spreads, np.inf), -REACH, REACH)
    sides = np.linspace(-REACH, kinks, 7), np.linspace(kinks, REACH, 7)
    nodes, shares = _normal_rule(np.concatenate([sides[0], sides[1][1:]]).T)
    values = activation[network.activation](middles[:, None] + spreads[:, None] * nodes)
    return float(last[0] + ends[:, 0] @ np.sum(values * shares, axis=1))


def _normal_rule(ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gauss-Legendre in 30 nodes between each two ends, against the standard normal density.

    Ends (..., k) give nodes and weights (..., 30 (k - 1)).
    """
    half = np.diff(ends)[..., None] / 2
    points = ends[..., :-1, None] + half * (LEGENDRE[0] + 1)
    shares = np.exp(-0.5 * points**2) / np.sqrt(2 * np.pi) * half * LEGENDRE[1]
    shape = (*ends.shape[:-1], -1)
    return points.reshape(shape), shares.reshape(shape)


@mean_under.register
def _(closed: AdditiveExpectation, model: Model) -> Mean:
    nodes, weights = _normal_rule(np.linspace(-REACH, REACH, 25))

    def mean(rest: CopulaLaw | GaussianLaw, members: np.ndarray, explicand: np.ndarray) -> float:
        margins = getattr(rest, "margins", ["normal"] * rest.n_features)
        rows = np.tile(explicand, (len(nodes), 1))
        for k, j in enumerate(np.flatnonzero(~members)):
            latent = rest.mean[k] + np.sqrt(rest.covariance[k, k]) * nodes
            rows[:, j] = MARGINS[margins[k]].feature(latent)
        return float(weights @ model.predict(rows))  # of a sum, so margins may go together

    return mean


@mean_under.register
def _(closed: BoxExpectation, model: Model) -> Mean:
    low, high = cut(closed.boxes.low), cut(closed.boxes.high)

    def mean(rest: GaussianLaw, members: np.ndarray, explicand: np.ndarray) -> float:
        single = explicand[members].astype(np.float32)
        inside = (closed.boxes.low[:, members] <= single) & (single < closed.boxes.high[:, members])
        shares = inside.all(axis=1) * closed.boxes.values
        scale = np.sqrt(np.diag(rest.covariance))
        ends = ((cuts[:, ~members] - rest.mean) / scale for cuts in (low, high))
        bottom, top = (np.clip(end, -40.0, 40.0) for end in ends)
        correlations = rest.covariance / np.outer(scale, scale) - np.eye(len(scale))
        for a in range(len(scale)):
            b = int(np.abs(correlations[a]).argmax())
            if abs(correlations[a, b]) < 1e-14:
                shares = shares * (scipy.special.ndtr(top[:, a]) - scipy.special.ndtr(bottom[:, a]))
            elif a < b:
                corners = [
                    owen(x, y, correlations[a, b])
                    for x in (top[:, a], bottom[:, a])
                    for y in (top[:, b], bottom[:, b])
                ]
                shares = shares * (corners[0] - corners[1] - corners[2] + corners[3])
        return float(closed.base + shares.sum())

    return mean


def owen(first: np.ndarray, second: np.ndarray, correlation: float) -> np.ndarray:
    """P(X <= first, Y <= second) of correlated standard normal numbers, by Owen's T (Owen 1956).

    (P(h) + P(k)) / 2 - T(h, (k / h - r) / s) - T(k, (h / k - r) / s) with s^2 = 1 - r^2, less a
    half where h and k have different signs.
    """
    h, k = (np.where(end == 0, 1e-300, end) for end in (first, second))
    root = np.sqrt(1 - correlation**2)
    slopes = (k / h - correlation) / root, (h / k - correlation) / root
    apart = np.where(h * k < 0, 0.5, 0.0)
    halves = 0.5 * (scipy.special.ndtr(h) + scipy.special.ndtr(k))
    ends = scipy.special.owens_t(h, slopes[0]) + scipy.special.owens_t(k, slopes[1])
    return halves - ends - apart


def _completed(rest: np.ndarray, members: np.ndarray, explicand: np.ndarray) -> np.ndarray:
    """Rows (n, d) with the members as in the explicand and the others as given (n, k)."""
    rows = np.tile(explicand, (len(rest), 1))
    rows[:, ~members] = rest
    return rows
