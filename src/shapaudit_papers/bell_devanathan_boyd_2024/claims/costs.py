"""Claims 7, 14 and 15: complexity, speed-up over the naive method, exact values, progress.

Multiplications are counted; measured seconds would differ from run to run.
"""

from fractions import Fraction

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.costs import (
    gather_counts,
    gather_exact,
    gather_progress,
    gather_speed_up,
)
from .common import V2, claim

CUBIC, QUADRATIC = 3, 2
NEAR = 0.1  # distance of a ratio from 1 up to which two estimates count as equal
ROUNDED = 0.1  # of printed seconds


def check_complexity(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the operations are cubic in p for a chain and quadratic for a row of the data."""
    rows, degrees = evidence["rows"], evidence["degrees"]
    wrong = degrees["chain"] > CUBIC or degrees["reduction_per_row"] > QUADRATIC
    return tell(
        "refuted" if wrong else "proved",
        {
            "refuted": f"The degrees in $p$ are {degrees['chain']} for a chain and "
            f"{degrees['reduction_per_row']} for a row.",
            "proved": "The counted multiplications are a polynomial in $p$ of degree "
            f"{degrees['chain']} for a chain and of degree {degrees['reduction_per_row']} for a "
            "row of the data. The test rows are reduced as well, at $O(Mp^2)$, which (9) omits: "
            "it is of the stated order if there are no more test rows than training rows, in "
            f"order. A chain that is the shift of another has a degree of {degrees['shift']}.",
        },
        numbers=degrees,
        sample={"sizes": len(rows)},
        rows=rows,
        reach="all p, by the degrees of the counts",
    )


def check_metrics(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if evaluating all models of a chain has a larger degree than is printed."""
    degrees, printed = evidence["degrees"], {"reduced": 2, "per_row": 1}
    larger = [name for name in printed if degrees[name] > printed[name]]
    return tell(
        "inconsistent" if larger else "exact",
        {
            "exact": "The degrees are those printed.",
            "inconsistent": "Evaluating a model of $k$ features on $p$ rows costs $O(pk)$, and the "
            f"sum over a chain has the degree {degrees['reduced']} in $p$, as Section 3.3 says; "
            rf"on all $M$ rows it is of order $Mp^{degrees['per_row']}$.",
        },
        numbers=degrees,
        rows=evidence["rows"],
        reach="all p, by the degrees of the counts",
    )


def check_speed_up(evidence: Evidence, alpha: float) -> Verdict:
    """Proved, as an order of growth, if the ratio of the orders is between half of it and all."""
    rows = evidence["rows"]
    shares = [Fraction(row["orders"]) / row["minimum"] for row in rows]
    counted = [row["counted"] / row["minimum"] for row in rows]
    least, medium = min(shares), evidence["medium"]
    return tell(
        "exact" if least >= 1 else "proved" if 2 * least >= 1 else "refuted",
        {
            "exact": "The ratio is at least the minimum in every cell, with constants of 1.",
            "proved": "The ratio of the two orders, $NKp/(N+Kp)$, has the order of the smaller of "
            "$N$ and $Kp$. The orders contain no constants, so that this is no number: in the "
            "multiplications that are counted here the speed-up is "
            f"{show(min(counted))} to {show(max(counted))} times the smaller of the two in "
            f"{len(rows)} cells, and {show(medium)} times in the medium experiment.",
            "refuted": "The ratio does not have the order of the minimum: with constants of 1 it "
            f"is {show(float(least))} times that.",
        },
        "stands" if least >= 1 else None,
        shown_by={"proved": "prop:bell-speed-up"},
        numbers={
            "least_share": least,
            "least_counted": min(counted),
            "largest_counted": max(counted),
            "medium_counted": medium,
        },
        sample={"cells": len(rows)},
        rows=rows,
        reach=f"{len(rows)} cells of N, K and p",
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
        title="Complexity, and speed-up over the naive method",
        heading="Costs",
        topic="cost",
        where=f"Section 3.4, Equation (9) and below; {V2}",
        words="the complexity of LS-SPA is O(Np^2 + Kp^3) ... The speedup over the naïve method is "
        "at least the minimum of N and Kp",
        statement="LS-SPA takes $O(Np^2+Kp^3)$ operations. The speed-up over the naive method is, "
        "in order, at least the minimum of $N$ and $Kp$.",
        hedges="Section 3.1 assumes $M$, the number of test rows, to be “no more than $Nk$ in "
        "order”; Section 3.2 lists $O(Mp^2)$ for the reduction of the test rows. The speed-up is "
        "stated for two complexities in O(·), and for two numbers “neither of which is typically "
        "small”.",
        matters="The order is right as an upper bound, if there are not many more test rows than "
        "training rows; chains that share a factorisation cost less. The speed-up grows like the "
        "smaller of the two numbers; as a number it is smaller.",
        gather=gather_counts,
        check=check_complexity,
        also=((gather_speed_up, check_speed_up),),
        falls="slip",
        stands="loosely",
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
