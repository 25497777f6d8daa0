"""What the report says of model-specific explainers: sentences, and a table."""

import numpy as np

from shapaudit.statistics.limits import UNBOUNDED
from shapaudit.statistics.simultaneous import Ratio
from shapaudit_audit.report.latex import (
    DASH,
    NOT_RUN,
    escape,
    fixed,
    listing,
    number,
    ratio_cell,
    ratio_with_limits,
    stacked,
    tabular,
)

from ..explained import (
    REFERENCE,
    ROUNDING,
    Explanations,
    Studied,
    StudiedMethod,
    by_depth,
    by_passes,
    depths,
    with_pictures,
)

WALKS = "antithetic-mc"
ACTIVATIONS = {"relu": "ReLU"}


def values(explanations: Explanations) -> dict[str, str]:
    """Sentences on depth, passes, trees, linear models, ShapNets and pictures, by key."""
    sentences = {
        "depth": _depth(explanations),
        "passes": _passes(explanations),
        "marginal": _target(explanations, "trees", "marginal"),
        "conditional": _target(explanations, "trees", "conditional"),
        "linear": _target(explanations, "linear", "conditional"),
        "shapnets": _shapnets(explanations),
        "picture-errors": _picture_errors(explanations),
    }
    place = _pictures(explanations) or NOT_RUN
    told = {key: text or f"{NOT_RUN.capitalize()}." for key, text in sentences.items()}
    return {f"explanations.{key}": text for key, text in (told | {"pictures": place}).items()}


def _error(explanations: Explanations, study: Studied, cell: StudiedMethod) -> str:
    ratio = explanations.typical[study.name, cell]
    return "0" if ratio.estimate < ROUNDING else number(ratio.estimate, 2)


def _label(study: Studied, method: str) -> str:
    return escape(study.labels[method])


def _depth(explanations: Explanations) -> str:
    """Errors of each explainer with the fewest and the most layers."""
    study = by_depth(explanations)
    if study is None:
        return ""
    parts = []
    for activation, own in depths(study).items():
        shallow, deep = (choose(own, key=own.__getitem__) for choose in (min, max))
        told = [
            f"from {_error(explanations, study, StudiedMethod(shallow, method, 0))} to "
            f"{_error(explanations, study, StudiedMethod(deep, method, 0))} "
            f"with {_label(study, method)}"
            for method in study.block.explainers
        ]
        name = escape(ACTIVATIONS.get(activation, activation))
        parts.append(
            f"From {number(own[shallow])} to {number(own[deep])} hidden layers with {name} "
            f"({number(study.units)} networks of each depth) the error on a typical network goes "
            f"{listing(told)}."
        )
    return " ".join(parts)


def _passes(explanations: Explanations) -> str:
    """Explainers against the reference at no fewer passes, study by study."""
    parts = []
    for study in by_passes(explanations):
        told = [
            f"{_ratio(explanations.ratios[study.name, cell])} for {_label(study, cell.method)} "
            f"after {_count(study, cell)} passes"
            for cell in study.shown()
            if (study.name, cell) in explanations.ratios
        ]
        if told:
            parts.append(f"On {escape(study.block.label)}: {listing(told)}.")
    return " ".join(parts)


def _ratio(ratio: Ratio) -> str:
    if ratio.high == UNBOUNDED:
        return f"{number(ratio.estimate, 2)} without limits"
    return " ".join(ratio_with_limits(ratio.estimate, ratio.low, ratio.high))


def _target(explanations: Explanations, kind: str, target: str) -> str:
    """Errors of explainers against a target, and of the reference with the most rows."""
    parts = []
    for study in explanations.studies.values():
        if not study.name.startswith(kind) or study.block.target != target:
            continue
        for model, spec in study.block.models.items():
            own = [cell for cell in study.shown([model]) if cell.budget == 0]
            told = [
                f"{_error(explanations, study, c)} by {_label(study, c.method)}" for c in own
            ] + [_with_most(explanations, study, model)]
            place = f"{escape(study.block.label)}, {escape(spec.label)}"
            parts.append(f"on {place}, {listing([text for text in told if text])}")
    return f"The errors are as follows: {'; '.join(parts)}." if parts else ""


