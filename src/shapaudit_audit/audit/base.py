"""Claims, and their records; the functions that check them are in the packages of the papers."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

from . import ids
from .evidence import Evidence, Gather, is_sampled, key_of, paper_of
from .joining import joined
from .paper import OURS
from .verdict import STANDING, UNDECIDED, ClaimError, Verdict, known_consequence

Check = Callable[[Evidence, float], Verdict]

TOPICS = ("identities", "convergence", "rates", "probability", "orderings", "cost")


@dataclass(frozen=True)
class Claim:
    """A statement of a source, with the functions that decide it.

    Attributes
    ----------
    id : paper's prefix, number and sub-claim, "gt20-02a"
    paper : key of the paper
    title : a few words
    heading : the heading of the paper under which it is listed
    topic : one of `TOPICS`
    where : section, equation, version
    statement : the claim in our words
    gather : computes the evidence, from theory or from the games of the study
    check : pure function of the evidence and the error rate alpha, which gives the verdict
    also : further parts of the claim, each as such a pair of gather and check; the claim holds
        where all its parts do (`joined`)
    statistical : whether the status rests on a sample, so that it shares the family's error rate
    source : "paper", or "this project" for a claim that the paper does not make
    words : the decisive words of the source, quoted; "" where it prints none
    hedges : the hypotheses and reservations around these words in the source
    setting : the games, models, budgets and sizes that the source considers; "" for a general
        statement. Where it is given, the verdict has a ruling for it
    stands, falls : the consequences of a verdict for and of a verdict against the claim. They do
        not apply where the claim is undecided in the setting of its source, or holds there but
        not in general
    lacks : the hypothesis that a false claim lacks, in a few words
    matters : the consequence of its fault for a reader of the source

    In ``hedges``, ``setting``, ``lacks``, ``matters`` and ``statement`` formulas stand between
    dollar signs, as LaTeX; the words around them are plain text.
    """

    id: str
    paper: str
    title: str
    heading: str
    topic: str
    where: str
    statement: str
    gather: Gather
    check: Check
    also: tuple[tuple[Gather, Check], ...] = ()
    statistical: bool = False
    source: str = "paper"
    words: str = ""
    hedges: str = ""
    setting: str = ""
    stands: str = "stands"
    falls: str = "wrong"
    lacks: str = ""
    matters: str = ""

    def __post_init__(self):
        if not ids.PATTERN.fullmatch(self.id):
            raise ClaimError(f"claim id {self.id!r} does not look like 'gt20-02' or 'gt20-02a'.")
        if self.source not in ("paper", OURS):
            raise ClaimError(f"claim {self.id}: source must be 'paper' or {OURS!r}.")
        for consequence in (self.stands, self.falls):
            known_consequence(consequence)
        if self.topic not in TOPICS:
            raise ClaimError(
                f"claim {self.id}: topic {self.topic!r} is none of {', '.join(TOPICS)}."
            )
        if self.source != OURS and self.falls == "hypothesis" and not self.lacks:
            raise ClaimError(f"claim {self.id} may lack a hypothesis; name it in lacks=.")
        if self.statistical and not any(map(is_sampled, self.gathers)):
            raise ClaimError(
                f"claim {self.id} rests on a sample; mark {self.gather.__name__} by @sampled."
            )

    @property
    def parts(self) -> tuple[tuple[Gather, Check], ...]:
        """What gathers and what checks each part of the claim."""
        return ((self.gather, self.check), *self.also)

    @property
    def gathers(self) -> tuple[Gather, ...]:
        """The functions that gather the evidence of its parts, each once."""
        return tuple(dict.fromkeys(gather for gather, _ in self.parts))

    def evidence(self, of: Callable[[Gather], Evidence]) -> dict[Gather, Evidence]:
        """The evidence of all parts, by the function that gathers it."""
        return {gather: of(gather) for gather in self.gathers}

    def judge(self, evidence: Evidence | dict[Gather, Evidence], alpha: float) -> Verdict:
        """The verdict on the evidence at error rate alpha, with its consequence.

        ``evidence`` is that of all parts by the function that gathers it, or, where the claim has
        one part, what that function has gathered. Parts that rest on samples share alpha equally.

        Raises `ClaimError` where the claim has a setting and the verdict no ruling for it, or the
        other way round.
        """
        whole = evidence if self.gather in evidence else {self.gather: evidence}
        pieces = cast(dict[Gather, Evidence], whole)
        share = alpha / max(1, sum(is_sampled(gather) for gather, _ in self.parts))
        verdict = joined(
            [
                check(pieces[gather], share if is_sampled(gather) else alpha)
                for gather, check in self.parts
            ]
        )
        if bool(self.setting) != (verdict.setting is not None):
            raise ClaimError(
                f"claim {self.id}: a claim with a setting needs a ruling for it, another has none."
            )
        return replace(verdict, consequence=self._consequence(verdict))

    def _consequence(self, verdict: Verdict) -> str:
        """The consequence of a verdict; a ruling for the setting takes precedence."""
        general = verdict.status
        there = verdict.setting.status if verdict.setting else general
        if there == UNDECIDED:
            return "undecided"
        if general == UNDECIDED:
            return self.stands if there in STANDING else "undecided"
        if there in STANDING and general not in STANDING:
            return "setting"
        own = self.stands if general in STANDING else self.falls
        return verdict.consequence or own

    @property
    def number(self) -> int:
        """The number of the claim in its paper, shared by its sub-claims."""
        return ids.number_of(self.id)


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
        "hedges": claim.hedges,
        "statement": claim.statement,
        "source": claim.source,
        "statistical": claim.statistical,
        "alpha": alpha,
        "consequence": verdict.consequence,
        "status": verdict.status,
        "reach": verdict.reach,
        "summary": verdict.summary,
        "setting": _setting(claim, verdict),
        "lacks": claim.lacks,
        "matters": claim.matters,
        "numbers": verdict.numbers,
        "limits": [asdict(limit) for limit in verdict.limits],
        "sample": verdict.sample,
        "rows": list(verdict.rows),
        "evidence": verdict.shown_by,
        "gathered": [f"{paper_of(gather)}/{key_of(gather)}" for gather in claim.gathers],
    }


def _setting(claim: Claim, verdict: Verdict) -> dict[str, str | bool] | None:
    """The setting of the paper with the ruling for it; None for a general claim."""
    if verdict.setting is None:
        return None
    ruling = verdict.setting
    return {"of": claim.setting, **asdict(ruling)}
