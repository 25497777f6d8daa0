"""Claim 15: the online variance of Algorithm 1."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.algorithms.online_variance import gather_variance
from ...evidence.rates.online_average import gather_average
from ..common import BOTH, claim
from ..rates.online_average import check_average


def check_variance(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if the sequences and the induction step agree exactly."""
    sample = {key: len(evidence[key]) for key in ("sequences", "induction")}
    return by_identity(
        [*evidence["sequences"], *evidence["induction"]],
        f"Exact on {sample['sequences']} random sequences. The induction step is a polynomial "
        f"identity, verified at {sample['induction']} points, which is more than its degree "
        "allows to agree by chance.",
        lambda case: (
            f"{case.label}: the update gives {case.left}, the unbiased variance {case.right}."
        ),
        sample=sample,
        shown_by="lem:welford",
    )


CLAIMS = (
    claim(
        id="gt20-15",
        title="Online variance, and online average",
        heading="Algorithms and their cost",
        topic="identities",
        where="Section 3, first paragraph, and Algorithm 1, line of the variance; Section 4.2, "
        f"Convergence rate, below the definition of bar phi_T; {BOTH}",
        words="estimated variances of each player are updated online ... (t-2)/(t-1) sigma_j^2 + "
        "(phi_j - hat phi_j)^2/t ... these averaging is updated online with: bar phi_T = (1 - "
        "rho_t) bar phi_(T-1) + rho_t phi_t, where rho_t = 2/(t+2)",
        statement=r"$\hat\sigma_j^2\leftarrow\frac{t-2}{t-1}\hat\sigma_j^2+(\phi_j-"
        r"\hat\phi_j)^2/t$ for $t>1$, before $\hat\phi_j$ is updated, is the unbiased sample "
        r"variance of the first $t$ marginal contributions; "
        r"$\bar\phi_T=(1-\rho_T)\bar\phi_{T-1}+\rho_T\phi_T$ with $\rho_T=\frac2{T+2}$ gives "
        r"$\bar\phi_T=\frac2{(T+1)(T+2)}\sum_{t=0}^T(t+1)\phi_t$.",
        hedges="The text says “estimated variances”; that these are unbiased is our "
        "interpretation. The average is printed with $T$ and $t$ side by side, for the same number "
        "of steps.",
        gather=gather_variance,
        check=check_variance,
        also=((gather_average, check_average),),
    ),
)
