"""Claim 15: the online variance of Algorithm 1."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.algorithms.online_variance import gather_variance
from ..common import BOTH, claim


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
        title="Online variance of Algorithm 1",
        heading="Algorithms and their cost",
        topic="identities",
        where=f"Section 3, first paragraph, and Algorithm 1, line of the variance; {BOTH}",
        words="estimated variances of each player are updated online ... (t-2)/(t-1) sigma_j^2 + "
        "(phi_j - hat phi_j)^2/t",
        statement=r"$\hat\sigma_j^2\leftarrow\frac{t-2}{t-1}\hat\sigma_j^2+(\phi_j-"
        r"\hat\phi_j)^2/t$ for $t>1$, before $\hat\phi_j$ is updated, is the unbiased sample "
        r"variance of the first $t$ marginal contributions.",
        hedges="The text says “estimated variances”; that these are unbiased is our "
        "interpretation.",
        gather=gather_variance,
        check=check_variance,
    ),
)
