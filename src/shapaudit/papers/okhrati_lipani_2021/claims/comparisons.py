"""Claims 3 to 5: the algorithms against permutations, and halving, by exact errors."""

import numpy as np

from shapaudit.audit.evidence import Evidence
from shapaudit.audit.exact import show
from shapaudit.audit.judges import tell
from shapaudit.audit.verdict import Verdict

from ..evidence.common import SAMPLES
from ..evidence.comparisons import (
    SCALE,
    SHORT,
    gather_antithetic,
    gather_counts,
    gather_evaluations,
    gather_halving,
    gather_samples,
    gather_speed,
)
from .common import SYMMETRY, TABLE, claim


def check_better(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by a game on which an algorithm has the larger exact error."""
    rows = evidence["rows"]
    worse = {m: [r for r in rows if r[m] > r["castro"] + SCALE] for m in ("owen", "halved")}
    at = f"at equal {evidence['equal']} ({SAMPLES} of the paper's samples)"
    examples = "; ".join(
        f"{m} on {found[0]['game']} ({show(found[0][m])}, Castro {show(found[0]['castro'])})"
        for m, found in worse.items()
        if found
    )
    return tell(
        "refuted" if any(worse.values()) else "proved",
        {
            "proved": f"On all games, {at}.",
            "refuted": f"Exact expected squared errors {at}: Owen is worse on {len(worse['owen'])} "
            f"and halved Owen on {len(worse['halved'])} of {len(rows)} games, as {examples}. What "
            "levels of q save is the spread of e(q) over q; what they cost is the bias at the "
            "ends, and pairs can lose what levels save.",
        },
        numbers={f"worse_{m}": len(found) for m, found in worse.items()} | {"games": len(rows)},
        rows=rows,
    )


def check_speed(evidence: Evidence, alpha: float) -> Verdict:
    """Inconclusive when the evaluations do not explain the times: those need a clock."""
    rows = evidence["rows"]
    by = {row["method"]: row for row in rows}
    counted, timed = (
        by["castro"][key] / by["owen"][key] for key in ("evaluations", "published_ms")
    )
    return tell(
        "proved" if counted > 0.5 * timed else "inconclusive",
        {
            "proved": "The evaluations explain it.",
            "inconclusive": f"Not owed to the model: Castro sampling has {show(counted)} times the "
            f"evaluations of Owen sampling, for {show(timed)} times the time. Which is faster on a "
            "machine is a matter of the code; a script among the project's benchmarks times both "
            "with the same care.",
        },
        numbers={"evaluations_ratio": counted, "published_time_ratio": timed},
        rows=rows,
    )


def _above(rows: list[Evidence], other: str) -> list[Evidence]:
    """Rows in which halving has the larger value, by more than rounding."""
    return [row for row in rows if row["halved"] > row[other] * (1 + 1e-6) + SCALE]


def check_halving(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by a game on which pairs have the larger exact variance."""
    rows = evidence["rows"]
    worse, largest = _above(rows, "plain"), max(row["ratio"] for row in rows)
    listed = ", ".join(f"{row['game']} ({show(row['ratio'])} times)" for row in worse[:3])
    return tell(
        "refuted" if worse else "proved",
        {
            "proved": "Smaller on all games.",
            "refuted": f"Exact variances at equal evaluations: larger on {len(worse)} of "
            f"{len(rows)} games, {listed}. Complements remove the even part of a game and double "
            "the odd one.",
        },
        numbers={"worse": len(worse), "games": len(rows), "largest": largest},
        rows=rows,
    )


def check_antithetic(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when halved levels have no larger error than antithetic walks on any game."""
    rows = evidence["rows"]
    worse = _above(rows, "antithetic")
    median = float(np.median([row["ratio"] for row in rows]))
    return tell(
        "refuted" if worse else "proved",
        {
            "proved": f"On each of {len(rows)} games, {show(median)} times in the median.",
            "refuted": lambda: (
                f"On {len(worse)} of {len(rows)} games antithetic walks have the smaller error, "
                f"first on {worse[0]['game']}: {show(worse[0]['ratio'])} times. One evaluation of "
                "a walk serves two players, and both methods take the even part away."
            ),
        },
        numbers={"worse": len(worse), "games": len(rows), "median_ratio": median},
        rows=rows,
    )


def check_counts(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the counts are of the same order; loose when they are not the same."""
    rows = evidence["rows"]
    ratios = [row["halved_over_castro"] for row in rows]
    least, most = min(ratios), max(ratios)
    return tell(
        "refuted" if most > 2 or least < 0.5 else "proved",
        {
            "refuted": "Not the same order.",
            "proved": "Of the same order, though not equal: T walks take d T + 1 evaluations, "
            "Algorithm 1 (d + 1)(Q + 1) M and Algorithm 2 (d + 1)(Q + 2) M for even Q when all "
            f"players share a coalition. At {SHORT} samples (Figure 3) halved Owen sampling has up "
            f"to {show(most)} times the evaluations of Castro sampling.",
        },
        numbers={"largest_ratio": most, "smallest_ratio": least},
        rows=rows,
    )


CLAIMS = (
    claim(
        id="ol21-03a",
        title="Smaller error at equal samples",
        heading="Against permutations",
        topic="orderings",
        where=f"{TABLE}, column MSE; Section VII, first paragraph",
        words="Owen sampling outperforms the Castro sampling ... the Halved variant of the Owen "
        "sampling further improves",
        statement=r"At equal samples, $M_c=QM$, Owen sampling and its halved form have a smaller "
        r"error than Castro sampling.",
        gather=gather_samples,
        check=check_better,
        falls="hypothesis",
    ),
    claim(
        id="ol21-03b",
        title="Smaller error at equal evaluations",
        heading="Against permutations",
        topic="orderings",
        where=TABLE,
        statement=r"The same holds at equal evaluations of the model.",
        source="this project",
        gather=gather_evaluations,
        check=check_better,
        falls="hypothesis",
    ),
    claim(
        id="ol21-03c",
        title="A three-fold speed-up",
        heading="Against permutations",
        topic="cost",
        where=f"{TABLE}, column Time",
        words="although may depend on the CPU ... achieved around a 3-fold speed-up against the "
        "Castro algorithm",
        statement=r"The Owen algorithm achieves around a 3-fold speed-up against the Castro "
        r"algorithm.",
        gather=gather_speed,
        check=check_speed,
    ),
    claim(
        id="ol21-04a",
        title="Halving reduces the variance",
        heading="Halving",
        topic="orderings",
        where=f"{SYMMETRY}, first paragraph",
        words="second and most importantly, this will further reduce the variance of the estimator",
        statement=r"Drawing each coalition with its complement further reduces the variance of the "
        r"estimator.",
        gather=gather_halving,
        check=check_halving,
        falls="hypothesis",
    ),
    claim(
        id="ol21-04b",
        title="Halving against antithetic permutations",
        heading="Halving",
        topic="orderings",
        where=f"left out by {SYMMETRY}",
        statement=r"Halved Owen sampling, with stratified levels, has no larger error than "
        r"antithetic permutations at equal evaluations.",
        source="this project",
        gather=gather_antithetic,
        check=check_antithetic,
        falls="hypothesis",
    ),
    claim(
        id="ol21-05",
        title="Equivalent samples",
        heading="Against permutations",
        topic="cost",
        where=f"Section IV.B, last paragraph; {SYMMETRY}, last paragraph",
        words="we have to consider M_c = QM ones ... the number of operations is still in the "
        "order of QM",
        statement=r"$QM$ samples of Algorithm 1 or 2 are to be compared with $M_c=QM$ of Castro "
        r"sampling: the number of operations is of the same order.",
        gather=gather_counts,
        check=check_counts,
        stands="loosely",
    ),
)
