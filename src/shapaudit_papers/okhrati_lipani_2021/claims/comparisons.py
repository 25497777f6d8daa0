"""Claims 3 to 5: the algorithms against permutations, and halving, by exact errors."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.common import SAMPLES
from ..evidence.comparisons import (
    DIGITS,
    SCALE,
    SHORT,
    gather_antithetic,
    gather_counts,
    gather_halving,
    gather_samples,
    gather_speed,
    gather_speed_of_decay,
)
from .common import SYMMETRY, TABLE, claim

METHOD_NAMES = {
    "castro": "Castro sampling",
    "owen": "Owen sampling",
    "halved": "halved Owen sampling",
}
SAME_RATE = 0.02  # what is left to change of a ratio of errors that counts as none
OWN_DATA = "credit"  # in the names of the games of the paper's own data
FADING = 0.3  # of a change, over four times the samples; a quarter to the first order


def check_better(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if an algorithm has the larger exact error on some game at equal samples.

    Whether the bias explains the losses of Owen sampling, and the even part those of its halved
    form, is read off the same rows.
    """
    rows = evidence["rows"]
    worse, later = _losses(rows), _losses(evidence["evaluations"])
    examples = "; ".join(
        f"{METHOD_NAMES[m]} on {losses[0]['game']} ({show(losses[0][m])}, Castro "
        f"{show(losses[0]['castro'])})"
        for m, losses in worse.items()
        if losses
    )
    return tell(
        "refuted" if any(worse.values()) else "exact",
        {
            "exact": f"Smaller on all games at equal samples ({SAMPLES} of the paper's).",
            "refuted": f"Exact expected squared errors at equal samples ({SAMPLES} of the "
            f"paper's): Owen sampling has the larger error on {len(worse['owen'])} and halved Owen "
            f"sampling on {len(worse['halved'])} of {len(rows)} games, for example {examples}; at "
            f"equal evaluations on {len(later['owen'])} and {len(later['halved'])}. "
            f"{_told_bias(rows, worse['owen'])} {_told_even(rows, worse['halved'])}",
        },
        numbers={f"worse_{m}": len(losses) for m, losses in worse.items()}
        | {f"worse_{m}_at_evaluations": len(losses) for m, losses in later.items()}
        | {"games": len(rows)},
        rows=rows,
        reach=f"{len(rows)} games",
        setting=_on_models(evidence["models"], METHOD_NAMES),
    )


def _losses(rows: list[Evidence]) -> dict[str, list[Evidence]]:
    """Rows in which a method has a larger error than Castro sampling, by method."""
    return {m: [r for r in rows if r[m] > r["castro"] + SCALE] for m in ("owen", "halved")}


def _told_bias(rows: list[Evidence], lost: list[Evidence]) -> str:
    """Return whether Owen sampling without its squared bias would lose on some game."""
    still = [row for row in rows if row["owen"] - row["owen_squared_bias"] > row["castro"] + SCALE]
    if still:
        return f"Its variance alone is larger than the error of Castro sampling on {len(still)}."
    if lost:
        return "Without the bias of the ends, Owen sampling would lose on none of them."
    return "The variance of Owen sampling is smaller on all of them."


def _told_even(rows: list[Evidence], lost: list[Evidence]) -> str:
    """Return the shares of the even part on the games that the halved form loses, and wins."""
    if not lost:
        return ""
    won = [row for row in rows if row not in lost]
    text = (
        "Pairs lose what the levels save where the even part of the game is small: up to "
        f"{show(max(row['even_share'] for row in lost))} of the variance of its values on the "
        "games that the halved form loses"
    )
    if won:
        text += f", from {show(min(row['even_share'] for row in won))} on those that it wins"
    return f"{text}."


