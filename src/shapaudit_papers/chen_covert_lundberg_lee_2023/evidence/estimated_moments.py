"""Evidence on claim 47h: correlated LinearSHAP whose mean and covariance come from a few rows."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from shapaudit.games import all_coalitions
from shapaudit.truth import shapley_from_table
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled

PLAYERS, SIZES = 3, (8, 20)  # features, and rows of a sample
COEFFICIENTS, AWAY = np.array([1.0, -2.0, 0.5]), np.array([1.0, 0.5, -1.0])
SPREAD = np.array([[1.0, 0.6, 0.3], [0.6, 1.0, 0.5], [0.3, 0.5, 1.0]])
FREEDOM = 5  # degrees of the law of Student
SHARES = np.array([1.0, 2.0, 3.0, 4.0])  # of the law of Dirichlet
PARABOLA = "the second the square of the first"

Table = np.ndarray


class SampledLaw(NamedTuple):
    """A law of rows: how (k, n, d) are drawn, the explicand (d,), and beta'E[x | x_S] there."""

    draw: Callable[[np.random.Generator, int, int], np.ndarray]
    explicand: np.ndarray
    values: Table


def by_regressions(mean: np.ndarray, covariance: np.ndarray, explicand: np.ndarray) -> Table:
    """beta'E[x | x_S] (2^d,) of a law with linear regressions."""
    gains, moved = covariance @ COEFFICIENTS, explicand - mean
    values = [
        np.linalg.solve(covariance[np.ix_(s, s)], gains[s]) @ moved[s]
        for s in all_coalitions(PLAYERS)
    ]
    return COEFFICIENTS @ mean + np.array(values)


def gaussian_world() -> SampledLaw:
    """Normal features."""
    root = np.linalg.cholesky(SPREAD)

    def draw(rng, count, rows):
        return rng.normal(size=(count, rows, PLAYERS)) @ root.T

    return SampledLaw(draw, AWAY, by_regressions(0 * AWAY, SPREAD, AWAY))


def student_world() -> SampledLaw:
    """Features of a multivariate t law, which are dependent beyond their covariance."""
    root = np.linalg.cholesky(SPREAD)

    def draw(rng, count, rows):
        scale = np.sqrt(FREEDOM / rng.chisquare(FREEDOM, size=(count, rows, 1)))
        return scale * (rng.normal(size=(count, rows, PLAYERS)) @ root.T)

    return SampledLaw(draw, AWAY, by_regressions(0 * AWAY, SPREAD, AWAY))


def dirichlet_world() -> SampledLaw:
    """Three of four shares of a whole."""
    mean = SHARES / SHARES.sum()
    covariance = (np.diag(mean) - np.outer(mean, mean)) / (SHARES.sum() + 1)
    mean, covariance = mean[:PLAYERS], covariance[:PLAYERS, :PLAYERS]
    explicand = np.array([0.2, 0.1, 0.4])

    def draw(rng, count, rows):
        return rng.dirichlet(SHARES, size=(count, rows))[..., :PLAYERS]

    return SampledLaw(draw, explicand, by_regressions(mean, covariance, explicand))


def parabola_world() -> SampledLaw:
    """A normal feature, its square with a little noise, and a third one apart."""

    def draw(rng, count, rows):
        first, noise, third = rng.normal(size=(3, count, rows))
        return np.stack([first, first**2 + 0.1 * noise, third], axis=-1)

    inside = all_coalitions(PLAYERS)
    second = np.where(inside[:, 1], AWAY[1], np.where(inside[:, 0], AWAY[0] ** 2, 1.0))
    kept = np.where(inside[:, [0, 2]], AWAY[[0, 2]], 0.0)  # the sign of the first stays open
    return SampledLaw(draw, AWAY, COEFFICIENTS[1] * second + kept @ COEFFICIENTS[[0, 2]])


WORLDS = {
    "Gaussian": gaussian_world,
    "Student": student_world,
    "Dirichlet": dirichlet_world,
    PARABOLA: parabola_world,
}


def estimated_values(rows: np.ndarray, explicand: np.ndarray) -> np.ndarray:
    """Return values (k, d) at the explicand by mean and covariance of samples (k, n, d)."""
    mean = rows.mean(axis=1, keepdims=True)
    moved, away = rows - mean, explicand - mean[:, 0]
    covariance = moved.swapaxes(1, 2) @ moved
    gains = covariance @ COEFFICIENTS
    table = np.repeat((mean @ COEFFICIENTS), 1 << PLAYERS, axis=1)
    for k, s in enumerate(map(np.flatnonzero, all_coalitions(PLAYERS))):
        if s.size:
            own = covariance[:, s[:, None], s]
            slopes = np.linalg.solve(own, gains[:, s, None])[..., 0]
            table[:, k] += (slopes * away[:, s]).sum(axis=1)
    return shapley_from_table(table)


@sampled
def gather_estimated(context: Context, worlds=WORLDS) -> Evidence:
    """Return mean and standard error of the bias due to estimated moments, by law and sample."""
    rows = []
    for name, make in worlds.items():
        world = make()
        exact = shapley_from_table(world.values[None])[0]
        for n in SIZES:
            rng = context.generator("ccll23-47h", name, n)
            count = context.settings.repetitions
            off = estimated_values(world.draw(rng, count, n), world.explicand) - exact
            errors = off.std(axis=0, ddof=1) / np.sqrt(count)
            for j, (mean, error) in enumerate(zip(off.mean(axis=0), errors, strict=True)):
                row = {"law": name, "rows": n, "feature": j + 1}
                rows.append(row | {"bias": float(mean), "error": float(error), "samples": count})
    return {"rows": rows}
