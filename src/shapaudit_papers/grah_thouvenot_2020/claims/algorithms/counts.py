"""Claim 16: evaluations counted, and who counted them first."""

from fractions import Fraction

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.algorithms.counts import gather_counts, gather_prior
from ...evidence.algorithms.walk import gather_walk
from ..common import claim
from .walk import check_law


def check_counts(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the walk costs half the plain estimator but for v(r), evaluated once, or once per
    permutation as printed, and T walks and T d steps differ by the end points only; loosely so
    where the factor is not 2.
    """
    keys = ("players", "iterations", "plain", "walk", "sgd", "walk_as_printed")
    rows = [
        {key: row[key] for key in keys}
        | {"factor": row["plain"] / row["walk"]}
        | {"factor_as_printed": Fraction(row["plain"], row["walk_as_printed"])}
        for row in evidence["rows"]
    ]
    last = rows[-1]
    halved = all(
        row["plain"] == 2 * (row["walk"] - 1) == 2 * (row["walk_as_printed"] - row["iterations"])
        for row in rows
    )
    alike = all(row["sgd"] == row["walk"] + 1 for row in rows)
    proved = halved and alike
    return tell(
        "proved" if proved else "refuted",
        {
            "refuted": f"With {last['players']} players and {last['iterations']} iterations the "
            f"counts are {last['plain']} and {last['walk']}, as printed "
            f"{last['walk_as_printed']}, and {last['sgd']} for the gradients.",
            "proved": "By counting, the plain estimator takes $2dT$ evaluations and the walk "
            r"$dT+1$ if $v(\mathbf r)$ is stored, a factor that tends to 2; $Td$ steps of SGD take "
            r"$dT+2$, the end points included. Algorithm 1 as printed evaluates $v(\mathbf r)$ "
            r"anew "
            "for each permutation and costs $(d+1)T$, a factor of $2d/(d+1)$: "
            f"{last['factor_as_printed']} at $d={last['players']}$, and 32/17 and 600/301 at the "
            "16 and 300 players of the paper.",
        },
        "loosely" if proved and last["factor"] != 2 else None,
        shown_by={"proved": "prop:walk"},
        numbers={key: last[key] for key in ("players", "factor", "factor_as_printed")},
        rows=rows,
    )


def check_prior(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if an earlier source describes the trick with fewer than 2 d per permutation."""
    prior, year = evidence["prior"], evidence["year"]
    before = [
        row for row in prior if row["year"] < year and row["explicit"] and row["per_player"] < 2
    ]
    names = "; ".join(row["source"] for row in before)
    implicit = "; ".join(row["source"] for row in prior if row not in before)
    return tell(
        "refuted" if before else "inconclusive",
        {
            "inconclusive": f"None of {len(prior)} earlier sources states it explicitly; others "
            "may.",
            "refuted": f"Stated explicitly before {year} by {names}, at about $d$ evaluations per "
            "permutation. Walking along a whole permutation for all players at once is older: "
            f"{implicit or 'no other'}.",
        },
        "slip",
        numbers={"sources": len(prior), "explicit_before": len(before)},
        rows=prior,
    )


CLAIMS = (
    claim(
        id="gt20-16a",
        title="Evaluations of walks, and earlier bounds",
        heading="Algorithms and their cost",
        topic="cost",
        where="Section 3, first paragraph and below Algorithm 1; Section 4.2, last paragraph; HAL "
        "version (arXiv alike)",
        words="divides by two the use of the reward function ... the estimation error could be "
        "bounded with high probability regarding some assumptions. These results are still valid "
        "for the optimized version ... T iterations of Monte Carlo is equivalent to T × d "
        "iterations of stochastic gradient",
        statement=r"Algorithm 1 divides by two the use of the reward function $v$, in comparison "
        r"with the algorithm that it optimises, for which bounds with high probability on the "
        r"error, under some assumptions, are still valid; $T$ iterations of it are equivalent to "
        r"$T\times d$ iterations of stochastic gradient in evaluations of $v$.",
        hedges="“According to this criteria”, the number of evaluations. Interpreted up to the "
        "evaluations of $v$ at the reference, from which the algorithm starts, and as bounds for "
        "one player and bounds for all players that add the risks; the assumptions are not "
        "repeated.",
        matters="The factor is two except for one evaluation in $d$.",
        gather=gather_counts,
        check=check_counts,
        also=((gather_walk, check_law),),
        falls="slip",
    ),
    claim(
        id="gt20-16b",
        title="The walk was not stated before",
        heading="Algorithms and their cost",
        topic="cost",
        where="Section 3, first paragraph; HAL version (arXiv: without the first six words)",
        words="To the best of our knowledge, this optimization trick has not been explicitly "
        "stated in any article dealing with Shapley Values",
        statement=r"To the best of the authors' knowledge, this optimization trick has not been "
        r"explicitly stated in any article dealing with Shapley values.",
        hedges="“To the best of our knowledge” in the HAL version; “explicitly stated”.",
        matters="It concerns priority only. One of the earlier articles is in the paper's own list "
        "of references.",
        gather=gather_prior,
        check=check_prior,
        falls="slip",
    ),
)
