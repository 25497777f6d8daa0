"""What a comparison found, in sentences."""

import numpy as np
import pandas as pd

from ..parameters import counted
from ..progress import duration
from .comparison import TARGETS, Comparison
from .quantity import PROBABILITY
from .several import Comparisons

FREE_SECONDS = 10.0  # an explanation by all coalitions that takes no longer is called free
CLEARLY = 0.1  # of the evaluations of the best estimator: by so much fewer another one needs
CONSTANT = (
    "All values are zero: on these rows the output of the model does not depend on the columns, "
    "and every estimator finds that."
)
NEEDED = "Evaluations needed for an error relative to the norm of the values, on a typical row"


def explained(comparison: Comparison) -> str:
    """Two sentences: the quantity that is explained, and the size of its values."""
    quantity = comparison.quantity
    size = quantity.amount(comparison.typical_value)
    return (
        f"What is explained is {quantity}. The mean absolute Shapley value of a player is {size} "
        "on a typical row."
    )


def answer(comparison: Comparison) -> list[str]:
    """Sentences: what to use, how sure that is, and where exact values are to be had."""
    return [*exact(comparison), *chosen(comparison)]


def chosen(comparison: Comparison) -> list[str]:
    """Sentences: which estimator has the least error, and how sure that is."""
    if not len(comparison.errors):
        return []
    if comparison.constant:
        return [CONSTANT]
    best = comparison.best()
    said = [*_use(comparison, best), *_by_error(comparison, best)]
    ratios = comparison.ratios()
    budget = int(comparison.errors["budget"].max())
    worse = [name for name, (_, low, _) in ratios.items() if low > 1]
    open_ = [name for name, (_, low, high) in ratios.items() if low <= 1 <= high]
    better = [name for name, (_, _, high) in ratios.items() if high < 1]
    if worse:
        said.append(
            f"With {budget:,} evaluations its error is smaller than that of {_joined(worse)} on a "
            "typical row; limits of 95 % hold simultaneously for these comparisons."
        )
    if better:
        said.append(
            f"With {budget:,} evaluations the error of {_joined(better)} is smaller on a "
            "typical row."
        )
    if open_:
        said.append(
            f"With {budget:,} evaluations {counted(comparison.plan.explicands, 'row')} cannot "
            f"distinguish it from {_joined(open_)}."
        )
    if comparison.values_estimated:
        size = comparison.quantity.amount(comparison.resolution)
        said.append(
            f"The true values come from a long run of auto: errors below {size} (norm of their "
            "standard errors) are not resolved, and auto may look better than it is."
        )
    elif comparison.resolution:
        said.append(
            "The true values come from a long run of auto and are exact except for rounding."
        )
    return said


def _use(comparison: Comparison, best: str) -> list[str]:
    """What to use: exact values where they take no longer than the fewest evaluations."""
    closest = "error is closest to the smallest one on most rows"
    cheap = cheap_exact(comparison, best)
    if cheap:
        return [
            f"Use the exact values: they take no longer than {best} with {cheap:,} evaluations, of "
            f"all estimators compared the one whose {closest}."
        ]
    said = [f"Use {best}: among the estimators compared, its {closest}."]
    if comparison.plan.truth == "enumeration":
        mine = comparison.table().query("estimator == @best").iloc[[0, -1]]
        first, last = zip(mine["budget"], mine["seconds"], strict=True)
        said.append(
            f"An explanation by {best} takes {first[1]:.2g} s with {first[0]:,} evaluations and "
            f"{last[1]:.2g} s with {last[0]:,}."
        )
    return said


def cheap_exact(comparison: Comparison, estimator: str) -> int:
    """The fewest evaluations of an estimator, where exact values take no longer; else 0."""
    first = comparison.table().query("estimator == @estimator").iloc[0]
    return int(first["budget"]) if comparison.exact_seconds <= first["seconds"] else 0


def _by_error(comparison: Comparison, best: str) -> list[str]:
    """A sentence for each other estimator that needs clearly fewer evaluations for some errors."""
    reached, others = comparison.reached(), dict[str, list[str]]()
    for place, target in enumerate(TARGETS):
        ends = {
            name: np.inf if each[place][1] == "more than" else each[place][0]
            for name, each in reached.items()
        }
        first = min(ends, key=lambda name: ends[name])
        if ends[first] < (1 - CLEARLY) * ends[best]:
            own, word = reached[best][place]
            against = f"{word} {own:,.0f}".strip()
            others.setdefault(first, []).append(
                f"{ends[first]:,.0f} against {against} for {target:.0%}"
            )
    return [
        f"Depending on the error that is wanted, {name} needs fewer evaluations: {'; '.join(told)}."
        for name, told in others.items()
    ]


