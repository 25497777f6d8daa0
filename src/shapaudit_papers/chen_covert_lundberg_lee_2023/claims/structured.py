"""Claims 32 and 33: L-Shapley and C-Shapley."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.structured import gather_bias, gather_counts, gather_weights
from .common import AGNOSTIC, claim

SECTION = f"{AGNOSTIC}, paragraph on L-Shapley and C-Shapley; Table 1"
CONSTANT = "C-Shapley"  # with the weights of its public code


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
        title="L-Shapley and C-Shapley are biased",
        heading="Structured data",
        topic="convergence",
        where=SECTION,
        words="biased Shapley value estimators because they restrict the game",
        statement=r"L-Shapley and C-Shapley are biased, because they consider only coalitions of "
        r"players within the neighborhood of the player being explained.",
        hedges="Designed for structured data, where nearby features are closely related.",
        gather=gather_bias,
        check=check_bias,
        matters="The bias is what players have in common with players beyond the neighbourhood: "
        "it is small if interactions are local, whatever the correlation of the features.",
    ),
    claim(
        id="ccll23-33a",
        title="L-Shapley and C-Shapley are probabilistic values",
        heading="Structured data",
        topic="identities",
        where=f"{AGNOSTIC}, footnote 4; Section 8, second paragraph on solution concepts",
        words="Technically L-Shapley and C-Shapley are probabilistic values",
        statement=r"L-Shapley and C-Shapley are probabilistic values: means of a player's "
        r"contributions, with weights that depend on the player.",
        hedges="“Technically”. The paper that introduces C-Shapley could not be read here; its "
        "weights are taken from its public code, $2/((t+2)(t+1)t)$ for $t$ players.",
        gather=gather_weights,
        check=check_weights,
        falls="slip",
        matters="With these weights C-Shapley is too small even for additive games and is not a "
        "probabilistic value; with Myerson's weights it is.",
    ),
    claim(
        id="ccll23-32b",
        title="Variance of L-Shapley and C-Shapley",
        heading="Structured data",
        topic="convergence",
        where=SECTION,
        words="variance-free for sufficiently small neighborhoods",
        statement=r"L-Shapley and C-Shapley have no variance for sufficiently small neighborhoods; "
        r"for large ones sampling may be needed, which introduces variance.",
        hedges="“sufficiently small”, “may still be necessary”. Table 1 says “No” for both.",
        gather=gather_counts,
        check=check_variance,
        matters="The “No” of Table 1 refers to large neighbourhoods; with small ones, for which "
        "the methods were designed, there is no variance.",
    ),
)
