"""What a study has found, in three sentences at most: those that end a run."""

from collections.abc import Mapping, Sequence

from ..audit.tally import NARROWER, UPHELD, consequences, printed
from .further import further
from .overview import overview
from .saved import RIVALS, TARGET, evaluations_saved, told
from .tasks import Comparison

MOST = 3
NOTHING = (
    "The estimators cannot be distinguished: all are exact, or there are too few rows. The site "
    "lists their errors."
)
WORDS = {
    NARROWER: ("holds only in its setting", "hold only in their setting"),
    "slip": ("contains a harmless slip", "contain a harmless slip"),
    "hypothesis": ("lacks a hypothesis", "lack a hypothesis"),
    "wrong": ("is wrong", "are wrong"),
    "undecided": ("is undecided", "are undecided"),
}


def findings(comparisons: Sequence[Comparison], audit: Mapping | None) -> list[str]:
    """Whose error is closest to the least, what that saves, and how many published claims stand.

    Of a study that lacks one of these, who errs least on its single tasks.
    """
    found = overview(comparisons[0])
    sentences = [
        _regret(found, comparisons),
        _saved(comparisons),
        *([_claims(audit)] if audit else []),
    ]
    told = [*filter(None, sentences), *map(_best, found["best"])][:MOST]
    return told or [NOTHING]


def _regret(found: Mapping, comparisons: Sequence[Comparison]) -> str:
    if not found["regret"] or found["cells"] < 2:
        return ""
    first = found["regret"][0]
    told = (
        f"Of {found['estimators']} estimators, {first['estimator']} has the least regret: its "
        f"error is within {found['margin'] - 1:.0%} of the smallest in {first['near']} of "
        f"{found['cells']} combinations of task and budget."
    )
    elsewhere = further(comparisons[0], comparisons[1:])
    return told if elsewhere is None else f"{told} {elsewhere.told}"


def _saved(comparisons: Sequence[Comparison]) -> str:
    together = evaluations_saved(comparisons)
    chosen = [one for one in together if one.task == ""] or together
    if not chosen:
        return ""
    one = chosen[0]
    return (
        f"Auto needs {told(one)} evaluations to reach the error of {RIVALS[one.rival]} with "
        f"{TARGET:,}, on {one.games} games."
    )


def _claims(audit: Mapping) -> str:
    counts = consequences(printed(audit["claims"]))
    upheld = sum(counts[key] for key in UPHELD if key != NARROWER)
    parts = [_counted(upheld, ("holds", "hold"))]
    parts += [_counted(counts[key], words) for key, words in WORDS.items() if counts[key]]
    return f"Of {sum(counts.values())} published claims {', '.join(parts)}."


def _counted(number: int, words: tuple[str, str]) -> str:
    return f"{number} {words[number != 1]}"


def _best(one: Mapping) -> str:
    others = f", and {one['others']} others are within a tenth of it" if one["others"] else ""
    evaluations = f"{one['evaluations']:,} evaluations"
    return f"{one['task']}, {evaluations}: {one['estimator']} has the smallest error{others}."
