"""Claims 74 to 77 and 80: Table 1, and what stands around it."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.encodings import gather_gender
from ..evidence.foundations import gather_references
from ..evidence.table_one import (
    gather_conventions,
    gather_deep_rows,
    gather_removal_rows,
    gather_strategies,
    gather_words,
)
from .common import TABLE_1, claim
from .encodings import check_gender
from .foundations import check_references

NAMED = ("RO", "WLS", "ME")


def check_conventions(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if printed cells follow different conventions."""
    rows = evidence["rows"]
    off = {
        name: [row for row in rows if row["printed"] != row[name]]
        for name in ("population", "rows")
    }
    both = all(off.values())
    told = {
        name: ", ".join(f"{row['method']} ({row['column']})" for row in cells)
        for name, cells in off.items()
    }
    return tell(
        "inconsistent" if both else "exact",
        {
            "inconsistent": "Relative to the values of the population, methods that are exact for "
            "given baselines or rows vary with those that are drawn, and the table differs from "
            f"this for {told['population']}. Relative to the values of the given rows, a mean over "
            f"exact matches has no bias, and the table differs from this for {told['rows']}. The "
            "table thus uses the first convention for the bias and the second for the variance.",
            "exact": "All cells follow one convention.",
        },
        reach="the cells on which the conventions differ",
        numbers={"cells": len(rows)},
        rows=rows,
    )


