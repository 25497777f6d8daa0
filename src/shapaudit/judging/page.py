"""A page on where estimators stand, which needs no network."""

from collections.abc import Sequence
from itertools import groupby

from ..pages import rendered
from .judgement import BUDGETS, Judgement
from .standing import FLOOR, Place

WHAT = "the page of a judgement"


def page(judgements: Sequence[Judgement], standing: Sequence[Place], name: str = "") -> str:
    """The page, as HTML, of all estimators and their `places`, with the one of a ``name`` first."""
    return rendered(
        "shapaudit.judging",
        "page.html",
        WHAT,
        title=f"{name} among the estimators" if name else "Estimators on the bank of games",
        name=name,
        games=len({run.game for own in judgements for run in own.runs}),
        budgets=", ".join(f"{budget:,}" for budget in BUDGETS[:-1]) + f" and {BUDGETS[-1]:,}",
        seeds=" or ".join(str(count) for count in sorted({own.seeds for own in judgements})),
        estimators=len(judgements),
        floor=FLOOR,
        mine=[place for place in standing if place.name == name],
        by_situation={
            situation: list(own) for situation, own in groupby(standing, lambda p: p.situation)
        },
        shown=shown,
    )


def shown(regret: float) -> str:
    """A regret with three significant digits, as 1.37 or 31,500."""
    return f"{float(f'{regret:.3g}'):,.0f}" if regret >= 1_000 else f"{regret:.3g}"
