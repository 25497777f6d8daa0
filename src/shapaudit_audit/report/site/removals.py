"""Tables of the studies of removals: the removal of the least error, and the errors of all."""

import math
from collections.abc import Sequence

import pandas as pd

from ..removals import RemovalStudy, at_equal_rows, choices
from .text import number, words

COUNTED = {"model": "model", "all": "model and the removal's own models"}


def choice_rows(studies: Sequence[RemovalStudy], alpha: float) -> list[dict]:
    """The best removal by study and rows, and those not significantly different from it."""
    return [
        {
            "study": row.study,
            "rows": number(row.rows),
            "best": words(row.best),
            "error": _share(row.error),
            "others": [words(name) for name in row.others],
            "next": (
                _compared(row.behind, row.behind_ratio, row.behind_low, row.behind_high)
                if row.behind
                else "–"
            ),
            "players": number(row.players),
        }
        for row in (choices(studies, alpha).itertuples() if studies else ())
    ]


def equal_rows(studies: Sequence[RemovalStudy], alpha: float) -> list[dict]:
    """The best removal at equal rows, by target, way of counting, study, training rows and limit.

    Limits hold for all pairs of one target together.
    """
    if not studies:
        return []
    return _lines("conditional", at_equal_rows(studies, alpha)) + _lines(
        "marginal", at_equal_rows(studies, alpha, "marginal", ["model"])
    )


def _lines(target: str, table: pd.DataFrame) -> list[dict]:
    return [
        {
            "target": target,
            "counted": COUNTED[row.counted],
            "study": row.study,
            "rows": number(row.rows),
            "limit": number(row.limit),
            "best": words(row.best),
            "error": _share(row.error),
            "next": _compared(row.next, row.ratio, row.low, row.high) if row.next else "–",
            "significant": "–" if row.entered < 2 else "no" if row.others else "yes",
            "behind": number(row.entered - 1 - len(row.others)),
            "entered": number(row.entered),
        }
        for row in table.itertuples()
    ]


def refusal_rows(studies: Sequence[RemovalStudy]) -> list[dict]:
    """Removals that refused to be fitted, how often, and the first reason that each gave."""
    return [
        {
            "study": study.label,
            "removal": words(row.removal),
            "rows": number(row.rows),
            "fits": f"{number(row.refused)} of {number(row.fits)}",
            "reason": row.reason,
        }
        for study in studies
        for row in study.refused.itertuples()
    ]


def error_rows(studies: Sequence[RemovalStudy]) -> list[dict]:
    """Relative error of each removal by study and training rows, and the model rows it takes."""
    return [
        {
            "study": study.label,
            "removal": words(name),
            "definition": card.definition if (card := study.cards[name]) else "",
            "errors": [
                {"rows": number(int(count)), "error": _share(error)}
                for count, error in study.curves.loc[name].items()
            ],
            **_taken(study, name),
        }
        for study in studies
        for name in study.removals
    ]


def _share(error: float) -> str:
    return "–" if error != error else f"{100 * error:.0f} %"


def _taken(study: RemovalStudy, name: str) -> dict[str, str]:
    """Rows of the model that a removal takes; dashes where every fit was refused."""
    if name not in study.measures.index:
        return {"fit": "–", "value": "–"}
    own = study.measures.loc[name]
    return {
        "fit": number(float(own["fit_rows"].max())),
        "value": number(float(own["rows_per_value"].max())),
    }


def _compared(name: str, ratio: float, low: float, high: float) -> str:
    limits = (
        f"{number(low)} to {number(high)}" if math.isfinite(high) else "too few fits for limits"
    )
    return f"{words(name)}: {number(ratio)} ({limits})"