def _with_most(explanations: Explanations, study: Studied, model: str) -> str:
    budgets = [c.budget for c in study.shown([model]) if c.method == REFERENCE]
    if not budgets:
        return ""
    cell = StudiedMethod(model, REFERENCE, max(budgets))
    rows = number(round(float(study.rows[cell])))
    return f"{_error(explanations, study, cell)} by {_label(study, REFERENCE)} after {rows} rows"


def _shapnets(explanations: Explanations) -> str:
    """Errors of the explanations of ShapNets beside what the models are worth."""
    parts = []
    for study in explanations.studies.values():
        trainers = {name: model.trainer for name, model in study.block.models.items()}
        if not any(trainer.endswith("shapnet") for trainer in trainers.values()):
            continue
        for model, spec in study.block.models.items():
            score = study.frame[study.frame["model"] == model].groupby("unit")["score"].first()
            told = [
                f"{_error(explanations, study, cell)} by {_label(study, cell.method)}"
                for cell in study.shown([model])
                if cell.budget == 0
            ]
            parts.append(
                f"{listing(told)} on the model {escape(spec.label)}, whose $R^2$ on test rows "
                f"is {fixed(score.median(), 2)}"
            )
    return f"The error on a typical model is {'; '.join(parts)}." if parts else ""


def _pictures(explanations: Explanations) -> str:
    study = with_pictures(explanations)
    return escape(study.block.label) if study else ""


def _picture_errors(explanations: Explanations) -> str:
    study = with_pictures(explanations)
    if study is None:
        return ""
    told = [
        f"{_error(explanations, study, cell)} by {_label(study, cell.method)}"
        for cell in study.shown()
        if cell.budget == 0
    ]
    model = next(iter(study.block.models))
    told.append(_with_most(explanations, study, model))
    return f"The error on a typical one is {listing(told)}."


def explainers_table(explanations: Explanations) -> str:
    """Explainers by study and model: passes, error, ratio at equal cost, rows to the same error."""
    header = [
        ["", "passes", "error on a", "over paired", *[r"\multicolumn{2}{c}{rows to this error}"]],
        ["", "or rows", "typical unit", "KernelSHAP", "paired KernelSHAP", "walks"],
    ]
    groups = []
    for study in explanations.studies.values():
        if study is by_depth(explanations):
            continue
        for model, spec in study.block.models.items():
            own = [cell for cell in study.shown([model]) if cell.budget == 0]
            title = f"{escape(study.block.label)}, {escape(spec.label)}"
            rows = [[rf"\emph{{{title}}}", *[""] * 5]]
            groups.append(rows + [_row(explanations, study, cell) for cell in own])
    return tabular("@{}lccccc@{}", header, groups) if groups else f"{NOT_RUN}\n"


def _row(explanations: Explanations, study: Studied, cell: StudiedMethod) -> list[str]:
    key = study.name, cell
    typical, ratio = explanations.typical[key], explanations.ratios.get(key)
    exact = typical.estimate < ROUNDING
    return [
        rf"\quad {_label(study, cell.method)}",
        _count(study, cell),
        "exact" if exact else _cell(typical),
        DASH if ratio is None or exact else ratio_cell(*ratio[:3]),
        *(_reached(*study.reached(cell, name)) for name in (REFERENCE, WALKS)),
    ]


def _count(study: Studied, cell: StudiedMethod) -> str:
    return number(round(float(study.rows[cell])))


def _cell(ratio: Ratio) -> str:
    if not np.isfinite(ratio.low) or ratio.high == UNBOUNDED:
        return number(ratio.estimate, 2)
    return stacked(number(ratio.estimate, 2), f"[{number(ratio.low, 2)}, {number(ratio.high, 2)}]")


def _reached(rows: float, sign: str) -> str:
    if np.isnan(rows):
        return DASH
    signs = {"<": r"\ensuremath{\le}", ">": r"\ensuremath{>}", "": ""}
    return f"{signs[sign]}{number(round(rows))}"
