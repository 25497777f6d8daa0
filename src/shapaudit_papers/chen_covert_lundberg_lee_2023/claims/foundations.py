"""Claims 35 to 38, 88 and 90: hardness, axioms, semivalues, cross-references."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.judges.identity import against, first_mismatch
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.foundations import (
    gather_equal_weights,
    gather_partition,
    gather_semivalues,
    gather_uniqueness,
)
from ..evidence.structured import gather_weights
from ..evidence.unused import gather_axioms
from .common import claim
from .structured import check_weights
from .unused import check_axioms

AXIOMS = ("efficiency", "symmetry", "null", "additivity")


def check_hard(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the last voter has a positive value exactly where half of the weight is met."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        "In a voting game the last voter, of weight 1, has a positive value exactly if some of the "
        f"other weights sum to half of their total: in {len(cases)} games of up to "
        f"{evidence['voters']} others with weights up to {evidence['largest']}, and in general. "
        "Whoever can compute Shapley values of voting games from the weights can thereby decide "
        "the partition problem, which is NP-complete.",
        sample={"games": len(cases)},
        shown_by="prop:chen-hard",
    )


def check_unique(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the axioms leave the Shapley values, and each of them is needed."""
    cases, (first, *others) = evidence["cases"], evidence["rows"]
    if wrong := first_mismatch(cases):
        return against(wrong, f"{wrong.label}: the axioms leave {wrong.left}, not {wrong.right}.")
    alone = {axiom for row in others for axiom in AXIOMS if _broken(row) == [axiom]}
    broken = _broken(first)
    return tell(
        "refuted" if broken or alone != set(AXIOMS) else "proved",
        {
            "proved": "Efficiency, symmetry, additivity and the axiom of null players determine "
            f"the values of unanimity games, and by additivity all others: exactly in {len(cases)} "
            f"entries, and in general. Each is needed: {len(others)} other rules violate one of "
            "them alone.",
            "refuted": f"Shapley values violate {', '.join(broken)}."
            if broken
            else f"No rule violates {', '.join(sorted(set(AXIOMS) - alone))} alone.",
        },
        shown_by={"proved": "prop:chen-unique"},
        sample={"entries": len(cases)},
        rows=evidence["rows"],
    )


def _broken(row: Evidence) -> list[str]:
    return [axiom for axiom in AXIOMS if not row[axiom]]


