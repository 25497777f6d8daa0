"""Verdicts on claims, and the words that they may use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shapaudit.statistics.limits import Limit

# Statuses of a claim, each with its meaning.
STATUSES = {
    "proved": "There is a proof in the supplement, or all that it covers was examined.",
    "exact": "It holds in exact arithmetic over a stated range.",
    "supported": "It holds within confidence limits or, without samples, a stated threshold.",
    "refuted": "There is a counterexample or a significant violation.",
    "inconsistent": "It contradicts its source or another version of the source.",
    "vacuous": "It is true, but gives no information where it would be applied.",
    "inconclusive": "The evidence does not decide it.",
}
STANDING = ("proved", "exact", "supported")
UNDECIDED = "inconclusive"

# Consequences of a verdict for a reader of the paper, in words.
CONSEQUENCES = {
    "stands": "stands",
    "loosely": "stands, loosely",
    "setting": "stands in its setting, not beyond",
    "slip": "a slip that leaves the argument intact",
    "hypothesis": "needs a hypothesis",
    "wrong": "wrong",
    "undecided": "undecided",
}

# Prefixes of the labels of statements that the report proves.
PROOFS = ("lem", "prop", "thm", "cor")

Number = float | int | str


class ClaimError(RuntimeError):
    """A claim is ill-formed, unknown, or could not be checked."""


def plain(value: Any) -> Number:
    """A number as JSON holds it: bool and int to int, real to float, fraction to its text.

    Raises `ClaimError` for NaN, infinities and anything that is no number or text.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, Real) and float("-inf") < float(value) < float("inf"):
        return float(value)
    raise ClaimError(f"{value!r} is no finite number or text; a verdict holds nothing else.")


@dataclass(frozen=True)
class Ruling:
    """The verdict on a claim in the setting of its paper.

    Attributes
    ----------
    status : one of `STATUSES`
    summary : a sentence or two, with formulas between dollar signs and otherwise plain text
    stand_in : whether other data or models replaced those of the paper
    """

    status: str
    summary: str
    stand_in: bool = False

    def __post_init__(self):
        _known_status(self.status)


@dataclass(frozen=True)
class Verdict:
    """The conclusion that the evidence supports on a claim.

    Attributes
    ----------
    status : one of `STATUSES`
    summary : some sentences, with formulas between dollar signs and otherwise plain text
    consequence : one of `CONSEQUENCES` to override the consequence that the claim has for this
        status; ignored where the claim is undecided, or stands in its setting only
    reach : the range that was examined in full, "d up to 8"; required where the status is "exact",
        and where it is "proved" without a proof in the report
    setting : the ruling for the setting of the paper, where the claim has one
    numbers : the values on which the summary rests
    limits : confidence intervals
    sample : sample sizes: explicands, seeds, dimensions
    rows : a table behind the verdict, all rows with the same keys
    shown_by : "rows" where the table of the verdict shows it, otherwise the label of the proof or
        figure of the report that does, or several with a comma between them
    """

    status: str
    summary: str
    consequence: str | None = None
    numbers: Mapping[str, Number] = field(default_factory=dict)
    limits: "tuple[Limit, ...]" = ()
    sample: Mapping[str, Number] = field(default_factory=dict)
    rows: Sequence[Mapping[str, Number]] = ()
    shown_by: str = "rows"
    reach: str = ""
    setting: Ruling | None = None

    def __post_init__(self):
        _known_status(self.status)
        if self.consequence is not None:
            known_consequence(self.consequence)
        whole = self.status == "proved" and is_proof(self.shown_by)
        if self.status in ("proved", "exact") and not (whole or self.reach):
            raise ClaimError(
                f"a verdict that is {self.status} without a proof says what it has looked at in "
                "full: give its reach."
            )
        if self.shown_by == "rows" and not self.rows:
            raise ClaimError("a verdict points at its rows, and has none; name its evidence.")
        for key in ("numbers", "sample"):
            value = {name: plain(number) for name, number in getattr(self, key).items()}
            object.__setattr__(self, key, value)
        rows = tuple({name: plain(cell) for name, cell in row.items()} for row in self.rows)
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "limits", tuple(self.limits))
        if len({tuple(row) for row in rows}) > 1:
            raise ClaimError("the rows of a verdict must have the same keys in the same order.")


def is_proof(label: str) -> bool:
    """Whether a label is that of a proof in the report."""
    return label.split(":")[0] in PROOFS


def _known_status(status: str) -> None:
    if status not in STATUSES:
        raise ClaimError(f"status {status!r} is not one of {', '.join(STATUSES)}.")


def known_consequence(consequence: str) -> None:
    """Raises `ClaimError` for what is none of `CONSEQUENCES`."""
    if consequence not in CONSEQUENCES:
        known = ", ".join(CONSEQUENCES)
        raise ClaimError(f"consequence {consequence!r} is not one of {known}.")
