"""Evidence on claims 8 to 10.

Printed values that can be checked: toy example, noise, condition numbers, sizes.
"""

from collections.abc import Callable
from itertools import permutations

import numpy as np

from shapaudit.datasets.linear import load
from shapaudit.truth import shapley_from_table
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence

from .common import published

HALF = 0.005  # of the last printed digit
DIFFERENCE_ROUNDING = 1e-12
TOY = 3
DRAWS = {100: 50, 1000: 2}  # correlation matrices by p
EXPERIMENTS = {100: 100_000, 1000: 1_000_000}  # rows by p
ORDERS = (3, 4, 5, 6)  # numbers of features whose permutations are looked at


def gather_toy(context: Context, quantity: str = "toy-data-r2") -> Evidence:
    """Printed Shapley values, R^2 and lifts, and those of the authors' data."""
    own = published(context, quantity)
    table = np.array([own[_key(index)] for index in range(1 << TOY)])
    printed, rows = published(context, "toy-r2"), []
    for index in range(1, 1 << TOY):
        key = _key(index)
        rows.append(_row(f"R² of {', '.join(key)}", printed[key], table[index]))
    lifts = {order: _lifts(table, order) for order in permutations(range(TOY))}
    means = np.zeros(TOY)
    for j in range(TOY):
        cells = published(context, f"toy-lift-{j + 1}")
        means[j] = np.mean(list(cells.values()))
        for order, gains in lifts.items():
            key = "".join(str(k + 1) for k in order)
            label = f"lift of {j + 1} in {', '.join(key)}"
            rows.append(_row(label, cells[key], gains[j]))
    values, shapley = shapley_from_table(table), published(context, "toy-shapley")
    for j in range(TOY):
        rows.append(_row(f"Shapley value {j + 1}", shapley[str(j + 1)], values[j]))
    return {"rows": rows, "means": means.tolist()}


def _key(index: int) -> str:
    return "".join(str(j + 1) for j in range(TOY) if index >> j & 1)


def _lifts(table: np.ndarray, order) -> np.ndarray:
    lifts, index = np.zeros(TOY), 0
    for j in order:
        lifts[j] = table[index | 1 << j] - table[index]
        index |= 1 << j
    return lifts


def _row(what: str, printed: float, value: float) -> Evidence:
    agrees = abs(printed - value) <= HALF + DIFFERENCE_ROUNDING
    return {"what": what, "printed": printed, "found": value, "agrees": int(agrees)}


def gather_shapes(context: Context, sphere: Callable = lambda p: p - 1) -> Evidence:
    """Printed dimensions, and those that the equations need; ``sphere`` is what is printed of p."""
    rows = []
    for p, n in EXPERIMENTS.items():
        rows.append({"what": "noise", "p": p, "printed": p, "needed": n})
        rows.append({"what": "matrix of [X y]", "p": p, "printed": p, "needed": p + 1})
    for p in ORDERS:
        vertices = np.array(list(permutations(range(p)))) - (p - 1) / 2
        dimension = int(np.linalg.matrix_rank(vertices)) - 1  # of a sphere in that space
        rows.append({"what": "sphere", "p": p, "printed": sphere(p), "needed": dimension})
    return {"rows": rows}


def gather_noise(context: Context) -> Evidence:
    """R^2 of the true coefficients with the printed noise and with that of the public code."""
    rows = []
    for p in DRAWS:
        rng = context.generator("bdb24-09", p)
        mechanism = load(rng, n_train=1, n_test=1, n_features=p, problems=DRAWS[p])
        for name in ("printed", "code"):
            r_squared = []
            for k in range(DRAWS[p]):
                theta = mechanism.coefficients[k]
                signal = float(theta @ mechanism.covariance(k) @ theta)
                noise = 1.5 * p * p if name == "printed" else float(mechanism.noise[k])
                r_squared.append(signal / (signal + noise))
            rows.append(
                {"p": p, "noise": name, "r2": float(np.mean(r_squared)), "most": max(r_squared)}
            )
    return {"rows": rows, "error_estimate": published(context, "error-estimate")["1000"]}


def gather_conditions(context: Context) -> Evidence:
    """Condition numbers of C as the paper draws it, and a bound that holds for each draw."""
    rows = []
    for p, draws in DRAWS.items():
        rng = context.generator("bdb24-10", p)
        mechanism = load(rng, n_train=1, n_test=1, n_features=p, problems=draws)
        conditions, bounds = [], []
        for k in range(draws):
            values = np.linalg.eigvalsh(mechanism.covariance(k))
            conditions.append(float(values[-1] / values[0]))
            # C is at least D^-1, D the diagonal of F F' + I, and its trace is p.
            bounds.append(p / float(np.square(mechanism.specific[k]).min()))
        row = {"p": p, "printed": published(context, "condition")[str(p)], "draws": draws}
        rows.append(row | {"least": min(conditions), "most": max(conditions), "bound": max(bounds)})
    return {"rows": rows}
