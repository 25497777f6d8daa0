"""Claim 6: Cholesky reduction against QR as the condition number grows."""

from fractions import Fraction

import numpy as np

from ...games import GameError, RegressionGame
from ...models import ModelError
from ...models.reduced import reduce_problem
from ...models.reduction import blocks_of
from ...theory.regression import fit, r_squared
from ..base import Evidence, Verdict
from ..context import Context
from ..exact import show
from .common import claim

P, ROWS = 4, 12
EXPONENTS = range(1, 18, 2)  # of the condition number of the matrix of features
FAILED = "fails"
SAME = 1e-8  # difference up to which the two count as equal
WELL, BADLY = 1e3, 1e8  # condition numbers of X


def gather_conditions(context: Context, methods=("cholesky", "qr")) -> Evidence:
    """Errors of R^2 of all features by both reductions, against rational arithmetic."""
    rows = []
    for exponent in EXPONENTS:
        rng = context.generator("bdb24-06", exponent)
        left, right = (np.linalg.qr(rng.standard_normal((n, P)))[0] for n in (ROWS, P))
        train = left * np.logspace(0, -exponent, P) @ right.T
        test = rng.standard_normal((ROWS, P)) @ np.diag(np.linalg.norm(train, axis=0))
        theta = rng.standard_normal(P)
        parts = [(x, x @ theta + 0.1 * rng.standard_normal(ROWS)) for x in (train, test)]
        exact = _exact(*parts)
        row = {"condition": float(10.0**exponent)}
        rows.append(row | {name: _error(parts, name, exact) for name in methods})
    return {"rows": rows}


def _exact(train, test) -> float:
    (rows, target), other = (tuple(map(_fractions, part)) for part in (train, test))
    return float(r_squared(*other, fit(rows, target, range(P))))


def _fractions(array: np.ndarray) -> np.ndarray:
    return np.array([Fraction(x) for x in array.ravel().tolist()], dtype=object).reshape(
        array.shape
    )


def _error(parts, method, exact) -> float | str:
    """Error relative to the size of R^2, or that the reduction fails."""
    try:
        problem = reduce_problem(*(blocks_of(*part) for part in parts), False, method)
        game = RegressionGame([problem])
        found = float(game(np.ones((1, P), dtype=bool))[0])
    except (ModelError, GameError):
        return FAILED
    return abs(found - exact) / max(1.0, abs(exact))


def _at(rows, name, low=0.0, high=np.inf) -> list[float]:
    chosen = [row[name] for row in rows if low <= row["condition"] <= high]
    return [np.inf if error == FAILED else error for error in chosen]


def check_equal(evidence: Evidence, alpha: float) -> Verdict:
    """Supported when both are right for well conditioned features."""
    rows = tuple(evidence["rows"])
    worst = max(_at(rows, "cholesky", high=WELL) + _at(rows, "qr", high=WELL))
    sample = {"conditions": len(rows)}
    if worst > SAME:
        return Verdict(
            "refuted",
            f"An error of {show(worst)} below a condition number of 1000.",
            "false",
            sample=sample,
            rows=rows,
        )
    return Verdict(
        "supported",
        "Both reductions give the R² of rational arithmetic up to a condition number of 1000 of "
        f"the features: the largest error is {show(worst)}, and {show(SAME)} counts as equal.",
        "sound",
        {"largest_error": worst},
        sample=sample,
        rows=rows,
    )


def check_unstable(evidence: Evidence, alpha: float) -> Verdict:
    """Supported when Cholesky is worse from some condition number on, and fails at the end."""
    rows = tuple(evidence["rows"])
    sample = {"conditions": len(rows)}
    cholesky, qr = (_at(rows, name, BADLY) for name in ("cholesky", "qr"))
    failed = [row["condition"] for row in rows if row["cholesky"] == FAILED]
    worse = sum(a > b or (np.isinf(a) and np.isinf(b)) for a, b in zip(cholesky, qr, strict=True))
    if failed and worse == len(cholesky):
        broken = [row["condition"] for row in rows if row["qr"] == FAILED]
        numbers = {"fails_from": min(failed)} | ({"qr_fails_from": min(broken)} if broken else {})
        end = f"from {show(min(broken))} on" if broken else "nowhere"
        return Verdict(
            "supported",
            f"Cholesky fails from a condition number of {show(min(failed))} of the features on, "
            f"QR {end}. Asked for was that Cholesky fails somewhere and, from {show(BADLY)} on, "
            "has the larger error or fails with QR.",
            "sound",
            numbers,
            sample=sample,
            rows=rows,
        )
    return Verdict("refuted", "Cholesky is no worse than QR.", "false", sample=sample, rows=rows)


CLAIMS = (
    claim(
        id="bdb24-06a",
        title="Cholesky equals QR",
        where="Section 4.4",
        statement=r"The Cholesky factor of the Gram matrix gives the same reduction as QR.",
        gather=gather_conditions,
        check=check_equal,
    ),
    claim(
        id="bdb24-06b",
        title="Cholesky is less stable",
        where="Section 4.4",
        statement=r"Cholesky is less stable than QR and fails for a poorly conditioned matrix.",
        gather=gather_conditions,
        check=check_unstable,
    ),
)
