"""Claim 12: which error bars of which permutations cover the error."""

from collections.abc import Sequence

import numpy as np

from shapaudit.estimators.risk import LEVEL
from shapaudit.statistics.limits import Limit, clopper_pearson, median_with_limits
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_coverage, tell
from shapaudit_audit.audit.judges.coverage import NEAR
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.risk import BARS, CHAINS, gather_risk
from .common import V2, claim
from .medium import DIFFERS, SETTING, at_most_chains, between

MARGIN = 0.01  # of a coverage, by which it may be off its level
QUASI = ("argsort", "permutohedron")
SPREADS = tuple(name for name, bar in BARS.items() if bar.law == "Student")
UNITS = (*SPREADS, "antithetic pairs")  # error bars whose units are independent
SINGLE = ("antithetic walks", "cyclic walks")


def _of(rows: Sequence[Evidence], names: Sequence[str]) -> list[Evidence]:
    return [row for name in names for row in rows if row["sampler"] == name]


def _coverage(rows: Sequence[Evidence], names: Sequence[str], alpha: float) -> list[Limit]:
    """Limits of the coverage by sampler, each of confidence 1 - alpha."""
    chosen = [_of(rows, [name]) for name in names]
    return [
        clopper_pearson(
            f"coverage of {name}",
            sum(row["covered"] for row in own),
            sum(row["runs"] for row in own),
            alpha,
        )
        for name, own in zip(names, chosen, strict=True)
    ]


def _shares(limits: Sequence[Limit], names: Sequence[str]) -> str:
    return ", ".join(
        f"{show(100 * limit.estimate)} per cent ({name})"
        for name, limit in zip(names, limits, strict=True)
    )


def check_independent(evidence: Evidence, alpha: float) -> Verdict:
    """Proved, by the report, unless a coverage is off 95 per cent significantly by a hundredth."""
    rows = _of(evidence["rows"], ["mc"])
    (limit,) = _coverage(rows, ["mc"], alpha)
    runs = sum(row["runs"] for row in rows)
    shown = (
        f"{show(100 * limit.estimate)} per cent of {runs} runs of {CHAINS} permutations are "
        f"covered (limits {show(100 * limit.low)} to {show(100 * limit.high)})"
    )
    contradicted = by_coverage([limit], LEVEL, margin=MARGIN) == "refuted"
    return tell(
        "refuted" if contradicted else "proved",
        {
            "refuted": f"{shown}, which is not the nominal level.",
            "proved": "The limit theorem is proved in the report: the coverage tends to the "
            f"level. Runs do not contradict it: {shown}. What it covers after fewer permutations "
            "is a matter of the game.",
        },
        shown_by={"proved": "prop:bell-risk"},
        numbers={"coverage": limit.estimate},
        limits=(limit,),
        sample={"runs": runs},
        rows=rows,
    )


def check_quasi(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if the estimate covers significantly fewer than 95 per cent of the errors.

    By how much it is too large is shown, and decides nothing.
    """
    rows = _of(evidence["rows"], QUASI)
    regressions = {row["regression"] for row in rows}
    ratios = np.array(
        [np.mean([row["ratio"] for row in rows if row["regression"] == k]) for k in regressions]
    )
    share = alpha / (len(QUASI) + 1)  # two coverages, and the ratio in the setting
    limits = _coverage(rows, QUASI, share)
    ratio = median_with_limits("estimated over true quantile", ratios, alpha / 2)
    medium, setting = _in_setting(evidence, share)
    summary = f"Shares of runs that are covered: {_shares(limits, QUASI)}"
    return tell(
        by_coverage(limits, LEVEL, least=True),
        {
            "refuted": f"{summary}: the estimate is too small.",
            "supported": f"{summary}. The estimate is that for as many independent permutations: "
            f"safe, and on a typical regression {between(ratio)} times the true quantile.",
            "inconclusive": f"{summary}; more runs are needed to decide.",
        },
        numbers={"ratio": ratio.estimate}
        | {f"coverage_{k + 1}": limit.estimate for k, limit in enumerate(limits)},
        limits=(*limits, ratio) if medium is None else (*limits, ratio, medium),
        sample={"regressions": len(regressions), "runs": sum(row["runs"] for row in rows)},
        rows=rows,
        setting=setting,
    )


def _in_setting(evidence: Evidence, alpha: float) -> tuple[Limit | None, Ruling]:
    """By the errors of independent permutations, which the estimate is right of, over argsort's."""
    chains, ratio = at_most_chains(evidence, "mc", "argsort", alpha)
    if ratio is None:
        return None, Ruling(
            "inconclusive", "There are too few runs with 100 features for confidence limits."
        )
    status = "supported" if ratio.low > 1 else "refuted" if ratio.high < 1 else "inconclusive"
    return ratio, Ruling(
        status,
        f"The estimate is that of independent permutations. At {chains:,} chains their error is "
        f"{between(ratio)} times that of argsort, {DIFFERS}: by that factor the estimate is too "
        "large. Figure 3, which shows both, was not read off.",
    )


def check_units(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if a coverage is significantly below 95 per cent by more than a hundredth.

    What single walks of pairs and of orbits cover is shown, and decides nothing.
    """
    share = alpha / (len(UNITS) + len(SINGLE))
    limits, others = (_coverage(evidence["rows"], names, share) for names in (UNITS, SINGLE))
    rows = _of(evidence["rows"], (*UNITS, *SINGLE))
    summary = f"Shares of runs that are covered: {_shares(limits, UNITS)}"
    beside = f"With single walks as units it is {_shares(others, SINGLE)}, which are no units."
    return tell(
        by_coverage(limits, LEVEL, margin=MARGIN, least=True),
        {
            "refuted": f"{summary}.",
            "supported": f"{summary}; by the limits, more than {show(100 * (LEVEL - NEAR))} per "
            f"cent. {beside}",
            "inconclusive": f"{summary}; more runs are needed to decide. {beside}",
        },
        numbers={f"coverage_{k + 1}": limit.estimate for k, limit in enumerate(limits)},
        limits=(*limits, *others),
        sample={"runs": sum(row["runs"] for row in rows)},
        rows=rows,
    )


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
        r"vector, and $\hat\sigma$ estimates a quantile of the error: as $K$ grows, the error is "
        r"at most $\hat\sigma$ with a probability that tends to $q$.",
        hedges="A limit theorem, and “estimate”; no coverage at a finite number of permutations is "
        "printed.",
        gather=gather_risk,
        check=check_independent,
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
        r"the actual errors (here: the actual errors exceed them in at most $5$ of $100$ runs).",
        hedges="“Observed empirically”; the preceding sentence says that they “do not come with "
        "the theoretical guarantees” of random samples. How good is not said.",
        setting=f"{SETTING}, argsort (Figure 3)",
        gather=gather_risk,
        check=check_quasi,
        stands="loosely",
        falls="hypothesis",
        lacks="independent replicates",
        matters="The estimate is too large and therefore safe; a run that waits for it uses "
        "more permutations than necessary.",
        statistical=True,
    ),
    claim(
        id="bdb24-12c",
        title="Error bars over independent units",
        heading="Risk and stopping",
        topic="probability",
        where="left out by Section 3.6; the default of the authors' library has antithetic pairs",
        statement=r"Error bars over independent units cover the error in at least $95$ of $100$ "
        "runs, or one less: over replicates of quasi-Monte Carlo, over cyclic and affine orbits "
        "(Student), and over pairs of a permutation and its reverse (normal).",
        gather=gather_risk,
        check=check_units,
        statistical=True,
        source="this project",
    ),
)