def check_or(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if a scheme with one of the two properties alone is no semivalue."""
    rows = evidence["rows"]
    short = [
        row
        for row in rows
        if row["by_size"] != row["sum_to_one"] and not (row["own_worth"] and row["symmetric"])
    ]
    both = [row for row in rows if row["by_size"] and row["sum_to_one"]]
    sound = all(row["own_worth"] and row["symmetric"] for row in both)
    told = "; ".join(
        f"weights “{row['weights']}” "
        + ("do not give an additive game its own worth" if not row["own_worth"] else "")
        + ("tell players apart who are alike" if not row["symmetric"] else "")
        for row in short
    )
    return tell(
        "inconclusive" if not sound else "refuted" if short else "exact",
        {
            "refuted": f"Both properties are needed: {told}.",
            "exact": "Either property suffices for the schemes examined.",
            "inconclusive": "Even both properties do not suffice.",
        },
        reach=f"{len(rows)} schemes for three players",
        numbers={"short": len(short)},
        rows=rows,
    )


def check_inverse(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if the inverse subset contains the player whose contribution is evaluated."""
    rows = evidence["rows"]
    off = [row for row in rows if row["containing"]]
    whole = sum(row["containing"] for row in off)
    return tell(
        "inconsistent" if off else "exact",
        {
            "inconsistent": "For a coalition $S$ without player $i$ the printed inverse contains "
            f"$i$, in {whole} of {sum(row['subsets'] for row in rows)} cases, so that there is no "
            r"contribution to evaluate. What is meant is $N\setminus(S\cup\{i\})$.",
            "exact": "The inverse is a coalition of the others.",
        },
        reach=f"up to {rows[-1]['players']} players",
        numbers={"containing": whole},
        rows=rows,
    )


def check_banzhaf(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if equal weights that depend on d alone sum to one."""
    return by_identity(
        evidence["cases"],
        "Equal weights $2^{1-d}$ depend on no more than the size, and sum to one over the "
        f"coalitions of the others, for $d$ up to {evidence['max_dimension']}.",
        reach=f"d up to {evidence['max_dimension']}",
        numbers={"max_dimension": evidence["max_dimension"]},
        rows=({"max_dimension": evidence["max_dimension"]},),
    )


def check_references(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if a section is named that does not contain what is announced."""
    rows = evidence["rows"]
    off = [row for row in rows if row["found"].partition(".")[0] != row["printed"]]
    told = "; ".join(
        f"{row['announced']} is announced for Section {row['printed']} and stands in Section "
        f"{row['found']}"
        for row in off
    )
    return tell(
        "inconsistent" if off else "exact",
        {"inconsistent": f"{told[:1].upper()}{told[1:]}.", "exact": "All stand where announced."},
        reach=f"{len(rows)} references",
        numbers={"off": len(off)},
        rows=rows,
    )


CLAIMS = (
    claim(
        id="ccll23-35",
        title="Shapley values are hard to compute",
        heading="Budgets",
        topic="cost",
        where="Section 5.2, first paragraph",
        words="Calculating Shapley values is, in the general case, an NP-hard problem",
        statement="Calculating Shapley values is NP-hard in the general case.",
        hedges="“in the general case”. Shown for voting games that are given by their weights; a "
        "game that is given by all of its values is as long as its enumeration.",
        matters="For games in a short form no exact algorithm is fast in general; trees and "
        "linear models are special cases.",
        gather=gather_partition,
        check=check_hard,
    ),
    claim(
        id="ccll23-36",
        title="Axioms of the Shapley value and of each variant",
        heading="Ways to remove a feature",
        topic="identities",
        where="Section 3, last paragraph; Figure 2b, caption; Section 4.5, first paragraph; "
        "Section 4.4, footnote 3",
        words="A sufficient, but not exhaustive set of axioms that uniquely define the Shapley "
        "value ... each Shapley value explanation variant always satisfies the same axioms for "
        "its corresponding coalitional game",
        statement="There is a set of axioms that uniquely defines the Shapley value. Whatever "
        "the removal, Shapley values satisfy all axioms that are defined relative to the game.",
        hedges="The axioms stand in a figure that is not part of the text; interpreted as "
        "efficiency, symmetry, additivity and the axiom of null players. The paper adds that "
        "axioms relative to the model are a different question.",
        gather=gather_uniqueness,
        check=check_unique,
        also=((gather_axioms, check_axioms),),
        matters="Any other way to divide the output gives up one of the axioms.",
    ),
    claim(
        id="ccll23-37",
        title="Semivalues and probabilistic values",
        heading="Random orders",
        topic="identities",
        where="Section 5.2.1, sentence before Equation 6; Section 5.2.1, footnote 4; Section "
        "8, second paragraph on solution concepts",
        words="a weighting function P(S) that depends only on the subset’s cardinality, or "
        "where ... Technically L-Shapley and C-Shapley are probabilistic values",
        statement="A semivalue requires weights $P(S)$ that depend only on the size of $S$, or "
        "that sum to one over the coalitions of the others. L-Shapley and C-Shapley are "
        "probabilistic values: means of a player's contributions, with weights that depend on "
        "the player.",
        hedges="“Technically”. The paper that introduces C-Shapley could not be read here; its "
        "weights are taken from its public code, $2/((t+2)(t+1)t)$ for $t$ players.",
        gather=gather_semivalues,
        check=check_or,
        also=((gather_weights, check_weights),),
        falls="slip",
        matters="Read “and” for “or”. The weights used later satisfy both. With the weights of "
        "its public code, C-Shapley is too small even for additive games and is not a "
        "probabilistic value; with Myerson's weights it is.",
    ),
    claim(
        id="ccll23-88",
        title="Banzhaf values are semivalues",
        heading="Random orders",
        topic="identities",
        where="Section 8, paragraph on solution concepts",
        words="Banzhaf values, an alternative to Shapley values, are also semivalues, but each "
        "coalition is given equal weight",
        statement="Banzhaf values are semivalues that give each coalition equal weight.",
        matters="Banzhaf values are not efficient: they need not sum to the output (C 36).",
        gather=gather_equal_weights,
        check=check_banzhaf,
    ),
)
