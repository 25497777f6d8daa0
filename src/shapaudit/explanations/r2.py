"""The R² of a regression, shared among its features."""

from collections.abc import Mapping, Sequence
from numbers import Real

import numpy as np
import pandas as pd

from ..datasets.mixed import TableError
from ..estimators.convergence import estimate_until
from ..estimators.random_order import RandomOrder
from ..games import Game, QuotientGame, RegressionGame, grand_value
from ..models.reduced import reduce_problem
from ..models.reduction import blocks_of
from ..parameters import check_count
from ..truth import shapley_exact, shapley_from_table
from .r2_attribution import R2Attribution
from .regression_rows import (
    RegressionRows,
    check_determined,
    grouped,
    regression_rows,
)

# Features, or features some of which are groups of columns, up to which the R² of all subsets takes
# about a second.
MOST_EXACT, MOST_EXACT_GROUPS = 20, 16
# Sets of orders, and how many of them the first limits rest on. Affine orbits err least at equal
# time, and hold any two features in any two places equally often, so that closely related features
# do not skew their means as they do those of cyclic orbits, which cost less.
SETS = (RandomOrder("affine"), 16), (RandomOrder("cyclic"), 256)
BUDGET = 100_000_000


def attribute_r2(
    X: pd.DataFrame | np.ndarray,
    y: pd.Series | np.ndarray,
    X_test: pd.DataFrame | np.ndarray | None = None,
    y_test: pd.Series | np.ndarray | None = None,
    *,
    penalty: float = 0.0,
    groups: Mapping[str, Sequence[str]] | None = None,
    tolerance: float = 1e-3,
    evaluations: int = BUDGET,
    seed: int = 0,
) -> R2Attribution:
    """Shapley values of the R² of least squares, or of ridge regression, by feature.

    Bell, Devanathan & Boyd 2024. A set of features is worth the R² of the regression on them alone,

        R² = 1 - sum (y - prediction)² / sum (y - mean)²,

    over the test rows, or without these over the rows of the fit (Lindeman, Merenda & Gold 1980).
    There is an intercept, and the mean is that of the *training* response (equation 2): training
    and test rows lose the training means. So R² can be negative on test rows.

    Values are exact with up to 20 features, or 16 where some are groups: the R² of every subset is
    computed. With more, they are means over orders in which the features enter: affine orbits
    (`samplers.permutation_sets.affine_sets`), or cyclic ones where the evaluations do not allow
    sixteen of these. Orders are added until all values are within the tolerance, or the evaluations
    are spent. The limits hold for all features and at all looks together at 95 % (Bonferroni), as
    far as means over orbits are normal: nearly so for affine ones, less so for cyclic ones where
    features are closely related.

    Parameters
    ----------
    X : training rows (n, p); columns of an array are called x0, x1, and so on
    y : response (n,)
    X_test, y_test : test rows, with the columns of X in any order, or as an array in that of X
    penalty : lambda of ridge regression (equation 14): lambda |coefficients|² is added to the
        *mean* squared error. The intercept is not penalised, and columns are not rescaled
    groups : columns that enter together, as lists by the name of the group
    tolerance : largest half-width of the limits, in units of R²
    evaluations : regressions, at most, each on one set of features
    seed : of the orders

    Raises
    ------
    TableError
        For rows that are no table of finite numbers, do not match, or do not determine the
        coefficients, with the columns to blame; and for parameters out of range. It is a
        ValueError.

    Examples
    --------
    >>> import numpy as np
    >>> from shapaudit import attribute_r2
    >>> rows = np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]])
    >>> attribute_r2(rows, rows @ [2.0, 1.0]).values.round(6).tolist()
    [0.8, 0.2]
    """
    _check_settings(penalty, tolerance, evaluations)
    train = regression_rows(X, y)
    players = grouped(train.names, groups)
    test = _test_rows(X_test, y_test, train)
    blocks = [blocks_of(rows.columns, rows.response) for rows in (train, test or train)]
    problem = reduce_problem(blocks[0], blocks[1]).with_ridge(penalty)
    check_determined(problem, train.names, penalty > 0)
    which = _which(train, test, penalty)
    columns = RegressionGame([problem], "R²")
    alone = len(players) == columns.n_players
    game = columns if alone else QuotientGame(columns, players.columns)
    most = MOST_EXACT if alone else MOST_EXACT_GROUPS
    if len(players) <= most and 1 << len(players) <= evaluations:
        return _exact(game, players.names, which)
    return _estimated(game, players.names, which, tolerance, evaluations, seed)


def _exact(game: Game, names: tuple[str, ...], which: str) -> R2Attribution:
    if isinstance(game, RegressionGame):
        values = shapley_from_table(game.table())
    else:
        values = shapley_exact(game).values
    none, sets = np.zeros(len(names)), 1 << len(names)
    return R2Attribution(
        values=values,
        standard_errors=none,
        half_widths=none,
        r2=grand_value(game),
        feature_names=names,
        evaluations=sets,
        how=f"{which}; exact, from all {sets:,} sets of features",
        exact=True,
        converged=True,
    )


def _estimated(
    game: Game, names: tuple[str, ...], which: str, tolerance: float, evaluations: int, seed: int
) -> R2Attribution:
    rng = np.random.default_rng(seed)
    estimator, first = _sets(len(names), evaluations)
    run = estimate_until(estimator, game, tolerance, evaluations, rng, first)
    errors = run.estimate.known_errors()
    orders, width = run.estimate.evaluations // len(names), f"{run.half_width:.2g}"
    how = f"{which}; estimated from {orders:,} orders of the features, each within ±{width}"
    if not run.converged:
        how += f", which is not the tolerance of {tolerance:g}: allow more evaluations"
    return R2Attribution(
        values=run.estimate.values,
        standard_errors=errors,
        half_widths=errors * (run.half_width / max(errors.max(), np.finfo(float).tiny)),
        r2=grand_value(game),
        feature_names=names,
        evaluations=run.estimate.evaluations,
        how=how,
        exact=False,
        converged=run.converged,
    )


def _sets(n_players: int, evaluations: int) -> tuple[RandomOrder, int]:
    """The best sets of orders of which the evaluations allow enough, and how many these are."""
    for estimator, first in SETS:
        least = 1 + first * estimator.unit_cost(n_players)
        if least <= evaluations:
            return estimator, first
    raise TableError(
        f"evaluations must be at least {min(least, 1 << n_players):,} for {n_players} features; "
        f"got {evaluations:,}"
    )


def _test_rows(X_test: object, y_test: object, train: RegressionRows) -> RegressionRows | None:
    if X_test is None and y_test is None:
        return None
    if X_test is None or y_test is None:
        raise TableError(
            "X_test and y_test belong together; pass both, or neither for in-sample R²"
        )
    return regression_rows(X_test, y_test, "X_test", "y_test", like=train.names)


def _which(train: RegressionRows, test: RegressionRows | None, penalty: float) -> str:
    """Which R² it is."""
    fit = f"ridge regression with penalty {penalty:g}" if penalty else "least squares"
    n = len(train.response)
    if test is None:
        return f"In-sample R² of {fit} on {n:,} rows"
    return f"R² on {len(test.response):,} test rows of {fit} on {n:,} training rows"


def _check_settings(penalty: float, tolerance: float, evaluations: int) -> None:
    if not _is_number(penalty) or not 0 <= penalty < np.inf:
        raise TableError(f"penalty must be 0 or a positive number; got {penalty!r}")
    if not _is_number(tolerance) or not tolerance > 0:
        raise TableError(f"tolerance must be a positive number; got {tolerance!r}")
    check_count("evaluations", evaluations, 2, TableError)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
