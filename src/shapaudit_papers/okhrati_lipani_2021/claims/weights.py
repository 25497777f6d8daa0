"""Claim 2: how algorithms and appendix weight the levels of q, and what they draw."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.judges.identity import first_mismatch
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.notation import gather_line
from ..evidence.weights import gather_appendix, gather_random_numbers, gather_weights
from .common import APPENDIX, SYMMETRY, claim
from .notation import check_line


def check_weights(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if Algorithm 1 does not divide by its levels, or Algorithm 2 differs from it."""
    division, halving = evidence["division"], evidence["halving"]
    apart = sum(row["levels"] != row["divided_by"] for row in division)
    unequal = sum(case.left != 0 for case in halving)
    closed = first_mismatch(halving) is None and first_mismatch(evidence["ends"]) is None
    told = []
    if apart:
        told.append(
            "The loop of line 2 has $Q+1$ levels, so that $QM$ is not the number of iterations. "
            "Dividing by $QM$ multiplies every Shapley value of an additive game, and therefore "
            "their sum, by $1+1/Q$."
        )
    if unequal:
        told.append(
            "For even $Q$, as in all the experiments, the level $q=1/2$ of Algorithm 2 is its own "
            "partner and counts twice; for odd $Q$ the expectations of the two algorithms agree."
        )
    if closed:
        told.append(
            "By exact arithmetic the bias of Algorithm 1 is that of the trapezoid rule plus "
            "$(e(0)+e(1))/(2Q)$, to which Algorithm 2 adds $e(1/2)/Q$ for even $Q$; no number of "
            "draws removes it. The public code takes the mean instead."
        )
    return tell(
        "inconsistent" if apart or unequal else "exact",
        {
            "exact": "The sums are divided by the number of levels, and the algorithms agree.",
            "inconsistent": " ".join(told),
        },
        "slip" if closed else "wrong",
        shown_by={"inconsistent": "prop:okhrati-printed"} if closed else "rows",
        numbers={
            "different": apart,
            "unequal": unequal,
            "weights": len(halving) + len(evidence["ends"]),
            "smallest_worst_bias": float(min(evidence["worst"].values())),
        },
        rows=division,
        reach="the numbers of players and levels listed",
    )


