"""Claim 16d: whether the walk can be combined with stratified sampling."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.algorithms.strata import gather_strata
from ..common import BOTH, claim


def check_strata(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if an orbit meets every size once; loosely if one variance does not tell the strata."""
    unequal, rows = evidence["unequal"], evidence["rows"]
    first, second = ([value for key, value in row.items() if key != "game"] for row in rows)
    silent = first[0] == second[0] and first != second
    top = evidence["max_dimension"]
    told = (
        f"For every $d$ up to {top}, the walks of a cyclic orbit meet every player once at every "
        "size of a coalition, with all evaluations reused: they are stratified by size, in equal "
        "shares."
    )
    beyond = (
        " The variances of Algorithm 1, one for each player over all sizes, do not tell more: in "
        f"two games of three players the first has the variance {first[0]}, within size 1 it is "
        f"{first[2]} and {second[2]}, and 0 within the others. Nor can a walk give one player more "
        "draws than another."
    )
    return tell(
        "refuted" if unequal else "exact",
        {
            "refuted": f"The walks do not meet every size equally at "
            f"$d={min(unequal, default=0)}$.",
            "exact": told + (beyond if silent else ""),
        },
        None if silent else "stands",
        numbers={"max_dimension": top},
        rows=rows,
        reach=f"d up to {top}",
    )


CLAIMS = (
    claim(
        id="gt20-16d",
        title="Walks and stratified sampling",
        heading="Algorithms and their cost",
        topic="convergence",
        where=f"Section 3, first paragraph; {BOTH}",
        words="this strategy can be combined with stratified sampling ... Indeed, estimated "
        "variances of each player are updated online",
        statement="The walk can be combined with stratified sampling, as the estimated variances "
        "of each player are updated online.",
        hedges="“in order to reduce the number of iterations required”; how is left to two cited "
        "sources.",
        gather=gather_strata,
        check=check_strata,
        stands="loosely",
        matters="Walks can be stratified by size in equal shares; to allocate draws to sizes or "
        "players by their variances, the walk would have to be given up, and other variances kept.",
    ),
)
