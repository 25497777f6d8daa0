"""Evidence on claim 57: K-means centres and random rows as backgrounds of marginal values."""

from collections.abc import Callable, Iterator

import numpy as np
import scipy

from shapaudit.datasets import Dataset
from shapaudit.datasets.laws import MixtureLaw
from shapaudit.games import all_coalitions
from shapaudit.models import Model, train
from shapaudit.removals import Marginal
from shapaudit.statistics.limits import MINIMUM_UNITS
from shapaudit.truth import shapley_from_table
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled

from .removal_errors import FEATURES, random_layer, rows_from

ROWS, EXPLICANDS, SETS = 300, 5, 10
CENTRES = (5, 20)
BITS = 6
TREES = {"n_estimators": 20, "max_depth": 3}


def smooth_world(rng: np.random.Generator) -> tuple[Dataset, Model, np.ndarray]:
    """Return rows of a mixture law, a model with one layer of ReLU, and explicands of the law."""
    law, model = MixtureLaw.random(rng, FEATURES), random_layer(rng)
    return rows_from(law, ROWS, rng), model, law.sample(rng, EXPLICANDS)


def bit_world(rng: np.random.Generator) -> tuple[Dataset, Model, np.ndarray]:
    """Return dependent bits and trees trained on them, so that cluster centres are no rows.

    The target is a product of signs and a sum.
    """
    common = rng.normal(size=(ROWS + EXPLICANDS, 1))
    bits = (common + rng.normal(size=(ROWS + EXPLICANDS, BITS)) > 0).astype(float)
    signs = 2 * bits - 1
    target = signs[:, 0] * signs[:, 1] + signs[:, 2] * signs[:, 3] + signs @ rng.normal(size=BITS)
    names = tuple(f"x{j + 1}" for j in range(BITS))
    split = {"train": np.arange(ROWS), "test": np.arange(ROWS, ROWS + EXPLICANDS)}
    data = Dataset("bits", bits, target, names, split, "generated")
    return data, train("xgboost", data, TREES, 0), bits[ROWS:]


WORLDS = {"smooth": smooth_world, "bits": bit_world}


def marginal_values(
    data: Dataset, model: Model, explicands: np.ndarray, rng: np.random.Generator, **params
) -> tuple[np.ndarray, np.ndarray]:
    """Return the marginal values (m, d) by a background, and the background's rows (k, d)."""
    fitted = Marginal(**params).fit(model, data, rng)
    games = [fitted.game(x, rng) for x in explicands]
    tables = np.array([game(all_coalitions(fitted.n_features)) for game in games])
    return shapley_from_table(tables), fitted.arrays["background"]


def distance(data: Dataset, background: np.ndarray) -> float:
    """Return the mean squared distance of the data's rows from the nearest background row."""
    rows = data.rows("train")[0]
    spread = rows.std(axis=0)
    squares = scipy.spatial.distance.cdist(rows / spread, background / spread, "sqeuclidean")
    return float(squares.min(axis=1).mean())


def compared(
    context: Context, name: str, k: int, make: Callable, centres: str
) -> Iterator[tuple[float, float, float, float]]:
    """Yield, for each K, distances and squared errors of the centres and of random rows.

    Those of random rows are means over several sets.
    """
    data, model, explicands = make(context.generator("ccll23-57", name, k))
    rng = context.generator("ccll23-57", name, k, "draws")
    whole, _ = marginal_values(data, model, explicands, rng)
    for count in CENTRES:
        explained = [
            marginal_values(data, model, explicands, rng, rows=count, choice=choice)
            for choice in [centres, *["random"] * SETS]
        ]
        errors = [float(np.square(values - whole).sum()) for values, _ in explained]
        distances = [distance(data, rows) for _, rows in explained]
        yield distances[0], float(np.mean(distances[1:])), errors[0], float(np.mean(errors[1:]))


@sampled
def gather_backgrounds(context: Context, centres: str = "k-means") -> Evidence:
    """Return units (worlds, K, 4) by kind of world: distances and errors.

    They are those of K-means centres, weighted, and of as many random rows; errors are against
    the values with the whole background.
    """
    count = max(MINIMUM_UNITS, context.settings.interaction_games // 10)
    units = {
        name: np.array([list(compared(context, name, k, make, centres)) for k in range(count)])
        for name, make in WORLDS.items()
    }
    return {"units": units, "centres": list(CENTRES)}
