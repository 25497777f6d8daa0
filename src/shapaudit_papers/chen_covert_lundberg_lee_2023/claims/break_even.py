"""Claims 92 and 93b: explainers that are trained first, beside estimators of each row."""

from dataclasses import replace

import numpy as np

from shapaudit_audit.audit.comparisons import count_words, limits_of
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_own_limits
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.break_even import LEAST_SQUARES, SETTINGS, WALKS, gather_amortised
from .common import AGNOSTIC, claim, ratio_rows

MARGIN = 1.1  # up to which errors count as equal
LEAST = 0.5  # explanations over rows of the training, before which no fit is said to pay
NOTHING = 1e-9  # in the place of rows saved where there are none, so that no fit pays
WORLD = "random layers of ReLU on mixtures of three normal distributions"


def _verdict(
    rows: dict[str, Evidence], text: str, alpha: float, bound: float = 1.0, decisive: str = ""
) -> Verdict:
    """Return the verdict on those rows whose names begin with ``decisive``."""
    shown = list(rows.values())
    return Verdict(
        by_own_limits((row for row in shown if row["case"].startswith(decisive)), bound),
        text,
        numbers=count_words(shown),
        limits=limits_of(shown, lambda row: row["case"], alpha),
        sample={"worlds": shown[0]["worlds"], "ratios": len(shown)},
        rows=tuple(shown),
    )


def _explanations(evidence: Evidence) -> np.ndarray:
    """Return after how many explanations the fit of the first learner pays, (worlds, sizes).

    Costs are rows of the model.
    """
    saved = np.maximum(evidence["needed"] - evidence["ends"], NOTHING)
    return evidence["fits"][:, :, 0] / saved


def check_fast(evidence: Evidence, alpha: float) -> Verdict:
    """Judge by the rows per explanation at equal error, and by the error of a rival at two rows."""
    needed, errors, sizes = evidence["needed"], evidence["errors"][:, :, 0], evidence["rows"]
    ends = np.full(len(needed), float(evidence["ends"]))
    pairs = {}
    for i, size in enumerate(sizes):
        place = f"trained on {size} rows"
        pairs[f"rows of an explanation, {place}"] = ends**2, needed[:, i] ** 2
        pairs[f"error over that of the equal split, {place}"] = errors[:, i], np.ones(len(errors))
    rows = ratio_rows(pairs, alpha)
    often = np.median(_explanations(evidence), axis=0)
    told = "; ".join(
        f"trained on {size:,} rows, which takes {show(np.median(evidence['fits'][:, i, 0]))} rows "
        f"of the model, its error is {show(np.sqrt(np.median(errors[:, i])))} times that of the "
        "equal split, for which the better of paired KernelSHAP and Leverage SHAP needs "
        f"{show(np.median(needed[:, i]))} rows of the model per explanation and FastSHAP "
        f"{evidence['ends']}, so that its fit pays off from {show(np.round(often[i]))} "
        "explanations onwards"
        for i, size in enumerate(sizes)
    )
    verdict = _verdict(rows, f"On a typical one of {len(needed)} {WORLD}: {told}.", alpha)
    numbers = {
        f"{key}.{which}": number
        for which, i in (("few", 0), ("many", -1))
        for key, number in {
            "rows": sizes[i],
            "needed": float(np.median(needed[:, i])),
            "pays": round(float(often[i])),
        }.items()
    }
    return replace(verdict, numbers={**verdict.numbers, **numbers})


def check_more(evidence: Evidence, alpha: float) -> Verdict:
    """Judge by the rows spent on training and the number of explanations until they pay."""
    often, sizes = _explanations(evidence), evidence["rows"]
    rows = ratio_rows(
        {
            f"{size} rows over the explanations from which on they pay": (
                np.full(len(often), float(size)) ** 2,
                often[:, i] ** 2,
            )
            for i, size in enumerate(sizes)
        },
        alpha,
    )
    told = " and ".join(
        f"{show(np.round(np.median(often[:, i])))} explanations with {size:,} rows"
        for i, size in enumerate(sizes)
    )
    text = (
        f"With {SETTINGS['evaluations']} evaluations per row, FastSHAP pays off from {told} "
        f"onwards, on a typical one of {len(often)} {WORLD}. This number is the number of "
        "training rows, times what training spends on each, divided by what each explanation "
        "saves."
    )
    return _verdict(rows, text, alpha, 1 / LEAST)


def check_equal_rows(evidence: Evidence, alpha: float) -> Verdict:
    """Judge by errors over that of FastSHAP at equal rows of the model, within a margin."""
    errors, names, sizes = evidence["errors"], evidence["learners"], evidence["rows"]
    rows = ratio_rows(
        {
            f"{name} over {LEAST_SQUARES}, {size} rows": (errors[:, i, j], errors[:, i, 0])
            for i, size in enumerate(sizes)
            for j, name in enumerate(names)
            if j
        },
        alpha,
    )
    told = ", ".join(f"{show(row['ratio'])} ({name})" for name, row in rows.items())
    spent = np.median(evidence["fits"], axis=0)
    text = (
        "For the same number of rows of the model, to within "
        f"{show(100 * (spent / spent[:, :1] - 1).max())} per cent, the ratios of errors on a "
        f"typical one of {len(errors)} {WORLD} are {told}; up to {show(MARGIN)} counts as equal."
    )
    return _verdict(rows, text, alpha, MARGIN, WALKS)


HEADING = "Amortised explanations"

CLAIMS = (
    claim(
        id="ccll23-92a",
        title="Upfront costs",
        heading=HEADING,
        topic="cost",
        where=f"{AGNOSTIC}, paragraph on FastSHAP; Section 7, on structured data",
        words="developers can frontload the cost of training the explanation model, thereby "
        "providing subsequent users with fast Shapley value explanations",
        statement="Once FastSHAP is trained, an explanation takes fewer rows of the model than an "
        "estimator needs for the same error.",
        hedges="Called its major advantage; Section 8 adds that the upfront cost is large. "
        "Interpreted as rows of the model, with an error below that of the equal split, which "
        "takes as few.",
        gather=gather_amortised,
        check=check_fast,
        statistical=True,
        matters="The cost of the fit has to be included: it pays off after some hundreds of "
        "explanations, at an error that further explanations do not reduce.",
    ),
    claim(
        id="ccll23-92b",
        title="When training pays off",
        heading=HEADING,
        topic="cost",
        where=f"{AGNOSTIC}, beyond what is said there",
        statement="FastSHAP does not pay off before the number of rows to explain is half the "
        "number of training rows.",
        hedges="If training uses about as many evaluations per row as an estimator needs to reach "
        "the error of the network.",
        source="this project",
        gather=gather_amortised,
        check=check_more,
        statistical=True,
        matters="Explain rows that are already at hand one by one, and train for rows that are "
        "still to come.",
    ),
    claim(
        id="ccll23-93b",
        title="Amortised walks beside amortised least squares",
        heading=HEADING,
        topic="orderings",
        where=f"{AGNOSTIC}, beyond what is said there",
        statement="For the same number of rows of the model, networks trained on walks along "
        "random orders have no larger error than FastSHAP.",
        hedges="Errors up to a tenth larger count as equal. Multilinear sampling is shown as well.",
        source="this project",
        gather=gather_amortised,
        check=check_equal_rows,
        statistical=True,
        matters="The choice of draws on which a network is trained matters less than the number "
        "of rows.",
    ),
)
