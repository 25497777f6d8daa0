"""Claim 24: an index, a sum and a function that do not fit their definitions."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.algorithms.indices import gather_indices
from ...evidence.experiments.axis import gather_falls
from ...evidence.rates.inverse import gather_path
from ...evidence.rates.square_root import gather_normalisation
from ..common import claim
from ..experiments.axis import check_axis
from ..rates.inverse import check_path
from ..rates.square_root import check_normalisation


def check_indices(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if something printed is not what the text defines."""
    rows = evidence["rows"]
    by = {row["what"]: row for row in rows}
    told = {
        "Algorithm 2": rf"Algorithm 2 sets $\alpha_l$ in its last line and reads $\alpha_{{l+1}}$, "
        f"which has no value, in pass {by['Algorithm 2']['printed']}.",
        "sum": f"The gradient of $F$ is a sum over $i=0,\\dots,n$ of $n$ coalitions, "
        f"{by['sum']['printed']:,} terms for {by['sum']['needed']:,} at $d={evidence['players']}$.",
        "product": r"In the arXiv version the model of the regression is a product of "
        r"$\phi(x_j)$, which are Shapley values elsewhere, and not of $\rho(x_j)$.",
    }
    wrong = [row["what"] for row in rows if row["printed"] != row["needed"]]
    return tell(
        "inconsistent" if wrong else "exact",
        {
            "exact": "What is printed fits the definitions.",
            "inconsistent": " ".join(told[what] for what in wrong),
        },
        numbers={"wrong": len(wrong)},
        rows=rows,
        reach=f"{len(rows)} formulas",
    )


CLAIMS = (
    claim(
        id="gt20-24",
        title="An index, a sum, a function, an axis, an expectation and a divisor",
        heading="Algorithms and their cost",
        topic="identities",
        where="Section 4.1, Algorithm 2, last branch; Section 4.2, gradient by importance "
        "sampling; Section 5.2, Figures 2 and 3, captions (HAL and arXiv); Section 5.1, "
        "Regression (arXiv); Section 4.2, Convergence rate, inverse decreasing step-size, bound "
        "on F, and square root decreasing step-size, bar phi_T; HAL and arXiv versions",
        words="alpha_l = Proj_K1(beta_l + q_l) ... sum_(i=0)^n p_i (n p_i)^-1 grad g_i ... "
        "Evolution of the mean squared error norms ... we get the following convergence rate: "
        "F(bar phi_T) - F(phi*) <= 2B^2/(mu T) ... bar phi_T = 1/T sum_(t=0)^T phi_t",
        statement=r"Algorithm 2 goes on with $\alpha_l=\operatorname{Proj}_{K_1}(\beta_l+q_l)$; "
        r"$\nabla F=\sum_{i=0}^np_i(np_i)^{-1}\nabla g_i$; $f_r:\mathbf "
        r"x\mapsto\prod_{j=1}^d\phi(x_j)$ (arXiv); the vertical axis of Figures 2 and 3 is the "
        r"mean squared norm of the error; $F(\bar\phi_T)-F(\phi^*)\le\frac{2B^2}{\mu T}$ for "
        r"$\gamma_t=\frac{2}{\mu(t+1)}$ and the $(t+1)$-weighted average; for the square-root "
        r"step $\bar\phi_T=\frac1T\sum_{t=0}^T\phi_t$ is an average of the iterates.",
        hedges="The product is right in the HAL version. Elsewhere “mean estimation errors”; "
        "“squared error norms” may be a name for the Euclidean norm. The bound on $F$ “has been "
        "proved in” a cited source, and the next bound, on the squared error, has the "
        "expectation; that the sum is an average is stated for the other step, and indicated by "
        "the bar.",
        gather=gather_indices,
        check=check_indices,
        also=(
            (gather_falls, check_axis),
            (gather_path, check_path),
            (gather_normalisation, check_normalisation),
        ),
        falls="slip",
        matters="What is meant by the formulas is clear from the text around each of them. Ratios "
        "of the plotted errors are square roots of ratios of squared errors: a factor of two in "
        "evaluations appears as the square root of two. The bound on $F$ holds in expectation, "
        "and so do all conclusions that the paper draws from it. The sum has one term more than "
        "its divisor; the printed bound holds for it too, and dividing by $T+1$ corrects it.",
    ),
)
