"""Claims 8 to 10: the limits of Equation 4, the numbers drawn, what standard deviations confirm."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.appendix import gather_draws, gather_outer_factor, gather_still_paths
from .common import APPENDIX, SYMMETRY, claim


def check_outer_factor(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if the sum inside the limits grows without bound."""
    rows = evidence["rows"]
    grows = rows[-1]["sum"] > 2 * rows[0]["sum"]
    return tell(
        "inconsistent" if grows else "exact",
        {
            "exact": "The sums behind the limits stay bounded.",
            "inconsistent": "The factor $1/(QM)$ stands before the limits, so that the expression "
            "behind them grows without bound: on an additive game with contributions of 1, the "
            f"sum over the levels is {show(rows[0]['sum'])} for $Q={rows[0]['Q']}$ and "
            f"{show(rows[-1]['sum'])} for $Q={rows[-1]['Q']}$. With the factor inside the limits, "
            "as in the preceding equation, the limit is correct.",
        },
        numbers={"last": rows[-1]["sum"]},
        rows=rows,
        reach=f"Q up to {rows[-1]['Q']}",
    )


def check_draws(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if neither printed number is the number of draws."""
    rows = evidence["rows"]
    apart = sum(row["first"] != row["bits"] and row["second"] != row["bits"] for row in rows)
    row = rows[0]
    return tell(
        "inconsistent" if apart else "exact",
        {
            "exact": "A printed number is the one that is drawn.",
            "inconsistent": "The text counts $MQ/2$ random numbers in one place and $MQn/2$ in "
            f"another. With {evidence['players']} players, $Q={row['Q']}$ and $M={row['M']}$ "
            f"these are {row['first']} and {row['second']}; the loop draws {row['coalitions']} "
            f"coalitions, that is {row['bits']} bits, because it starts with the level 0. To "
            "leading order this is half of the number for Algorithm 1.",
        },
        numbers={"apart": apart},
        rows=rows,
        reach=f"{len(rows)} values of Q",
    )


def check_still_paths(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted by a path without any deviation that ends at other values."""
    rows = evidence["rows"]
    wrong = [row for row in rows if row["error"] != 0 and row["deviation"] == 0]
    return tell(
        "refuted" if wrong else "inconclusive",
        {
            "refuted": lambda: (
                "At fixed levels a path converges to the expectation of the estimates, which need "
                "not be the Shapley value. On an additive game, Algorithm 1 with "
                f"$Q={wrong[0]['Q']}$ gives {show(wrong[0]['estimate'])} instead of 1 for every "
                "number of draws: its standard deviation along the path is zero from the start."
            ),
            "inconclusive": "No path here converges to other values.",
        },
        numbers={"settled_elsewhere": len(wrong)},
        rows=rows,
    )


CLAIMS = (
    claim(
        id="ol21-08a",
        title="The limits of Equation 4",
        heading="Weights of the levels",
        topic="identities",
        where=f"{APPENDIX}, Equation 4",
        words="1/(Q x M) lim lim sum sum",
        statement=r"$S_j=\frac{1}{Q\times M}\lim_{Q\to\infty}\lim_{M\to\infty}"
        r"\sum_{i=0}^{Q}\sum_{m=1}^{M}h^{(i/Q)}_{m,j}$.",
        gather=gather_outer_factor,
        check=check_outer_factor,
        falls="slip",
        matters="The factor belongs inside the limits, as in the preceding display.",
    ),
    claim(
        id="ol21-08b",
        title="Random numbers of Algorithm 2",
        heading="Halving",
        topic="cost",
        where=f"{SYMMETRY}, first and last paragraphs",
        words="we only need to generate MQ/2 random numbers",
        statement=r"Algorithm 2 needs $MQ/2$ Bernoulli random numbers, $QMn/2$ in place of the "
        r"$QMn$ of Algorithm 1.",
        gather=gather_draws,
        check=check_draws,
        falls="slip",
        matters="Halving saves half of the random numbers but none of the evaluations of the "
        "model, as the paper says as well.",
    ),
    claim(
        id="ol21-09",
        title="Standard deviations confirm convergence",
        heading="Convergence",
        topic="convergence",
        where="left open by Section V.C, paragraph Variance Analysis, where the number of levels "
        "grows along the path and “convergence of the estimators” need not be to the Shapley "
        "values",
        statement=r"A decrease of the standard deviation of successive estimates, as the number of "
        r"samples grows, confirms that the estimates converge to the Shapley values, at fixed "
        r"levels too.",
        source="this project",
        gather=gather_still_paths,
        check=check_still_paths,
        falls="hypothesis",
        matters="Standard deviations along a path show how fast estimates converge; whether they "
        "converge to the Shapley values can only be seen from exact values or an estimator "
        "without bias.",
    ),
)
