"""Claim 11: which permutations, at equal numbers of feature chains."""

from functools import partial

import numpy as np

from shapaudit.audit.evidence import Evidence
from shapaudit.audit.exact import show
from shapaudit.audit.judges import tell
from shapaudit.audit.verdict import Verdict
from shapaudit.statistics.limits import Limit
from shapaudit.statistics.typical import typical_ratio

from ..evidence.sampling import CHAINS, REPETITIONS, gather_errors
from .common import V2, claim

MARGIN = 1.05  # up to which one error counts as no larger than another


def _compare(
    pair: tuple[str, str], words: str, bound: float, evidence: Evidence, alpha: float
) -> Verdict:
    """On a ratio of errors: significantly below the bound supports, above 1 refutes."""
    rows, (first, second) = evidence["rows"], pair
    units = np.array([[row[first], row[second]] for row in rows])
    limit = Limit(f"error of {first} over {second}", *typical_ratio(units, alpha)[:3], 1 - alpha)
    found = (
        f"The error is {show(limit.estimate)} times that of {words}, limits "
        f"{show(limit.low)} to {show(limit.high)}"
    )
    return tell(
        "supported" if limit.high < bound else "refuted" if limit.low > 1 else "inconclusive",
        {
            "supported": f"{found}.",
            "refuted": f"{found}.",
            "inconclusive": f"{found}; more regressions would tell.",
        },
        numbers={"ratio": limit.estimate},
        limits=(limit,),
        sample={"regressions": len(rows), "chains": CHAINS, "repetitions": REPETITIONS},
        rows=rows[:1],
    )


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
        check=partial(_compare, ("argsort", "mc"), "Monte Carlo", 1.0),
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
        check=partial(_compare, ("argsort", "permutohedron"), "permutohedron sampling", MARGIN),
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
        check=partial(_compare, ("antithetic", "mc"), "Monte Carlo", 1.0),
        statistical=True,
        source="this project",
    ),
)
