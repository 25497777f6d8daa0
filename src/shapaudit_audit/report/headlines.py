"""Up to three sentences that summarise a run; they are shown when it ends."""

from collections.abc import Mapping, Sequence

from ..audit.tally import NARROWER, UPHELD, consequences, printed
from .further import further
from .overview import overview
from .saved import RIVALS, TARGET, TOGETHER, evaluations_saved, told
from .tasks import TaskComparison

MOST = 3
NOTHING = (
    "The estimators cannot be distinguished: all are exact, or there are too few rows. The site "
    "lists their errors."
)
WORDS = {
    NARROWER: ("holds only in its setting", "hold only in their setting"),
    "slip": ("contains a slip", "contain a slip"),
    "hypothesis": ("lacks a hypothesis", "lack a hypothesis"),
    "wrong": ("is wrong", "are wrong"),
    "undecided": ("is undecided", "are undecided"),
}


def findings(comparisons: Sequence[TaskComparison], audit: Mapping | None) -> list[str]:
    """Which estimator has the least regret, what it saves, and how many published claims hold.

    ``audit`` is None for a study without claims. Where there are fewer than three such sentences,
    sentences on the best estimator of single tasks follow.
    """
    numbers = overview(comparisons[0])
    sentences = [
        _regret(numbers, comparisons),
        _saved(comparisons),
        *([claims_told(printed(audit["claims"]))] if audit else []),
    ]
    of_tasks = [_best(task, numbers["margin"]) for task in numbers["best"]]
    return [*filter(None, sentences), *of_tasks][:MOST] or [NOTHING]


def _regret(numbers: Mapping, comparisons: Sequence[TaskComparison]) -> str:
    if not numbers["regret"] or numbers["cells"] < 2:
        return ""
    first = numbers["regret"][0]
    sentence = (
        f"Of {numbers['estimators']} estimators, {first['estimator']} has the least regret: its "
        f"error is within {_share(numbers['margin'])} of the smallest in {first['near']} of "
        f"{numbers['cells']} combinations of task and budget."
    )
    elsewhere = further(comparisons[0], comparisons[1:])
    return sentence if elsewhere is None else f"{sentence} {elsewhere.told}"


def _saved(comparisons: Sequence[TaskComparison]) -> str:
    rows = evaluations_saved(comparisons)
    chosen = [row for row in rows if row.task == ""] or rows
    if not chosen:
        return ""
    row = chosen[0]
    games = "games" if row.task else f"games of {TOGETHER}"
    return (
        f"Auto needs {told(row)} evaluations to reach the error of {RIVALS[row.rival]} with "
        f"{TARGET:,}, on {row.games} {games}."
    )


def claims_told(claims: Sequence[Mapping]) -> str:
    """A sentence: how many of some published claims hold, and what is wrong with the others."""
    counts = consequences(claims)
    upheld = sum(counts[key] for key in UPHELD if key != NARROWER)
    parts = [_counted(upheld, ("holds", "hold"))]
    parts += [_counted(counts[key], words) for key, words in WORDS.items() if counts[key]]
    told = " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
    return f"Of {sum(counts.values())} published claims, {told}."


def _counted(number: int, words: tuple[str, str]) -> str:
    return f"{number} {words[number != 1]}"


def _best(task: Mapping, margin: float) -> str:
    exact = task.get("exact", False)
    others = ""
    if task["others"]:
        verb = "other is" if task["others"] == 1 else "others are"
        near = "exact on most explicands" if exact else f"within {_share(margin)} of it"
        others = f", and {task['others']} {verb} {near}"
    place = f"{task['task']}, {task['evaluations']:,} evaluations"
    first = "is exact" if exact else "has the smallest error"
    return f"{place}: {task['estimator']} {first}{others}."


def _share(margin: float) -> str:
    """By how much an error may exceed the smallest one, as a percentage of it."""
    return f"{margin - 1:.0%}"
