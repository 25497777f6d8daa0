"""Table 1 of the paper, audited: each cell as printed, beside the claim that it was judged by."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from shapaudit.estimators.methods import METHODS as COMBINED
from shapaudit_audit.audit.tally import FALLEN
from shapaudit_audit.report.latex import escape

from ..evidence.table_one import METHODS, PrintedMethod

COLUMNS = ("removal", "model-agnostic", "bias-free", "variance-free")

REMOVAL, AGNOSTIC, CONDITIONAL, VARIANCE = "84a", "87", "70", "86"
# By the method: what its cells were judged by, those on removal together, without the prefix of the
# paper.
JUDGED = {
    "ApproSemivalue": (REMOVAL, AGNOSTIC, "09a", VARIANCE),
    "L-Shapley": ("84c", AGNOSTIC, "32a", "32a"),
    "C-Shapley": ("84c", AGNOSTIC, "32a", "32a"),
    "ApproShapley": (REMOVAL, AGNOSTIC, "09a", VARIANCE),
    "IME": (REMOVAL, AGNOSTIC, "14a", VARIANCE),
    "CES": (REMOVAL, AGNOSTIC, CONDITIONAL, VARIANCE),
    "Shapley cohort refinement": (REMOVAL, AGNOSTIC, CONDITIONAL, VARIANCE),
    "Generative model": (REMOVAL, AGNOSTIC, CONDITIONAL, VARIANCE),
    "Surrogate model": (REMOVAL, AGNOSTIC, CONDITIONAL, VARIANCE),
    "Multilinear extension sampling": ("84c", AGNOSTIC, "04d", VARIANCE),
    "SGD-Shapley": (REMOVAL, AGNOSTIC, "41b", VARIANCE),
    "KernelSHAP": (REMOVAL, AGNOSTIC, "10a", VARIANCE),
    "Parametric KernelSHAP": (REMOVAL, AGNOSTIC, CONDITIONAL, VARIANCE),
    "Nonparametric KernelSHAP": (REMOVAL, AGNOSTIC, CONDITIONAL, VARIANCE),
    "FastSHAP": (REMOVAL, AGNOSTIC, CONDITIONAL, VARIANCE),
    "LinearSHAP": (REMOVAL, AGNOSTIC, "13a", "74a"),
    "Correlated LinearSHAP": (REMOVAL, AGNOSTIC, CONDITIONAL, VARIANCE),
    "Interventional TreeSHAP": (REMOVAL, AGNOSTIC, "15a", "74a"),
    "Path-dependent TreeSHAP": ("49a", AGNOSTIC, "15b", "74a"),
    "DeepLIFT": (REMOVAL, AGNOSTIC, "50b", VARIANCE),
    "DeepSHAP": (REMOVAL, AGNOSTIC, "50b", "74a"),
    "DASP": (REMOVAL, AGNOSTIC, "52f", "52e"),
    "Shallow ShapNet": (REMOVAL, AGNOSTIC, "53a", VARIANCE),
    "Deep ShapNet": (REMOVAL, AGNOSTIC, "53a", VARIANCE),
}
# What has no removal of its own, an estimator, and what reads or learns a model, an explainer.
ALONE = {
    "ApproSemivalue": "appro-semivalue",
    "ApproShapley": "optimised-monte-carlo",
    "FastSHAP": "fast-shap",
    "LinearSHAP": "linear",
    "Correlated LinearSHAP": "correlated-linear",
    "Interventional TreeSHAP": "interventional-tree",
    "Path-dependent TreeSHAP": "path-dependent-tree",
    "DeepLIFT": "deeplift",
    "DeepSHAP": "deep-shap",
    "DASP": "dasp",
    "Shallow ShapNet": "shallow-shapnet",
    "Deep ShapNet": "deep-shapnet",
}
RUNS = ALONE | {method.name: f"{method.estimator.id}, {method.removal.id}" for method in COMBINED}


class Row(NamedTuple):
    """A row of Table 1.

    Attributes
    ----------
    method, strategy : as printed
    printed : its cells by `COLUMNS`, that on removal with its variant
    claims : what these cells were judged by, without the prefix of the paper
    runs : the estimator or explainer by which it runs here, and the removal where it has one
    """

    method: str
    strategy: str
    printed: tuple[str, str, str, str]
    claims: tuple[str, str, str, str]
    runs: str

    @classmethod
    def of(cls, method: PrintedMethod) -> "Row":
        """That of a method as it is printed."""
        printed = (
            f"{method.removal}, {method.variant}".lower(),
            method.agnostic.lower(),
            method.unbiased.lower(),
            method.settled.lower(),
        )
        name = method.name
        return cls(name, method.strategy, printed, JUDGED[name], RUNS[name])


ROWS = tuple(map(Row.of, METHODS))


def claim_of(prefix: str, row: Row, column: int) -> str:
    """Id of the claim that a cell was judged by."""
    return f"{prefix}-{row.claims[column]}"


def methods_table(prefix: str, rows: Sequence[Row] = ROWS) -> str:
    """The table, a line per method; each claim has the colour of its consequence."""
    lines = [r"\begin{tabular}{@{}llllll@{}}", r"\toprule"]
    head = ["", "estimates", *COLUMNS]
    lines += [" & ".join(head) + r" \\", r"\midrule"]
    for row in rows:
        judged = [
            rf"{escape(printed)} \cl{{{claim_of(prefix, row, k)}}}"
            for k, printed in enumerate(row.printed)
        ]
        lines.append(" & ".join([escape(row.method), row.strategy, *judged]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def cells(claims: Mapping[str, Mapping], prefix: str) -> dict[str, str]:
    """How many cells there are, and of how many the claim falls or is undecided.

    Of the columns on removal and, under other keys, of the others.
    """
    judged = [[claims[claim_of(prefix, row, k)] for k in range(len(COLUMNS))] for row in ROWS]
    properties = [claim for own in judged for claim in own[1:]]
    return {
        "methods.rows": str(len(ROWS)),
        "methods.cells": str(len(properties)),
        **_told("methods", properties),
        **_told("methods.removal", [own[0] for own in judged]),
    }


def _told(key: str, own: Sequence[Mapping]) -> dict[str, str]:
    falling = sum(c["consequence"] in FALLEN for c in own)
    undecided = sum(c["consequence"] == "undecided" for c in own)
    return {
        f"{key}.falling": str(falling or "none"),
        f"{key}.undecided": str(undecided or "none"),
    }
