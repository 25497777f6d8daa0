"""Claim 12: what walking through permutations saves and guarantees."""

from collections.abc import Mapping

import numpy as np

from ...estimators import Estimator, KernelSHAP, OptimisedMonteCarlo, PlainMonteCarlo
from ...estimators.featurewise import FeaturewiseMultilinear
from ...estimators.multilinear import MultilinearSampling, RandomMultilinear
from ...games import CountedGame, TabularGame
from ...theory.random_order import walk_outcomes
from ..base import Evidence, Verdict
from ..context import Context
from ..exact import Case, first_mismatch, integer_games, show, small_dimensions, verdict_against
from ..grah_thouvenot.rates.default_step import default_rule
from .common import AGNOSTIC, BENCHMARK, claim

COUNTED = ((2, 1), (2, 7), (5, 3), (10, 20))  # (d, permutations) of the counted runs
PLAYERS, PER_PLAYER = 5, 40  # of the games whose efficiency gaps are looked at; budget
ROUNDING = 1e-9
# The four families of Figure 5 and SGD-Shapley, and which of them the paper says are efficient.
FAMILIES: dict[str, tuple[Estimator, bool]] = {
    "ApproShapley": (OptimisedMonteCarlo(), True),
    "KernelSHAP": (KernelSHAP(), True),
    "SGD-Shapley": (default_rule(), True),
    "IME": (PlainMonteCarlo(), False),
    "multilinear, fixed grid": (MultilinearSampling(), False),
    "multilinear, random q": (RandomMultilinear(), False),
    "multilinear by feature": (FeaturewiseMultilinear(), False),
}


def gather_counts(context: Context, walking: Estimator | None = None) -> Evidence:
    """Evaluations counted while IME and ApproShapley take so many permutations for each player."""
    rows = []
    for d, permutations in COUNTED:
        rng = context.generator("ccll23-12", d, permutations)
        table = TabularGame(rng.standard_normal(1 << d))
        row = {"players": d, "permutations": permutations}
        walk = walking or OptimisedMonteCarlo()
        runs = {"ime": (PlainMonteCarlo(), 2 * d), "appro_shapley": (walk, walk.unit_cost(d))}
        for name, (estimator, cost) in runs.items():
            budget = estimator.fixed_cost + cost * permutations
            counted = CountedGame(table, budget)
            estimator.estimate(counted, budget, rng)
            row[name] = counted.evaluations
        rows.append(row)
    return {"rows": rows}


def check_counts(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when a walk costs half of IME but for the empty coalition, evaluated once."""
    rows = tuple(row | {"factor": row["ime"] / row["appro_shapley"]} for row in evidence["rows"])
    numbers = {"smallest_factor": min(row["factor"] for row in rows)}
    if any(row["ime"] != 2 * (row["appro_shapley"] - 1) for row in rows):
        return Verdict(
            "refuted", "The evaluations are not two to one.", "false", numbers, rows=rows
        )
    return Verdict(
        "proved",
        "Counted for equal numbers of marginal contributions per player: 2 d T evaluations against "
        "d T and one for the empty coalition.",
        "sound",
        numbers,
        rows=rows,
    )


def gather_efficiency(context: Context, outcomes=walk_outcomes) -> Evidence:
    """The sum of the contributions along every permutation, and v(D) - v(empty)."""
    cases = [
        Case(f"{label}, permutation {k + 1}", contributions.sum(), values[-1] - values[0])
        for label, _, values in integer_games(
            context, "ccll23-12", dimensions=small_dimensions(context, 4)
        )
        for k, (_, contributions) in enumerate(outcomes(values))
    ]
    return {"cases": cases}


def check_efficiency(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when every permutation adds up."""
    sample = {"permutations": len(evidence["cases"])}
    if wrong := first_mismatch(evidence["cases"]):
        return verdict_against(
            wrong, f"{wrong.label}: the sum is {wrong.left}, not {wrong.right}.", sample=sample
        )
    return Verdict(
        "proved",
        f"Exact along all {sample['permutations']} permutations of random games: the contributions "
        "of a walk telescope, so every mean of walks is efficient.",
        "sound",
        sample=sample,
        evidence="prop:chen-shared",
    )


def gather_gaps(
    context: Context, families: Mapping[str, tuple[Estimator, bool]] = FAMILIES
) -> Evidence:
    """Efficiency gaps of the estimators over |v(D) - v(empty)|, largest over random games."""
    rows = []
    budget = PER_PLAYER * PLAYERS
    for name, (estimator, promised) in families.items():
        gaps = []
        for k in range(context.settings.random_games):
            rng = context.generator("ccll23-12c", k)
            game = TabularGame(rng.standard_normal(1 << PLAYERS))
            total = game.values[-1] - game.values[0]
            gap = estimator.estimate(game, budget, rng).values.sum() - total
            gaps.append(abs(gap) / np.ptp(game.values))
        row = {"family": name, "said_to_be_efficient": promised}
        rows.append(row | {"smallest_gap": min(gaps), "largest_gap": max(gaps)})
    return {"rows": rows}


def check_gaps(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by an efficient family with a gap, or by another that never has one."""
    rows = tuple(evidence["rows"])
    sample = {"families": len(rows)}
    wrong = [
        row["family"]
        for row in rows
        if (row["largest_gap"] <= ROUNDING) != row["said_to_be_efficient"]
    ]
    if wrong:
        return Verdict(
            "refuted", f"It is not so for {', '.join(wrong)}.", "false", sample=sample, rows=rows
        )
    gap = max(row["largest_gap"] for row in rows)
    return Verdict(
        "proved",
        "Walks telescope, KernelSHAP is solved under the constraint, and SGD-Shapley projects on "
        "the hyperplane at every step, which is the normalisation; one run of each of the others "
        f"is a counterexample, with gaps of up to {show(gap)} times the range of v at {PER_PLAYER} "
        "evaluations per player.",
        "sound",
        {"largest_gap": gap},
        sample=sample,
        rows=rows,
    )


CLAIMS = (
    claim(
        id="ccll23-12a",
        title="Walks halve the evaluations",
        where=AGNOSTIC,
        statement=r"Walking through permutations as in ApproShapley halves the number of "
        r"evaluations of the game, but for one, by reusing them.",
        gather=gather_counts,
        check=check_counts,
    ),
    claim(
        id="ccll23-12b",
        title="Walks are efficient",
        where=AGNOSTIC,
        statement=r"Walking through permutations guarantees that the estimates satisfy "
        r"$\sum_i\hat\phi_i=v(D)-v(\emptyset)$.",
        gather=gather_efficiency,
        check=check_efficiency,
    ),
    claim(
        id="ccll23-12c",
        title="Efficient estimators",
        where=f"{BENCHMARK}; the estimators are named in the caption of Figure 5",
        statement=r"Of the sampling-based estimators (ApproShapley, IME, KernelSHAP, multilinear "
        r"extension sampling), only ApproShapley and KernelSHAP are guaranteed to satisfy "
        r"efficiency; SGD-Shapley is by normalisation.",
        gather=gather_gaps,
        check=check_gaps,
    ),
)
