"""Exact expected squared error of projected SGD after every step, without sampling.

Projected SGD of Grah & Thouvenot 2020, Section 4, on the efficiency hyperplane alone. A coalition
of l players has the probability q_l / C(d, l), q the size distribution (d - 1,). With P the
projection on the vectors that sum to zero, c_l = 2 (d - 1) / (l (d - l) q_l),
r_S = <x_S, phi*> - (v(S) - v(empty)) and mu = 1 - 1/d, one step takes delta = phi - phi* to

    delta - gamma c (<x, delta> + r) P x,    averaged over the batch.

The mean shrinks by 1 - 2 gamma mu. The players being exchangeable, E[c^2 ||Px||^2 Px(Px)'] is a
multiple of P. The second moment of the gradient is therefore

    E ||c (<x, delta> + r) Px||^2 = growth ||delta||^2 + 2 <h, delta> + noise,

and E ||delta||^2 obeys a scalar recursion (the report's Proposition prop:recursion). It is exact
for every game, every step-size rule and every size distribution.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit

from shapaudit.samplers.gradients import gradient_bound, strong_convexity
from shapaudit.samplers.sizes import projected_gradient_sizes

from .gradients import second_moment, squares_by_size


@dataclass(frozen=True, eq=False)
class Residuals:
    """What the expected squared error depends on, of one game.

    Attributes
    ----------
    at_start, at_solution : mean squared residuals (d - 1,) by size, at phi_0 = v(M)/d and at phi*
    distance : ||phi_0 - phi*||^2
    """

    at_start: np.ndarray
    at_solution: np.ndarray
    distance: float

    @classmethod
    def of_game(cls, values: np.ndarray, phi_star: np.ndarray) -> "Residuals":
        """Of a game with values (2^d,) and Shapley values (d,)."""
        start = np.full(len(phi_star), (values[-1] - values[0]) / len(phi_star))
        return cls(
            squares_by_size(values, start),
            squares_by_size(values, phi_star),
            float(np.square(start - phi_star).sum()),
        )


@dataclass(frozen=True)
class GradientMoments:
    """The coefficients of the recursion, of one game and one size distribution.

    Attributes
    ----------
    n_players : d
    growth : second moment of the gradient per unit of ||delta||^2
    cross : <h, phi_0 - phi*>, h = E[c^2 ||Px||^2 r Px]
    noise : E[c^2 r^2 ||Px||^2], the second moment at the solution
    start : ||phi_0 - phi*||^2
    """

    n_players: int
    growth: float
    cross: float
    noise: float
    start: float


def gradient_growth(probabilities: np.ndarray) -> float:
    """4 (d - 1)/d^2 sum_l 1/q_l: E[c^2 ||Px||^2 Px(Px)'] in units of P."""
    d = len(probabilities) + 1
    return 4 * (d - 1) / d**2 * float((1 / probabilities).sum())


def gradient_moments(residuals: Residuals, probabilities: np.ndarray) -> GradientMoments:
    """Moments of the projected gradient; the cross term is what is left of the one at phi_0."""
    growth = gradient_growth(probabilities)
    noise = second_moment(residuals.at_solution, probabilities, projected=True)
    at_start = second_moment(residuals.at_start, probabilities, projected=True)
    cross = (at_start - noise - growth * residuals.distance) / 2
    return GradientMoments(len(probabilities) + 1, growth, cross, noise, residuals.distance)


def averaging_rates(average: str, count: int) -> np.ndarray:
    """Weights (T,) of phi_t in the running averages of phi_0, ..., phi_t, for t = 1, ..., T."""
    t = np.arange(1.0, count + 1)
    if average == "last":
        return np.ones(count)
    if average == "uniform":
        return 1 / (t + 1)
    if average == "weighted":
        return 2 / (t + 2)
    raise ValueError(f"average {average!r} is none of last, uniform, weighted.")


def inverse_steps(n_players: int, count: int) -> np.ndarray:
    """2 / (mu (t + 1)) for t = 1, ..., T (Section 4.2)."""
    return 2 / (strong_convexity(n_players) * np.arange(2.0, count + 2))


def contracting_steps(n_players: int, count: int) -> np.ndarray:
    """1/(2 mu (t + t0)), t0 = 1/min q of the projected gradient's sizes, for t = 1, ..., T."""
    delay = 1 / projected_gradient_sizes(n_players).min()
    return 1 / (2 * strong_convexity(n_players) * (np.arange(1.0, count + 1) + delay))


def square_root_steps(n_players: int, ratio: float, count: int) -> np.ndarray:
    """2 D / (B sqrt(t)) for t = 1, ..., T, ratio = D / C (Section 4.2)."""
    first = 2 * ratio / gradient_bound(n_players, ratio, 1.0)
    return first / np.sqrt(np.arange(1.0, count + 1))


@njit(cache=True, nogil=True)
def _recursion(start, cross, noise, factors, shrink, variances, rates):
    """E ||average_t - phi*||^2 (T + 1,); infinite from where it leaves the range of floats.

    e is E ||delta||^2 of the iterate, r the mean product of iterate and average, both errors.
    """
    errors = np.full(len(rates) + 1, np.inf)
    iterate, product, average, mean = start, start, start, 1.0
    errors[0] = start
    for t in range(len(rates)):
        a, rate = shrink[t], rates[t]
        iterate = factors[t] * iterate + variances[t] * (2 * cross * mean + noise)
        mean *= a
        average = (
            (1 - rate) ** 2 * average + 2 * rate * (1 - rate) * a * product + rate**2 * iterate
        )
        product = (1 - rate) * a * product + rate * iterate
        if not np.isfinite(iterate):
            break
        errors[t + 1] = average
    return errors


def errors_from_moments(
    moments: GradientMoments, steps: np.ndarray, average: str = "last", batch: int = 1
) -> np.ndarray:
    """E ||average - phi*||^2 (T + 1,) after 0, ..., T steps of sizes ``steps`` (T,)."""
    steps = np.asarray(steps, dtype=float)
    return _recursion(
        moments.start,
        moments.cross,
        moments.noise,
        _factors(moments.n_players, moments.growth, steps, batch),
        1 - 2 * steps * strong_convexity(moments.n_players),
        steps**2 / batch,
        averaging_rates(average, len(steps)),
    )


def expected_squared_errors(
    values: np.ndarray,
    phi_star: np.ndarray,
    probabilities: np.ndarray,
    steps: np.ndarray,
    average: str = "last",
    batch: int = 1,
) -> np.ndarray:
    """E ||estimate - phi*||^2 (T + 1,) of projected SGD after 0, ..., T steps, exactly.

    Parameters
    ----------
    values : all values (2^d,) of the game, in the order of `games.coalition_index`
    phi_star : its Shapley values (d,)
    probabilities : size distribution (d - 1,), all positive
    steps : step sizes (T,) for F with its factor 2, as in the paper
    average : "last" iterate, "uniform" mean of phi_0, ..., phi_t, or "weighted" by t + 1
    batch : coalitions per step
    """
    moments = gradient_moments(Residuals.of_game(values, phi_star), probabilities)
    return errors_from_moments(moments, steps, average, batch)


def mean_factors(n_players: int, steps: np.ndarray, average: str = "last") -> np.ndarray:
    """Factors (T + 1,) with E[estimate_t] - phi* = factor_t (phi_0 - phi*)."""
    shrink = 1 - 2 * np.asarray(steps, dtype=float) * strong_convexity(n_players)
    factors = [1.0]
    for iterate, rate in zip(
        np.cumprod(shrink), averaging_rates(average, len(shrink)), strict=True
    ):
        factors.append(factors[-1] + rate * (iterate - factors[-1]))
    return np.array(factors)


def _factors(n_players, growth, steps, batch):
    mu = strong_convexity(n_players)
    return 1 - 4 * steps * mu + steps**2 * (growth / batch + (1 - 1 / batch) * 4 * mu**2)


def squared_factors(probabilities: np.ndarray, steps: np.ndarray, batch: int = 1) -> np.ndarray:
    """Factors (T,) of E ||phi - phi*||^2 per step, but for noise and cross term."""
    steps = np.asarray(steps, dtype=float)
    return _factors(len(probabilities) + 1, gradient_growth(probabilities), steps, batch)


def stability_limit(probabilities: np.ndarray, batch: int = 1) -> float:
    """The constant step below which E ||phi - phi*||^2 stays bounded: d / sum_l 1/q_l at batch 1.

    4 mu / (growth / b + (1 - 1/b) 4 mu^2) in general. At the limit the second-moment operator has
    spectral radius 1, whatever the game. The best distribution is uniform over the sizes, with
    d / (d - 1)^2 (the report's Proposition prop:stability).
    """
    mu = strong_convexity(len(probabilities) + 1)
    return 4 * mu / (gradient_growth(probabilities) / batch + (1 - 1 / batch) * 4 * mu**2)


def log_amplification(probabilities: np.ndarray, steps: np.ndarray, batch: int = 1) -> np.ndarray:
    """log10 (T,) of the product of `squared_factors` up to each step.

    Its maximum says by how much the expected squared error grows before the steps fall below the
    stability limit. A factor of 0 (d = 2 and gamma = 1/(2 mu)) gives minus infinity.
    """
    with np.errstate(divide="ignore"):
        return np.cumsum(np.log10(squared_factors(probabilities, steps, batch)))