def _on_models(models: list[Evidence], names: Mapping[str, str]) -> Ruling:
    """Whether each mean error is below the one before it, on all models of the paper's kind.

    ``names`` are those of the columns of ``models`` that are compared, in the order from the
    largest to the smallest error that the paper reports.
    """
    if not models:
        return Ruling("inconclusive", "The study has no perceptron whose values are tabulated.")
    first, *others = names
    falls = all(row[a] > row[b] for row in models for a, b in pairwise(names))
    told = "; ".join(
        f"{names[key]} {show(min(ratios))} to {show(max(ratios))} times"
        for key in others
        if (ratios := [row[key] / row[first] for row in models])
    )
    return Ruling(
        "supported" if falls else "refuted",
        f"Exact means over {_explicands(models)}, as multiples of the value for {names[first]}: "
        f"{told}.",
        stand_in=_other_data(models),
    )


def _explicands(models: list[Evidence]) -> str:
    """Return in words over which explicands means were taken."""
    games = len({row["game"] for row in models})
    data = "other data than the paper's" if _other_data(models) else "the paper's data, or others"
    return (
        f"the first {models[0]['explicands']} explicands of each of {games} perceptrons of the "
        f"paper's architecture on {data}, every game in units of the spread of its values"
    )


def _other_data(models: list[Evidence]) -> bool:
    return not any(OWN_DATA in row["game"] for row in models)


