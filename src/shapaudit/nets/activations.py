"""Activations of hidden layers: value, and derivative times what comes back from the output."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy

LEAK = 0.01  # slope of the leaky ReLU below 0
PEAK = 1 / np.sqrt(2 * np.pi)


class Activation(NamedTuple):
    """A function of one number, applied to arrays.

    ``value(z)``; ``back(errors, z, value)`` is errors * derivative at z, given the value there,
    from which most derivatives follow without another exponential; it may write into the errors.
    At the kink of a ReLU the derivative is that from the left.
    """

    value: Callable[[np.ndarray], np.ndarray]
    back: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def _relu(z: np.ndarray) -> np.ndarray:
    return np.maximum(z, 0)


def _leaky(z: np.ndarray) -> np.ndarray:
    return np.maximum(z, z.dtype.type(LEAK) * z)


def _logistic(z: np.ndarray) -> np.ndarray:
    return scipy.special.expit(z)  # loaded here, as it takes a fifth of a second


def _probit(z: np.ndarray) -> np.ndarray:
    return scipy.special.ndtr(z)


def _relu_back(errors: np.ndarray, z: np.ndarray, value: np.ndarray) -> np.ndarray:
    errors *= z > 0
    return errors


def _leaky_back(errors: np.ndarray, z: np.ndarray, value: np.ndarray) -> np.ndarray:
    return np.where(z > 0, errors, errors.dtype.type(LEAK) * errors)


def _logistic_back(errors: np.ndarray, z: np.ndarray, value: np.ndarray) -> np.ndarray:
    return errors * value * (1 - value)


def _tanh_back(errors: np.ndarray, z: np.ndarray, value: np.ndarray) -> np.ndarray:
    return errors * (1 - value * value)


def _probit_back(errors: np.ndarray, z: np.ndarray, value: np.ndarray) -> np.ndarray:
    return errors * z.dtype.type(PEAK) * np.exp(-0.5 * z * z)


ACTIVATIONS: dict[str, Activation] = {
    "relu": Activation(_relu, _relu_back),
    "leaky-relu": Activation(_leaky, _leaky_back),
    "logistic": Activation(_logistic, _logistic_back),
    "tanh": Activation(np.tanh, _tanh_back),
    "probit": Activation(_probit, _probit_back),
}
