"""Claim 14a: where Dykstra's projection, Algorithm 2, stops."""

import numpy as np

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.algorithms.dykstra import gather_stop
from ..common import BOTH, claim

ACCURATE = 1e-3  # an error beyond this share of D counts as a wrong projection


def check_stop(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if the algorithm stops before the cap at a point that is not the projection."""
    trials = evidence["trials"]
    keys = ("total", "radius", "tolerance", "passes", "error")
    rows = tuple(
        {"players": len(trial["phi"])} | {key: trial[key] for key in keys} for trial in trials
    )
    early = [trial for trial in trials if not trial["capped"] and trial["error"] > ACCURATE]
    numbers: dict[str, float] = {"trials": len(trials), "early_stops": len(early)}
    first = min(
        early, key=lambda trial: len(trial["phi"]), default=None
    )  # the first of the shortest
    if first:
        numbers["largest_error"] = max(trial["error"] for trial in early)
        numbers["norm"] = float(np.linalg.norm(first["returned"]))
    return tell(
        "refuted" if early else "supported",
        {
            "supported": f"At all {len(trials)} points tested, the stopping point is the "
            "projection.",
            "refuted": lambda: _told_early(first, numbers["norm"]),
        },
        shown_by={"refuted": "prop:dykstra"},
        numbers=numbers,
        rows=rows,
    )


def _told_early(first, norm):
    start, returned = (", ".join(map(show, first[key])) for key in ("phi", "returned"))
    return (
        rf"From $\phi$ = ({start}) with $v(\mathcal M)$ = {show(first['total'])} and "
        f"$D={show(first['radius'])}$, Algorithm 2 stops at pass {first['passes']} with "
        f"({returned}), of norm {show(norm)}. This point is outside the ball, at a distance of "
        rf"{show(first['error'])} $D$ from the projection. Two passes shrink $\phi$ by the same "
        r"factor although the iteration has not converged. Whenever $v(\mathcal M)$ is not 0 and "
        r"the ball constraint is active, this happens for some shift of $\phi$ along the all-ones "
        "vector. Such points are a null set, which chance will hardly find, and everywhere else "
        "the rule is correct."
    )


CLAIMS = (
    claim(
        id="gt20-14a",
        title="Stopping rule of Algorithm 2",
        heading="Algorithms and their cost",
        topic="convergence",
        where=f"Section 4.1, Algorithm 2, result and condition of the break; {BOTH}",
        words="Result: the orthogonal projection of phi_t onto K ... if Proj_K1(beta_l + q_l) = "
        "alpha_l then break",
        statement=r"When $\operatorname{Proj}_{K_1}(\beta_l+q_l)=\alpha_l$, $\alpha_l$ is the "
        r"orthogonal projection of $\phi_t$ onto $K=K_1\cap K_2$.",
        hedges="Printed as the result of the algorithm, which ends after a “maximum number of "
        "iterations” in any case. The text says that Dykstra's algorithm “can be used”.",
        falls="slip",
        matters="For some points, all in a null set, the rule stops at a wrong point. On the path "
        "of the algorithm, the cap on the number of passes causes larger errors (GT 14b).",
        gather=gather_stop,
        check=check_stop,
    ),
)
