"""Evidence on claims 11 and 13b: which permutations, and how many of them."""

from collections.abc import Mapping, Sequence

import numpy as np

from shapaudit.estimators import Estimator, QuasiRandomOrder, RandomOrder
from shapaudit.statistics.limits import MINIMUM_UNITS
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled

from .common import FEATURES, exact_games, quick
from .medium import medium_runs

CHAINS, MOST_REGRESSIONS, REPETITIONS = 256, 40, 8
SAMPLERS: dict[str, Estimator] = {
    "mc": RandomOrder("uniform"),
    "antithetic": RandomOrder("antithetic"),
    "argsort": QuasiRandomOrder("sobol", replicates=1),
    "permutohedron": QuasiRandomOrder("permutohedron", replicates=1),
}
AFTER = 3 * CHAINS // 2  # chains that are no power of two


@sampled
def gather_errors(context: Context) -> Evidence:
    """Return mean errors of each sampler on small regressions, and in the paper's setting."""
    return errors_of(context, SAMPLERS)


def errors_of(context: Context, samplers: Mapping[str, Estimator]) -> Evidence:
    """Return rows by regression with the mean norm of the error of each sampler."""
    runs = [(name, sampler, CHAINS) for name, sampler in samplers.items()]
    return {"rows": _mean_errors(context, "bdb24-11", runs), "medium": medium_runs(context)}


@sampled
def gather_powers(context: Context, counts: tuple[int, int] = (CHAINS, AFTER)) -> Evidence:
    """Return mean errors of argsort at powers of two and beyond, and in the setting."""
    names = zip(("power", "after"), counts, strict=True)
    runs = [(name, SAMPLERS["argsort"], chains) for name, chains in names]
    return {"rows": _mean_errors(context, "bdb24-13b", runs), "medium": medium_runs(context)}


def _mean_errors(
    context: Context, claim: str, runs: Sequence[tuple[str, Estimator, int]]
) -> list[Evidence]:
    """Return mean norms of the errors by regression, for names, samplers and their chains."""
    count = max(MINIMUM_UNITS, min(MOST_REGRESSIONS, context.settings.radial_explicands))
    rows = []
    for k, (game, truth) in enumerate(context.once(exact_games, count)):
        table = quick(game)
        row: Evidence = {"regression": k + 1}
        for name, sampler, chains in runs:
            budget, rng = 1 + FEATURES * chains, context.generator(claim, k, name)
            estimates = [sampler.estimate(table, budget, rng).values for _ in range(REPETITIONS)]
            row[name] = float(np.mean(np.linalg.norm(np.array(estimates) - truth, axis=1)))
        rows.append(row)
    return rows
