"""Claim 19: the number of trees behind the printed tables."""

import numpy as np

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.models import gather_trees
from .common import BENCHMARK, claim

MOST = 0.9  # share of the cells that has to agree with one of the models
APART = 1.25  # factor between the two expectations from which a cell of 100 trials can tell them


def check_trees(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if nearly all cells are nearer to ten trees, exact if nearer to a hundred."""
    rows = [
        row
        for row in evidence["rows"]
        if abs(np.log(row["trees_100"] / row["trees_10"])) > np.log(APART)
    ]
    if not rows:
        missing = ({"models": 0},)
        return Verdict("inconclusive", "The study does not contain both models.", rows=missing)
    logs = {
        trees: np.array([np.log(row["printed"] / row[f"trees_{trees}"]) for row in rows])
        for trees in (10, 100)
    }
    nearer = int((abs(logs[10]) < abs(logs[100])).sum())
    means = {trees: float(np.exp(log.mean())) for trees, log in logs.items()}
    told = (
        f"In {nearer} of the {len(rows)} cells in which the two models differ by more than a "
        "quarter, the printed variance is closer to the variance expected with 10 trees: on "
        f"average it is {show(means[10])} times that, and {show(means[100])} times the variance "
        "expected with 100 trees."
    )
    many = nearer >= MOST * len(rows)
    few = nearer <= (1 - MOST) * len(rows)
    return tell(
        "inconsistent" if many else "exact" if few else "inconclusive",
        {
            "inconsistent": f"{told} The public code trains 10.",
            "exact": told,
            "inconclusive": told,
        },
        reach=f"{len(rows)} cells of the tables on the diabetes data",
        numbers={"nearer_ten": nearer, "over_ten": means[10], "over_hundred": means[100]},
        rows=rows,
    )


CLAIMS = (
    claim(
        id="ccll23-19",
        title="A hundred trees",
        heading="The fastest",
        topic="identities",
        where=f"{BENCHMARK}, Figure 5, caption, against Tables 2 and 5",
        words="on XGB models with 100 trees",
        statement=r"The benchmark's models, that of the diabetes data among them, are boosted "
        r"ensembles of 100 trees.",
        hedges="Stated about all three data sets together.",
        gather=gather_trees,
        check=check_trees,
        falls="slip",
        matters="With 100 trees, the errors of the diabetes experiment differ from those printed.",
    ),
)
