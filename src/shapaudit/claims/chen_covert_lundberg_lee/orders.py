"""Claim 9, continued: random q and random orders as estimators of all players together."""

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from ...theory.random_order import Outcomes, marginal_law, moments, shared_outcomes, walk_outcomes
from ..base import Evidence, Verdict
from ..context import Context
from ..exact import integer_games, show, vector_cases
from .common import APPENDIX, claim

PLAYERS = (3, 4)  # of the games whose walks are listed

Draw = Callable[[Sequence], Outcomes]


def gather_joint(
    context: Context, first: Draw = shared_outcomes, second: Draw = walk_outcomes
) -> Evidence:
    """Laws, covariances and sums of one coalition with random q and one walk, on random games."""
    rows, covariances = [], []
    for label, d, values in integer_games(context, "ccll23-09", dimensions=PLAYERS):
        laws = first(values), second(values)
        same = all(marginal_law(laws[0], i) == marginal_law(laws[1], i) for i in range(d))
        (_, shared), (_, walked) = (moments(law) for law in laws)
        covariances += vector_cases(label, shared.ravel(), walked.ravel())
        row = {"game": label, "players": d, "same_marginal_laws": same}
        row |= {"variance": np.trace(shared), "variance_walk": np.trace(walked)}
        rows.append(row | {"variance_of_sum": shared.sum(), "variance_of_sum_walk": walked.sum()})
    return {"rows": rows, "cases": covariances}


def check_joint(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when laws and covariances agree; refuted, with what is left, when only the former."""
    rows = tuple(evidence["rows"])
    sample = {"games": len(rows)}
    different = sum(case.left != case.right for case in evidence["cases"])
    numbers = {"covariances": len(evidence["cases"]), "different": different}
    if not all(row["same_marginal_laws"] for row in rows):
        return Verdict(
            "refuted",
            "Not even the contributions of one player have the same law.",
            "false",
            numbers,
            sample=sample,
            rows=rows,
        )
    if not different:
        return Verdict(
            "proved", "All covariances agree.", "sound", numbers, sample=sample, rows=rows
        )
    efficient = all(row["variance_of_sum_walk"] == 0 for row in rows)
    return Verdict(
        "refuted",
        "For one player at a time they are equivalent, as the paper says, and their variances are "
        f"equal; {different} of {numbers['covariances']} covariances differ. "
        + ("The contributions of a walk have a sum without variance, those " if efficient else "")
        + ("to a shared coalition have not." if efficient else "Neither sum is certain."),
        "hypothesis",
        numbers,
        sample=sample,
        rows=rows,
        evidence="prop:chen-shared",
    )


def check_normalised(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when normalising the shared draws leaves less variance than a walk in every game."""
    rows = tuple(
        {
            "game": row["game"],
            "walk": row["variance_walk"],
            "shared_normalised": row["variance"] - row["variance_of_sum"] / row["players"],
            "at_equal_evaluations": Fraction(row["players"] + 1, row["players"])
            * (row["variance"] - row["variance_of_sum"] / row["players"]),
        }
        for row in evidence["rows"]
    )
    sample = {"games": len(rows)}
    if any(row["shared_normalised"] > row["walk"] for row in rows):
        return Verdict("refuted", "A walk has less variance.", "false", sample=sample, rows=rows)
    better = [row for row in rows if row["at_equal_evaluations"] < row["walk"]]
    ratios = [row["at_equal_evaluations"] / row["walk"] for row in rows if row["walk"]]
    numbers = {"better_at_equal_evaluations": len(better), "smallest_ratio": min(ratios)}
    return Verdict(
        "proved",
        "Normalisation takes the variance of the sum over d from the shared draws and nothing from "
        "a walk, whose variance is the same before. A shared draw costs d + 1 evaluations, a walk "
        f"d, end points aside: at equal evaluations the shared draws win in {len(better)} of "
        f"{len(rows)} random games, with a variance down to {show(float(min(ratios)))} of that of "
        "the walk.",
        "sound",
        numbers,
        sample=sample,
        rows=rows,
        evidence="prop:chen-shared",
    )


CLAIMS = (
    claim(
        id="ccll23-09b",
        title="Random q and random orders, all players together",
        where=f"{APPENDIX}, beyond what is said there of sampling subsets",
        statement=r"Contributions of all players to one coalition of random $q$ and along one "
        r"random order have, beside the same law player by player, the same covariances.",
        source="this project",
        gather=gather_joint,
        check=check_joint,
    ),
    claim(
        id="ccll23-09c",
        title="Random q, normalised, against random orders",
        where="left out by the paper, which normalises neither",
        statement=r"After additive efficient normalisation, contributions to a shared coalition of "
        r"random $q$ have at most the variance of a walk, summed over the players.",
        source="this project",
        gather=gather_joint,
        check=check_normalised,
    ),
)
