"""Claim 57: K-means centres and random rows as backgrounds of marginal values."""

from collections.abc import Mapping

import numpy as np

from shapaudit_audit.audit.comparisons import count_words, limits_of, span
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_own_limits
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.backgrounds import gather_backgrounds
from .common import claim, ratio_rows

WORLDS = {
    "smooth": "mixtures of normal distributions and a layer of ReLU",
    "bits": "dependent bits and trees",
}


def _pairs(evidence: Evidence, first: int) -> Mapping[str, tuple[np.ndarray, np.ndarray]]:
    """Return two adjacent columns of the units, by kind of world and number of centres."""
    return {
        f"{WORLDS[kind]}, K = {count}": (units[:, k, first], units[:, k, first + 1])
        for kind, units in evidence["units"].items()
        for k, count in enumerate(evidence["centres"])
    }


def _name(row: Evidence) -> str:
    return row["case"]


def check_coverage(evidence: Evidence, alpha: float) -> Verdict:
    """Judge by the distance of the data from the nearest background row, over all worlds."""
    rows = list(ratio_rows(_pairs(evidence, 0), alpha).values())
    worlds = rows[0]["worlds"]
    return Verdict(
        by_own_limits(rows),
        "With K-means centres, the root mean squared distance of the data from the nearest row of "
        f"the background is {span(row['ratio'] for row in rows)} times that with random rows, on "
        f"a typical one of {worlds} data sets of each kind. K-means minimises this distance; its "
        "effect on Shapley values is a separate question (C 57b).",
        numbers=count_words(rows),
        limits=limits_of(rows, _name, alpha),
        sample={"worlds": worlds, "ratios": len(rows)},
        rows=tuple(rows),
    )


def check_values(evidence: Evidence, alpha: float) -> Verdict:
    """Judge by the errors of the values in each kind of world."""
    ratios = ratio_rows(_pairs(evidence, 2), alpha)
    rows = list(ratios.values())
    told = {
        kind: span(row["ratio"] for name, row in ratios.items() if name.startswith(words))
        for kind, words in WORLDS.items()
    }
    status = by_own_limits(rows)
    return Verdict(
        status,
        "Compared with the values for the whole background, the error of marginal values with "
        f"K-means centres is {told['smooth']} times that with as many random rows on a typical "
        f"world of {WORLDS['smooth']}, and {told['bits']} times on {WORLDS['bits']}, where the "
        "centres are rows that cannot occur.",
        "hypothesis" if status == "refuted" and count_words(rows)["smaller"] else None,
        numbers=count_words(rows),
        limits=limits_of(rows, _name, alpha),
        sample={"worlds": rows[0]["worlds"], "ratios": len(rows)},
        rows=tuple(rows),
    )


HEADING = "Ways to remove a feature"
WHERE = "Section 5.1.2, last paragraph"

CLAIMS = (
    claim(
        id="ccll23-57a",
        title="K-means for coverage",
        heading=HEADING,
        topic="orderings",
        where=WHERE,
        words="approaches based on k-means clustering can be used to ensure better coverage of the "
        "data distribution",
        statement=r"A small number of K-means centres covers the distribution of the data better "
        r"than as many random rows.",
        hedges="“can be used”; with “a smaller number of samples”. Coverage is interpreted as the "
        "distance of rows from the nearest row of the background.",
        gather=gather_backgrounds,
        check=check_coverage,
        statistical=True,
    ),
    claim(
        id="ccll23-57b",
        title="K-means for values",
        heading=HEADING,
        topic="orderings",
        where=f"{WHERE}, beyond what is said there",
        statement="Marginal Shapley values are closer to those of the whole background with "
        "K-means centres than with as many random rows.",
        source="this project",
        matters="Summarise a background by K-means where the model is smooth in numerical "
        "features; elsewhere draw rows.",
        lacks="a model that is smooth in numerical features",
        gather=gather_backgrounds,
        check=check_values,
        statistical=True,
    ),
)
