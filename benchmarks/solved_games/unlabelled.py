"""Games of tables without a target: clusterings on some of the columns, and their dependence."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from shapaudit.games import all_coalitions

from .base import Entry, Solved, tabulated
from .data import FEW_TABLES

Rng = np.random.Generator
CLUSTERED = 80  # rows
CLUSTERS = 3


def _clusters(rows: np.ndarray) -> np.ndarray:
    from sklearn.cluster import KMeans  # only where it is used

    return KMeans(CLUSTERS, n_init=1, max_iter=20, random_state=0).fit_predict(rows)


def _silhouette(rows: np.ndarray) -> float:
    from sklearn.metrics import silhouette_score  # only where it is used

    return silhouette_score(rows, _clusters(rows))


def _spread_ratio(rows: np.ndarray) -> float:
    """The logarithm of Calinski and Harabasz's ratio of spreads between and within clusters."""
    from sklearn.metrics import calinski_harabasz_score  # only where it is used

    return np.log(calinski_harabasz_score(rows, _clusters(rows)))


def _normal_dependence(rows: np.ndarray) -> float:
    """Total correlation of a normal law: minus half of the log determinant of the correlations."""
    correlations = np.atleast_2d(np.corrcoef(rows, rowvar=False))
    return -0.5 * np.linalg.slogdet(correlations)[1]


def _entropy(codes: np.ndarray) -> float:
    shares = np.unique(codes, return_counts=True)[1] / len(codes)
    return -(shares * np.log(shares)).sum()


def _counted_dependence(rows: np.ndarray) -> float:
    """Total correlation of counted thirds: entropies of the columns less that of them together."""
    thirds = (rows[:, :, None] > np.quantile(rows, [1 / 3, 2 / 3], axis=0).T).sum(axis=2)
    together = thirds @ 3 ** np.arange(rows.shape[1])
    return sum(map(_entropy, thirds.T)) - _entropy(together)


MEASURES: dict[str, Callable[[np.ndarray], float]] = {
    "silhouette": _silhouette,
    "spread-ratio": _spread_ratio,
    "normal": _normal_dependence,
    "counted": _counted_dependence,
}


def _of_columns(data: str, measure: str, d: int, sampled: int | None, rng: Rng) -> Solved:
    """A measure of the columns in a coalition, on all rows or on a sample of them."""
    rows = FEW_TABLES[data][1](rng).features
    columns = rng.permutation(rows.shape[1])[:d]
    rows = rows[rng.permutation(len(rows))[:sampled]][:, columns]
    coalitions = all_coalitions(d)[1:]
    return tabulated(np.array([0.0, *(MEASURES[measure](rows[:, s]) for s in coalitions)]))


GAMES = {
    "clustering": (
        CLUSTERED,
        ("wine", "silhouette", 10),
        ("cancer", "spread-ratio", 10),
        ("friedman", "silhouette", 9),
        ("products", "spread-ratio", 8),
    ),
    "dependence": (
        None,
        ("wine", "normal", 12),
        ("cancer", "normal", 11),
        ("diabetes", "counted", 10),
        ("wine", "counted", 12),
    ),
}


def entries() -> Iterator[Entry]:
    """What columns are worth to a clustering, and how much they tell of each other."""
    for kind, (sampled, *games) in GAMES.items():
        for data, measure, d in games:
            made = partial(_of_columns, data, measure, d, sampled)
            yield Entry(f"{kind}-{data}-{measure}", kind, d, made, wider=True)
