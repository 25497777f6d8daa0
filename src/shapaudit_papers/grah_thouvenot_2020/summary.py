"""What docs/findings.md says of the experiments of this paper."""

from collections.abc import Mapping

from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.overview import digits
from shapaudit_audit.report.record import Summary

from .findings import load

SHOWN = (
    "plain-mc",
    "optimised-mc",
    "psgd-constant",
    "psgd-sqrt",
    "psgd-free",
    "kernel-shap",
    "paired-kernel-shap",
)


def _of(findings: Findings) -> dict:
    """Mean errors with limits at the last budget of each experiment, by label."""
    experiments = list(findings.once(load).experiments.values())
    names = [name for name in SHOWN if all(name in e.last.index for e in experiments)]
    return {
        "experiments": [
            {"label": e.label, "explicands": e.explicands, "evaluations": e.budget}
            for e in experiments
        ],
        "cells": {
            experiments[0].label_of(name): [
                [digits(e.last.loc[name, key]) for key in ("mean", "low", "high")]
                for e in experiments
            ]
            for name in names
        },
    }


def error_table(part: Mapping) -> str:
    """Markdown: mean errors with 95 % limits at the last budget of each experiment."""
    shown = part["experiments"]
    lines = [
        "| Mean error | " + " | ".join(experiment["label"] for experiment in shown) + " |",
        "|---" * (len(shown) + 1) + "|",
        "| evaluations | "
        + " | ".join(f"{experiment['evaluations']:,}" for experiment in shown)
        + " |",
        "| explicands | "
        + " | ".join(str(experiment["explicands"]) for experiment in shown)
        + " |",
    ]
    for label, cells in part["cells"].items():
        texts = [f"{mean:#.3g} ({low:#.3g} to {high:#.3g})" for mean, low, high in cells]
        lines.append(f"| {label} | " + " | ".join(texts) + " |")
    return "\n".join(lines)


def _section(part: Mapping) -> list[str]:
    return [
        "## Errors at equal counted evaluations",
        "Mean Euclidean error over pairs of explicand and baseline, several seeds each, with 95 % "
        "bootstrap limits over explicands.",
        "![Mean error against evaluations](figures/dimension16.svg)",
        error_table(part),
    ]


SUMMARY = Summary(
    key="errors",
    of=_of,
    pictures=("grah_thouvenot_2020/dimension16.svg",),
    section=_section,
)
