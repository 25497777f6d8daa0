"""Claim 12: which error bars of which permutations cover the error."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from shapaudit.estimators.risk import LEVEL
from shapaudit.statistics.limits import Limit, clopper_pearson, median_with_limits
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_coverage, tell
from shapaudit_audit.audit.judges.coverage import NEAR
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.risk import BARS, gather_risk
from .common import V2, claim
from .medium import DIFFERS, SETTING, at_most_chains, between

MARGIN = 0.01  # of a coverage, by which it may be off its level
GOOD = 1.25  # factor up to which an estimated quantile is a good estimate of the true one
QUASI = ("argsort", "permutohedron")
SPREADS = tuple(name for name, bar in BARS.items() if bar.law == "Student")
SINGLE = ("antithetic walks", "cyclic walks")
LIMIT_THEOREM = (
    "; the appendix proves that the coverage tends to the level as the number of permutations grows"
)


def _judge(
    evidence: Evidence, names: Sequence[str], alpha: float, close: str = "", **options
) -> Verdict:
    """Return the verdict of `by_coverage` on the runs of some samplers, with joint limits."""
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
    summary = f"Shares of runs that are covered: {shares}"
    return tell(
        by_coverage(limits, LEVEL, **options),
        {
            "refuted": f"{summary}.",
            "supported": f"{summary}; by the limits, more than {show(100 * (LEVEL - NEAR))} per "
            f"cent{close}.",
            "inconclusive": f"{summary}; more runs are needed to decide.",
        },
        numbers={f"coverage_{k + 1}": limit.estimate for k, limit in enumerate(limits)},
        limits=limits,
        sample={"runs": sum(row["runs"] for rows in chosen for row in rows)},
        rows=[row for rows in chosen for row in rows],
    )


def _nominal(names: Sequence[str], evidence: Evidence, alpha: float, close: str = "") -> Verdict:
    """Refuted if a coverage differs significantly from 95 per cent by over a hundredth."""
    return _judge(evidence, names, alpha, close, margin=MARGIN)


def check_quasi(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if the estimated quantile differs significantly by a factor of 1.25."""
    rows = [row for row in evidence["rows"] if row["sampler"] in QUASI]
    regressions = {row["regression"] for row in rows}
    ratios = np.array(
        [np.mean([row["ratio"] for row in rows if row["regression"] == k]) for k in regressions]
    )
    share = alpha / 2  # two ratios
    limit = median_with_limits("estimated over true quantile", ratios, share)
    runs = sum(row["runs"] for row in rows)
    coverage = sum(row["covered"] for row in rows) / runs
    medium, setting = _in_setting(evidence, share)
    summary = (
        f"On a typical regression the estimated quantile of the error is {show(limit.estimate)} "
        "times the true one"
    )
    return tell(
        _goodness(limit),
        {
            "refuted": f"{summary}, and {show(100 * coverage)} per cent of the runs are covered "
            "instead of 95. It estimates the risk of as many independent permutations, which is "
            "too large and therefore safe.",
            "supported": f"{summary}.",
            "inconclusive": f"{summary}; more regressions are needed to decide.",
        },
        numbers={"ratio": limit.estimate, "coverage": coverage},
        limits=(limit,) if medium is None else (limit, medium),
        sample={"regressions": len(regressions), "runs": runs},
        rows=rows,
        setting=setting,
    )


def _goodness(limit: Limit) -> str:
    """Return whether an estimated quantile over the true one is within `GOOD`, either way."""
    if limit.low > GOOD or limit.high < 1 / GOOD:
        return "refuted"
    return "supported" if limit.low > 1 / GOOD and limit.high < GOOD else "inconclusive"


def _in_setting(evidence: Evidence, alpha: float) -> tuple[Limit | None, Ruling]:
    """By the errors of independent permutations, which the estimate is right of, over argsort's."""
    chains, ratio = at_most_chains(evidence, "mc", "argsort", alpha)
    if ratio is None:
        return None, Ruling(
            "inconclusive", "There are too few runs with 100 features for confidence limits."
        )
    return ratio, Ruling(
        _goodness(ratio),
        f"The estimate is that of independent permutations. At {chains:,} chains their error is "
        f"{between(ratio)} times that of argsort, {DIFFERS}; the estimate is too large by that "
        f"factor, which is safe. We count a factor of up to {GOOD} as good.",
    )


def check_spreads(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if a coverage is significantly below 95 per cent; it may be above."""
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
        statement=r"With independent permutations $\sqrt K(\hat S-S)$ tends in law to a normal "
        r"vector, and $\hat\sigma$ estimates a quantile of the error (here: at $q=0.95$ and "
        "$K=256$ the error exceeds it in $5$ of $100$ runs, except for chance by at most one more "
        "or less, and it covers the error in more than $90$).",
        hedges="A limit theorem, and “estimate”; no coverage at a finite number of permutations is "
        "printed.",
        gather=gather_risk,
        check=partial(_nominal, ("mc",), close=LIMIT_THEOREM),
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
        r"the actual errors (here: within a factor of $1.25$).",
        hedges="“Observed empirically”; the preceding sentence says that they “do not come with "
        "the theoretical guarantees” of random samples. The paper states no factor; that of 1.25 "
        "is ours. Figure 3 is not read off here.",
        setting=f"{SETTING}, argsort (Figure 3)",
        gather=gather_risk,
        check=check_quasi,
        falls="slip",
        matters="The estimate is too large and therefore safe; a run that waits for it uses "
        "several times as many permutations as necessary.",
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
        statement="With a permutation and its reverse as one unit, the error exceeds "
        r"$\hat\sigma$ at $q=0.95$ in $5$ of $100$ runs, except for chance by at most one more or "
        "less, and is covered in more than $90$.",
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
        statement="With each walk of antithetic pairs, or of cyclic orbits, as one unit, the "
        r"error exceeds $\hat\sigma$ at $q=0.95$ in $5$ of $100$ runs, except for chance by at "
        "most one more or less, and is covered in more than $90$.",
        matters="With antithetic pairs the error estimate is safe and with cyclic orbits a little "
        "too small; both kinds of walks have to be treated as units.",
        gather=gather_risk,
        check=partial(_nominal, SINGLE),
        falls="hypothesis",
        statistical=True,
        source="this project",
    ),
)
