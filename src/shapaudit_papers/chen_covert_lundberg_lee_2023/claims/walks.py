"""Claim 12: what walking through permutations saves and guarantees."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.judges.identity import against, first_mismatch, told
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.walks import PER_PLAYER, gather_counts, gather_efficiency
from .common import AGNOSTIC, claim

GAP_ROUNDING = 1e-9


def check_counts(evidence: Evidence, alpha: float) -> Verdict:
    """Loosely true if a walk costs half of IME except for the empty coalition.

    That coalition is evaluated once.
    """
    rows = [row | {"factor": row["ime"] / row["appro_shapley"]} for row in evidence["rows"]]
    twice = all(row["ime"] == 2 * (row["appro_shapley"] - 1) for row in rows)
    return tell(
        "proved" if twice else "refuted",
        {
            "proved": "For the same number $T$ of marginal contributions per player it takes $dT$ "
            "evaluations, and one for the empty coalition, instead of $2dT$.",
            "refuted": "The ratio of evaluations is not two to one.",
        },
        "loosely" if twice else None,
        shown_by={"proved": "prop:chen-shared"},
        numbers={"smallest_factor": min(row["factor"] for row in rows)},
        rows=rows,
    )


def check_efficiency(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if every permutation has a sum other than the prediction."""
    cases, sample = evidence["cases"], {"permutations": len(evidence["cases"])}
    exact = (
        f"Exact along all {len(cases)} permutations of random games: the contributions of a walk "
        "telescope, so that every mean of walks is efficient."
    )
    apart = first_mismatch(evidence["outputs"])
    if apart and not first_mismatch(cases):
        text = (
            f"{exact} They sum to the prediction minus the value without players, as in the "
            f"section on the axiom, and not to the prediction ({told(apart)})"
        )
        return against(apart, text, "inconsistent", sample=sample, shown_by="prop:chen-shared")
    return by_identity(
        cases,
        exact,
        lambda case: f"{case.label}: the sum is {case.left}, not {case.right}.",
        sample=sample,
        shown_by="prop:chen-shared",
    )


def check_gaps(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if an efficient family has a gap, or another family never has one."""
    rows = evidence["rows"]
    gap = max(row["largest_gap"] for row in rows)
    wrong = [
        row["family"]
        for row in rows
        if (row["largest_gap"] <= GAP_ROUNDING) != row["said_to_be_efficient"]
    ]
    return tell(
        "refuted" if wrong else "exact",
        {
            "refuted": f"This does not hold for {', '.join(wrong)}.",
            "exact": "Walks telescope, KernelSHAP is solved under the constraint, and SGD-Shapley "
            "projects on the hyperplane at every step, which is the normalisation. For each of "
            f"the other methods one run is a counterexample, with gaps of up to {show(gap)} times "
            f"the range of $v$ at {PER_PLAYER} evaluations per player.",
        },
        reach=f"{len(rows)} methods",
        numbers={} if wrong else {"largest_gap": gap},
        sample={"families": len(rows)},
        rows=rows,
    )


CLAIMS = (
    claim(
        id="ccll23-12a",
        title="Walks halve the evaluations",
        heading="Random orders",
        topic="cost",
        where=f"{AGNOSTIC}, paragraph on IME against ApproShapley",
        words="it halves the number of evaluations of the game (which are expensive) by reusing "
        "them",
        statement=r"Walking through permutations as in ApproShapley halves the number of "
        r"evaluations of the game by reusing them.",
        hedges="In comparison with IME, for the same number of marginal contributions.",
        matters="The factor is two except for one evaluation.",
        gather=gather_counts,
        check=check_counts,
    ),
    claim(
        id="ccll23-12b",
        title="Walks are efficient",
        heading="Random orders",
        topic="identities",
        where=f"{AGNOSTIC}, paragraph on IME against ApproShapley",
        words="it guarantees that the efficiency axiom is satisfied (i.e., the estimated Shapley "
        "values sum to the model's prediction)",
        statement=r"Walking through permutations guarantees that the efficiency axiom is "
        r"satisfied: the estimated Shapley values sum to the model's prediction.",
        hedges="The next section states the axiom as “the game's value with all players minus the "
        "value with none”.",
        gather=gather_efficiency,
        check=check_efficiency,
        falls="slip",
        matters="The values sum to the difference between the predictions at explicand and "
        "baseline.",
    ),
)
