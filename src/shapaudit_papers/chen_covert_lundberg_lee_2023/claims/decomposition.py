"""Claim 8: error = bias + variance, and the bias that a finite number of trials shows."""

import numpy as np

from shapaudit.statistics.limits import bootstrap
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, by_ratios
from shapaudit_audit.audit.judges.identity import against, first_mismatch
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.common import TRIALS
from ..evidence.decomposition import gather_identity, gather_published, gather_trials
from .common import APPENDIX, claim

MOSTLY_CHANCE = 2  # ratio below which chance gives more than half of a bias


def check_identity(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when every case agrees exactly."""
    cases = evidence["cases"]
    return by_identity(
        cases,
        f"Bias and variance sum exactly to the error in {len(cases)} random samples, and by an "
        "identity, if the bias is squared, both parts are summed over the features, and the "
        "variance is divided by the number of trials and not by one less.",
        lambda case: f"{case.label}: {case.left} is not {case.right}.",
        sample={"samples": len(cases)},
        shown_by="prop:chen-decomposition",
    )


def check_trials(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the expected bias is the expected variance over T - 1 in every case."""
    sample = {"cases": len(evidence["cases"])}
    if wrong := first_mismatch(evidence["cases"]):
        text = f"{wrong.label}: the bias times $T-1$ is {wrong.left}, the variance {wrong.right}."
        return against(wrong, text, sample=sample)
    return Verdict(
        "proved",
        "Over $T$ trials, the squared bias that an unbiased estimator shows is on average its "
        "variance divided by $T$, that is, the tabulated variance divided by $T-1$; all trials "
        f"were enumerated for $T=2$ and 3. So {TRIALS} trials cannot reveal a squared bias below "
        "a hundredth of the variance.",
        numbers={"trials": TRIALS},
        sample=sample,
        shown_by="prop:chen-decomposition",
    )


def _published_rows(ratios: Evidence) -> list[Evidence]:
    return [
        {
            "method": name.replace("_", "-"),
            "cells": len(values),
            "mean_ratio": float(np.mean(values)),
            "largest_ratio": max(values),
        }
        for name, values in ratios.items()
    ]


def check_published(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if unbiased methods show, on average, at most twice the bias due to chance.

    Chance gives ratios with mean 1; a lower limit above 1 refutes. The methods on a fixed grid
    have a limit as well, which decides nothing, because their bias is not due to chance.
    """
    ratios = evidence["ratios"]
    groups = {
        "unbiased": [r for name in evidence["unbiased"] for r in ratios[name]],
        "fixed grid": [r for name in evidence["fixed_grid"] for r in ratios[name]],
    }
    chance, grid = (
        bootstrap(f"mean ratio, {name}", np.array(values), alpha) for name, values in groups.items()
    )
    return Verdict(
        by_ratios([chance], below=MOSTLY_CHANCE),
        "On average over the cells of these methods, the published bias is "
        f"{show(chance.estimate)} ({show(chance.low)} to {show(chance.high)}) times what chance "
        "gives an unbiased method. For methods on a fixed grid, which the caption of Table 1 "
        f"excludes, it is {show(grid.estimate)} ({show(grid.low)} to {show(grid.high)}) times.",
        numbers={"unbiased": chance.estimate, "fixed_grid": grid.estimate},
        limits=(chance, grid),
        sample={name.replace(" ", "_"): len(values) for name, values in groups.items()},
        rows=_published_rows(ratios),
    )


CLAIMS = (
    claim(
        id="ccll23-08b",
        title="Bias shown by an unbiased estimator",
        heading="Normalisation, bias and variance",
        topic="identities",
        where=f"{APPENDIX}, last paragraph, made quantitative",
        statement=r"An unbiased estimator shows a bias after $T$ trials, whose expectation is its "
        r"variance over $T$ and $1/(T-1)$ of the expected tabulated variance.",
        source="this project",
        gather=gather_trials,
        check=check_trials,
    ),
    claim(
        id="ccll23-08c",
        title="Error, bias and variance over trials",
        heading="Normalisation, bias and variance",
        topic="convergence",
        where="Appendix A.2, last paragraph; Tables 2 to 7; Table 1, caption; Appendix A.2, "
        "second paragraph; Figure 5, caption",
        words="some approaches have non-zero bias although they are provably unbiased. This is "
        "because of the number of trials performed ... the bias and variance of each approach, "
        "which sum to the estimator error",
        statement="The non-zero biases of Tables 2 to 4, of approaches that are provably "
        "unbiased, are due to the number of trials performed. Bias and variance of each "
        "approach sum to the estimator error, the mean squared error over the trials.",
        hedges="“some approaches”; “If we performed more trials, their bias would continue to "
        "shrink”. Interpreted as those that draw permutations or a uniform $q$, in one stage. "
        "The bias has to be squared, which the tables do and the text does not say.",
        gather=gather_published,
        check=check_published,
        also=((gather_identity, check_identity),),
        statistical=True,
    ),
)
