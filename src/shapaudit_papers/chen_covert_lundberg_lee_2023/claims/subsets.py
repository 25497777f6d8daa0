"""Claims 9 and 11: the coalitions that random q and random orders draw for one player."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity
from shapaudit_audit.audit.judges.identity import against, first_mismatch
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.subsets import gather_predecessors, gather_random_subsets, gather_size_first_subsets
from .common import AGNOSTIC, APPENDIX, claim


def check_marginal(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when random q draws each coalition with probability P(S)."""
    return by_identity(
        evidence["cases"],
        "For one player, a uniform $q$ draws every coalition of the others with probability "
        f"$P(S)$, exactly for every $d$ up to {evidence['max_dimension']} and by the Beta "
        "integral in general. With separate coalitions for all players, the two are the same "
        "estimator.",
        lambda case: f"{case.label}: probability {case.left}, not {case.right}.",
        numbers={"max_dimension": evidence["max_dimension"]},
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


def check_predecessors(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the predecessors have the law P(S)."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        f"By listing all permutations, {len(cases)} sets precede a player with probability "
        r"$P(S)$, and for all $d$ because $|S|!\,(d-|S|-1)!$ permutations place them there: IME "
        "and ApproSemivalue draw from the same distribution, independently for each player.",
        sample={"coalitions": len(cases)},
        shown_by="prop:chen-sizes",
    )


CLAIMS = (
    claim(
        id="ccll23-09a",
        title="Random q and random orders, player by player",
        heading="Random orders",
        topic="identities",
        where=f"{AGNOSTIC}, after Equation 9; {APPENDIX}, last paragraph",
        words="the subsets are effectively drawn from P(S)",
        statement=r"Multilinear extension sampling with random $q$ draws subsets effectively from "
        r"$P(S)=\frac{|S|!\,(d-|S|-1)!}{d!}$.",
        gather=gather_random_subsets,
        check=check_marginal,
    ),
    claim(
        id="ccll23-11a",
        title="IME and ApproSemivalue",
        heading="Random orders",
        topic="identities",
        where=f"{AGNOSTIC}, paragraph on IME",
        words="identifying the preceding players in a random permutation can be understood as "
        "sampling from the probability distribution P(S)",
        hedges="“can be understood as”.",
        statement=r"The preceding players in a random permutation are a sample from "
        r"$P(S)=\frac{|S|!\,(d-|S|-1)!}{d!}$.",
        gather=gather_predecessors,
        check=check_predecessors,
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
