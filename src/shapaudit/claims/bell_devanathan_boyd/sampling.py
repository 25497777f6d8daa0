"""Claim 11: which permutations, at equal numbers of feature chains."""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from ...estimators import Estimator, QuasiRandomOrder, RandomOrder
from ...statistics.simultaneous import MINIMUM_UNITS, Group, ratio_limits
from ..base import Evidence, Limit, Verdict
from ..context import Context
from ..exact import show
from .common import FEATURES, claim, exact_games, quick

CHAINS, MOST_REGRESSIONS, REPETITIONS = 256, 40, 8
MARGIN = 1.05  # up to which one error counts as no larger than another
SAMPLERS: dict[str, Estimator] = {
    "mc": RandomOrder("uniform"),
    "antithetic": RandomOrder("antithetic"),
    "argsort": QuasiRandomOrder("sobol", replicates=1),
    "permutohedron": QuasiRandomOrder("permutohedron", replicates=1),
}


@lru_cache(maxsize=1)
def gather_errors(context: Context) -> Evidence:
    """Mean errors of each sampler on regressions with exact values."""
    return errors_of(context, SAMPLERS)


def errors_of(context: Context, samplers: Mapping[str, Estimator]) -> Evidence:
    """Rows by regression: mean norm of the error of each sampler."""
    count = max(MINIMUM_UNITS, min(MOST_REGRESSIONS, context.settings.radial_pairs))
    budget, rows = 1 + FEATURES * CHAINS, []
    for k, (game, truth) in enumerate(exact_games(context, count)):
        table, row = quick(game), {"regression": k + 1}
        for name, sampler in samplers.items():
            rng = context.generator("bdb24-11", k, name)
            found = [sampler.estimate(table, budget, rng).values for _ in range(REPETITIONS)]
            row[name] = float(np.mean(np.linalg.norm(np.array(found) - truth, axis=1)))
        rows.append(row)
    return {"rows": rows}


def _ratio(evidence: Evidence, first: str, second: str, alpha: float):
    rows = evidence["rows"]
    units = np.array([[row[first], row[second]] for row in rows])
    ((ratio,),) = ratio_limits([Group(units, np.array([[1, -1]]))], alpha)
    limit = Limit(
        f"error of {first} over {second}", ratio.estimate, ratio.low, ratio.high, 1 - alpha
    )
    sample = {"regressions": len(rows), "chains": CHAINS, "repetitions": REPETITIONS}
    return limit, {"ratio": ratio.estimate}, sample, tuple(rows[:1])


def _compare(evidence, alpha, first, second, bound, words) -> Verdict:
    """Supported when the ratio of errors is surely below the bound, refuted when surely above 1."""
    limit, numbers, sample, rows = _ratio(evidence, first, second, alpha)
    found = (
        f"The error is {show(limit.estimate)} times that of {words}, limits "
        f"{show(limit.low)} to {show(limit.high)}"
    )
    details = {"numbers": numbers, "limits": (limit,), "sample": sample, "rows": rows}
    if limit.high < bound:
        return Verdict("supported", f"{found}.", "sample", **details)
    if limit.low > 1:
        return Verdict("refuted", f"{found}.", "false", **details)
    return Verdict("inconclusive", f"{found}; more regressions would tell.", "sample", **details)


def check_argsort(evidence: Evidence, alpha: float) -> Verdict:
    """Whether argsort has the smaller error."""
    return _compare(evidence, alpha, "argsort", "mc", 1.0, "Monte Carlo")


def check_permutohedron(evidence: Evidence, alpha: float) -> Verdict:
    """Whether the error of argsort is no larger, but for a margin of 5 per cent."""
    return _compare(evidence, alpha, "argsort", "permutohedron", MARGIN, "permutohedron sampling")


def check_antithetic(evidence: Evidence, alpha: float) -> Verdict:
    """Whether reversed permutations help at equal numbers of chains."""
    return _compare(evidence, alpha, "antithetic", "mc", 1.0, "Monte Carlo")


CLAIMS = (
    claim(
        id="bdb24-11a",
        title="Argsort beats Monte Carlo",
        where="Section 3.5, Figure 2",
        statement=r"Argsort quasi-Monte Carlo gives a better approximation than Monte Carlo with "
        r"as many feature chains.",
        gather=gather_errors,
        check=check_argsort,
        statistical=True,
    ),
    claim(
        id="bdb24-11b",
        title="Argsort and permutohedron",
        where="Section 3.5",
        statement=r"Argsort does as well or better than permutohedron sampling.",
        gather=gather_errors,
        check=check_permutohedron,
        statistical=True,
    ),
    claim(
        id="bdb24-11c",
        title="Antithetic pairs",
        where="the default of the authors' library",
        statement=r"A permutation and its reverse give a smaller error than two independent "
        r"permutations.",
        gather=gather_errors,
        check=check_antithetic,
        statistical=True,
        source="this project",
    ),
)
