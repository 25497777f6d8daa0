"""Claim 11: which permutations, at equal numbers of feature chains."""

import numpy as np

from shapaudit.audit.base import Verdict
from shapaudit.audit.evidence import Evidence
from shapaudit.audit.exact import show
from shapaudit.statistics.limits import Limit
from shapaudit.statistics.simultaneous import ratio_of_means

from ..evidence.sampling import CHAINS, REPETITIONS, gather_errors
from .common import V2, claim

MARGIN = 1.05  # up to which one error counts as no larger than another


def _ratio(evidence: Evidence, first: str, second: str, alpha: float):
    rows = evidence["rows"]
    units = np.array([[row[first], row[second]] for row in rows])
    ratio = ratio_of_means(units, alpha)
    limit = Limit(
        f"error of {first} over {second}", ratio.estimate, ratio.low, ratio.high, 1 - alpha
    )
    sample = {"regressions": len(rows), "chains": CHAINS, "repetitions": REPETITIONS}
    return limit, {"ratio": ratio.estimate}, sample, tuple(rows[:1])


def _compare(evidence, alpha, first, second, bound, words) -> Verdict:
    """On a ratio of errors: significantly below the bound supports, above 1 refutes."""
    limit, numbers, sample, rows = _ratio(evidence, first, second, alpha)
    found = (
        f"The error is {show(limit.estimate)} times that of {words}, limits "
        f"{show(limit.low)} to {show(limit.high)}"
    )
    details = {"numbers": numbers, "limits": (limit,), "sample": sample, "rows": rows}
    if limit.high < bound:
        return Verdict("supported", f"{found}.", **details)
    if limit.low > 1:
        return Verdict("refuted", f"{found}.", **details)
    return Verdict("inconclusive", f"{found}; more regressions would tell.", **details)


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
        heading="Permutations",
        topic="orderings",
        where=f"Section 1, before Section 1.1; Section 3.5; Figure 2; {V2}",
        words="in practice gives better approximations of the Shapley values than Monte Carlo for "
        "the same number of least-square regression problems",
        statement=r"Argsort quasi-Monte Carlo gives a better approximation than Monte Carlo with "
        r"as many feature chains.",
        gather=gather_errors,
        check=check_argsort,
        stands="sample",
        statistical=True,
    ),
    claim(
        id="bdb24-11b",
        title="Argsort and permutohedron",
        heading="Permutations",
        topic="orderings",
        where=f"Section 3.5, last sentence; {V2}",
        words="We have found empirically that this method does as well or better than "
        "permutohedron sampling for this problem",
        statement=r"Argsort does as well or better than permutohedron sampling.",
        gather=gather_errors,
        check=check_permutohedron,
        stands="sample",
        statistical=True,
    ),
    claim(
        id="bdb24-11c",
        title="Antithetic pairs",
        heading="Permutations",
        topic="orderings",
        where="the default of the authors' library",
        statement=r"A permutation and its reverse give a smaller error than two independent "
        r"permutations.",
        gather=gather_errors,
        check=check_antithetic,
        stands="sample",
        statistical=True,
        source="this project",
    ),
)
