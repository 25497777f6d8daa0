"""Distributions of the size of a coalition: probabilities (d - 1,) of the sizes 1, ..., d - 1."""

from typing import Literal

import numpy as np
import scipy


def binomial_sizes(n_players: int) -> np.ndarray:
    """Size of a coalition drawn uniformly from the 2^d - 2 proper ones."""
    size = np.arange(1, n_players)
    log = -scipy.special.gammaln(size + 1) - scipy.special.gammaln(n_players - size + 1)
    weight = np.exp(log - log.max(initial=-np.inf))
    return weight / weight.sum()


def kernel_sizes(n_players: int) -> np.ndarray:
    """Size under the Shapley kernel: proportional to 1 / (l (d - l)) (Lundberg & Lee 2017)."""
    size = np.arange(1, n_players)
    weight = 1.0 / (size * (n_players - size))
    return weight / weight.sum()


def projected_gradient_sizes(n_players: int) -> np.ndarray:
    """Sizes for gradients of the weighted least squares, projected on the efficiency hyperplane.

    Proportional to C(d, l) w_l ||P x|| = (d - 1) / sqrt(d l (d - l)): the second moment of the
    projected gradient is least for it when the residuals of all sizes are alike.
    """
    size = np.arange(1, n_players)
    weight = 1.0 / np.sqrt(size * (n_players - size))
    return weight / weight.sum()


def leverage_sizes(n_players: int) -> np.ndarray:
    """All sizes alike: leverage scores 1 / C(d, l) of the coalitions (Musco & Witter 2025)."""
    return np.full(n_players - 1, 1.0) / (n_players - 1)


Sizes = Literal["kernel", "leverage", "projected"]
SIZES = {
    "kernel": kernel_sizes,
    "leverage": leverage_sizes,
    "projected": projected_gradient_sizes,
}
