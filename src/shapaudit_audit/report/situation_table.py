"""A table of recommendations by situation, each with its evidence."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple

from ..audit.verdict import CONSEQUENCES
from .latex import escape, prose, tabular
from .removals import RemovalStudy, choices
from .tasks import MARGIN, TaskComparison

FEW = 20  # players up to which all coalitions may be enumerated
ANY = "any"
NONE = "not compared in this study"
HEADS = {
    "players": "players",
    "rows": "rows of data",
    "data": "data and model",
    "cost": "cost of an evaluation",
    "explanations": "explanations",
}


@dataclass(frozen=True)
class SituationLine:
    """A situation, the recommendation for it, and its evidence.

    Attributes
    ----------
    take : the recommendation; names in braces are replaced by results of the study (`filled`)
    claims : ids of the claims that it rests on, each shown with its consequence
    cells : results of the study's comparisons, with names in braces; "" where there are none
    benchmark : a page of benchmarks/results, without its suffix; "" where there is none
    players, rows, data, cost, explanations : the situation, `ANY` where it does not matter
    """

    take: str
    claims: tuple[str, ...] = ()
    cells: str = ""
    benchmark: str = ""
    players: str = ANY
    rows: str = ANY
    data: str = ANY
    cost: str = ANY
    explanations: str = ANY

    def __post_init__(self):
        """Raise ValueError for a line without evidence."""
        if not (self.claims or self.cells or self.benchmark):
            raise ValueError(f"the advice {self.take!r} names no evidence; give it some.")

    @property
    def situation(self) -> list[str]:
        """Its cells in the order of `HEADS`."""
        own = asdict(self)
        return [own[key] for key in HEADS]


class Steady(NamedTuple):
    """The estimators that are within the margin of the best in the most complete cells.

    Attributes
    ----------
    labels : of these estimators
    most, sure : numbers of cells by the estimate, and by the upper limit of the first of them
    cells : number of complete cells
    players : numbers of players of the tasks with such cells, increasing, one for each task
    """

    labels: list[str]
    most: int
    sure: int
    cells: int
    players: tuple[int, ...]

    @property
    def told(self) -> str:
        """Numbers of cells and tasks in words, and of the significant cells."""
        tasks = "1 task" if len(self.players) == 1 else f"{len(self.players)} tasks"
        return (
            f"within {MARGIN - 1:.0%} of the best at {self.most} of {self.cells} budgets of "
            f"{tasks}, significantly at {self.sure}"
        )


def steady(compared: TaskComparison, few: bool) -> Steady:
    """`Steady` over the tasks with at most `FEW` players, or over those with more."""
    tasks = {t.name: t.players for t in compared.tasks.values() if (t.players <= FEW) == few}
    cells = compared.completed(compared.choices)
    cells = cells[cells["task"].isin(tasks)]
    rows = compared.completed(compared.regrets)
    rows = rows[rows["task"].isin(tasks)]
    counts = rows.loc[rows["ratio"] <= MARGIN, "a"].value_counts()
    most = int(counts.max()) if len(counts) else 0
    names = sorted(counts.index[counts == most], key=compared.label_of)
    own = rows[rows["a"].isin(names[:1])]
    return Steady(
        [compared.label_of(name) for name in names],
        most,
        int((own["high"] <= MARGIN).sum()),
        len(cells),
        tuple(sorted(tasks[name] for name in set(cells["task"]))),
    )


def filled(
    compared: TaskComparison, removals: Sequence[RemovalStudy], alpha: float
) -> dict[str, str]:
    """Words for the names in braces: estimators by players, removals by training rows."""
    words = {}
    for key, few in (("few", True), ("many", False)):
        best = steady(compared, few)
        words[f"{key}_players"] = " or ".join(best.labels) or NONE
        words[f"{key}_cells"] = best.told if best.labels else NONE
    chosen = choices(removals, alpha) if removals else None
    for key, place in (("few_rows", "min"), ("many_rows", "max")):
        words[key] = NONE if chosen is None else _best_removals(chosen, place)
    return words


def _best_removals(chosen, place: str) -> str:
    """The best removals at the fewest ("min") or the most ("max") rows, with numbers of laws."""
    rows = chosen[chosen["rows"] == chosen.groupby("study")["rows"].transform(place)]
    parts = [f"{name} under {count}" for name, count in rows["best"].value_counts().items()]
    sizes = sorted(set(rows["rows"]))
    told = f"{sizes[0]:,}" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,}"
    return f"least error with {told} rows: {', '.join(parts)} of {len(rows)} distributions"


def situation_table(lines: Sequence[SituationLine], words: Mapping[str, str]) -> str:
    """The table in LaTeX; claims have the colour of their consequence."""
    text = r">{\raggedright\arraybackslash}p"
    widths = (1.2, 1.5, 2.5, 1.2, 1.6, 3.3, 3.4)
    columns = "@{}" + "".join(f"{text}{{{width}cm}}" for width in widths) + "@{}"
    rows = [
        [*map(prose, line.situation), prose(line.take.format(**words)), _evidence(line, words)]
        for line in lines
    ]
    return tabular(columns, [[*HEADS.values(), "recommendation", "evidence"]], [rows])


def _evidence(line: SituationLine, words: Mapping[str, str]) -> str:
    parts = [rf"\cl{{{key}}}" for key in line.claims]
    told = [", ".join(parts)] if parts else []
    if line.cells:
        told.append(prose(line.cells.format(**words)))
    if line.benchmark:
        name = escape(line.benchmark)
        told.append(rf"\texttt{{benchmarks/\allowbreak results/\allowbreak {name}.md}}")
    return "; ".join(told)


def situation_rows(
    lines: Sequence[SituationLine], words: Mapping[str, str], claims: Mapping[str, Mapping]
) -> list[dict]:
    """The lines as the site shows them; ``claims`` are the records of the audit by id."""
    return [
        {
            "situation": line.situation,
            "take": line.take.format(**words),
            "claims": [
                {"id": key, "title": claims[key]["title"]}
                | {"consequence": claims[key]["consequence"]}
                | {"told": CONSEQUENCES[claims[key]["consequence"]]}
                for key in line.claims
                if key in claims
            ],
            "cells": line.cells.format(**words),
            "benchmark": line.benchmark,
        }
        for line in lines
    ]
