"""Claims 7, 14 and 15: complexity, the speed-up over the naive method, exact values, seconds.

Multiplications are counted; measured seconds would differ from run to run.
"""

from fractions import Fraction

import numpy as np

from shapaudit.audit.evidence import Evidence
from shapaudit.audit.exact import show
from shapaudit.audit.judges import tell
from shapaudit.audit.verdict import Verdict

from ..evidence.costs import SIZES, gather_counts, gather_exact, gather_seconds, gather_speed_up
from .common import V2, claim

NEAR = 0.1  # distance from 3 and 2 up to which an exponent counts as that


def check_complexity(evidence: Evidence, alpha: float) -> Verdict:
    """Supported when the last slopes are 3 for a chain and 2 for a row, up to `NEAR`."""
    rows = evidence["rows"]
    slopes = {
        name: float(np.log2(rows[-1][name] / rows[-2][name]))
        for name in ("chain", "reduction_per_row", "shift")
    }
    chain, row, shift = map(show, slopes.values())
    wrong = abs(slopes["chain"] - 3) > NEAR or abs(slopes["reduction_per_row"] - 2) > NEAR
    return tell(
        "refuted" if wrong else "supported",
        {
            "refuted": f"The exponents are {chain} of a chain and {row} of a row.",
            "supported": f"From p = {SIZES[-2]} to {SIZES[-1]}, counted multiplications grow with "
            f"exponents {chain} of p per chain and {row} per row, which count as 3 and 2 up to "
            f"{NEAR}; a chain that is the shift of another needs {shift} only.",
        },
        numbers=slopes,
        sample={"sizes": len(rows)},
        rows=rows,
    )


def check_speed_up(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted where the ratio is below the smaller of the two."""
    rows = evidence["rows"]
    below = [row for row in rows if row["speed_up"] < row["minimum"]]
    least = min(Fraction(row["speed_up"]) / row["minimum"] for row in rows)
    return tell(
        "refuted" if below else "proved",
        {
            "proved": "It is, for every cell.",
            "refuted": "By the paper's own orders the ratio is N K p / (N + K p), half the "
            "harmonic mean of N and K p: below the smaller of them in "
            f"{len(below)} of {len(rows)} cells, at least half of it always.",
        },
        numbers={"least_share": least, "below": len(below)},
        sample={"cells": len(rows)},
        rows=(below or rows)[:1],
    )


def check_seconds(evidence: Evidence, alpha: float) -> Verdict:
    """Inconclusive: a time is of a machine, and results here are the same on all of them."""
    rows, first = evidence["rows"], evidence["rows"][0]
    return Verdict(
        "inconclusive",
        f"Times are measured outside of the study, in benchmarks. The experiment needs "
        f"{show(first['multiplications'] / 1e9)} thousand million multiplications, so "
        f"{show(evidence['seconds'])} seconds are {show(first['giga_per_second'])} of them in a "
        "nanosecond.",
        numbers={"per_nanosecond": first["giga_per_second"]},
        sample={"methods": len(rows)},
        rows=rows,
    )


def check_exact(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when twenty features cost less than the paper's medium experiment."""
    rows = evidence["rows"]
    share = {row["p"]: row["subsets"] for row in rows}
    return tell(
        "supported" if share[20] >= 1 else "refuted",
        {
            "supported": "Twenty features cost more than the medium experiment.",
            "refuted": "One walk over the subsets, each a Gram-Schmidt step from another, gives "
            f"all exact values at {show(share[20])} of the multiplications of the medium "
            f"experiment for 20 features and {show(share[25])} for 25; over permutations the claim "
            "stands.",
        },
        numbers={f"subsets_{p}": one for p, one in share.items()},
        sample={"sizes": len(rows)},
        rows=rows,
    )


CLAIMS = (
    claim(
        id="bdb24-07a",
        title="Complexity",
        heading="Costs",
        topic="cost",
        where=f"Section 3.4, Equation (9); {V2}",
        words="the complexity of LS-SPA is O(Np^2 + Kp^3)",
        statement=r"LS-SPA takes $O(Np^2+Kp^3)$ operations.",
        gather=gather_counts,
        check=check_complexity,
        stands="loosely",
    ),
    claim(
        id="bdb24-07b",
        title="Speed-up over the naive method",
        heading="Costs",
        topic="cost",
        where=f"Section 3.4, below Equation (9); {V2}",
        words="The speedup over the naïve method is at least the minimum of N and Kp",
        statement=r"The speed-up over the naive method is at least the minimum of $N$ and $Kp$.",
        gather=gather_speed_up,
        check=check_speed_up,
        falls="slip",
    ),
    claim(
        id="bdb24-14a",
        title="Seconds of the medium experiment",
        heading="Costs",
        topic="cost",
        where=f"Section 5.3, Medium size experiment; {V2}",
        words="LS-SPA took around 3.2 seconds to compute 2^13 samples, including compilation time",
        statement=r"LS-SPA takes around $3.2$ seconds to compute $2^{13}$ samples at $p=100$.",
        gather=gather_seconds,
        check=check_seconds,
    ),
    claim(
        id="bdb24-15a",
        title="Exact values",
        heading="Costs",
        topic="cost",
        where=f"Section 1, before Section 1.1; Section 2.3, below Equation (4); {V2}",
        words="around 2^p least-squares problems. This is impractical for p larger than around 10",
        statement=r"Exact Shapley values, around $2^p$ regressions, are impractical for $p$ larger "
        r"than around $10$.",
        gather=gather_exact,
        check=check_exact,
    ),
)
