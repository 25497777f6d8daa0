"""Claims 7, 14 and 15: complexity, speed-up over the naive method, exact values, progress.

Multiplications are counted; measured seconds would differ from run to run.
"""

from fractions import Fraction

import numpy as np

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.costs import (
    SIZES,
    gather_counts,
    gather_exact,
    gather_progress,
    gather_seconds,
    gather_speed_up,
)
from .common import V2, claim

NEAR = 0.1  # distance from 3 and 2 up to which an exponent counts as that; of ratios, from 1
ROUNDED = 0.1  # of printed seconds


def check_complexity(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if the last slopes are 3 for a chain and 2 for a row, up to `NEAR`."""
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
            "supported": f"From $p={SIZES[-2]}$ to {SIZES[-1]}, the counted multiplications grow "
            f"with the exponents {chain} of $p$ per chain and {row} per row; exponents within "
            f"{NEAR} of 3 and 2 count as equal to these. A chain that is the shift of another has "
            f"an exponent of only {shift}.",
        },
        numbers=slopes,
        sample={"sizes": len(rows)},
        rows=rows,
    )


def check_speed_up(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if the ratio is below the smaller of N and K p."""
    rows = evidence["rows"]
    below = [row for row in rows if row["speed_up"] < row["minimum"]]
    least = min(Fraction(row["speed_up"]) / row["minimum"] for row in rows)
    return tell(
        "refuted" if below else "exact",
        {
            "exact": "The ratio is at least the minimum in every cell.",
            "refuted": "With the paper's own orders the ratio is $NKp/(N+Kp)$, which is half the "
            "harmonic mean of $N$ and $Kp$. It is always below the smaller of the two, here in "
            f"{len(below)} of {len(rows)} cells.",
        },
        shown_by={"refuted": "prop:bell-speed-up"},
        numbers={"least_share": least, "below": len(below)},
        sample={"cells": len(rows)},
        rows=(below or rows)[:1],
        reach=f"{len(rows)} cells of N, K and p",
        setting=_in_orders(least),
    )


def _in_orders(least: Fraction) -> Ruling:
    """Return the ruling on the speed-up if constant factors are ignored."""
    if 2 * least < 1:
        return Ruling("refuted", "The ratio can be less than half of the smaller of the two.")
    return Ruling("proved", "The ratio is always at least half of the smaller of the two.")


def check_seconds(evidence: Evidence, alpha: float) -> Verdict:
    """Inconclusive: times depend on the machine, and results here do not."""
    rows, first = evidence["rows"], evidence["rows"][0]
    return Verdict(
        "inconclusive",
        "Times are measured in benchmarks outside this study. The experiment needs "
        f"{show(float(first['multiplications']))} multiplications; completing them in "
        f"{show(evidence['seconds'])} seconds means {show(first['giga_per_second'])} per "
        "nanosecond.",
        numbers={"per_nanosecond": first["giga_per_second"]},
        sample={"methods": len(rows)},
        rows=rows,
    )


def check_exact(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if twenty features cost less than the paper's medium experiment."""
    rows = evidence["rows"]
    share = {row["p"]: row["subsets"] for row in rows}
    alone = {row["p"]: row["alone"] for row in rows}
    return tell(
        "supported" if share[20] >= 1 else "refuted",
        {
            "supported": "The exact values of twenty features cost more than the medium "
            "experiment.",
            "refuted": "One walk over the subsets, in which each is a Gram-Schmidt step from "
            f"another, gives all exact values at {show(share[20])} of the multiplications of the "
            f"medium experiment for 20 features and {show(share[25])} for 25. Solved one by one "
            f"on the reduced data, the regressions for 20 features take at most {show(alone[20])} "
            "of them. With 20 to 25 in place of 10 the sentence is correct. For enumeration of "
            "permutations, as in Section 2.3, it is correct as printed.",
        },
        numbers={f"subsets_{p}": cost for p, cost in share.items()},
        sample={"sizes": len(rows)},
        rows=rows,
        setting=_above_ten(alone),
    )


def _above_ten(alone: dict[int, float]) -> Ruling:
    """Return whether sizes just above ten cost more than an experiment of the paper."""
    return Ruling(
        "refuted" if alone[15] < 1 else "supported",
        "Solved one by one on the reduced data, the regressions for 10 features take at most "
        f"{show(alone[10])} and those for 15 at most {show(alone[15])} of the multiplications of "
        "the medium experiment.",
    )


def check_progress(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if the batch that the seconds imply fits the printed error estimates.

    Inconsistent if no whole batch that can have been finished by then fits them.
    """
    printed, batches = evidence["printed"], evidence["batches"]
    ratio = printed["error-estimate-first"] / printed["error-estimate"]
    pace = printed["seconds-chains"] / batches
    possible = [
        done
        for done in range(1, batches + 1)
        if done * pace <= printed["seconds-first"]
        and abs((batches / done) ** 0.5 / ratio - 1) < NEAR
    ]
    by_time = max(1, round(printed["seconds-first"] / pace))
    whole = printed["seconds-reduction"] + printed["seconds-chains"]
    adds = abs(whole - printed["seconds"]) < ROUNDED
    summary = (
        f"The estimates decrease by a factor of {show(ratio)}. The seconds of the two parts add "
        f"up to {whole:.1f}; {printed['seconds']:.1f} are printed."
    )
    told = (
        f"According to the seconds, the first of these estimates is from about batch {by_time} of "
        f"{batches}. An estimate for independent permutations, which is inversely proportional to "
        f"the root of their number, decreases by {show((batches / by_time) ** 0.5)} from there; a "
        f"difference of up to {show(100 * NEAR)} per cent counts as agreement."
    )
    return tell(
        _progress(adds, by_time, possible),
        {
            "supported": f"{summary} {told}",
            "inconclusive": lambda: (
                f"{summary} {told} A decrease by {show((batches / possible[0]) ** 0.5)} fits batch "
                f"{possible[0]} if that batch took the time of {by_time}, for instance because of "
                "compilation; the paper does not say."
            ),
            "inconsistent": f"{summary} {told} No whole number of batches fits both.",
        },
        numbers={"ratio": ratio, "seconds": whole},
        sample={"printed": len(printed)},
        rows=[{"what": key, "printed": value} for key, value in printed.items()],
        setting=Ruling(
            "inconclusive",
            "Neither the graphics processors nor a run of that size are available here.",
        ),
    )


def _progress(adds: bool, by_time: int, possible: list[int]) -> str:
    if not (adds and possible):
        return "inconsistent"
    return "supported" if by_time in possible else "inconclusive"


CLAIMS = (
    claim(
        id="bdb24-07a",
        title="Complexity",
        heading="Costs",
        topic="cost",
        where=f"Section 3.4, Equation (9); {V2}",
        words="the complexity of LS-SPA is O(Np^2 + Kp^3)",
        statement="LS-SPA takes $O(Np^2+Kp^3)$ operations.",
        matters="The order is right as an upper bound; chains that share a factorisation cost "
        "less.",
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
        hedges="Stated for two complexities in O(·), and for two numbers “neither of which is "
        "typically small”.",
        setting="orders of growth, in which constant factors do not count",
        gather=gather_speed_up,
        check=check_speed_up,
        falls="slip",
        matters="The speed-up is at least half of the stated minimum.",
    ),
    claim(
        id="bdb24-14a",
        title="Seconds of the medium experiment",
        heading="Costs",
        topic="cost",
        where=f"Section 5.3, Medium size experiment; {V2}",
        words="LS-SPA took around 3.2 seconds to compute 2^13 samples, including compilation time",
        statement=r"LS-SPA took around $3.2$ seconds to compute $2^{13}$ samples at $p=100$.",
        hedges="“Around”, “including compilation time”, on the graphics processor of a laptop "
        "(Section 5.1).",
        matters="Only the seconds remain undecided; the number of operations is counted.",
        gather=gather_seconds,
        check=check_seconds,
    ),
    claim(
        id="bdb24-14b",
        title="Progress of the large experiment",
        heading="Costs",
        topic="cost",
        where=f"Section 5.3, Large experiment; {V2}",
        words="ran for 14.6 seconds to reach an error estimate of 8.4 × 10^-3 ... reaching an "
        "error estimate of 2.0 × 10^-3",
        statement="In the large experiment the reduction took $3.5$ seconds and all permutations "
        r"$113.3$, in total $116.8$; the error estimate was $8.4\cdot10^{-3}$ after $14.6$ "
        r"seconds and $2.0\cdot10^{-3}$ at the end.",
        hedges="One run; estimates with argsort “do not come with the theoretical guarantees” of "
        "independent permutations (Section 3.6).",
        setting="1,000 features, a million training and test rows, eight graphics processors",
        gather=gather_progress,
        check=check_progress,
        falls="slip",
        matters="The final error is not in question; the two printed estimates do not show how "
        "fast it decreased in the first seconds.",
    ),
    claim(
        id="bdb24-15a",
        title="Exact values",
        heading="Costs",
        topic="cost",
        where=f"Section 1, before Section 1.1; Section 2.3, below Equation (4); {V2}",
        words="around 2^p least-squares problems. This is impractical for p larger than around 10",
        statement="Exact Shapley values, which need around $2^p$ regressions, are impractical for "
        "$p$ larger than around $10$.",
        hedges="“Around” twice; no budget is named. Section 2.3 says the same of enumerating all "
        "permutations, for which it is true.",
        setting="A little more than 10 features, compared with the arithmetic of the medium "
        "experiment of the paper. In general: 20 and 25 features.",
        falls="slip",
        gather=gather_exact,
        check=check_exact,
        matters="Up to about 25 features the values can be computed without any sampling error, "
        "at no more cost than the paper's own experiment.",
    ),
)
