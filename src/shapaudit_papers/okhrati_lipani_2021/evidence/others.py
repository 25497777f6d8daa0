"""Evidence on claim 12: what other attributions give where a model is no sum of its features."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.exact import vector_cases
from shapaudit_papers.theory.constants import kernel_weight
from shapaudit_papers.theory.least_squares import LeastSquaresProblem, Weight

EXPLICAND, THRESHOLD = (3, 2, 1), 2  # of a unit max(0, x_1 + x_2 + x_3 - 2), at a baseline of 0


def unit(total: int) -> Fraction:
    """The output of the unit for a sum of its inputs."""
    return Fraction(max(0, total - THRESHOLD))


def in_proportion(explicand: Sequence[int]) -> np.ndarray:
    """Attributions (d,) of Integrated Gradients and of both rules of DeepLIFT.

    The gradient is 1 for each input from THRESHOLD/sum on along the path, and 0 before. Rescale
    gives each input its share of the output's difference; so does RevealCancel where no input is
    negative.
    """
    total = sum(explicand)
    return rationals([x * unit(total) / Fraction(total) for x in explicand])


def gather_others(
    context: Context, explicand: Sequence[int] = EXPLICAND, weight: Weight = kernel_weight
) -> Evidence:
    """Shapley values of the unit, beside the limit of KernelSHAP and the other attributions."""
    d = len(explicand)
    values = rationals(
        [unit(sum(x for j, x in enumerate(explicand) if index >> j & 1)) for index in range(1 << d)]
    )
    exact, solution = shapley_values(values), LeastSquaresProblem(values, weight).solution()
    return {
        "kernel": vector_cases("KernelSHAP", solution, exact),
        "others": vector_cases("share of the input", in_proportion(explicand), exact),
    }
