"""Claim 10, continued: the unbiased version, pairs, and the bias among the noise."""

from collections.abc import Callable
from functools import partial

from ...theory.sampled_least_squares import deviation, draw_outcomes, expected_fit, first_order
from ..base import Evidence, Verdict
from ..context import Context
from ..exact import (
    first_mismatch,
    integer_games,
    show,
    small_dimensions,
    vector_cases,
    verdict_against,
)
from .common import AGNOSTIC, SAMPLES, TABLE_1, TRIALS, claim
from .grid_bias import tables
from .kernel import PLAYERS, first_games

expected_pairs = partial(expected_fit, paired=True)


def gather_unbiased(context: Context, outcomes=draw_outcomes) -> Evidence:
    """Expectation of one draw of the unbiased KernelSHAP, single and in pairs."""
    cases = []
    for label, _, values in integer_games(
        context, "ccll23-10c", dimensions=small_dimensions(context, 6)
    ):
        for paired in (False, True):
            mean = sum(chance * x for chance, x in outcomes(values, paired))
            name = f"{label}, {'pairs' if paired else 'single draws'}"
            cases += vector_cases(name, mean, deviation(values))
    return {"cases": cases}


def check_unbiased(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when every expectation is the deviation of the Shapley values from the equal split."""
    sample = {"entries": len(evidence["cases"])}
    if wrong := first_mismatch(evidence["cases"]):
        return verdict_against(
            wrong, f"{wrong.label}: {wrong.left}, not {wrong.right}.", sample=sample
        )
    return Verdict(
        "proved",
        "With the exact matrix in place of the sampled one the estimate is a mean of independent "
        f"draws, each unbiased: exact over all coalitions for {sample['entries']} entries, with "
        "and without pairs.",
        "sound",
        sample=sample,
        evidence="prop:chen-kernel",
    )


def gather_pairs(context: Context, pairs: Callable = expected_pairs) -> Evidence:
    """Expectations of m pairs and of m single draws, each enumerated on its own."""
    cases = []
    for d, draws in ((3, (1, 2, 3)), (PLAYERS, (1, 2))):
        for label, _, values in first_games(context, "ccll23-10d", (d,)):
            for m in draws:
                sides = pairs(values, m), expected_fit(values, m)
                cases += vector_cases(f"{label}, m = {m}", *sides)
    return {"cases": cases}


def check_pairs(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the expectations agree."""
    sample = {"entries": len(evidence["cases"])}
    if wrong := first_mismatch(evidence["cases"]):
        return verdict_against(
            wrong, f"{wrong.label}: {wrong.left}, not {wrong.right}.", sample=sample
        )
    return Verdict(
        "proved",
        "m pairs and m single draws have the same expectation, in every sample size: pairing takes "
        "variance and no bias. At equal evaluations it has half as many draws, and to first order "
        "twice the bias.",
        "sound",
        sample=sample,
        evidence="prop:chen-kernel",
    )


def gather_moderate(context: Context, terms=first_order) -> Evidence:
    """Samples from which 100 trials hide the bias, to first order, on random and study games."""
    rows = []
    for name, values in tables(context):
        bias, variance = terms(values)
        if variance > 0:
            hidden = TRIALS * float(bias @ bias) / variance
            rows.append({"game": name, "players": len(bias), "samples": hidden})
    return {"rows": rows, "fewest": min(SAMPLES)}


def check_moderate(evidence: Evidence, alpha: float) -> Verdict:
    """Supported when the bias hides from the smallest published number of samples on."""
    rows = tuple(evidence["rows"])
    largest = max(row["samples"] for row in rows)
    sample = {"games": len(rows)}
    numbers = {"largest": largest, "smallest_published": evidence["fewest"]}
    seen = [row for row in rows if row["samples"] > evidence["fewest"]]
    if seen:
        return Verdict(
            "refuted",
            f"In {len(seen)} of {len(rows)} games the squared bias exceeds the variance over "
            f"{TRIALS} trials at {evidence['fewest']} samples.",
            "sample",
            numbers,
            sample=sample,
            rows=rows,
        )
    return Verdict(
        "supported",
        "The squared bias falls as the square of m and the variance as m: to first order the "
        f"former is at most the latter over {TRIALS} trials from {show(largest)} samples on at the "
        f"latest, where the published tables begin with {evidence['fewest']}.",
        "sample",
        numbers,
        sample=sample,
        rows=rows,
    )


CLAIMS = (
    claim(
        id="ccll23-10c",
        title="The unbiased version of KernelSHAP",
        where=TABLE_1,
        statement=r"One version of KernelSHAP has been proven to be bias-free.",
        gather=gather_unbiased,
        check=check_unbiased,
    ),
    claim(
        id="ccll23-10d",
        title="Pairs and the bias of KernelSHAP",
        where=f"left out by the paper; {AGNOSTIC} has the antithetic version",
        statement=r"KernelSHAP has the same expectation with $m$ pairs of complements as with $m$ "
        r"single draws.",
        source="this project",
        gather=gather_pairs,
        check=check_pairs,
    ),
    claim(
        id="ccll23-10e",
        title="KernelSHAP at a moderate number of samples",
        where=f"{AGNOSTIC}; {TABLE_1}",
        statement=r"KernelSHAP is empirically unbiased even for a moderate number of samples. "
        rf"(Here: from {min(SAMPLES)} samples on, where Tables 2 to 7 begin, the squared bias is "
        rf"at most the variance over {TRIALS} trials, to first order.)",
        gather=gather_moderate,
        check=check_moderate,
    ),
)
