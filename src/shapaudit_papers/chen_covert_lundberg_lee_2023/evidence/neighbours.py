"""Evidence on claim 60: similarity instead of exact matches, by the number of present features."""

from collections.abc import Mapping, Sequence

import numpy as np

from shapaudit.datasets.laws import GaussianLaw
from shapaudit.models import LinearModel
from shapaudit.removals import Cohort, Kernel, Removal
from shapaudit.statistics.limits import MINIMUM_UNITS
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled

from .removal_errors import rows_from

FEATURES, ROWS, EXPLICANDS = 9, 400, 20
PRESENT = (1, 2, 4, 8)
CORRELATION = 0.5
FAMILIES: dict[str, Sequence[Removal]] = {
    "cohort": [
        Cohort(ratio=ratio, own_row=False, fallback="marginal") for ratio in (0.05, 0.1, 0.2, 0.4)
    ],
    "kernel": [Kernel(bandwidth=width) for width in (0.1, 0.2, 0.4, 0.8)],
}


def last_feature() -> LinearModel:
    """The model that returns its last feature."""
    return LinearModel(np.eye(FEATURES)[-1])


@sampled
def gather_neighbours(
    context: Context, families: Mapping[str, Sequence[Removal]] = FAMILIES
) -> Evidence:
    """Return errors (data sets, sizes) by family, with the best parameter at each size.

    The best parameter is chosen with the true values. f is the last of equally correlated
    Gaussian features and the first s are present: v(S) is their sum times r / (1 + (s - 1) r).
    Squared errors are over those of ignoring all features.
    """
    count = max(MINIMUM_UNITS, context.settings.interaction_games // 10)
    law, model = GaussianLaw.equicorrelated(FEATURES, CORRELATION), last_feature()
    coalitions = np.arange(FEATURES) < np.array(PRESENT)[:, None]
    sizes = np.array(PRESENT)
    slopes = CORRELATION / (1 + (sizes - 1) * CORRELATION)
    errors = {name: np.empty((count, len(PRESENT))) for name in families}
    for k in range(count):
        rng = context.generator("ccll23-60", k)
        data, explicands = rows_from(law, ROWS, rng), law.sample(rng, EXPLICANDS)
        wanted = (explicands @ coalitions.T) * slopes
        for name, removals in families.items():
            tried = []
            for removal in removals:
                fitted = removal.fit(model, data, rng)
                estimated = np.array([fitted.game(x, rng)(coalitions) for x in explicands])
                tried.append(np.square(estimated - wanted).sum(axis=0))
            errors[name][k] = np.min(tried, axis=0) / np.square(wanted).sum(axis=0)
    return {"errors": errors, "present": list(PRESENT), "rows": ROWS}
