"""Claim 4, continued: what the bias of the grid amounts to, and a grid without."""

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from ...samplers.quadrature import plan, quadrature_rule
from ...theory import multilinear
from ..base import Evidence, Verdict
from ..context import Context
from ..exact import show
from .common import AGNOSTIC, SAMPLES, TRIALS, claim

PLAYERS = 10  # of the random games: as many as the diabetes data have
LARGEST_GAME = 12  # players of the study's games that are looked at
# Two of the published methods: whether pairs are drawn, and evaluations per draw (and player).
METHODS = {"ME": lambda d: (False, d + 1), "MEF-ANTI": lambda d: (True, 4 * d)}
ROUNDING = 1e-12  # of Gauss-Legendre nodes, which are not rational


def tables(context: Context) -> Iterator[tuple[str, np.ndarray]]:
    """Random normal games of `PLAYERS` players, and the smaller games of the study."""
    for k in range(context.settings.random_games):
        yield f"random {k + 1}", context.generator("ccll23-04", k).standard_normal(1 << PLAYERS)
    for study_game in context.games:
        if study_game.n_players <= LARGEST_GAME:
            pairs = study_game.pairs(context.settings.simulated_pairs)
            for k, (game, _) in enumerate(pairs):
                yield f"{study_game.name} {k + 1}", game.values


def gather_trials(context: Context, rule: str = "equal") -> Evidence:
    """Squared bias and variance of grids at the published numbers of samples, exactly."""
    rows = []
    for (name, values), method in product(tables(context), METHODS):
        d = len(values).bit_length() - 1
        paired, cost = METHODS[method](d)
        for samples in SAMPLES[:4]:
            grid, counts = plan(rule, samples // cost, d, paired)
            squared = float(np.square(multilinear.bias(values, grid, paired)).sum())
            variance = float(multilinear.variance(values, grid, counts, paired).sum())
            if variance == 0:
                continue  # an additive game has neither bias nor noise
            row = {"game": name, "players": d, "method": method, "samples": samples}
            row |= {"levels": len(counts), "squared_bias": squared, "variance": variance}
            rows.append(row | {"bias_over_trial_noise": TRIALS * squared / variance})
    return {"rows": rows}


def check_trials(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by an expected estimate that is not the Shapley value."""
    rows = tuple(evidence["rows"])
    ratios = [row["bias_over_trial_noise"] for row in rows]
    biased = [row for row in rows if row["squared_bias"] > ROUNDING * row["variance"]]
    numbers = {"biased": len(biased), "cases": len(rows), "largest_ratio": max(ratios)}
    if not biased:
        return Verdict(
            "proved", "All expectations are the Shapley values.", "sound", numbers, rows=rows
        )
    share = sum(ratio > 1 for ratio in ratios)
    return Verdict(
        "refuted",
        f"On the fixed grid the exact bias is not zero in {len(biased)} of {len(rows)} cases, and "
        f"in {share} it exceeds what {TRIALS} trials show by chance (up to {show(max(ratios))} "
        "times). It is in the expectation, so that more trials do not remove it. With a uniform q "
        "there is none, which is the case that the caption of Table 1 calls unbiased.",
        "hypothesis",
        numbers,
        rows=rows,
    )


def gather_rules(
    context: Context, nodes: Callable[[int], int] = lambda d: (d + 1) // 2
) -> Evidence:
    """Largest bias on games in [0, 1] of each rule with ceil(d/2) levels, and of its rivals."""
    rows = []
    for d in range(3, context.settings.max_exact_dimension + 1):
        levels = max(nodes(d), 2)
        row = {"players": d, "levels": levels}
        for name in ("equal", "trapezoid", "midpoint", "gauss-legendre"):
            law = multilinear.size_law(quadrature_rule(name, levels), d)
            row[name] = float(np.abs(law - 1 / d).sum())
        rows.append(row)
    return {"rows": rows}


def check_rules(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when Gauss-Legendre is exact to rounding; the other rules are shown beside it."""
    rows = tuple(evidence["rows"])
    largest = max(row["gauss-legendre"] for row in rows)
    others = min(row[name] for row in rows for name in ("equal", "trapezoid", "midpoint"))
    numbers = {"largest_gauss_legendre": largest, "smallest_other": others}
    if largest > ROUNDING * rows[-1]["players"]:
        return Verdict(
            "refuted",
            f"With these levels Gauss-Legendre has a bias of up to {show(largest)}.",
            "false",
            numbers,
            rows=rows,
        )
    last = rows[-1]
    return Verdict(
        "proved",
        "e(q) is a polynomial of degree d - 1, which Gauss-Legendre integrates exactly with "
        f"ceil(d/2) levels. At d = {last['players']} and {last['levels']} levels the largest bias "
        f"of equal weights is {show(last['equal'])}, of the trapezoid rule "
        f"{show(last['trapezoid'])} and of the midpoint rule {show(last['midpoint'])}.",
        "sound",
        numbers,
        rows=rows[:: max(1, len(rows) // 12)],
        evidence="prop:chen-gauss",
    )


CLAIMS = (
    claim(
        id="ccll23-04d",
        title="Multilinear extension sampling is unbiased",
        where=f"{AGNOSTIC}; caption of Figure 5; the caption of Table 1 has the condition",
        statement=r"Multilinear extension sampling is an unbiased, sampling-based estimator. "
        r"(Here: as it is benchmarked, on a fixed grid of $q$.)",
        gather=gather_trials,
        check=check_trials,
    ),
    claim(
        id="ccll23-04e",
        title="A grid without bias",
        where=f"left out by the paper, whose {AGNOSTIC} has no other grid",
        statement=r"Gauss-Legendre quadrature with $\lceil d/2\rceil$ levels of $q$ is unbiased.",
        source="this project",
        gather=gather_rules,
        check=check_rules,
    ),
)
