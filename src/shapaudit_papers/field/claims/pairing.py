"""Claim 1: sampling in pairs, exactly."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.judges.identity import against, first_mismatch
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.paper import OURS
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.pairing import gather_always
from .common import claim


def check_always(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if pairs raise one exact variance at equal evaluations; supported otherwise."""
    cases, ratios = evidence["cases"], evidence["ratios"]
    if wrong := first_mismatch(cases):
        text = f"The decomposition is not confirmed: {wrong.label}, {wrong.left} not {wrong.right}."
        return against(wrong, text, "inconclusive")
    keys = ("random_order", "unbiased_least_squares", "kernel_shap")
    hurt = sum(max(ratio) > 1 for ratio in ratios.values())
    worst = max(max(ratio) for ratio in ratios.values())
    return tell(
        "refuted" if hurt else "supported",
        {
            "supported": "None of these games is hurt by pairs.",
            "refuted": "Let $O$ and $E$ be the variances of a unit that come from the odd and "
            "from the even part of a game. At equal evaluations the variance of pairs is "
            "$2O/(O+E)$ times that of independent units, which lies between 0 and 2. The largest "
            f"factor here is {show(worst)}, and on {hurt} of {len(ratios)} games pairs increase "
            "the variance. A majority game of an odd number of players has no even part, so that "
            "the second half of each pair repeats the first.",
        },
        numbers={"largest_ratio": worst, "hurt": hurt, "identities": len(cases)},
        sample={"games": len(ratios)},
        rows=[{"game": name} | dict(zip(keys, r, strict=True)) for name, r in ratios.items()],
    )


CLAIMS = (
    claim(
        id="field26-01",
        title="Paired sampling always helps",
        heading="Sampling in pairs",
        topic="orderings",
        where="no source prints it without a condition; a reading of paired sampling as the "
        "default of the packages shap, shapr and kernelshap",
        statement=r"Joining each sampled permutation with its reverse, or each coalition with its "
        r"complement, reduces the variance at equal evaluations.",
        gather=gather_always,
        check=check_always,
        source=OURS,
        falls="hypothesis",
        matters="Paired sampling is worthwhile if the even part of a game is the larger one, as "
        "for most explanations of models; for voting games it can double the variance.",
    ),
)