def check_faster(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted, as a statement on rates, if both errors fall in proportion to the samples."""
    rows, models = evidence["rows"], evidence["models"]
    first, before, last = sorted({row["samples"] for row in rows})
    ratios = {
        (row["game"], row["samples"]): row["owen"] / row["castro"]
        for row in rows
        if row["castro"] > SCALE
    }
    games = [game for game, samples in ratios if samples == last]
    changes = [abs(ratios[game, last] / ratios[game, before] - 1) for game in games]
    # What is left of the bias adds a share that four times the samples divide by four.
    earlier = [abs(ratios[game, before] / ratios[game, first] - 1) for game in games]
    fade = all(
        change <= FADING * other + SCALE for change, other in zip(changes, earlier, strict=True)
    )
    same = fade and max(changes) / 3 < SAME_RATE
    return tell(
        "refuted" if same else "inconclusive",
        {
            "refuted": "Both errors are inversely proportional to the number of samples once the "
            f"bias of the ends, whose square decreases faster, is small: from {before:,} to "
            f"{last:,} samples the ratio of the two changes by at most {show(100 * max(changes))} "
            f"per cent on {len(games)} games, on each by about a quarter of its change from "
            f"{first:,} samples onwards. Only the constant differs.",
            "inconclusive": "The ratio of the two errors still changes at the largest number of "
            f"samples, {last:,}.",
        },
        numbers={"largest_change": max(changes), "games": len(games)},
        rows=rows,
        setting=_below_at_all_samples(models),
    )


def _below_at_all_samples(models: list[Evidence]) -> Ruling:
    if not models:
        return Ruling("inconclusive", "The study has no perceptron whose values are tabulated.")
    ratios = [row["owen"] / row["castro"] for row in models]
    samples = [row["samples"] for row in models]
    return Ruling(
        "supported" if max(ratios) < 1 else "refuted",
        f"Between {min(samples)} and {max(samples):,} samples the exact expected error of Owen "
        f"sampling is {show(min(ratios))} to {show(max(ratios))} times that of Castro sampling, in "
        f"the mean over {_explicands(models)}.",
        stand_in=_other_data(models),
    )


def check_speed(evidence: Evidence, alpha: float) -> Verdict:
    """Inconclusive if the evaluations do not explain the times, which would need a clock."""
    rows = evidence["rows"]
    by = {row["method"]: row for row in rows}
    counted, timed = (
        by["castro"][key] / by["owen"][key] for key in ("evaluations", "published_ms")
    )
    return tell(
        "supported" if counted > 0.5 * timed else "inconclusive",
        {
            "supported": "The numbers of evaluations explain the times.",
            "inconclusive": "The number of evaluations does not explain the times: Castro "
            f"sampling takes {show(counted)} times the evaluations of Owen sampling and is "
            f"printed with {show(timed)} times the time. Which code is faster has to be measured "
            "on a machine; a benchmark of this project times both with equal care.",
        },
        numbers={"evaluations_ratio": counted, "published_time_ratio": timed},
        rows=rows,
    )


def _above(rows: list[Evidence], other: str) -> list[Evidence]:
    """Return rows in which halving has the larger value, by more than rounding."""
    return [row for row in rows if row["halved"] > row[other] * (1 + 1e-6) + SCALE]


def check_halving(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if pairs have the larger exact variance on some game."""
    rows = evidence["rows"]
    worse, largest = _above(rows, "plain"), max(row["ratio"] for row in rows)
    listed = ", ".join(f"{row['game']} ({show(row['ratio'])} times)" for row in worse[:3])
    return tell(
        "refuted" if worse else "exact",
        {
            "exact": "Smaller on all games.",
            "refuted": f"At equal evaluations the exact variance is larger on {len(worse)} of "
            f"{len(rows)} games: {listed}. Complements remove the contribution of the even part "
            "of a game to the variance, and double that of the odd part.",
        },
        numbers={"worse": len(worse), "games": len(rows), "largest": largest},
        rows=rows,
        reach=f"{len(rows)} games",
        setting=_halving_on_models(evidence["models"]),
    )


def _halving_on_models(models: list[Evidence]) -> Ruling:
    """As for the errors; digits have too many players for an exact variance."""
    ruling = _on_models(models, {"plain": "Algorithm 1", "halved": "Algorithm 2"})
    summary = f"{ruling.summary} Digits have too many players for exact variances."
    return replace(ruling, summary=summary, stand_in=True)


def check_antithetic(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if halved levels have no larger error than antithetic walks on any game."""
    rows = evidence["rows"]
    worse = _above(rows, "antithetic")
    median = float(np.median([row["ratio"] for row in rows]))
    return tell(
        "refuted" if worse else "exact",
        {
            "exact": f"The error is no larger on each of {len(rows)} games, and {show(median)} "
            "times that of antithetic walks in the median.",
            "refuted": lambda: (
                f"On {len(worse)} of {len(rows)} games antithetic walks have the smaller error; "
                f"on {worse[0]['game']}, the first of them, halved levels have "
                f"{show(worse[0]['ratio'])} times the error. An evaluation of a walk serves two "
                "players, and both methods take the even part away."
            ),
        },
        numbers={"worse": len(worse), "games": len(rows), "median_ratio": median},
        rows=rows,
        reach=f"{len(rows)} games",
    )


def check_counts(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the counts are of the same order; loosely true if they are not equal."""
    rows = evidence["rows"]
    ratios = [row["halved_over_castro"] for row in rows]
    least, most = min(ratios), max(ratios)
    figure = next(row for row in rows if (row["samples"], row["players"]) == (SHORT, DIGITS))
    return tell(
        "refuted" if most > 2 or least < 0.5 else "proved",
        {
            "refuted": "Not the same order.",
            "proved": "The counts are of the same order, though not equal: $T$ walks take $dT+1$ "
            "evaluations, Algorithm 1 takes $(d+1)(Q+1)M$, and Algorithm 2 takes $(d+1)(Q+2)M$ "
            f"for even $Q$, if all players share a coalition. At {SHORT} samples of {DIGITS} "
            "players (Figure 3) halved Owen sampling takes "
            f"{show(figure['halved_over_castro'])} times the evaluations of Castro sampling.",
        },
        numbers={
            "largest_ratio": most,
            "smallest_ratio": least,
            "ratio_of_figure_3": figure["halved_over_castro"],
        },
        rows=rows,
        reach="all d, Q and M, by counting",
    )


CLAIMS = (
    claim(
        id="ol21-03a",
        title="Smaller error at equal samples",
        heading="Comparison with permutations",
        topic="orderings",
        where=f"{TABLE}, column MSE; Section VII, first paragraph",
        words="Owen sampling outperforms the Castro sampling ... the Halved variant of the Owen "
        "sampling further improves",
        statement="At equal samples, $M_c=QM$, Owen sampling has a smaller error than Castro "
        "sampling, and its halved form a still smaller one.",
        hedges="Stated about a box plot over 50 examples (“we can observe”, “as our experiments "
        "show”); Section VII refers to all the experiments that were carried out.",
        setting="perceptrons with two hidden layers of 13 and 9 units on 15 features of the "
        "credit card data, baseline zero, $Q=1000$ and $M=2$, means over 50 examples",
        gather=gather_samples,
        check=check_better,
        lacks="a negligible bias at the ends and, for the halved form, a large enough even part",
        falls="hypothesis",
        matters="Levels save variance at the price of a bias at the ends, which has to be small, "
        "as it is on the paper's models; the halved form needs an even part of the game as well.",
    ),
    claim(
        id="ol21-03d",
        title="The error tends to zero faster",
        heading="Comparison with permutations",
        topic="rates",
        where="Section VI, third paragraph; Figure 1, line plot",
        words="the MSE of the Owen sampling tends to zero faster than that of Castro sampling",
        statement=r"As the number of samples grows, the mean squared error of Owen sampling tends "
        r"to zero faster than that of Castro sampling.",
        hedges="Stated about a plot: “In this plot we observe”. Interpreted in the setting as a "
        "smaller error at every number of samples, and in general as a faster rate.",
        setting="the perceptron of the credit card data, up to 2000 samples with $M=2$ draws per "
        "level",
        gather=gather_speed_of_decay,
        check=check_faster,
        falls="slip",
        matters="The error is smaller at the paper's sizes, which matters to a user; but both "
        "errors decrease like the inverse of the number of samples.",
    ),
    claim(
        id="ol21-03c",
        title="A three-fold speed-up",
        heading="Comparison with permutations",
        topic="cost",
        where=f"{TABLE}, column Time",
        words="although may depend on the CPU ... achieved around a 3-fold speed-up against the "
        "Castro algorithm",
        statement=r"The Owen algorithm achieved around a 3-fold speed-up against the Castro "
        r"algorithm on the authors' machine.",
        hedges="“although may depend on the CPU ... and GPU ... used”.",
        matters="On another machine, with equally careful implementations of both methods, the "
        "factor may differ.",
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
        hedges="“which will be discussed in our experimental section”; Figure 2 shows standard "
        "deviations on two data sets.",
        setting="the perceptrons of the credit card and digit data, baseline zero, $M=2$",
        gather=gather_halving,
        check=check_halving,
        lacks="an even part of the game",
        falls="hypothesis",
        matters="Complements help where the even part of a game is the larger one, as for the "
        "paper's models; where there is no even part they double the variance.",
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
        matters="Antithetic permutations are a strong and simpler alternative to halved levels.",
        gather=gather_antithetic,
        check=check_antithetic,
        falls="hypothesis",
    ),
    claim(
        id="ol21-05",
        title="Equivalent samples",
        heading="Comparison with permutations",
        topic="cost",
        where=f"Section IV.B, last paragraph; {SYMMETRY}, last paragraph",
        words="we have to consider M_c = QM ones ... the number of operations is still in the "
        "order of QM",
        statement=r"$QM$ samples of Algorithm 1 or 2 are to be compared with $M_c=QM$ of Castro "
        r"sampling: the number of operations is of the same order.",
        hedges="Meant as an order: “the number of operations is still in the order of QM”.",
        matters="Comparisons at equal samples favour the halved form, which uses somewhat more "
        "evaluations, in particular with few samples.",
        gather=gather_counts,
        check=check_counts,
        stands="loosely",
    ),
)
