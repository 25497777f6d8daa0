"""Claims 32 and 33: L-Shapley and C-Shapley."""

from fractions import Fraction
from itertools import pairwise

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.structured import gather_bias, gather_counts
from ..evidence.table_one import gather_counts as gather_deterministic
from .common import AGNOSTIC, claim

SECTION = f"{AGNOSTIC}, paragraph on L-Shapley and C-Shapley; Table 1"
CONSTANT = "C-Shapley"  # with the weights of its public code
COUNTED = ("l_shapley", "c_shapley")


def _even(rows: list[Evidence], key: str) -> bool:
    """Return whether a count grows by the same number for each further player."""
    steps = {Fraction(b[key] - a[key], b["players"] - a["players"]) for a, b in pairwise(rows)}
    return len(steps) == 1


def check_bias(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the error equals the terms beyond the neighbourhood, and is not always 0."""
    cases, biased = evidence["cases"], evidence["biased"]
    if not all(biased.values()):
        exact = next(name for name, count in biased.items() if not count)
        rows = ({"method": exact, "errors": 0, "values": len(cases)},)
        return Verdict(
            "refuted", f"{exact} is exact on all games that were tried.", "wrong", rows=rows
        )
    counts = " and ".join(f"{count} values of {name}" for name, count in biased.items())
    return by_identity(
        cases,
        f"On random games of players in a chain, {counts}, of {len(cases)} each, are not the "
        "Shapley values. The error of L-Shapley is minus the sum of the Möbius coefficients of "
        "those coalitions of the player that extend beyond its neighbourhood, each divided by the "
        "size of the coalition, exactly and for all graphs: it is exact if interactions are local.",
        lambda case: f"{case.label}: an error of {case.left}, not {case.right}.",
        numbers={f"biased.{name}": count for name, count in biased.items()},
        sample={"values": len(cases)},
        shown_by="prop:chen-local",
    )


def check_deterministic(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if counts grow by the same number per player where the radius is fixed."""
    rows = evidence["rows"]
    near = [row for row in rows if row["radius"] != "all"]
    by_radius = {row["radius"]: [r for r in near if r["radius"] == row["radius"]] for row in near}
    linear = all(_even(group, key) for group in by_radius.values() for key in COUNTED)
    far = rows[-1]
    return tell(
        "exact" if linear else "refuted",
        {
            "exact": "With a fixed radius on a chain, the numbers of evaluations of L-Shapley and "
            f"C-Shapley grow in proportion to the players, to {near[-1]['l_shapley']:,} and "
            f"{near[-1]['c_shapley']:,} for {near[-1]['players']} players, and DASP takes two "
            "passes per player and size. If a neighbourhood contains all "
            f"{far['players']} players, L-Shapley takes {far['l_shapley']:,} evaluations.",
            "refuted": "With a fixed radius the counts do not grow in proportion to the players.",
        },
        reach=f"chains of up to {far['players']} players",
        numbers={"l_shapley": far["l_shapley"], "c_shapley": far["c_shapley"]},
        rows=rows,
    )


def check_weights(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if the weights of a method do not sum to one."""
    rows = evidence["rows"]
    apart = [row for row in rows if (row["smallest"], row["largest"]) != (1, 1)]
    printed = [row for row in apart if row["method"] == CONSTANT]
    inner = ", ".join(f"{row['middle']} with radius {row['radius']}" for row in printed[:3])
    return tell(
        "refuted" if apart else "exact",
        {
            "exact": "The weights of every player sum to one.",
            "refuted": lambda: (
                "The weights of L-Shapley sum to one for every player. Those of C-Shapley in its "
                f"public code sum to {inner}, where that many players are on either side; the code "
                "closes the chain to a ring, so that there are for all. With Myerson's weights, "
                "which count the absent neighbours of a coalition within the whole chain, they sum "
                "to one."
            ),
        },
        reach=f"chains of up to {rows[0]['players']} players",
        numbers={"smallest": float(min(row["smallest"] for row in rows))},
        rows=tuple(rows),
    )


def check_variance(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if nothing is drawn and fewer than all coalitions are evaluated."""
    rows = evidence["rows"]
    wrong = [row for row in rows if not row["deterministic"] or row["evaluations"] >= row["all"]]
    most = max(rows, key=lambda row: row["evaluations"])
    return tell(
        "refuted" if wrong else "exact",
        {
            "refuted": lambda: (
                f"{wrong[0]['method']} with radius {wrong[0]['radius']} involves draws, or saves "
                "nothing."
            ),
            "exact": f"Nothing is drawn. With radius {most['radius']} on a chain of "
            f"{most['players']} players, {most['method']} takes {most['evaluations']:,} "
            "coalitions, each once. The number grows exponentially with the neighbours of a "
            "player for L-Shapley, and like their square for C-Shapley on a chain, so that "
            "sampling is needed only if there are many neighbours.",
        },
        reach=f"chains of up to {most['players']} players, radius up to {most['radius']}",
        numbers={"most": most["evaluations"]},
        rows=tuple(rows),
    )


CLAIMS = (
    claim(
        id="ccll23-32a",
        title="L-Shapley and C-Shapley: bias, variance and number of evaluations",
        heading="Structured data",
        topic="convergence",
        where="Section 5.2.1, paragraph on L-Shapley and C-Shapley; Table 1; Table 1, caption, "
        "last note",
        words="biased Shapley value estimators because they restrict the game ... variance-free "
        "for sufficiently small neighborhoods ... can be deterministic with a polynomial number "
        "of model evaluations",
        statement="L-Shapley and C-Shapley are biased, because they consider only coalitions of "
        "players within the neighborhood of the player being explained. They have no variance "
        "for sufficiently small neighborhoods; for large ones sampling may be needed, which "
        "introduces variance. Both of them and DASP can be deterministic with a polynomial "
        "number of evaluations.",
        hedges="Designed for structured data, where nearby features are closely related. "
        "“sufficiently small”, “may still be necessary”; “can be”, “often run with fewer "
        "evaluations”. Table 1 says “No” for both. That the note on polynomial numbers refers "
        "to these three methods follows from Section 5.2, which speaks of small neighbourhoods.",
        gather=gather_bias,
        check=check_bias,
        also=(
            (gather_counts, check_variance),
            (gather_deterministic, check_deterministic),
        ),
        matters="The bias is what players have in common with players beyond the neighbourhood: "
        "it is small if interactions are local, whatever the correlation of the features. The "
        "“No” of Table 1 refers to large neighbourhoods; with small ones, for which the methods "
        "were designed, there is no variance. L-Shapley is cheap only for small neighbourhoods; "
        "its cost doubles with each feature that is added to them.",
    ),
)
