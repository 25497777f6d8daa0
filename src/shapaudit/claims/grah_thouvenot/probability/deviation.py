"""Claim 11, in theory: the deviation inequality for any Z, and for SGD on any game."""

from math import comb, log

import numpy as np

from ....estimators.projections import project_intersection
from ....games import all_coalitions
from ....theory.bounds import (
    deviation_crossing,
    deviation_probability,
    deviation_threshold,
    deviation_vacuous_below,
    two_point_law,
)
from ....theory.constants import importance_sizes, strong_convexity
from ....truth import shapley_from_table
from ...base import Evidence, Verdict
from ...context import Context
from ...exact import show
from ..common import BOTH, claim

LAW_GRID = tuple(np.arange(1, 17) / 4)  # a of the two-point laws
RARE_PLAYERS = 6
WHERE = f"Section 4.2, High-Probability bounds, and the appendix; {BOTH}"
INEQUALITY = r"$\mathbb E[Z]\le A\Rightarrow\mathbb P\bigl(Z\ge A(2+4a)\bigr)\le2e^{-a^2}$"


def gather_general(context: Context) -> Evidence:
    """Two-point laws on 0 and A (2 + 4 a) with mean A = 1."""
    laws = []
    for a in map(float, LAW_GRID):
        value, probability = two_point_law(1.0, a)
        laws.append({"a": a, "outcomes": [(1 - probability, 0.0), (probability, value)]})
    return {"laws": laws, "crossing": deviation_crossing(), "vacuous": deviation_vacuous_below()}


def check_general(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by any law with P(Z >= A (2 + 4 a)) above 2 exp(-a^2), A its mean."""
    table = []
    for law in evidence["laws"]:
        mean = sum(p * z for p, z in law["outcomes"])
        level = deviation_threshold(mean, law["a"]) * (1 - 1e-12)
        tail = sum(p for p, z in law["outcomes"] if z >= level)
        table.append({"a": law["a"], "tail": tail, "bound": deviation_probability(law["a"])})
    broken = [row for row in table if row["tail"] > row["bound"]]
    numbers = {"crossing": evidence["crossing"], "vacuous_below": evidence["vacuous"]}
    if not broken:
        return Verdict(
            "supported",
            f"Holds for all {len(table)} laws tried.",
            "sample",
            numbers,
            rows=tuple(table),
        )
    worst = broken[len(broken) // 2]
    return Verdict(
        "refuted",
        "Let Z be A (2 + 4 a) with probability 1 / (2 + 4 a), else 0: its mean is A. At a = "
        f"{show(worst['a'])} the probability is {show(worst['tail'])}, against the bound "
        f"{show(worst['bound'])}. Below a = {show(evidence['crossing'])} the inequality follows "
        "from Markov's, and is weaker; beyond, where it says more, this law contradicts it. Below "
        f"a = {show(evidence['vacuous'])} it is vacuous; beyond, Z = 0 contradicts it at A = 0.",
        "hypothesis",
        numbers,
        rows=tuple(table),
    )


def gather_one_step(context: Context) -> Evidence:
    """The law of Z after one step on the game that pays 1 to one coalition, of half the players.

    Importance sampling, step 2/(mu (t + 1)), (t + 1)-weighted average, projection on K with C = 1
    and D = sqrt(d): everything as printed, all coalitions enumerated.
    """
    d = RARE_PLAYERS
    coalitions = all_coalitions(d)
    values = np.zeros(1 << d)
    rewarded = (1 << d // 2) - 1
    values[rewarded] = 1.0
    truth = shapley_from_table(values)
    sizes = coalitions.sum(axis=1)
    probabilities = importance_sizes(d, d**0.5)
    start = np.zeros(d)  # v(M) / d
    outcomes = []
    for index in range(1, (1 << d) - 1):
        x, size = coalitions[index].astype(float), int(sizes[index])
        p = probabilities[size - 1] / comb(d, size)
        over_p = (d - 1) / (size * (d - size) * probabilities[size - 1])  # w_i / p_i
        gradient = 2 * over_p * (x @ start - values[index]) * x
        moved = project_intersection(start - gradient / strong_convexity(d), 0.0, d**0.5)
        average = (start + 2 * moved) / 3
        outcomes.append((float(p), float(np.square(average - truth).sum())))
    return {"players": d, "outcomes": outcomes}


def check_one_step(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when the enumerated law breaks the inequality at any of its own values."""
    outcomes = evidence["outcomes"]
    mean = sum(p * z for p, z in outcomes)
    table = []
    for value in sorted({z for _, z in outcomes}):
        if value > 2 * mean:
            a = (value / mean - 2) / 4
            tail = sum(p for p, z in outcomes if z >= value)
            # 2 exp(-a^2) underflows for large a; its logarithm does not.
            table.append({"a": a, "z": value, "tail": tail, "log_bound": log(2) - a * a})
    broken = [row for row in table if log(row["tail"]) > row["log_bound"]]
    numbers = {"players": evidence["players"], "mean_z": mean}
    if not broken:
        return Verdict(
            "supported",
            f"Holds for the law of Z on {len(outcomes)} outcomes.",
            "sample",
            numbers,
            sample={"outcomes": len(outcomes)},
            evidence="prop:deviation",
        )
    worst = max(broken, key=lambda row: log(row["tail"]) - row["log_bound"])
    return Verdict(
        "refuted",
        f"The game of {evidence['players']} players that pays 1 to one coalition of half of them "
        f"and 0 to all others: after one step, E Z is {show(mean)}, but Z is {show(worst['z'])} "
        f"with probability {show(worst['tail'])}. With A = E Z that is a = {show(worst['a'])}, "
        f"where the bound is e to the power {show(worst['log_bound'])}. A game whose values "
        "concentrate on few coalitions gives Z the two-point law.",
        "hypothesis",
        {**numbers, **{f"worst_{key}": value for key, value in worst.items()}},
        sample={"outcomes": len(outcomes)},
        rows=tuple(broken),
    )


CLAIMS = (
    claim(
        id="gt20-11a",
        title="Deviation inequality for any Z",
        where=WHERE,
        statement=rf"{INEQUALITY} for all $a,A\ge0$ and any random variable $Z\ge0$.",
        gather=gather_general,
        check=check_general,
    ),
    claim(
        id="gt20-11b",
        title="Deviation inequality for the error of SGD on any game",
        where=WHERE,
        statement=rf"{INEQUALITY} for all $a,A\ge0$ and $Z=\|\bar\phi_T-\phi^*\|^2$, for any game "
        r"and any $T$.",
        gather=gather_one_step,
        check=check_one_step,
    ),
)