def exact(comparison: Comparison) -> list[str]:
    """A sentence where exact values are free, which is the same for all outputs of a model."""
    planned, players = comparison.plan, comparison.values.shape[1]
    if planned.truth == "trees":
        return [
            "Exact values cost nothing here: they follow from the trees, for any number of players."
        ]
    each = planned.seconds / planned.explicands
    if planned.truth == "enumeration" and each <= FREE_SECONDS:
        return [
            f"Exact values are affordable here: {players} players have "
            f"{comparison.exact_evaluations:,} coalitions, which take {each:.2g} s per row."
        ]
    return []


def few_players(comparison: Comparison) -> str:
    """A sentence where no estimator was compared."""
    return (
        f"With {comparison.values.shape[1]} players no estimator was compared: the smallest budget "
        "is more than half of all coalitions."
    )


def named(comparisons: Comparisons) -> str:
    """A sentence with the names of several outputs."""
    quantity = comparisons.parts[0].quantity
    names = [part.quantity.output for part in comparisons.parts]
    of_target = f" of {quantity.target}" if quantity.target else ""
    kind = "the probabilities" if quantity.unit == PROBABILITY else "the outputs"
    unit = "" if quantity.unit in ("", PROBABILITY) else f", in {quantity.unit}"
    return f"What is explained are {kind}{of_target}: {_joined(names)}{unit}."


def overall(comparisons: Comparisons) -> list[str]:
    """Sentences on all outputs of a model: one estimator for them, and who is best on which."""
    best, parts = comparisons.best(), comparisons.parts
    if all(part.constant for part in parts):
        return [CONSTANT]
    cheap = cheap_exact(parts[0], best)
    use = f"the exact values, which take no longer than {best}" if cheap else best
    whose = f"the error of {best}" if cheap else "its error"
    said = [
        f"Use {use}: over all {len(parts)} outputs, {whose} is closest to the least on most rows. "
        "One evaluation gives the value of a coalition for every output."
    ]
    others: dict[str, list[str]] = {}
    for part in parts:
        others.setdefault(part.best(), []).append(part.quantity.output)
    others.pop(best, None)
    if others:
        told = "; ".join(f"{name} for {_joined(outputs)}" for name, outputs in others.items())
        said.append(f"On single outputs another estimator is best: {told}.")
    return said


def summary(comparisons: Comparisons) -> pd.DataFrame:
    """A line per output: evaluations that the best estimator for all of them needs for it."""
    best = comparisons.best()
    lines = {part.quantity.output: part.needed().loc[best] for part in comparisons.parts}
    return pd.DataFrame(lines).T


def told(compared: Comparison | Comparisons) -> str:
    """The answer, and a table of evaluations needed."""
    first = compared.parts[0]
    several = compared if isinstance(compared, Comparisons) and len(compared) > 1 else None
    parts = [explained(first) if several is None else named(several), *exact(first)]
    if not len(first.errors):
        parts.append(few_players(first))
    elif several is not None:
        heading = f"{NEEDED}, by {several.best()}:"
        parts += [*overall(several), "", heading, summary(several).to_string()]
    else:
        parts += [*chosen(first), "", f"{NEEDED}:", first.needed().to_string()]
    parts += ["", price(first)]
    return "\n".join(parts)


def price(comparison: Comparison) -> str:
    """A sentence: the rows and evaluations that the comparison took."""
    planned = comparison.plan
    spent = comparison.rows * planned.row_seconds
    truth = {
        "enumeration": "exact values from all coalitions",
        "trees": "exact values from the trees",
        "reference": f"reference values from {planned.reference:,} evaluations of auto each",
    }[planned.truth]
    filled = (
        "one typical row"
        if comparison.background == 1
        else f"{comparison.background} background rows"
    )
    return (
        f"{counted(planned.explicands, 'row')} explained over {filled}, {truth}; "
        f"{comparison.rows:,} rows of the model, about {duration(max(1.0, spent))}."
    )


def _joined(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
