"""Normal laws and their mixtures: closed forms from conditional means and covariances.

With m and C the mean and the covariance of X given x_S (C is 0 on S), of one normal law,

    polynomials     f(m) + tr(Q C)
    radial          (pi / 2)^(d / 2) |I + C|^(-1/2) exp(-m' (I + C)^(-1) m / 2)
    one layer       b + sum_h a_h E s(N(w_h'm + b_h, w_h'C w_h)), with
                    E max(Z, 0) = mu P(mu / sd) + sd p(mu / sd), E P(Z) = P(mu / sqrt(1 + sd^2)),

P and p being the standard normal distribution function and density. Given x_S, components of a
mixture have weights proportional to their own times their density of x_S.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy
from numba import njit

from ...datasets.laws import GaussianLaw, MixtureLaw
from ...datasets.laws.sweep import Conditionals, conditionals
from ...models import NetworkRegression, Polynomial, RadialRegression
from ...models.base import Model
from .base import blocks

LAYERS = ("relu", "probit")  # activations of one hidden layer with a closed form
TINY = 1e-200  # below any weight
FAR, NODES = 9, 32  # where the normal tails are below rounding, and nodes of the series per unit
ROOT_HALF = math.sqrt(0.5)
Form = Callable[[np.ndarray, np.ndarray], np.ndarray]


def _relu_series() -> np.ndarray:
    """Taylor coefficients (n, 7) of z P(z) + p(z) = E max(z + Z, 0) about nodes from -FAR to FAR.

    The derivatives are P, p, and p times Hermite polynomials. Half a step away the next term is
    below 2e-16, and an evaluation takes a tenth of the time of an exponential and an erfc.
    """
    z = np.arange(-FAR * NODES, FAR * NODES + 1) / NODES
    density = np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi)
    # SciPy's `ndtr` would load its special functions with the games: a sixth of a second.
    share = np.array([0.5 * math.erfc(-ROOT_HALF * point) for point in z])
    hermite = [1 + 0 * z, -z, z**2 - 1, 3 * z - z**3, z**4 - 6 * z**2 + 3]
    higher = [density * p / math.factorial(k) for k, p in enumerate(hermite, start=2)]
    return np.column_stack([z * share + density, share, *higher])


SERIES = _relu_series()


@dataclass(frozen=True, eq=False)
class NormalExpectation:
    """Closed forms of a normal law or a mixture.

    Parameters
    ----------
    components : normal laws
    weights : (K,), of the components
    form : maps conditional means (m, n, d) and covariances (m, d, d) to expectations (m, n)
    width : numbers that the form needs for each coalition and explicand, about
    """

    components: list[GaussianLaw]
    weights: np.ndarray
    form: Form
    width: int

    def values(self, explicands: np.ndarray, coalitions: np.ndarray) -> np.ndarray:
        """Values (n, m)."""
        n, d = explicands.shape
        parts = [
            self._block(explicands, coalitions[block])
            for block in blocks(len(coalitions), max(n * self.width, 4 * d * d))
        ]
        return np.concatenate([np.empty((0, n)), *parts]).T

    def _block(self, explicands: np.ndarray, coalitions: np.ndarray) -> np.ndarray:
        by_component, logs = [], []
        for weight, law in zip(self.weights, self.components, strict=True):
            given = conditionals(law.covariance, coalitions)
            off = explicands - law.mean
            means = law.mean + off @ given.gains.transpose(0, 2, 1)
            by_component.append(self.form(means, given.left))
            logs.append(np.log(max(weight, TINY)) + _log_densities(given, off))
        if len(by_component) == 1:
            return by_component[0]
        return np.sum(scipy.special.softmax(logs, axis=0) * by_component, axis=0)


def _log_densities(given: Conditionals, off: np.ndarray) -> np.ndarray:
    """Logarithm (m, n) of the density of x_S, up to what all components share."""
    squares = np.sum((off @ given.precisions) * off, axis=-1)
    return -0.5 * (squares + given.log_determinants[:, None])


def normal_expectation(law: GaussianLaw | MixtureLaw, model: Model) -> NormalExpectation | None:
    """The closed form, or None where the model has none."""
    made = _form(model)
    if made is None:
        return None
    form, width = made
    if isinstance(law, GaussianLaw):
        return NormalExpectation([law], np.ones(1), form, width)
    return NormalExpectation(law.components, law.weights, form, width)


def _form(model: Model) -> tuple[Form, int] | None:
    if isinstance(model, Polynomial):
        return _polynomial(model), model.n_features
    if isinstance(model, RadialRegression):
        return _radial(model), model.n_features
    if isinstance(model, NetworkRegression) and is_layer(model):
        return _layer(model), max(model.network.sizes)
    return None


def is_layer(model: Model) -> bool:
    """Whether the model is one hidden layer with an activation of `LAYERS`."""
    if not isinstance(model, NetworkRegression):
        return False
    return len(model.network.sizes) == 3 and model.network.activation in LAYERS


def _polynomial(model: Polynomial) -> Form:
    def form(means: np.ndarray, left: np.ndarray) -> np.ndarray:
        curved = np.sum((means @ model.quadratic) * means, axis=-1)
        spread = np.einsum("ij,mij->m", model.quadratic, left)
        return model.intercept + means @ model.linear + curved + spread[:, None]

    return form


def _radial(model: RadialRegression) -> Form:
    def form(means: np.ndarray, left: np.ndarray) -> np.ndarray:
        wide = np.eye(model.n_features) + left
        squares = np.sum((means @ np.linalg.inv(wide)) * means, axis=-1)
        determinants = np.linalg.slogdet(wide)[1][:, None]
        scale = 0.5 * model.n_features * np.log(np.pi / 2)
        return np.exp(scale - 0.5 * (squares + determinants))

    return form


def _layer(model: NetworkRegression) -> Form:
    (weights, ends), (biases, last) = model.network.weights, model.network.biases
    kernel = {"relu": _add_relus, "probit": _add_probits}[model.network.activation]
    ends = np.ascontiguousarray(ends[:, 0])

    def form(means: np.ndarray, left: np.ndarray) -> np.ndarray:
        entered = means @ weights + biases
        variances = np.sum((left @ weights) * weights, axis=1)
        out = np.empty(entered.shape[:2])
        kernel(entered, np.sqrt(np.maximum(variances, 0.0)), ends, out)
        return out + last[0]

    return form


@njit(cache=True, nogil=True)
def _add_relus(entered: np.ndarray, spreads: np.ndarray, ends: np.ndarray, out: np.ndarray) -> None:
    """Sum over units of their end weight times E max(Z, 0) for Z ~ N(entered, spread^2)."""
    for t in range(entered.shape[0]):
        for i in range(entered.shape[1]):
            total = 0.0
            for h in range(ends.size):
                mean, spread = entered[t, i, h], spreads[t, h]
                if abs(mean) >= FAR * spread:
                    total += ends[h] * max(mean, 0.0)
                    continue
                place = int((mean / spread + FAR) * NODES + 0.5)
                series = SERIES[place]
                step = mean / spread + FAR - place / NODES
                value = series[6]
                for k in range(5, -1, -1):
                    value = value * step + series[k]
                total += ends[h] * spread * value
            out[t, i] = total


@njit(cache=True, nogil=True)
def _add_probits(
    entered: np.ndarray, spreads: np.ndarray, ends: np.ndarray, out: np.ndarray
) -> None:
    """Sum over units of their end weight times E P(Z) for Z ~ N(entered, spread^2)."""
    for t in range(entered.shape[0]):
        for i in range(entered.shape[1]):
            total = 0.0
            for h in range(ends.size):
                z = entered[t, i, h] / math.sqrt(1 + spreads[t, h] ** 2)
                total += ends[h] * 0.5 * math.erfc(-z * ROOT_HALF)
            out[t, i] = total
