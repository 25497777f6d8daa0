"""The table behind the heat map, and that of evaluations saved, in LaTeX."""

from itertools import groupby

import pandas as pd

from shapaudit_audit.report.latex import DASH, escape, number, ratio_cell, tabular
from shapaudit_audit.report.saved import RIVALS, TAKEN, TARGET, evaluations_saved, told
from shapaudit_audit.report.situations import Situations

from ..findings import ChenReplication


def of(replication: ChenReplication) -> Situations:
    """The tasks, and the games of other papers."""
    return Situations([replication.tasks, replication.best])


def situations_table(situations: Situations) -> str:
    """A longtable of regrets with their limits, a game after the other, and who did not run."""
    cells = situations.cells.set_index(["estimator", "task", "budget"])
    wide = max(len(list(columns)) for _, columns in _games(situations))
    parts = []
    for task, columns in _games(situations):
        budgets = [budget for _, budget in columns]
        parts.append(_game(situations, cells, task, budgets, wide))
    head = f"\\multicolumn{{{wide + 1}}}{{@{{}}l}}{{}}\\\\\n"
    return (
        f"\\begin{{longtable}}{{@{{}}l{'c' * wide}@{{}}}}\n"
        "\\caption{Regrets by situation, behind Figure~\\ref{fig:situations}: error over that of "
        "the best on a typical explicand, with limits that hold for any two estimators of all "
        "cells of the tasks together, or of the games of other papers.}\\\\\n"
        f"\\toprule\n{head}\\endfirsthead\n\\toprule\n{head}\\endhead\n"
        f"\\bottomrule\n\\endlastfoot\n{''.join(parts)}\\end{{longtable}}\n"
    )


def _games(situations: Situations):
    return groupby(situations.columns, key=lambda place: place[0])


def _game(
    situations: Situations, cells: pd.DataFrame, task: str, budgets: list[int], wide: int
) -> str:
    empty = [""] * (wide - len(budgets))
    explicands = situations.explicands(task)
    head = rf"\emph{{{escape(situations.labels[task])}}} ({explicands.max()} explicands)"
    lines = [[head, *map(number, budgets), *empty]]
    for name in situations.table.index:
        row = [
            ratio_cell(*cells.loc[(name, task, budget), ["ratio", "low", "high"]])
            if (name, task, budget) in cells.index
            else DASH
            for budget in budgets
        ]
        if set(row) != {DASH}:
            lines.append([escape(situations.label_of(name)), *row, *empty])
    text = "".join(" & ".join(line) + " \\\\\n" for line in lines)
    for remark in (
        on_fewer(explicands, situations),
        absent(situations.missing[situations.missing["task"] == task], situations),
    ):
        if remark:
            text += rf"\multicolumn{{{wide + 1}}}{{@{{}}p{{14cm}}}}{{{remark}}}\\" + "\n"
    return text + "\\addlinespace\n"


def on_fewer(explicands: pd.Series, situations: Situations) -> str:
    """Who ran on fewer explicands of a game than others, which are those that it is compared on."""
    parts = [
        f"{'; '.join(escape(situations.label_of(name)) for name in own.index)} on {count} "
        "explicands"
        for count, own in explicands[explicands < explicands.max()].groupby(explicands)
    ]
    return f"Compared {'. Compared '.join(parts)}." if parts else ""


def absent(missing: pd.DataFrame, situations: Situations) -> str:
    """Who did not run in a game, at which budgets, by reason."""
    parts = []
    for reason, own in missing.groupby("reason", sort=False):
        names = []
        for name, rows in own.groupby("estimator", sort=False):
            places = ", ".join(number(int(budget)) for budget in rows["budget"])
            names.append(f"{escape(situations.label_of(name))} ({places})")
        parts.append(f"{escape(reason)}: {'; '.join(names)}")
    return f"Left out. {'. '.join(parts)}." if parts else ""


def saved_table(replication: ChenReplication) -> str:
    """Evaluations of `auto` to the errors that others reach at the target, game by game."""
    rows = evaluations_saved([replication.best, replication.tasks])
    labels = of(replication).labels
    cells = {(row.task, row.rival): row for row in rows}
    tasks = list(dict.fromkeys(row.task for row in rows))
    body = [
        [
            escape(labels[task]) if task else "all together",
            number(next(row.games for row in rows if row.task == task)),
            *(
                escape(told(cells[task, rival])).replace("≤", r"$\le$")
                if (task, rival) in cells
                else DASH
                for rival in RIVALS
            ),
        ]
        for task in sorted(tasks, key=lambda task: task == "")
    ]
    heads = [["", "explicands", *RIVALS.values()]]
    return tabular("@{}lr" + "c" * len(RIVALS) + "@{}", heads, [body])


def values(replication: ChenReplication) -> dict[str, str]:
    """Medians over all games together, by rival; and what is taken and compared."""
    label = replication.tasks.label_of(TAKEN)
    texts = {"taken": escape(label), "target": number(TARGET)}
    rows = {row.rival: row for row in evaluations_saved([replication.best, replication.tasks])}
    for rival in RIVALS:
        text = escape(told(rows[rival])) if rival in rows else "not run"
        texts[rival] = text.replace("≤", r"$\le$")
    return {f"saved.{key}": text for key, text in texts.items()}
