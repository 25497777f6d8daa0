"""The table of estimators: the error of each on a task with a number of evaluations."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from ..left_out import left_out
from ..tasks import MARGIN, Task, TaskComparison
from .comparison import card_of
from .text import limits, ratio

DIGITS = 6  # of a number to download or to sort by; processors round the last of all differently
SPAN = 10.0  # ratios are drawn from 1 / SPAN to SPAN
HEAD = (
    *("task", "players", "evaluations", "estimator", "family", "unbiased", "error_bars"),
    *("ratio", "ratio_low", "ratio_high", "regret", "regret_low", "regret_high", "remark"),
)


def rows(comparisons: Sequence[TaskComparison]) -> list[dict]:
    """A row per task, budget and estimator; one that did not run has a row with the reason.

    Rows of a cell come in the order of their errors. ``ratio`` is the error over that of the
    task's reference and ``regret`` that over the best of the cell, each a mapping as of
    `_measure` or None.
    """
    unordered = [row for comparison in comparisons for row in _of_comparison(comparison)]
    places = {(row["task"], row["budget"]): k for k, row in enumerate(unordered)}
    return sorted(unordered, key=lambda row: (places[row["task"], row["budget"]], row["order"]))


def _of_comparison(compared: TaskComparison) -> Iterator[dict]:
    ratios = _by_cell(compared.ratios)
    regrets = _by_cell(compared.regrets)
    missing = left_out(compared).set_index(["task", "budget", "estimator"])["reason"].to_dict()
    for task in compared.tasks.values():
        for budget in task.budgets:
            exact_ones = task.exact(budget)
            for family, names in compared.estimators.items():
                for name in names:
                    key = (task.name, budget, name)
                    row = _named(compared, task, budget, family, name)
                    if key in missing:
                        yield row | _told("–", "did not run: " + missing[key], "absent", 3e300)
                    elif name in exact_ones:
                        yield row | _told("exact", "exact on every explicand", "better", -1.0)
                    else:
                        yield row | _measured(task, exact_ones, key, ratios, regrets, missing)


def _by_cell(table: pd.DataFrame) -> dict[tuple, tuple[float, float, float]]:
    keys = zip(table["task"], table["budget"], table["a"], strict=True)
    columns = (table[name].to_numpy(dtype=float).tolist() for name in ("ratio", "low", "high"))
    return dict(zip(keys, zip(*columns, strict=True), strict=True))


def _named(compared: TaskComparison, task: Task, budget: int, family: str, name: str) -> dict:
    """The cells of a row that describe its estimator."""
    card = card_of(compared.specs[name])
    return {
        **{"task": task.name, "task_label": task.label, "players": task.players},
        **{"budget": int(budget), "name": name, "label": compared.label_of(name)},
        **{"family": family, "unbiased": card.unbiased if card else None},
        "errors": any(name in task.with_errors for task in compared.tasks.values()),
    }


def _told(shown: str, remark: str, verdict: str, order: float) -> dict:
    """The cells of a row without numbers, with the reason as a remark."""
    same = {"shown": shown, "remark": remark, "verdict": verdict, "order": order}
    return same | {"ratio": None, "regret": None}


def _measured(
    task: Task, exact_ones: Sequence[str], key: tuple, ratios: Mapping, regrets: Mapping, missing
) -> dict:
    """Ratio and regret of an estimator that errs."""
    name = key[-1]
    if (*key[:2], task.reference) in missing:
        return _told("–", "the reference did not run", "open", 2e300)
    if task.reference in exact_ones:
        return _told("–", "errs where what it is compared with does not", "worse", 2e300)
    itself = name == task.reference
    measured = (1.0, 1.0, 1.0) if itself else ratios[key]
    return {
        "shown": ratio(measured[0]),
        "remark": "the reference" if itself else "",
        "verdict": "open" if itself else _verdict(*measured[1:]),
        "order": measured[0],
        "ratio": _measure(*measured) | _bar(*measured),
        "regret": _measure(*regrets[key]) if key in regrets else _measure(1.0, 1.0, 1.0),
    }


def _measure(value: float, low: float, high: float) -> dict:
    """A number with its limits, as they are and in words, and whether it is within the margin."""
    return {
        **{"value": value, "low": low, "high": high, "near": value <= MARGIN},
        **{"shown": ratio(value), "limits": limits(low, high)},
    }


def _bar(value: float, low: float, high: float) -> dict:
    """Positions of a ratio and its limits on the axis, in per cent of its width."""
    ends = [value if np.isnan(end) else end for end in (low, high)]
    return {"at": _place(value), "from": _place(ends[0]), "to": _place(ends[1])}


def _place(value: float) -> float:
    logarithm = np.log(max(value, 1e-300)) / np.log(SPAN)
    return float(np.clip(50 + 50 * logarithm, 0, 100))


def _verdict(low: float, high: float) -> str:
    if np.isnan(low):
        return "open"
    return "better" if high < 1 else "worse" if low > 1 else "open"


def table(lines: Sequence[Mapping]) -> str:
    """The rows as comma-separated values, with `DIGITS` digits."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEAD)
    for row in lines:
        measures = [row[key] or {} for key in ("ratio", "regret")]
        values = [
            digits(measure.get(key)) for measure in measures for key in ("value", "low", "high")
        ]
        facts = [row[key] for key in ("unbiased", "errors")]
        names = [row[key] for key in ("task_label", "players", "budget", "label", "family")]
        writer.writerow([*names, *map(_yes, facts), *values, row["remark"]])
    return text.getvalue()


def digits(value: float | None) -> str:
    """A number for a program to read, "" for None."""
    return "" if value is None else f"{value:.{DIGITS}g}"


def _yes(fact: bool | None) -> str:
    return "" if fact is None else "yes" if fact else "no"
