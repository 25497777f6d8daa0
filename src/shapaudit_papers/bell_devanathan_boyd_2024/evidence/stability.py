"""Evidence on claim 6: Cholesky reduction against QR as the condition number grows."""

from fractions import Fraction

import numpy as np

from shapaudit.games import GameError, RegressionGame
from shapaudit.models import ModelError
from shapaudit.models.reduced import reduce_problem
from shapaudit.models.reduction import blocks_of
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.regression import fit, r_squared

P, ROWS = 4, 12
EXPONENTS = range(1, 18, 2)  # of the condition number of the matrix of features
FAILED = "fails"


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
        row: Evidence = {"condition": float(10.0**exponent)}
        rows.append(row | {name: _error(parts, name, exact) for name in methods})
    return {"rows": rows}


def _exact(train, test) -> float:
    rows, target = map(_fractions, train)
    other_rows, other_target = map(_fractions, test)
    return float(r_squared(other_rows, other_target, fit(rows, target, range(P))))


def _fractions(array: np.ndarray) -> np.ndarray:
    return np.array([Fraction(x) for x in array.ravel().tolist()], dtype=object).reshape(
        array.shape
    )


def _error(parts, method, exact) -> float | str:
    """Error relative to the size of R^2, or that the reduction fails."""
    try:
        train, test = (blocks_of(*part) for part in parts)
        problem = reduce_problem(train, test, False, method)
        game = RegressionGame([problem])
        value = float(game(np.ones((1, P), dtype=bool))[0])
    except (ModelError, GameError):
        return FAILED
    return abs(value - exact) / max(1.0, abs(exact))
