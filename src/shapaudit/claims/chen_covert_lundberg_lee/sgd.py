"""Claim 6: SGD-Shapley against KernelSHAP, with the step of the benchmark and with another.

The runs are those of claims 18d and 18e on Grah & Thouvenot 2020.
"""

from ..base import Evidence, Verdict
from ..grah_thouvenot.experiments.default_step_sweep import (
    DEFAULT,
    FREE,
    KERNEL,
    compare,
    gather_sweep,
    verdict_on,
)
from .common import AGNOSTIC, APPENDIX, claim


def check_default(evidence: Evidence, alpha: float) -> Verdict:
    """Supported when the default step errs more everywhere, refuted when it errs less somewhere.

    An error above that of the equal split, which costs two evaluations, counts as that one.
    """
    return verdict_on(compare(evidence, {DEFAULT: KERNEL}, alpha, True), alpha)


def check_free(evidence: Evidence, alpha: float) -> Verdict:
    """The same of the step that is stable and leaves nothing to tune."""
    return verdict_on(compare(evidence, FREE, alpha, False), alpha)


CLAIMS = (
    claim(
        id="ccll23-06a",
        title="SGD-Shapley is unhelpful as it was run",
        where=f"{APPENDIX}; Figures 6 to 8",
        statement=r"For the least squares estimators, using SGD is unhelpful: run with the default "
        r"step of its authors' code, it errs more than KernelSHAP at equal evaluations.",
        gather=gather_sweep,
        check=check_default,
        statistical=True,
    ),
    claim(
        id="ccll23-06b",
        title="KernelSHAP consistently outperforms SGD",
        where=f"{AGNOSTIC}, of the strategy",
        statement=r"KernelSHAP consistently has a lower error than projected stochastic gradients "
        r"given an equal number of samples, also with the stable step that leaves nothing to tune.",
        gather=gather_sweep,
        check=check_free,
        statistical=True,
    ),
)
