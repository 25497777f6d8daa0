"""Contents of the first page: the best estimator in numbers, the map of regrets, and the helper."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from ...audit.tally import NARROWER, UPHELD, consequences, printed
from ..advice import KINDS, OTHER, TREE, Advice
from ..further import further
from ..overview import UNBOUNDED
from ..ratios import MOST
from ..reach import HERO, TARGETS, reaches, sampled
from ..saved import RIVALS, TAKEN, TARGET, EvaluationsSaved, told
from ..situations import Situations
from ..tasks import MARGIN, Task, TaskComparison
from .text import limits, number, ratio

SHOWN = 12  # estimators of the map, those of the least regret
NAMED = 4  # estimators that the helper names beside the best
SLOW = "too slow"
EXACT, RAN = "exact", "ran"  # what a cell of the map says in the place of a regret
# Regrets from which a cell of the map has the next lighter shade.
SHADES = (MARGIN, 1.5, 3.0, 10.0, 100.0)


def answer(
    compared: TaskComparison,
    saved: Sequence[EvaluationsSaved],
    others: Sequence[TaskComparison] = (),
) -> dict | None:
    """The estimator of the least regret, and the evaluations that another estimator saves.

    None where nothing is compared.

    ``others`` are comparisons of fewer estimators, on further tasks.
    """
    if compared.regrets.empty or compared.regret_ranking.empty:
        return None
    name, first = next(compared.regret_ranking.iterrows())
    everything = {row.rival: row for row in saved if row.task == ""}
    alone = {row.rival: row for row in saved if row.task}
    rivals = everything or alone
    elsewhere = further(compared, others)
    return {
        **{"name": name, "label": compared.label_of(name), "margin": f"{MARGIN - 1:.0%}"},
        **{"typical": ratio(float(first["typical"])), "worst": ratio(float(first["worst"]))},
        **{"always": first["worst"] == 1, "unbounded": first["worst"] > UNBOUNDED},
        "further": "" if elsewhere is None else elsewhere.told,
        "limits": limits(first["low"], first["high"]),
        **{key: number(int(first[key])) for key in ("near", "sure")},
        "cells": number(len(compared.completed(compared.choices))),
        "tasks": number(len(compared.tasks)),
        "estimators": number(sum(map(len, compared.estimators.values()))),
        "taken": compared.label_of(TAKEN),
        "target": number(TARGET),
        "saved": [
            {"rival": rival, "told": told(rivals[key]), "games": number(rivals[key].games)}
            for key, rival in RIVALS.items()
            if key in rivals
        ],
    }


def reached(comparisons: Sequence[TaskComparison]) -> dict | None:
    """Evaluations for each relative error by method, on the models that need sampling.

    None for a study without such models, or without a method that ran on all their games.
    """
    tasks = sampled(comparisons)
    by_target = [reaches(comparisons, tasks, target=target) for target in TARGETS]
    order = by_target[TARGETS.index(HERO)]
    if not order:
        return None
    cells = {(row.estimator, row.target): row.told for rows in by_target for row in rows}
    return {
        "targets": [f"{target:.0%}" for target in TARGETS],
        "games": number(order[0].games),
        "tasks": [task.label for task in tasks],
        "rows": [
            {"label": row.label, "ours": row.estimator == TAKEN}
            | {"cells": [cells[row.estimator, target] for target in TARGETS]}
            for row in order
        ],
    }


def rests(comparisons: Sequence[TaskComparison]) -> dict[str, str]:
    """Numbers of tasks, of rows, which are games, and of those whose model is not a tree."""
    tasks = [task for comparison in comparisons for task in comparison.tasks.values()]
    rows = sum(task.explicands for task in tasks)
    trees = sum(task.explicands for task in tasks if task.kind == TREE)
    return {"tasks": number(len(tasks)), "rows": number(rows), "sampled": number(rows - trees)}


def verdicts(audit: Mapping) -> dict:
    """Counts of the published claims: in all, upheld, and by consequence."""
    counts = consequences(printed(audit["claims"]))
    upheld = sum(counts[key] for key in UPHELD)
    return {
        **{"total": sum(counts.values()), "upheld": upheld, "setting": counts[NARROWER]},
        **{key: counts[key] for key in ("slip", "hypothesis", "wrong", "undecided")},
    }


def regret_map(comparisons: Sequence[TaskComparison]) -> dict | None:
    """Regrets of the best estimators by task and budget; None where nothing is compared."""
    compared = [comparison for comparison in comparisons if not comparison.regrets.empty]
    if not compared:
        return None
    situations = Situations(compared)
    rows = _rows(situations)
    games = [
        (name, [*own]) for name, own in groupby(situations.columns, key=lambda place: place[0])
    ]
    return {
        "games": [{"label": situations.labels[name], "budgets": len(own)} for name, own in games],
        "columns": [
            {"task": task, "budget": budget, "first": own[0] == (task, budget)}
            | {"shown": number(budget), "complete": situations.complete(task, budget)}
            for _, own in games
            for task, budget in own
        ],
        "rows": rows,
        "words": {cell["shown"] for row in rows for cell in row["cells"]} & {EXACT, RAN},
        "others": max(0, len(situations.table) - SHOWN),
    }


def _rows(situations: Situations) -> list[dict]:
    """The rows of the map, those of the estimators with the least median regret."""
    slow = situations.missing[situations.missing["reason"].str.startswith(SLOW)]
    words = dict.fromkeys(zip(slow["estimator"], slow["task"], slow["budget"], strict=True), "×")
    words |= dict.fromkeys(situations.ran, RAN) | dict.fromkeys(situations.exact, EXACT)
    return [
        {"name": name, "label": situations.label_of(name)}
        | {
            "cells": [
                _cell(row[place], words.get((name, *place), "–")) for place in situations.columns
            ]
        }
        for name, row in situations.table.head(SHOWN).iterrows()
    ]


def _cell(regret: float, word: str) -> dict:
    """A cell of the map; ``word`` is its text where an estimator is exact or has no regret."""
    if word == EXACT:
        return {"shown": EXACT, "shade": "r0", "near": True}
    if np.isnan(regret):
        return {"shown": word, "shade": "", "near": False}
    digits = 1 if regret < 10 else 0
    shown = f">{MOST}" if regret > MOST else f"{regret:.{digits}f}"
    shade = sum(regret > least for least in SHADES)
    return {"shown": shown, "shade": f"r{shade}", "near": regret <= MARGIN}


def helper(
    comparisons: Sequence[TaskComparison],
    saved: Sequence[EvaluationsSaved],
    advice: Sequence[Advice],
    titles: Mapping[str, str],
) -> dict:
    """What the helper on the first page chooses from, as JSON holds it.

    ``titles`` are those of the claims that can be linked, by id.
    """
    situations = [
        cell
        for comparison in comparisons
        for task in comparison.tasks.values()
        for cell in _cells(comparison, task, saved)
    ]
    complete = [cell for cell in situations if cell["complete"]]
    asked_first = complete[-1] if complete else {"players": 10, "budget": 1000, "kind": OTHER}
    return {
        "kinds": KINDS,
        "start": {key: asked_first[key] for key in ("players", "budget", "kind")},
        "advice": {
            entry.situation: {
                **{"take": entry.take, "why": entry.why},
                "claims": [
                    {"id": key, "title": titles[key]} for key in entry.claims if key in titles
                ],
            }
            for entry in advice
        },
        "situations": situations,
        **{"target": TARGET, "taken": comparisons[0].label_of(TAKEN)},
    }


def _cells(compared: TaskComparison, task: Task, saved: Sequence[EvaluationsSaved]) -> list[dict]:
    """The best estimators of a task at each of its budgets."""
    choices = {row.budget: row for row in compared.choices.itertuples() if row.task == task.name}
    same: dict[str, Any] = {
        **{
            "task": task.name,
            "label": task.label,
            "players": task.players,
            "explicands": task.explicands,
        },
        **{"kind": task.kind},
        "reference": compared.label_of(task.reference),
        "saved": {RIVALS[row.rival]: told(row) for row in saved if row.task == task.name},
    }
    cells = []
    for budget in task.budgets:
        cell = same | {"budget": int(budget), "complete": task.complete(budget)}
        row = choices.get(budget)
        if names := task.exact(budget):
            labels = [compared.label_of(name) for name in names]
            cell |= {"best": labels[0], "exact": True, "others": labels[1:]}
        elif row is not None:
            cell |= {"best": compared.label_of(row.best), "exact": False}
            cell |= {"others": [compared.label_of(name) for name in row.others]}
            cell |= {"ratio": ratio(float(row.ratio)), "limits": _joint(row.low, row.high)}
        else:
            continue
        cells.append(cell | {"others": cell["others"][:NAMED], "more": len(cell["others"])})
    return cells


def _joint(low: float, high: float) -> str:
    """Joint limits in the words that stand in brackets."""
    told = limits(low, high)
    return "too few explicands for joint limits" if told == "no limits" else f"joint limits: {told}"
