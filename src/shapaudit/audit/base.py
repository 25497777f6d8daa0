"""What a claim is and what a verdict says; the checks themselves live with their paper."""

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from numbers import Integral, Real
from typing import Any

from ..statistics.limits import Limit
from .evidence import Evidence, Gather, is_sampled, key_of, paper_of
from .paper import OURS

STATUSES = ("proved", "supported", "refuted", "inconsistent", "vacuous", "inconclusive")
STANDING = ("proved", "supported")
UNDECIDED = "inconclusive"

# What a claim is about, whatever its source.
TOPICS = ("identities", "convergence", "rates", "probability", "orderings", "cost")

# Why the verdict is what it is, beside its status.
REASONS = (
    "sound",  # the claim stands as printed
    "loose",  # it stands, and what it is used for could be had for less
    "slip",  # a slip of the pen: a factor, an index; the argument survives its correction
    "convention",  # right under another convention than the one in force
    "hypothesis",  # false as printed, true under a hypothesis that is missing
    "false",  # false as printed, and no small change mends it
    "literature",  # a statement about earlier work
    "sample",  # rests on the games and seeds of this study
)

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
class Verdict:
    """What the evidence says of a claim.

    Attributes
    ----------
    status : one of `STATUSES`
    summary : one or two sentences of plain text, free of characters special to LaTeX
    reason : one of `REASONS` where it is not the one that the claim gives for such a status
    numbers : the values the summary rests on
    limits : confidence intervals
    sample : sizes of what was looked at: pairs, seeds, dimensions
    rows : a table behind the verdict, all rows with the same keys
    evidence : where it shows: "rows" for the table of the verdict, or a label of the report
    """

    status: str
    summary: str
    reason: str | None = None
    numbers: dict[str, Number] = field(default_factory=dict)
    limits: tuple[Limit, ...] = ()
    sample: dict[str, Number] = field(default_factory=dict)
    rows: tuple[dict[str, Number], ...] = ()
    evidence: str = "rows"

    def __post_init__(self):
        if self.status not in STATUSES:
            raise ClaimError(f"status {self.status!r} is not one of {', '.join(STATUSES)}.")
        if self.reason is not None and self.reason not in REASONS:
            raise ClaimError(f"reason {self.reason!r} is not one of {', '.join(REASONS)}.")
        if self.evidence == "rows" and not self.rows:
            raise ClaimError("a verdict points at its rows, and has none; name its evidence.")
        for key in ("numbers", "sample"):
            value = {name: plain(number) for name, number in getattr(self, key).items()}
            object.__setattr__(self, key, value)
        rows = tuple({name: plain(cell) for name, cell in row.items()} for row in self.rows)
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "limits", tuple(self.limits))
        if len({tuple(row) for row in rows}) > 1:
            raise ClaimError("the rows of a verdict must have the same keys in the same order.")


@dataclass(frozen=True)
class Claim:
    """A statement of a source, with what would decide it.

    Attributes
    ----------
    id : paper's prefix, number and sub-claim, "gt20-02a"
    paper : key of the paper
    title : a few words
    heading : under which it is listed, one of the paper's
    topic : one of `TOPICS`
    where : section, equation, version
    statement : LaTeX
    gather : computes the evidence, from theory or from the games of the study
    check : pure function of the evidence and the error rate alpha; the only judge
    statistical : whether the status rests on a sample, hence shares the family's error rate
    source : "paper", or "this project" for what the paper leaves out
    words : the decisive words of the source, quoted; "" where it prints none
    stands, falls : reasons, of `REASONS`, that a verdict for and one against the claim has; one
        that is undecided rests on the sample
    """

    id: str
    paper: str
    title: str
    heading: str
    topic: str
    where: str
    statement: str
    gather: Gather
    check: Callable[[Evidence, float], Verdict]
    statistical: bool = False
    source: str = "paper"
    words: str = ""
    stands: str = "sound"
    falls: str = "false"

    def __post_init__(self):
        if not re.fullmatch(r"[a-z]+[0-9]{2}-[0-9]{2}[a-z]?", self.id):
            raise ClaimError(f"claim id {self.id!r} does not look like 'gt20-02' or 'gt20-02a'.")
        if self.source not in ("paper", OURS):
            raise ClaimError(f"claim {self.id}: source must be 'paper' or {OURS!r}.")
        if odd := {self.stands, self.falls} - set(REASONS):
            raise ClaimError(f"claim {self.id}: {odd.pop()!r} is none of {', '.join(REASONS)}.")
        if self.topic not in TOPICS:
            raise ClaimError(
                f"claim {self.id}: topic {self.topic!r} is none of {', '.join(TOPICS)}."
            )
        if self.statistical and not is_sampled(self.gather):
            raise ClaimError(
                f"claim {self.id} rests on a sample; mark {self.gather.__name__} by @sampled."
            )

    def judge(self, evidence: Evidence, alpha: float) -> Verdict:
        """The verdict on the evidence at error rate alpha, with its reason."""
        verdict = self.check(evidence, alpha)
        return verdict if verdict.reason else replace(verdict, reason=self.reason(verdict.status))

    def reason(self, status: str) -> str:
        """The reason of a verdict with this status, where the check gives none of its own."""
        if status == UNDECIDED:
            return "sample"
        return self.stands if status in STANDING else self.falls

    @property
    def number(self) -> int:
        """The number of the claim in its paper, shared by its sub-claims."""
        return int(self.id.split("-")[1][:2])


def verdict_record(claim: Claim, verdict: Verdict, alpha: float) -> dict[str, Any]:
    """Claim and verdict as one flat record of plain values, for JSON."""
    return {
        "id": claim.id,
        "paper": claim.paper,
        "number": claim.number,
        "heading": claim.heading,
        "topic": claim.topic,
        "title": claim.title,
        "where": claim.where,
        "words": claim.words,
        "statement": claim.statement,
        "source": claim.source,
        "statistical": claim.statistical,
        "alpha": alpha,
        "status": verdict.status,
        "reason": verdict.reason,
        "summary": verdict.summary,
        "numbers": verdict.numbers,
        "limits": [asdict(limit) for limit in verdict.limits],
        "sample": verdict.sample,
        "rows": list(verdict.rows),
        "evidence": verdict.evidence,
        "gathered": f"{paper_of(claim.gather)}/{key_of(claim.gather)}",
    }
