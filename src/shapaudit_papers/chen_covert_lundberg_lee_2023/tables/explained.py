"""What the report says of model-specific explainers: a table, and which pictures are shown."""

import numpy as np

from shapaudit.statistics.limits import UNBOUNDED
from shapaudit.statistics.simultaneous import Ratio
from shapaudit_audit.report.latex import (
    DASH,
    NOT_RUN,
    escape,
    number,
    ratio_cell,
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
    with_pictures,
)

WALKS = "antithetic-mc"


def values(explanations: Explanations) -> dict[str, str]:
    """The pictures that are shown, by key."""
    study = with_pictures(explanations)
    return {"explanations.pictures": escape(study.block.label) if study else NOT_RUN}


def _label(study: Studied, method: str) -> str:
    return escape(study.labels[method])


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