def check_appendix(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if a sum of the appendix, or a count, is not what the algorithms have."""
    outer, draw = evidence["outer"], evidence["draws"][0]
    zero = all(row["sum"] == 0 for row in evidence["sign"])
    grows = outer[-1]["sum"] > 2 * outer[0]["sum"]
    counted = any(row["bits"] in (row["first"], row["second"]) for row in evidence["draws"])
    found = {
        "Equation 5 has a minus sign where the preceding line has a plus sign, and $n$ for $Q$: "
        "on every additive game its sum is zero.": zero,
        "The last sum begins at $i=1$ and Algorithm 2 at $q=0$, so that the pair of the empty and "
        "the full coalition is missing.": evidence["unequal"] > 0,
        "The factor $1/(QM)$ of Equation 4 stands before the limits, so that the expression behind "
        f"them grows without bound: on an additive game from {show(outer[0]['sum'])} at "
        f"$Q={outer[0]['Q']}$ to {show(outer[-1]['sum'])} at $Q={outer[-1]['Q']}$.": grows,
        "Section IV.C counts $MQ/2$ random numbers in one place and $MQn/2$ in another; with "
        f"{evidence['players']} players, $Q={draw['Q']}$ and $M=2$ these are {draw['first']} and "
        f"{draw['second']}, and the loop draws {draw['coalitions']} coalitions, {draw['bits']} "
        "bits.": not counted,
    }
    faults = [text for text, wrong in found.items() if wrong]
    return tell(
        "inconsistent" if faults else "exact",
        {
            "exact": "The sums and the counts are those of the algorithms.",
            "inconsistent": " ".join(faults),
        },
        numbers={"faults": len(faults), "unequal": evidence["unequal"], "cases": evidence["of"]},
        rows=evidence["draws"],
        reach=f"{evidence['of']} pairs of d and Q",
    )


def check_random_numbers(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if more draws per level add random numbers too."""
    rows = evidence["rows"]
    at_one = [row for row in rows if row["Q"] == rows[0]["Q"]]
    few, many = (row["bits"] for row in (at_one[0], at_one[-1]))
    levels = {row["levels"] for row in at_one}
    return tell(
        "inconsistent" if many > few else "exact",
        {
            "exact": "A larger M draws no more random numbers.",
            "inconsistent": "The number of random numbers is the product of $Q+1$, $M$ and the "
            f"number of features: at $Q={at_one[0]['Q']}$ it is {few} for $M={at_one[0]['M']}$ and "
            f"{many} for $M={at_one[-1]['M']}$. What a larger $M$ does not change is the number of "
            f"levels, {max(levels)} here; read in this way the sentence is right, and a larger $Q$ "
            "reduces the bias where a larger $M$ does not.",
        },
        numbers={"fewest": few, "most": many},
        rows=rows,
        reach=f"{len(rows)} values of Q and M",
    )


CLAIMS = (
    claim(
        id="ol21-02a",
        title="Weights of the levels, and the player's own bit",
        heading="Weights of the levels",
        topic="identities",
        where="Section IV.A, third and fourth paragraphs; Algorithm 1, lines 5, 6 and 11; "
        f"Equation 3; {SYMMETRY}, first paragraph; Algorithm 2, line 2",
        words="divided them by the total number of iterations QM ... only need to run the outer "
        "loop of this algorithm halfway through ... we generate n + 1 Bernoulli random numbers "
        "independently",
        statement="To normalise the sums, one divides them by the total number of iterations, "
        r"$QM$; by the symmetry of $q$ and $1-q$, the outer loop is needed for "
        r"$q=0,1/Q,\dots,1/2$ only; "
        r"$h_{m,j}^{(q)}\leftarrow\nu(I_m^{(q)}\odot X+X^{(j)})-\nu(I_m^{(q)}\odot X)$ "
        r"with all bits of $I_m^{(q)}$ drawn estimates $e_j(q)$.",
        gather=gather_weights,
        check=check_weights,
        also=((gather_line, check_line),),
        falls="slip",
        matters="Values computed by the printed lines are too large by the factor $1+1/Q$ on "
        "additive games, or $1+2/Q$ in the halved form with even $Q$; the public code does not "
        "have this error. An implementation has to leave the player's own bit out, as Equation 3 "
        "and the public code do.",
    ),
    claim(
        id="ol21-02c",
        title="Sums of the appendix, and counts of random numbers",
        heading="Weights of the levels",
        topic="identities",
        where=f"{APPENDIX}, Equations 4 and 5, last display; Section IV.A, second paragraph; "
        f"{SYMMETRY}, first and last paragraphs",
        words="(1/Q) (e_j(i/n) - e_j(1 - i/n)) ... This is the same estimator used in Algorithm 2 "
        "... by increasing Q ... we increase the total random numbers generated in the inner loop "
        "... the opposite of this does not occur",
        statement=r"$S_j=\frac{1}{Q\times M}\lim_{Q\to\infty}\lim_{M\to\infty}"
        r"\sum_{i=0}^{Q}\sum_{m=1}^{M}h^{(i/Q)}_{m,j}$; $S_j=\lim_{Q\to\infty}"
        r"\sum_{i=0}^{Q/2}\frac1Q\bigl(e_j(i/n)-e_j(1-i/n)\bigr)$; "
        r"$\frac{1}{QM}\sum_{i=1}^{Q/2}\sum_{m=1}^{M}(h_{i/Q}+h_{1-i/Q})$ is the estimator of "
        r"Algorithm 2, which needs $MQ/2$ Bernoulli random numbers; increasing $Q$ increases the "
        r"total number of random numbers that are generated, increasing $M$ does not.",
        hedges="The lines before and after Equation 5 have the right sign. “in general”; what “the "
        "opposite” is, is not spelled out.",
        gather=gather_appendix,
        check=check_appendix,
        also=((gather_random_numbers, check_random_numbers),),
        falls="slip",
        matters="The proofs concern slightly different sums with the same limits; halving saves "
        "half of the random numbers, as is meant, and none of the evaluations. Both parameters "
        "multiply the random numbers; only the larger number of levels reduces the bias, which is "
        "the better reason to prefer it.",
    ),
)
