"""Counts of claims by topic, by paper and by consequence, for the tables of the audit."""

from collections.abc import Mapping, Sequence

from ..audit.base import TOPICS
from ..audit.ids import by_paper
from ..audit.tally import FALLEN, UPHELD, added, consequences, printed
from .audit import badges
from .latex import listing, number, with_formulas

# By consequence: what is said of one claim, and of several.
FAULTS = {
    "slip": ("contains a slip", "contain a slip"),
    "hypothesis": ("lacks a hypothesis", "lack a hypothesis"),
    "wrong": ("is wrong", "are wrong"),
}
LIMITS = {
    "setting": (
        "holds in its setting and not beyond it",
        "hold in their setting and not beyond it",
    ),
    "undecided": ("remains undecided", "remain undecided"),
}


def by_topic(claims: Sequence[Mapping]) -> dict[str, list[Mapping]]:
    """Claims by topic, in the order of `TOPICS`."""
    return {topic: [claim for claim in claims if claim["topic"] == topic] for topic in TOPICS}


def values(audit: Mapping) -> dict[str, str]:
    """Counts by consequence: in all, by paper and by topic, and which claims of a topic those are.

    Keys begin with ``claims.``, the prefix of a paper or one of `TOPICS` following. They count what
    papers print; those with ``.ours`` count what this project adds.
    """
    claims = audit["claims"]
    papers = by_paper(claims)
    texts = _counts("claims", claims) | {"claims.lacking": _lacking(printed(claims))}
    for key, own in papers.items():
        texts |= _counts(f"claims.{key}", own)
    for topic, members in by_topic(claims).items():
        texts |= _counts(f"claims.{topic}", members)
        of_topic = by_paper(members)
        texts |= {f"claims.{topic}.{key}": badges(of_topic.get(key, [])) for key in papers}
    return texts


def _lacking(claims: Sequence[Mapping]) -> str:
    """The hypotheses that are missing, each with the claim that needs it."""
    return "; ".join(
        rf"{with_formulas(claim['lacks'])} (\cl{{{claim['id']}}})"
        for claim in claims
        if claim["consequence"] == "hypothesis"
    )


def _counts(name: str, claims: Sequence[Mapping]) -> dict[str, str]:
    counted, ours = consequences(printed(claims)), consequences(added(claims))
    fallen = sum(counted[key] for key in FALLEN)
    return {
        f"{name}.total": number(sum(counted.values())),
        f"{name}.fallen": number(fallen),
        f"{name}.upheld": number(sum(counted[key] for key in UPHELD)),
        f"{name}.told": _told(counted),
        f"{name}.statistical": number(sum(claim["statistical"] for claim in claims)),
        **{f"{name}.{key}": number(count) for key, count in counted.items()},
        f"{name}.ours.total": number(sum(ours.values())),
        f"{name}.ours.fallen": number(sum(ours[key] for key in FALLEN)),
        **{f"{name}.ours.{key}": number(count) for key, count in ours.items()},
    }


def _told(counted: Mapping[str, int]) -> str:
    """A sentence on the published claims that do not hold as printed, or not everywhere."""
    faults, limits = _shares(counted, FAULTS), _shares(counted, LIMITS)
    fallen = sum(counted[key] for key in FALLEN)
    if fallen > 1:
        found = f"{number(fallen)} do not hold as printed: {listing(faults)}"
    elif fallen:
        found = f"1 does not hold as printed, since it {faults[0].removeprefix('1 ')}"
    else:
        found = "none fails as printed"
    further = f"; {', and '.join(limits)}" if limits else ""
    return f"Of {number(sum(counted.values()))} published claims, {found}{further}."


def _shares(counted: Mapping[str, int], said: Mapping[str, tuple[str, str]]) -> list[str]:
    return [f"{number(counted[key])} {said[key][counted[key] > 1]}" for key in said if counted[key]]
