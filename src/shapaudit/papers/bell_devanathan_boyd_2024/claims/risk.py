"""Claim 12: which error bars of which permutations cover the error."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from shapaudit.audit.evidence import Evidence
from shapaudit.audit.exact import show
from shapaudit.audit.judges import by_coverage, tell
from shapaudit.audit.verdict import Verdict
from shapaudit.estimators.risk import LEVEL
from shapaudit.statistics.limits import clopper_pearson, median_with_limits

from ..evidence.risk import BARS, gather_risk
from .common import V2, claim

GOOD = 1.25  # factor up to which an estimated quantile is a good estimate of the true one
QUASI = ("argsort", "permutohedron")
SPREADS = tuple(name for name, bar in BARS.items() if bar.law == "Student")
SINGLE = ("antithetic walks", "cyclic walks")


def _judge(
    evidence: Evidence, names: Sequence[str], alpha: float, close: str = "", **options
) -> Verdict:
    """`by_coverage`, with ``options``, of the runs of some samplers, with joint limits."""
    chosen = [[row for row in evidence["rows"] if row["sampler"] == name] for name in names]
    limits = [
        clopper_pearson(
            f"coverage of {name}",
            sum(row["covered"] for row in rows),
            sum(row["runs"] for row in rows),
            alpha / len(names),
        )
        for name, rows in zip(names, chosen, strict=True)
    ]
    shares = ", ".join(
        f"{show(100 * limit.estimate)} per cent ({name})"
        for name, limit in zip(names, limits, strict=True)
    )
    found = f"Share of runs covered: {shares}"
    return tell(
        by_coverage(limits, LEVEL, **options),
        {
            "refuted": f"{found}.",
            "supported": f"{found}{close}.",
            "inconclusive": f"{found}; more runs would tell.",
        },
        numbers={f"coverage_{k + 1}": limit.estimate for k, limit in enumerate(limits)},
        limits=limits,
        sample={"runs": sum(row["runs"] for rows in chosen for row in rows)},
        rows=[row for rows in chosen for row in rows],
    )


def _nominal(names: Sequence[str], evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when a coverage is off 95 per cent, significantly by over a hundredth."""
    return _judge(evidence, names, alpha, "; 95 but for sampling", margin=0.01)


def check_quasi(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when the estimated quantile is significantly off the true one by a factor of 1.25."""
    rows = [row for row in evidence["rows"] if row["sampler"] in QUASI]
    regressions = {row["regression"] for row in rows}
    ratios = np.array(
        [np.mean([row["ratio"] for row in rows if row["regression"] == k]) for k in regressions]
    )
    limit = median_with_limits("estimated over true quantile", ratios, alpha)
    runs = sum(row["runs"] for row in rows)
    coverage = sum(row["covered"] for row in rows) / runs
    off = limit.low > GOOD or limit.high < 1 / GOOD
    good = limit.low > 1 / GOOD and limit.high < GOOD
    found = (
        f"On a typical regression the estimated quantile of the error is {show(limit.estimate)} "
        "times the true one"
    )
    return tell(
        "refuted" if off else "supported" if good else "inconclusive",
        {
            "refuted": f"{found}, and {show(100 * coverage)} per cent of the runs are covered "
            "instead of 95: it is the risk of as many independent permutations.",
            "supported": f"{found}.",
            "inconclusive": f"{found}; more regressions would tell.",
        },
        numbers={"ratio": limit.estimate, "coverage": coverage},
        limits=(limit,),
        sample={"regressions": len(regressions), "runs": runs},
        rows=rows,
    )


def check_spreads(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when a coverage is significantly below 95 per cent; it may be above."""
    return _judge(evidence, SPREADS, alpha, least=True)


CLAIMS = (
    claim(
        id="bdb24-12a",
        title="Risk estimate of Monte Carlo",
        heading="Risk and stopping",
        topic="probability",
        where=f"Section 3.6, Risk estimation; q in Section 5.1; {V2}",
        words="converges in distribution to N(0, Sigma) as K -> infinity. We can thus estimate "
        "the qth quantile values of (10) and (11)",
        statement=r"With independent permutations, $\hat\sigma$ at $q=0.95$ is exceeded by the "
        r"error in $5$ of $100$ runs.",
        gather=gather_risk,
        check=partial(_nominal, ("mc",)),
        statistical=True,
    ),
    claim(
        id="bdb24-12b",
        title="Risk estimate of quasi-Monte Carlo",
        heading="Risk and stopping",
        topic="probability",
        where=f"Section 3.6, last sentence; Figure 3; {V2}",
        words="We have observed empirically that estimates using QMC are still good estimates of "
        "the actual errors",
        statement=r"Risk estimates with quasi-Monte Carlo permutations are still good estimates of "
        r"the actual errors.",
        gather=gather_risk,
        check=check_quasi,
        falls="hypothesis",
        statistical=True,
    ),
    claim(
        id="bdb24-12c",
        title="Risk from replicates",
        heading="Risk and stopping",
        topic="probability",
        where="Section 3.6",
        statement=r"Student limits over independent replicates cover the error of quasi-Monte "
        r"Carlo, and of cyclic and affine orbits, in at least $95$ of $100$ runs.",
        gather=gather_risk,
        check=check_spreads,
        statistical=True,
        source="this project",
    ),
    claim(
        id="bdb24-12d",
        title="Risk estimate of antithetic pairs",
        heading="Risk and stopping",
        topic="probability",
        where="the default of the authors' library",
        statement=r"With a permutation and its reverse as one unit, $\hat\sigma$ at $q=0.95$ is "
        r"exceeded by the error in $5$ of $100$ runs.",
        gather=gather_risk,
        check=partial(_nominal, ("antithetic pairs",)),
        statistical=True,
        source="this project",
    ),
    claim(
        id="bdb24-12e",
        title="Risk estimate of dependent walks",
        heading="Risk and stopping",
        topic="probability",
        where="Section 3.6",
        statement=r"With each walk of antithetic pairs, or of cyclic orbits, as one unit, "
        r"$\hat\sigma$ at $q=0.95$ is exceeded by the error in $5$ of $100$ runs.",
        gather=gather_risk,
        check=partial(_nominal, SINGLE),
        falls="hypothesis",
        statistical=True,
        source="this project",
    ),
)
