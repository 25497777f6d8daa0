"""Claims 11 and 13b: which permutations at equal numbers of feature chains, and how many chains."""

from functools import partial

import numpy as np

from shapaudit.statistics.limits import Limit
from shapaudit.statistics.typical import typical_ratio
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_ratios, tell
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.sampling import CHAINS, FEATURES, REPETITIONS, gather_errors, gather_powers
from .common import V2, claim
from .medium import SETTING, at_most_chains, between, factor, ruling

MARGIN = 1.05  # up to which one error counts as no larger than another
ON, OFF = 512, 768  # chains of the medium experiment: a power of two, and none


def _small(rows: list[Evidence], first: str, second: str, alpha: float) -> Limit:
    """Return the ratio of two errors on a typical small regression."""
    units = np.array([[row[first], row[second]] for row in rows])
    return Limit(f"error of {first} over {second}", *typical_ratio(units, alpha)[:3], 1 - alpha)


def _verdict(
    small: Limit, medium: Limit | None, opening: str, bound: float, setting: Ruling, rows: list
) -> Verdict:
    """Judge by a ratio on small regressions, and by that in the paper's setting if it was run."""
    limits, numbers = [small], {"ratio": small.estimate}
    text = f"{opening} {between(small)} on a typical one of {len(rows)} regressions with "
    text += f"{FEATURES} features"
    if medium is not None:
        limits, numbers = [small, medium], numbers | {"ratio_100": medium.estimate}
        text += f", and {between(medium)} with 100 features"
    return tell(
        by_ratios(limits, bound),
        {
            "supported": f"{text}.",
            "refuted": f"{text}.",
            "inconclusive": f"{text}; the limits do not all lie on one side of {bound:g}.",
        },
        numbers=numbers,
        limits=limits,
        sample={"regressions": len(rows), "chains": CHAINS, "repetitions": REPETITIONS},
        rows=rows[:1],
        setting=setting,
    )


def _compare(
    pair: tuple[str, str], words: tuple[str, str], bound: float, evidence: Evidence, alpha: float
) -> Verdict:
    """Compare the errors of two kinds of permutations at equally many chains."""
    rows, share = evidence["rows"], alpha / 2  # two ratios
    chains, medium = at_most_chains(evidence, *pair, share)
    ratio = f"the error of {words[0]} over that of {words[1]} is"
    setting = ruling(medium, f"In runs of {chains:,} chains {ratio}", bound)
    opening = f"At equal numbers of chains {ratio}"
    return _verdict(_small(rows, *pair, share), medium, opening, bound, setting, rows)


def check_powers(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if the error has grown significantly after chains beyond a power of two."""
    rows, share = evidence["rows"], alpha / 2  # two ratios
    medium = factor(evidence, ("argsort", OFF), ("argsort", ON), share)
    ratio = "chains of argsort, the error over that after"
    setting = ruling(medium, f"After {OFF} {ratio} {ON} is", MARGIN)
    opening = f"After half as many more {ratio} a power of two is"
    return _verdict(_small(rows, "after", "power", share), medium, opening, MARGIN, setting, rows)


CLAIMS = (
    claim(
        id="bdb24-11a",
        title="Argsort beats Monte Carlo",
        heading="Permutations",
        topic="orderings",
        where=f"Section 1, before Section 1.1; Section 3.5; Figure 2; {V2}",
        words="in practice gives better approximations of the Shapley values than Monte Carlo for "
        "the same number of least-square regression problems",
        statement=r"In practice, quasi-Monte Carlo permutations (here argsort) give better "
        r"approximations than Monte Carlo with as many regressions.",
        hedges="Stated for practice, and shown for one regression in Figure 2.",
        setting=SETTING,
        gather=gather_errors,
        check=partial(_compare, ("argsort", "mc"), ("argsort", "Monte Carlo"), 1.0),
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
        statement="Argsort does as well as or better than permutohedron sampling (here: it has at "
        "most $1.05$ times the error).",
        hedges="Found “empirically” and “for this problem”, that is, for the paper's regressions.",
        setting=SETTING,
        matters="Argsort is a safe choice: where the two differ significantly, it has the smaller "
        "error.",
        gather=gather_errors,
        check=partial(
            _compare, ("argsort", "permutohedron"), ("argsort", "permutohedron sampling"), MARGIN
        ),
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
        setting=SETTING,
        matters="Antithetic pairs reduce the error on small regressions, but not necessarily on "
        "larger ones.",
        gather=gather_errors,
        check=partial(_compare, ("antithetic", "mc"), ("antithetic pairs", "Monte Carlo"), 1.0),
        statistical=True,
        source="this project",
    ),
    claim(
        id="bdb24-13b",
        title="Stopping away from powers of two",
        heading="Risk and stopping",
        topic="orderings",
        where=f"Section 3.6, last paragraph; {V2}",
        words="This can destroy the balance properties expected of QMC, but in practice, we have "
        "found this does not matter",
        statement="That a run in batches may stop at a number of permutations that is not a power "
        "of two can destroy the balance of quasi-Monte Carlo, but does not matter in practice "
        "(here: half as many chains more than a power of two leave at most $1.05$ times the "
        "error).",
        hedges="“In practice, we have found”; the loss of balance is conceded.",
        setting=SETTING,
        gather=gather_powers,
        check=check_powers,
        lacks="a number near a power of two",
        falls="hypothesis",
        statistical=True,
    ),
)
