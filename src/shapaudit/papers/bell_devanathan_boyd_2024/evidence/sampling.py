"""Evidence on claim 11: which permutations, at equal numbers of feature chains."""

from collections.abc import Mapping

import numpy as np

from shapaudit.audit.context import Context
from shapaudit.audit.evidence import Evidence, sampled
from shapaudit.estimators import Estimator, QuasiRandomOrder, RandomOrder
from shapaudit.statistics.simultaneous import MINIMUM_UNITS

from .common import FEATURES, exact_games, quick

CHAINS, MOST_REGRESSIONS, REPETITIONS = 256, 40, 8
SAMPLERS: dict[str, Estimator] = {
    "mc": RandomOrder("uniform"),
    "antithetic": RandomOrder("antithetic"),
    "argsort": QuasiRandomOrder("sobol", replicates=1),
    "permutohedron": QuasiRandomOrder("permutohedron", replicates=1),
}


@sampled
def gather_errors(context: Context) -> Evidence:
    """Mean errors of each sampler on regressions with exact values."""
    return errors_of(context, SAMPLERS)


def errors_of(context: Context, samplers: Mapping[str, Estimator]) -> Evidence:
    """Rows by regression: mean norm of the error of each sampler."""
    count = max(MINIMUM_UNITS, min(MOST_REGRESSIONS, context.settings.radial_pairs))
    budget, rows = 1 + FEATURES * CHAINS, []
    for k, (game, truth) in enumerate(context.once(exact_games, count)):
        table, row = quick(game), {"regression": k + 1}
        for name, sampler in samplers.items():
            rng = context.generator("bdb24-11", k, name)
            found = [sampler.estimate(table, budget, rng).values for _ in range(REPETITIONS)]
            row[name] = float(np.mean(np.linalg.norm(np.array(found) - truth, axis=1)))
        rows.append(row)
    return {"rows": rows}