def check_words(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if the table lacks a word that the caption explains."""
    rows = evidence["rows"]
    count = {row["word"]: row["cells"] for row in rows}
    missing = not count["Any"] or not count["LS"]
    return tell(
        "inconsistent" if missing else "exact",
        {
            "inconsistent": f"The table has no “Any” and {count['None']} times “None”, no “LS” and "
            f"{count['WLS']} times “WLS”.",
            "exact": "The table contains the words that its caption explains.",
        },
        reach="Table 1",
        rows=rows,
    )


def check_unbiased(evidence: Evidence, alpha: float) -> Verdict:
    """Exact if most marginal methods, and those that the benchmark runs, are printed as unbiased.

    Loosely so if most baseline methods are printed as biased.
    """
    counts = {
        name: (sum(row["bias_free"] == "Yes" for row in rows), len(rows))
        for name, rows in evidence.items()
    }
    told = {name: f"{free} of {count}" for name, (free, count) in counts.items()}
    most = {name: 2 * free > count for name, (free, count) in counts.items()}
    text = (
        f"Table 1 prints {told['marginal']} marginal methods as free of bias, and "
        f"{told['baseline']} methods for one baseline. The removal by a baseline has no bias, "
        f"since its game can be evaluated exactly, and {told['benchmark']} methods that the "
        "benchmark applies to such games are printed as free of bias."
    )
    return tell(
        "exact" if most["marginal"] and most["benchmark"] else "inconsistent",
        {"exact": text, "inconsistent": text},
        None if most["baseline"] or not most["benchmark"] else "loosely",
        reach="Table 1",
        numbers={f"{name}_free": free for name, (free, _) in counts.items()}
        | {f"{name}_methods": count for name, (_, count) in counts.items()},
        rows=[*evidence["baseline"], *evidence["marginal"]],
    )


def check_strategies(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if a strategy beside the three that are named has an unbiased method."""
    rows = evidence["rows"]
    other = [row for row in rows if row["bias_free"] and row["strategy"] not in NAMED]
    told = "; ".join(f"{row['bias_free']} ({row['strategy']})" for row in other)
    return tell(
        "inconsistent" if other else "exact",
        {
            "inconsistent": f"Table 1 and the same section call {told} unbiased too. It draws from "
            "the same distribution as a random order (C 9a), so that the list is complete up to "
            "that.",
            "exact": "Unbiased methods are of the strategies that are named.",
        },
        reach="Table 1",
        numbers={"other": len(other)},
        rows=rows,
    )


def check_deep(evidence: Evidence, alpha: float) -> Verdict:
    """Inconsistent if a method for deep models is printed as bias-free."""
    rows = evidence["rows"]
    free = [row["method"] for row in rows if row["bias_free"] == "Yes"]
    return tell(
        "inconsistent" if free else "exact",
        {
            "inconsistent": f"Table 1 prints {', '.join(free)} as free of bias, which is correct "
            "(C 53a); means over baselines then give marginal values without bias. This requires "
            "a network built for the purpose: no method for arbitrary networks is unbiased.",
            "exact": "All of them are printed as biased.",
        },
        reach="Table 1",
        rows=rows,
    )


HEADING = "The table of methods"

CLAIMS = (
    claim(
        id="ccll23-74a",
        title="Sources of bias and variance",
        heading=HEADING,
        topic="identities",
        where=f"Section 6, paragraph on sources of bias and variance; {TABLE_1} and columns "
        "Bias-free and Variance-free",
        words="based on the feature removal approach and estimation strategy of each approach, we "
        "can understand the sources of bias and variance",
        statement=r"Table 1 reports bias and variance that come from the removal and from the "
        r"estimation.",
        hedges="“Finally, we report whether approaches are bias-free and/or variance-free”.",
        matters="Methods can be compared by these columns only if all draw their baselines, or all "
        "are given them.",
        falls="slip",
        gather=gather_conventions,
        check=check_conventions,
    ),
    claim(
        id="ccll23-75",
        title="Words of a caption, of the introduction and of Figure 4",
        heading=HEADING,
        topic="identities",
        where="Table 1, caption; Section 1, last sentences of the third paragraph; Section "
        "4.4, second paragraph; Figure 4, caption",
        words="“Any” denotes that it was introduced in game theory ... least squares value "
        "(LS) ... we empirically compare their convergence properties (Section 4) ... x_3 = 1 "
        "is male ... male is 0 (x_3) or male is 1 (x_3')",
        statement="The table marks methods from game theory by “Any” and the least squares "
        "value by “LS”. Section 4 compares the convergence of model-agnostic approaches, and "
        "Section 5 has the key assumptions of the others. With a zero baseline a man's gender "
        "has the value $0$ as $x_3$ and $-10$ as $x_3'$, where male is $x_3=1$ (caption) or "
        "$x_3=0$ (text).",
        hedges="The two encodings are interpreted as complements of each other.",
        gather=gather_words,
        check=check_words,
        also=(
            (gather_references, check_references),
            (gather_gender, check_gender),
        ),
        falls="slip",
        matters="Read “None” for “Any” and “WLS” for “LS”. The comparison and the assumptions "
        "are both in Section 5, as the outline later in the introduction says. The example of "
        "Figure 4 is right with the convention of the text.",
    ),
    claim(
        id="ccll23-76",
        title="Algorithms for baseline and marginal values",
        heading=HEADING,
        topic="convergence",
        where="Section 6, paragraph on removal approaches",
        words="algorithms that aim to estimate baseline Shapley values are generally unbiased ... "
        "marginal Shapley values will also generally be unbiased",
        statement=r"Algorithms that estimate baseline or marginal Shapley values are generally "
        r"unbiased.",
        hedges="“In terms of feature removal approaches”, “generally”.",
        matters="A game without noise does not imply unbiased estimates: most methods of the table "
        "that explain with one baseline are biased.",
        gather=gather_removal_rows,
        check=check_unbiased,
        falls="slip",
    ),
    claim(
        id="ccll23-77",
        title="Methods for deep models, and characterisations",
        heading=HEADING,
        topic="convergence",
        where="Section 6, paragraphs on the exponential complexity and on future research; "
        "Section 5.2.1, last paragraph",
        words="Current model-specific approaches to explain deep models are biased, even for "
        "marginal Shapley values ... there are three main characterizations of the Shapley "
        "value from which unbiased, stochastic estimators have been derived",
        statement="All methods that are made for deep models are biased. Unbiased stochastic "
        "estimators have been derived from three characterisations: random order values, least "
        "squares values and multilinear extensions.",
        hedges="“Current”. An earlier sentence of the section, that only LinearSHAP and "
        "Interventional TreeSHAP have no bias for baseline and marginal values, can be read so "
        "that a method for one baseline is no exception. “three main characterizations”.",
        gather=gather_deep_rows,
        check=check_deep,
        also=((gather_strategies, check_strategies),),
        falls="slip",
        matters="A network that has to be explained without bias can be designed accordingly. "
        "The semivalue is a fourth characterisation, with an unbiased estimator in the same "
        "section.",
    ),
)
