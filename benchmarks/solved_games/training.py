"""Games of training: players are rows, data sets, features, or the members of an ensemble.

A coalition is worth the score, on rows held back, of the model that its members make. Most of what
there is to gain comes with the first members.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from shapaudit.games import all_coalitions

from .base import Entry, Solved, tabulated
from .data import FEW_TABLES, Table, narrowed

Rng = np.random.Generator
Learner = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
TESTED = 150  # rows held back
TRAINED = 120  # rows shared out to data sets, or trained on by features and by members
SPOILT = 3  # of so many data sets one has its targets shuffled
FAINTEST = 0.02  # least chance of a class


def _nearest(rows: np.ndarray, target: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """The mean of the three nearest rows."""
    squares = np.square(asked[:, None] - rows).sum(axis=2)
    return target[np.argsort(squares, axis=1, kind="stable")[:, :3]].mean(axis=1)


def _ridge(rows: np.ndarray, target: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """A linear fit with a penalty of one row for each slope."""
    mean, centre = target.mean(), rows.mean(axis=0)
    inner = (rows - centre).T @ (rows - centre) + np.eye(rows.shape[1])
    return mean + (asked - centre) @ np.linalg.solve(inner, (rows - centre).T @ (target - mean))


def _tree(rows: np.ndarray, target: np.ndarray, asked: np.ndarray) -> np.ndarray:
    from sklearn.tree import DecisionTreeRegressor  # only where it is used

    return DecisionTreeRegressor(max_depth=4, random_state=0).fit(rows, target).predict(asked)


def _of_classes(
    model: Callable[[], object], rows: np.ndarray, target: np.ndarray, asked: np.ndarray
) -> np.ndarray:
    """Chances of class 1; rows of one class teach no other."""
    if np.ptp(target) == 0:
        return np.full(len(asked), target[0])
    return model().fit(rows, target).predict_proba(asked)[:, 1]


def _bayes():
    from sklearn.naive_bayes import GaussianNB  # only where it is used

    return GaussianNB(var_smoothing=0.1)


def _logistic():
    from sklearn.linear_model import LogisticRegression  # only where it is used

    return LogisticRegression(max_iter=50)


LEARNERS: dict[str, Learner] = {
    "nearest": _nearest,
    "ridge": _ridge,
    "tree": _tree,
    "bayes": partial(_of_classes, _bayes),
    "logistic": partial(_of_classes, _logistic),
}


def _accuracy(outputs: np.ndarray, target: np.ndarray) -> float:
    return float(np.mean((outputs > 0.5) == target))


def _r_squared(outputs: np.ndarray, target: np.ndarray) -> float:
    return float(1.0 - np.mean(np.square(target - outputs)) / target.var())


def _likelihood(outputs: np.ndarray, target: np.ndarray) -> float:
    chances = np.clip(np.where(target == 1, outputs, 1.0 - outputs), FAINTEST, 1.0)
    return float(np.log(chances).mean())


# By name: the score of outputs, and that of nothing at all.
SCORES: dict[str, tuple[Callable[[np.ndarray, np.ndarray], float], float]] = {
    "accuracy": (_accuracy, 0.0),
    "R2": (_r_squared, 0.0),
    "log-likelihood": (_likelihood, float(np.log(0.5))),
}


def _table(d: int, score: str, outputs_of: Callable, target: np.ndarray) -> np.ndarray:
    """Values (2^d,), from the outputs that the members of a coalition make."""
    scored, nothing = SCORES[score]
    members = (np.flatnonzero(row) for row in all_coalitions(d)[1:])
    return np.array([nothing, *(scored(outputs_of(some), target) for some in members)])


def _split(table: Table, trained: int, rng: Rng) -> tuple[np.ndarray, ...]:
    """Rows and target for training, rows and target held back."""
    order = rng.permutation(len(table.target))
    first, second = order[:trained], order[trained:][:TESTED]
    return table.features[first], table.target[first], table.features[second], table.target[second]


def _rows(data: str, learner: str, score: str, d: int, rng: Rng) -> Solved:
    rows, target, asked, truth = _split(FEW_TABLES[data][1](rng), d, rng)
    fit = LEARNERS[learner]
    return tabulated(_table(d, score, lambda s: fit(rows[s], target[s], asked), truth))


def _parcels(table: Table, d: int, rng: Rng) -> tuple[Sequence, Sequence, np.ndarray, np.ndarray]:
    """d data sets of unequal sizes, of which one in `SPOILT` has shuffled targets."""
    rows, target, asked, truth = _split(table, TRAINED, rng)
    ends = np.sort(rng.choice(np.arange(2, TRAINED // 2 - 1), d - 1, replace=False)) * 2
    targets = np.split(target, ends)
    for place in range(0, d, SPOILT):
        targets[place] = rng.permutation(targets[place])
    return np.split(rows, ends), targets, asked, truth


def _data_sets(data: str, learner: str, score: str, d: int, rng: Rng) -> Solved:
    rows, targets, asked, truth = _parcels(FEW_TABLES[data][1](rng), d, rng)
    fit = LEARNERS[learner]

    def outputs(members):
        return fit(
            np.concatenate([rows[i] for i in members]),
            np.concatenate([targets[i] for i in members]),
            asked,
        )

    return tabulated(_table(d, score, outputs, truth))


def _features(data: str, learner: str, score: str, d: int, rng: Rng) -> Solved:
    table = narrowed(FEW_TABLES[data][1](rng), d)
    rows, target, asked, truth = _split(table, TRAINED, rng)
    fit = LEARNERS[learner]
    return tabulated(_table(d, score, lambda s: fit(rows[:, s], target, asked[:, s]), truth))


def _members(data: str, learner: str, score: str, d: int, rng: Rng) -> Solved:
    """Each member is trained on a sample of rows and on half of the features; they are averaged."""
    rows, target, asked, truth = _split(FEW_TABLES[data][1](rng), TRAINED, rng)
    width, outputs = rows.shape[1], []
    for _ in range(d):
        some, seen = rng.integers(TRAINED, size=TRAINED // 2), rng.permutation(width)[: width // 2]
        outputs.append(LEARNERS[learner](rows[some][:, seen], target[some], asked[:, seen]))
    each = np.array(outputs)
    return tabulated(_table(d, score, lambda s: each[s].mean(axis=0), truth))


GAMES = {
    "rows": (
        _rows,
        ("wine", "nearest", "accuracy", 12),
        ("cancer", "bayes", "accuracy", 11),
        ("diabetes", "ridge", "R2", 13),
        ("cancer", "logistic", "log-likelihood", 10),
    ),
    "data-sets": (
        _data_sets,
        ("wine", "bayes", "log-likelihood", 11),
        ("cancer", "logistic", "accuracy", 10),
        ("diabetes", "ridge", "R2", 12),
        ("friedman", "tree", "R2", 11),
    ),
    "features": (
        _features,
        ("wine", "nearest", "accuracy", 12),
        ("cancer", "logistic", "log-likelihood", 10),
        ("diabetes", "ridge", "R2", 10),
        ("friedman", "tree", "R2", 12),
    ),
    "members": (
        _members,
        ("cancer", "tree", "accuracy", 14),
        ("patches", "logistic", "log-likelihood", 12),
        ("diabetes", "tree", "R2", 12),
        ("wine", "nearest", "accuracy", 10),
    ),
}


def entries() -> Iterator[Entry]:
    """What a training gains from its rows, data sets, features and members."""
    for kind, (build, *games) in GAMES.items():
        for data, learner, score, d in games:
            name = f"{kind}-{data}-{learner}-{score}"
            made = partial(build, data, learner, score, d)
            yield Entry(name, kind.replace("-", " "), d, made, wider=True)
