"""What a comparison found, in sentences."""

from ..progress import duration
from .comparison import EXACT

FREE_SECONDS = 10.0  # an explanation by all coalitions that takes no longer is called free


def answer(comparison) -> list[str]:
    """Sentences: what to use, how sure that is, and where exact values are to be had."""
    said = [*_exact(comparison)]
    if not len(comparison.errors):
        return said
    best = comparison.best()
    said.append(
        f"Use {best}: among the estimators compared, its error is closest to the smallest one on "
        "most rows."
    )
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
            f"With {budget:,} evaluations {comparison.plan.explicands} rows cannot distinguish it "
            f"from {_joined(open_)}."
        )
    if comparison.resolution > EXACT * comparison.errors["scale"].median():
        said.append(
            "The true values come from a long run of auto: errors below "
            f"{comparison.resolution:.2g} (norm of their standard errors) are not resolved, and "
            "auto may look better than it is."
        )
    elif comparison.resolution:
        said.append(
            "The true values come from a long run of auto and are exact except for rounding."
        )
    return said


def _exact(comparison) -> list[str]:
    planned, players = comparison.plan, comparison.values.shape[1]
    if planned.truth == "trees":
        return [
            "Exact values cost nothing here: they follow from the trees, for any number of players."
        ]
    each = planned.seconds / max(1, planned.explicands)
    if planned.truth == "enumeration" and each <= FREE_SECONDS:
        return [
            f"Exact values are affordable here: {players} players have "
            f"{comparison.exact_evaluations:,} coalitions, which take {each:.2g} s per row."
        ]
    return []


def told(comparison) -> str:
    """The answer, and a table of evaluations needed."""
    parts = [*answer(comparison)]
    if len(comparison.errors):
        parts += [
            "",
            "Evaluations needed for an error relative to the norm of the values, on a typical row:",
            comparison.needed().to_string(),
        ]
    parts += ["", price(comparison)]
    return "\n".join(parts)


def price(comparison) -> str:
    """What was done, in a sentence."""
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
        f"{planned.explicands} rows explained over {filled}, {truth}; "
        f"{comparison.rows:,} rows of the model, about {duration(max(1.0, spent))}."
    )


def _joined(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
