"""Claims 9 and 11: the coalitions that random q and random orders draw for one player."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity
from shapaudit_audit.audit.judges.identity import against, first_mismatch
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.subsets import gather_same_law, gather_size_first_subsets
from .common import AGNOSTIC, APPENDIX, TABLE_1, claim


def check_same_law(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when all three draws have the law P(S), and both expectations are Shapley values."""
    random_q, orders, means = (evidence[key] for key in ("random_q", "orders", "means"))
    return by_identity(
        [*random_q, *orders, *means],
        "For one player, a uniform $q$ draws every coalition of the others with probability "
        f"$P(S)$, exactly for every $d$ up to {evidence['max_dimension']} and by the Beta integral "
        r"in general; so does a random permutation, because $|S|!\,(d-|S|-1)!$ permutations place "
        f"$S$ before the player ({len(orders)} sets by listing), and so does a uniform size. Mean "
        "contributions to such coalitions are the Shapley values, exactly in "
        f"{len(means)} entries and in general.",
        lambda case: f"{case.label}: {case.left}, not {case.right}.",
        numbers={"max_dimension": evidence["max_dimension"]},
        sample={"comparisons": len(random_q) + len(orders) + len(means)},
        shown_by="prop:chen-sizes",
    )


def check_straightforward(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if a uniform size and a uniform coalition of this size have the law P(S)."""
    numbers = {"max_dimension": evidence["max_dimension"]}
    if wrong := first_mismatch(evidence["cases"]):
        text = (
            f"The simple sampler draws from another distribution: {wrong.label}, {wrong.left} and "
            f"not {wrong.right}."
        )
        return against(wrong, text, "inconclusive", "wrong", numbers=numbers)
    return Verdict(
        "refuted",
        "Draw a size uniformly from 0 to $d-1$, then a coalition of that size: its distribution "
        f"is $P(S)$, for every $d$ up to {numbers['max_dimension']} and by definition in general.",
        numbers=numbers,
        shown_by="prop:chen-sizes",
    )


CLAIMS = (
    claim(
        id="ccll23-09a",
        title="One distribution of coalitions",
        heading="Random orders",
        topic="identities",
        where=f"{AGNOSTIC}, paragraph on IME, and after Equation 9; {TABLE_1}, and rows "
        f"ApproSemivalue and ApproShapley, column Bias-free; {APPENDIX}, last paragraph",
        words="the subsets are effectively drawn from P(S) ... Multilinear extension sampling is "
        "unbiased when sampling q uniformly",
        statement=r"A random $q$ and the predecessors in a random permutation both draw a player's "
        r"coalition with probability $P(S)=\frac{|S|!\,(d-|S|-1)!}{d!}$. ApproSemivalue, "
        r"ApproShapley and multilinear extension sampling with a uniform $q$ are therefore "
        r"unbiased.",
        hedges="“can be understood as”. ApproSemivalue and ApproShapley estimate a game that is "
        "given exactly.",
        gather=gather_same_law,
        check=check_same_law,
    ),
    claim(
        id="ccll23-11b",
        title="Sampling subsets from P(S)",
        heading="Random orders",
        topic="cost",
        where=f"{AGNOSTIC}, paragraph on ApproSemivalue",
        words="uncommon in practice because sampling subsets from P(S) is not straightforward",
        statement=r"Estimators inspired directly by the semivalue are uncommon because sampling "
        r"subsets from $P(S)$ is not straightforward.",
        hedges="“While apparently simple”, “in practice”: a judgement, of which only the ease of "
        "sampling is examined here. The next paragraph names a way, by the predecessors in a "
        "random permutation.",
        matters="Two draws of a random number generator give such a subset: a size, then a "
        "coalition of that size. No result of the paper depends on the remark.",
        falls="slip",
        gather=gather_size_first_subsets,
        check=check_straightforward,
    ),
)
