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


def values(found: Explanations) -> dict[str, str]:
    """Sentences on depth, passes, trees, linear models, ShapNets and pictures, by key."""
    sentences = {
        "depth": _depth(found),
        "passes": _passes(found),
        "marginal": _target(found, "trees", "marginal"),
        "conditional": _target(found, "trees", "conditional"),
        "linear": _target(found, "linear", "conditional"),
        "shapnets": _shapnets(found),
        "picture-errors": _picture_errors(found),
    }
    place = _pictures(found) or NOT_RUN
    told = {key: text or f"{NOT_RUN.capitalize()}." for key, text in sentences.items()}
    return {f"explanations.{key}": text for key, text in (told | {"pictures": place}).items()}


def _error(found: Explanations, study: Studied, cell: StudiedMethod) -> str:
    one = found.typical[study.name, cell]
    return "0" if one.estimate < ROUNDING else number(one.estimate, 2)


def _label(study: Studied, method: str) -> str:
    return escape(study.labels[method])


def _depth(found: Explanations) -> str:
    """Errors of each explainer with the fewest and the most layers."""
    study = by_depth(found)
    if study is None:
        return ""
    parts = []
    for activation, own in depths(study).items():
        shallow, deep = (choose(own, key=own.__getitem__) for choose in (min, max))
        told = [
            f"from {_error(found, study, StudiedMethod(shallow, method, 0))} to "
            f"{_error(found, study, StudiedMethod(deep, method, 0))} with {_label(study, method)}"
            for method in study.block["explainers"]
        ]
        name = escape(ACTIVATIONS.get(activation, activation))
        parts.append(
            f"From {number(own[shallow])} to {number(own[deep])} hidden layers with {name} "
            f"({number(study.units)} networks of each depth) the error on a typical network goes "
            f"{listing(told)}."
        )
    return " ".join(parts)


def _passes(found: Explanations) -> str:
    """Explainers against the reference at no fewer passes, study by study."""
    parts = []
    for study in by_passes(found):
        told = [
            f"{_ratio(found.ratios[study.name, cell])} for {_label(study, cell.method)} "
            f"after {_count(study, cell)} passes"
            for cell in study.shown()
            if (study.name, cell) in found.ratios
        ]
        if told:
            parts.append(f"On {escape(study.block['label'])}: {listing(told)}.")
    return " ".join(parts)


def _ratio(one: Ratio) -> str:
    if one.high == UNBOUNDED:
        return f"{number(one.estimate, 2)} without limits"
    return " ".join(ratio_with_limits(one.estimate, one.low, one.high))


def _target(found: Explanations, kind: str, target: str) -> str:
    """Errors of explainers against a target, and of the reference with the most rows."""
    parts = []
    for study in found.studies.values():
        if not study.name.startswith(kind) or study.block.get("target") != target:
            continue
        for model, spec in study.block["models"].items():
            own = [cell for cell in study.shown([model]) if cell.budget == 0]
            told = [f"{_error(found, study, c)} by {_label(study, c.method)}" for c in own] + [
                _with_most(found, study, model)
            ]
            place = f"{escape(study.block['label'])}, {escape(spec['label'])}"
            parts.append(f"on {place}, {listing([one for one in told if one])}")
    return f"The errors are as follows: {'; '.join(parts)}." if parts else ""


def _with_most(found: Explanations, study: Studied, model: str) -> str:
    budgets = [c.budget for c in study.shown([model]) if c.method == REFERENCE]
    if not budgets:
        return ""
    cell = StudiedMethod(model, REFERENCE, max(budgets))
    rows = number(round(float(study.rows[cell])))
    return f"{_error(found, study, cell)} by {_label(study, REFERENCE)} after {rows} rows"


def _shapnets(found: Explanations) -> str:
    """Errors of the explanations of ShapNets beside what the models are worth."""
    parts = []
    for study in found.studies.values():
        trainers = {name: model["trainer"] for name, model in study.block["models"].items()}
        if not any(trainer.endswith("shapnet") for trainer in trainers.values()):
            continue
        for model, spec in study.block["models"].items():
            score = study.frame[study.frame["model"] == model].groupby("unit")["score"].first()
            told = [
                f"{_error(found, study, cell)} by {_label(study, cell.method)}"
                for cell in study.shown([model])
                if cell.budget == 0
            ]
            parts.append(
                f"{listing(told)} on the model {escape(spec['label'])}, whose $R^2$ on test rows "
                f"is {fixed(score.median(), 2)}"
            )
    return f"The error on a typical model is {'; '.join(parts)}." if parts else ""


def _pictures(found: Explanations) -> str:
    study = with_pictures(found)
    return escape(study.block["label"]) if study else ""


def _picture_errors(found: Explanations) -> str:
    study = with_pictures(found)
    if study is None:
        return ""
    told = [
        f"{_error(found, study, cell)} by {_label(study, cell.method)}"
        for cell in study.shown()
        if cell.budget == 0
    ]
    model = next(iter(study.block["models"]))
    told.append(_with_most(found, study, model))
    return f"The error on a typical one is {listing(told)}."


def explainers_table(found: Explanations) -> str:
    """Explainers by study and model: passes, error, ratio at equal cost, rows to the same error."""
    header = [
        ["", "passes", "error on a", "over paired", *[r"\multicolumn{2}{c}{rows to this error}"]],
        ["", "or rows", "typical unit", "KernelSHAP", "paired KernelSHAP", "walks"],
    ]
    groups = []
    for study in found.studies.values():
        if study is by_depth(found):
            continue
        for model, spec in study.block["models"].items():
            own = [cell for cell in study.shown([model]) if cell.budget == 0]
            title = f"{escape(study.block['label'])}, {escape(spec['label'])}"
            rows = [[rf"\emph{{{title}}}", *[""] * 5]]
            groups.append(rows + [_row(found, study, cell) for cell in own])
    return tabular("@{}lccccc@{}", header, groups) if groups else f"{NOT_RUN}\n"


def _row(found: Explanations, study: Studied, cell: StudiedMethod) -> list[str]:
    key = study.name, cell
    typical, ratio = found.typical[key], found.ratios.get(key)
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


def _cell(one: Ratio) -> str:
    if not np.isfinite(one.low) or one.high == UNBOUNDED:
        return number(one.estimate, 2)
    return stacked(number(one.estimate, 2), f"[{number(one.low, 2)}, {number(one.high, 2)}]")


def _reached(rows: float, sign: str) -> str:
    if np.isnan(rows):
        return DASH
    signs = {"<": r"\ensuremath{\le}", ">": r"\ensuremath{>}", "": ""}
    return f"{signs[sign]}{number(round(rows))}"
