"""Claim 71: the body mass index in a model that does not have it."""

import numpy as np

from shapaudit.statistics.limits import Limit
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.body_mass import FEATURE, gather_body_mass
from .common import claim


def check_body_mass(evidence: Evidence, alpha: float) -> Verdict:
    """Judge by confidence limits of the feature's importance over the mean importance.

    A ratio above 1 counts as high.
    """
    rows, resampled = evidence["rows"], evidence["resampled"]
    low = float(np.quantile(resampled, alpha / 2, method="lower"))
    high = float(np.quantile(resampled, 1 - alpha / 2, method="higher"))
    ratio = evidence["ratio"]
    status = "supported" if low > 1 else "refuted" if high < 1 else "inconclusive"
    rank = 1 + next(k for k, row in enumerate(rows) if row["feature"] == FEATURE)
    text = (
        "In a linear model of the diabetes data without the body mass index, the mean absolute "
        f"conditional value of this feature is {show(ratio)} ({show(low)} to {show(high)}) times "
        f"that of the mean feature, and ranks {rank} of {len(rows)}. Its marginal values are 0."
    )
    return Verdict(
        status,
        f"{text} That an unused feature can receive credit is proved (C 26a); the paper does not "
        "say how much credit is high.",
        numbers={"ratio": ratio, "rank": rank},
        limits=(Limit("importance over the mean feature's", ratio, low, high, 1 - alpha),),
        sample={"patients": evidence["patients"], "resamples": len(resampled)},
        rows=tuple(rows),
        setting=Ruling(status, text, stand_in=True),
    )


CLAIMS = (
    claim(
        id="ccll23-71",
        title="The body mass index in a model without it",
        heading="Conditional values",
        topic="orderings",
        where="Section 4.4, last paragraph",
        words="conditional Shapley values still give high importance to BMI due to correlations "
        "with other influential features",
        statement=r"For a model that does not use the body mass index, conditional Shapley values "
        r"give it high importance.",
        hedges="About earlier work by some of the authors. “high” has no number; it is "
        "interpreted as at least the mean of all features.",
        setting="A model of mortality on NHANES without the body mass index.",
        matters="A feature that was excluded from a model, for fairness say, may still be ranked "
        "among those included.",
        gather=gather_body_mass,
        check=check_body_mass,
        statistical=True,
    ),
)
