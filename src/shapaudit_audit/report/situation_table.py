"""One table: what to take in a situation, and what each line of it rests on."""

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
    """A situation, what to take there, and its evidence.

    Attributes
    ----------
    take : what to do; names in braces are filled with what the study found (`filled`)
    claims : ids of the claims that it rests on, each shown with what became of it
    cells : what the study's comparisons say, with names in braces; "" where they say nothing
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
        """Raise ValueError for a line that rests on nothing."""
        if not (self.claims or self.cells or self.benchmark):
            raise ValueError(f"the advice {self.take!r} names no evidence; give it some.")

    @property
    def situation(self) -> list[str]:
        """Its cells in the order of `HEADS`."""
        own = asdict(self)
        return [own[key] for key in HEADS]


class Steady(NamedTuple):
    """Who is within the margin of the best in most complete cells.

    Attributes
    ----------
    labels : of these estimators
    most, sure : in how many cells they are, by estimate, and by the upper limit (the first of them)
    cells : how many there are
    players : of the tasks with such cells, increasing, one for each task
    """

    labels: list[str]
    most: int
    sure: int
    cells: int
    players: tuple[int, ...]

    @property
    def told(self) -> str:
        """In how many cells of how many tasks, and how sure that is."""
        tasks = "1 task" if len(self.players) == 1 else f"{len(self.players)} tasks"
        return (
            f"within {MARGIN - 1:.0%} of the best at {self.most} of {self.cells} budgets of "
            f"{tasks}, significantly at {self.sure}"
        )


def steady(compared: TaskComparison, few: bool) -> Steady:
    """Over the tasks with few players, or with more."""
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
    found = {}
    for key, few in (("few", True), ("many", False)):
        one = steady(compared, few)
        found[f"{key}_players"] = " or ".join(one.labels) or NONE
        found[f"{key}_cells"] = one.told if one.labels else NONE
    chosen = choices(removals, alpha) if removals else None
    for key, place in (("few_rows", "min"), ("many_rows", "max")):
        found[key] = NONE if chosen is None else _best_removals(chosen, place)
    return found


def _best_removals(chosen, place: str) -> str:
    """Which removals err least under how many laws, at the fewest or the most rows of each."""
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
    """The same for the site; ``claims`` are the records of the audit by id."""
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
