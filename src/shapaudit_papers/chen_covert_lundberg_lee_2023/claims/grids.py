"""Claim 4: the grid of inclusion probabilities of multilinear extension sampling."""

from itertools import pairwise

from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.judges.identity import against, first_mismatch
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.grids import SHOWN, gather_levels, gather_name
from .common import claim

LARGEST_GAME = 12  # players of the study's games that are looked at


def check_name(evidence: Evidence, alpha: float) -> Verdict:
    """Exact when the levels are those of the trapezoid rule; loosely so when the weights differ."""
    different = [case for case in evidence["cases"] if case.left != case.right]
    return tell(
        "exact" if evidence["same_levels"] else "refuted",
        {
            "exact": lambda: _told_ends(different[0]) if different else "So are the weights.",
            "refuted": "The levels are not those of the trapezoid rule.",
        },
        ("loosely" if different else None) if evidence["same_levels"] else "slip",
        numbers={"compared": len(evidence["cases"]), "different": len(different)},
        rows=evidence["rows"],
        reach=f"{len({row['levels'] for row in evidence['rows']})} numbers of levels",
    )


def _told_ends(case: Case) -> str:
    return (
        "The levels are those of the trapezoid rule. The weights are not: in the algorithm of the "
        "cited paper and in the public codes the two ends count like inner levels, whereas the "
        f"rule gives them half the weight ({case.label}: {case.left}, not {case.right}). The rows "
        f"show the result of each for the unanimity game of all {SHOWN} players."
    )


def check_levels(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the closed form holds and the worst case falls with the number of levels."""
    cases, worst = evidence["cases"], evidence["worst"]
    numbers = {"max_dimension": evidence["max_dimension"], "cases": len(cases)}
    if wrong := first_mismatch(cases):
        text = f"{wrong.label}: weight {wrong.left}, not {wrong.right}."
        return against(wrong, text, numbers=numbers)
    players, levels = (sorted(set(column)) for column in zip(*worst, strict=True))
    columns = {d: [worst[d, k] for k in levels] for d in players}
    rising = [d for d in players if d > 2 and not all(a > b > 0 for a, b in pairwise(columns[d]))]
    return tell(
        "refuted" if rising else "proved",
        {
            "refuted": lambda: (
                f"At $d={rising[0]}$ the largest bias does not decrease with the number of levels."
            ),
            "proved": "With $L$ equal weights the bias is "
            r"$\frac1L\bigl(\frac{e(0)+e(1)}2-\phi\bigr)$ plus $1-\frac1L$ times that of the "
            "trapezoid rule: it is of order $1/L$ from $d=3$ players onwards. The largest bias "
            "over games with values in [0, 1] decreases with $L$ for every $d$. It is the bias of "
            "the grid, which no number of draws per level changes.",
        },
        shown_by={"proved": "prop:chen-grid"},
        numbers=numbers,
        rows=[
            {"levels": k} | {f"d = {d}": float(worst[d, k]) for d in (2, 3, 8, 64) if d in players}
            for k in levels
        ],
    )


CLAIMS = (
    claim(
        id="ccll23-04a",
        title="The fixed grid: trapezoid rule, and bias at few levels",
        heading="Multilinear extension sampling",
        topic="convergence",
        where="Section 5.2.1, paragraph on multilinear extension sampling; Table 1, caption; "
        "Appendix A.2, last paragraph",
        words="The original version draws 2 random subsets ... sampled at fixed intervals "
        "according to the trapezoid rule ... can lead to higher bias empirically at smaller "
        "numbers of subsets",
        statement="The original multilinear extension sampling draws 2 random subsets for each "
        "$q$, where $q$ is sampled at fixed intervals according to the trapezoid rule. The "
        "fixed grid of $q$ improves convergence, but can lead to higher bias at smaller numbers "
        "of subsets.",
        hedges="The trapezoid rule is stated about where $q$ is sampled, not about the weights. "
        "“can”, “empirically”: here the claim on bias is tested; convergence is C 21.",
        gather=gather_name,
        check=check_name,
        also=((gather_levels, check_levels),),
        matters="With the weights of the trapezoid rule the bias is of the order of one over the "
        "squared number of levels, with equal weights of one over their number.",
    ),
)
