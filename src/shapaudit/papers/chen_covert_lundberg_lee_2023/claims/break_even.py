"""Claims 92 and 93b: explainers that are trained first, beside estimators of each row."""

from dataclasses import replace

import numpy as np

from shapaudit.audit.comparisons import count_words, limits_of
from shapaudit.audit.evidence import Evidence
from shapaudit.audit.exact import show
from shapaudit.audit.judges import by_own_limits
from shapaudit.audit.verdict import Verdict

from ..evidence.break_even import LEAST_SQUARES, SETTINGS, WALKS, gather_amortised
from .common import AGNOSTIC, claim, ratio_rows

MARGIN = 1.1  # up to which errors count as equal
LEAST = 0.5  # explanations over rows of the training, before which no fit is said to pay
NOTHING = 1e-9  # in the place of rows saved where there are none, so that no fit pays
WORLD = "random layers of ReLU on mixtures of three normal laws"


def _verdict(
    rows: dict[str, Evidence], text: str, alpha: float, bound: float = 1.0, decisive: str = ""
) -> Verdict:
    """By the rows whose names begin as ``decisive`` says."""
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
    """Explanations (worlds, sizes) from which on the fit of the first learner pays in rows."""
    saved = np.maximum(evidence["needed"] - evidence["ends"], NOTHING)
    return evidence["fits"][:, :, 0] / saved


def check_fast(evidence: Evidence, alpha: float) -> Verdict:
    """By rows per explanation at the same error, and by the error that two rows buy otherwise."""
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
        f"equal split, for which the best of paired KernelSHAP and Leverage SHAP take "
        f"{show(np.median(needed[:, i]))} rows of the model an explanation and it takes "
        f"{evidence['ends']}, so that its fit pays from {show(np.round(often[i]))} explanations on"
        for i, size in enumerate(sizes)
    )
    verdict = _verdict(rows, f"On a typical one of {len(needed)} {WORLD}: {told}.", alpha)
    found = {
        f"{key}.{which}": number
        for which, i in (("few", 0), ("many", -1))
        for key, number in {
            "rows": sizes[i],
            "needed": float(np.median(needed[:, i])),
            "pays": round(float(often[i])),
        }.items()
    }
    return replace(verdict, numbers=verdict.numbers | found)


def check_more(evidence: Evidence, alpha: float) -> Verdict:
    """By the rows of the training over the explanations that it takes to pay."""
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
        f"With {SETTINGS['evaluations']} evaluations of each row FastSHAP pays from {told} on, on "
        f"a typical one of {len(often)} {WORLD}: the number is that of the rows, times what "
        "training spends on each, over what an explanation saves."
    )
    return _verdict(rows, text, alpha, 1 / LEAST)


def check_equal_rows(evidence: Evidence, alpha: float) -> Verdict:
    """By errors over that of FastSHAP, with as many rows of the model, within a margin."""
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
        f"At equal rows of the model, up to {show(100 * (spent / spent[:, :1] - 1).max())} per "
        f"cent, errors on a typical one of {len(errors)} {WORLD} are in the ratios {told}; up to "
        f"{show(MARGIN)} counts as equal."
    )
    return _verdict(rows, text, alpha, MARGIN, WALKS)


HEADING = "Amortised explanations"

CLAIMS = (
    claim(
        id="ccll23-92a",
        title="Costs that are paid first",
        heading=HEADING,
        topic="cost",
        where=f"{AGNOSTIC}, paragraph on FastSHAP; Section 7, on structured data",
        words="developers can frontload the cost of training the explanation model, thereby "
        "providing subsequent users with fast Shapley value explanations",
        statement=r"Once FastSHAP is trained, an explanation takes fewer rows of the model than "
        r"an estimator needs to the same error.",
        hedges="Called its major advantage; Section 8 adds that the upfront cost is large. Read of "
        "rows of the model, with an error below that of the equal split, which takes as few.",
        gather=gather_amortised,
        check=check_fast,
        statistical=True,
        matters="The fit is to be counted: it pays from some hundreds of explanations on, at an "
        "error that no further explanation lowers.",
    ),
    claim(
        id="ccll23-92b",
        title="From when on training pays",
        heading=HEADING,
        topic="cost",
        where=f"{AGNOSTIC}, beyond what is said there",
        statement=r"FastSHAP does not pay before there are half as many rows to explain as it was "
        r"trained on.",
        hedges="Where training sees about as many evaluations of a row as an estimator needs to "
        "the error of the network.",
        source="this project",
        gather=gather_amortised,
        check=check_more,
        statistical=True,
        matters="For the rows that one has, explain each; train for rows that are still to come.",
    ),
    claim(
        id="ccll23-93b",
        title="Amortised walks beside amortised least squares",
        heading=HEADING,
        topic="orderings",
        where=f"{AGNOSTIC}, beyond what is said there",
        statement=r"At equal rows of the model, networks trained on walks along random orders err "
        r"no more than FastSHAP.",
        hedges="Errors up to a tenth larger count as equal. Multilinear sampling is shown beside.",
        source="this project",
        gather=gather_amortised,
        check=check_equal_rows,
        statistical=True,
        matters="Which draws a network is trained on matters less than how many rows there are.",
    ),
)
