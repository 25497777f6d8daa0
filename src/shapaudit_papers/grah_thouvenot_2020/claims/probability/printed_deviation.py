"""Claim 11e: the deviation bounds that the paper prints, for every T and every level."""

from math import log

from shapaudit_audit.audit.comparisons import out_of
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ...evidence.probability.printed_deviation import gather_printed
from ..common import claim

STEPS = ("inverse", "square_root", "constant")
LARGEST_QUOTIENT = 5  # of epsilon over A, up to which the bound is at least 1


def _compared(evidence):
    """Per reading of the bound, its logarithm and that of the probability of the path."""
    error = evidence["errors"][-1]
    for reading in evidence["readings"]:
        quotient = float(error * reading["steps"] / reading["factor"])
        yield {
            "version": reading["version"],
            "kappa": reading["kappa"],
            "steps": reading["steps"],
            "log_probability": (1 - int(reading["steps"])) * log(2),
            "log_bound": log(2) - (quotient - 2) ** 2 / 16,
        }


def check_printed(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when the probability of the path, inside the ball, exceeds a reading of the bound."""
    rows = list(_compared(evidence))
    inside = evidence["largest_square_norm"] <= evidence["square_radius"]
    broken = [row for row in rows if inside and row["log_probability"] > row["log_bound"]]
    return tell(
        "refuted" if broken else "inconclusive",
        {
            "inconclusive": "The path considered does not contradict the bounds.",
            "refuted": lambda: _told(
                broken[0], out_of(len(broken), len(rows)), evidence["errors"][-1]
            ),
        },
        shown_by={"refuted": "prop:printed-deviation"},
        numbers={"readings": len(rows), "readings_broken": len(broken)},
        rows=rows,
        setting=_in_the_experiments(evidence["experiments"]),
    )


def _told(row, broken, error):
    return (
        "The bound decreases like $e^{-cT^2}$, and an event that requires $T$ draws "
        r"of one coalition cannot be as rare. On the game of two players with $v(\mathcal M)=1$ "
        "and 0 elsewhere, the same player is always drawn with probability $2^{1-T}$, and the "
        f"squared error is then {error} for every $T$ from 3 onwards. So the bound fails from $T$ "
        f"= {show(float(row['steps']))} onwards at the latest. Of its readings (two versions, "
        rf"$\kappa$ as $B/\mu$ or as printed) {broken} fail. The error here is bounded, so that a "
        "light tail does not save the bounds."
    )


def _in_the_experiments(experiments):
    largest = max(experiment[step] for experiment in experiments for step in STEPS)
    empty = largest <= LARGEST_QUOTIENT
    listed = " and ".join(
        f"{experiment['steps']} evaluations at $d$ = {experiment['players']}"
        for experiment in experiments
    )
    return Ruling(
        "vacuous" if empty else "inconclusive",
        f"After {listed}, for all $C$ and $D$, the level is at most {show(largest)} times the "
        f"bound on the mean. Up to {LARGEST_QUOTIENT} times that bound, the three bounds are at "
        "least 1."
        if empty
        else f"The level reaches {show(largest)} times the bound on the mean.",
    )


CLAIMS = (
    claim(
        id="gt20-11e",
        title="The printed deviation bounds",
        heading="Bounds in probability",
        topic="probability",
        where="Section 8.2 (HAL); Section 4.2, High-Probability bounds (arXiv, with other factors)",
        words="we obtain ... P(||bar phi_T - phi*||^2 >= epsilon) <= 2 exp(-1/16 [epsilon T/(4 "
        "kappa^2) - 2]^2) for all epsilon > 0",
        statement=r"$\mathbb P\bigl(\|\bar\phi_T-\phi^*\|^2\ge\epsilon\bigr)\le2\exp\bigl("
        r"-\frac1{16}\bigl[\frac{\epsilon T}{4\kappa^2}-2\bigr]^2\bigr)$ for all $\epsilon>0$, for "
        r"$\gamma_t=\frac2{\mu(t+1)}$ and the weighted average; and likewise for the other two "
        r"steps.",
        hedges="Derived from the deviation inequality, for which sources are cited.",
        setting="the numbers of evaluations and the constant steps of Section 5.2, $d=16$ and "
        "300, for every $C$ and $D$",
        matters="These bounds should not be used: they come from an inequality that requires a "
        "light tail, and fail for large $T$ even without one. The Markov bounds of the HAL "
        "version hold.",
        gather=gather_printed,
        check=check_printed,
    ),
)
