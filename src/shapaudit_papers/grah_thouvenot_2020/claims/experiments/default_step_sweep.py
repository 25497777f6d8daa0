"""Claims 18d and 18e: projected SGD against KernelSHAP when the step is, and is not, at fault.

Chen, Covert, Lundberg & Lee 2023, Section 5.2.1 and Appendix A.2, find KernelSHAP consistently
ahead of SGD-Shapley, run with the default step of its authors' code.
"""

from shapaudit_audit.audit.checks import compare_methods, judge_larger
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.experiments.default_step_sweep import FIXED, FREE, PER_PLAYER, gather_sweep
from ..common import claim


def check_fixed(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if each of these steps errs more than KernelSHAP, refuted if one errs less.

    An error above that of the equal split, which costs two evaluations, counts as that one.
    """
    return judge_larger(compare_methods(evidence, PER_PLAYER, FIXED, alpha, True), alpha)


def check_free(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if KernelSHAP errs less everywhere, refuted if it errs more somewhere."""
    return judge_larger(compare_methods(evidence, PER_PLAYER, FREE, alpha, False), alpha)


CLAIMS = (
    claim(
        id="gt20-18d",
        title="A stable step alone does not help",
        heading="The experiments",
        topic="orderings",
        where="Chen et al. 2023, Section 5.2.1 and Appendix A.2, where using SGD is unhelpful",
        statement="Projected SGD has a larger error than KernelSHAP at equal evaluations, for few "
        "players and for many, with the default step of the authors' code and with steps at half "
        r"the stability limit, $\gamma/\sqrt t$ or constant.",
        gather=gather_sweep,
        check=check_fixed,
        statistical=True,
        source="this project",
    ),
    claim(
        id="gt20-18e",
        title="KernelSHAP outperforms projected SGD",
        heading="The experiments",
        topic="orderings",
        where="Chen et al. 2023, Section 5.2.1 and Appendix A.2, beyond the step used there",
        statement="KernelSHAP consistently has a smaller error than projected SGD at equal "
        "evaluations, even with the size distribution and the steps that need no tuning, both "
        "without pairs of complements and with pairs on both sides.",
        matters="With suitable steps the error of stochastic gradients is similar to that of "
        "KernelSHAP, smaller on some games and rarely larger.",
        gather=gather_sweep,
        check=check_free,
        statistical=True,
        source="this project",
    ),
)
