"""Claims by what they say, whatever their source: the headings of the report's audit."""

from collections import Counter
from collections.abc import Mapping, Sequence

from ..audit.base import TOPICS
from ..audit.changes import by_paper
from .audit import badges
from .latex import number
from .style import STATUSES

FALLEN = ("refuted", "inconsistent", "vacuous")
# The reason of a verdict, by key of the value; a convention is as harmless as a slip.
REASONS = {
    "slip": ("slip", "convention"),
    "hypothesis": ("hypothesis",),
    "false": ("false",),
    "loose": ("loose",),
    "sample": ("sample",),
    "literature": ("literature",),
    "other": ("loose", "sample", "literature"),
}


def by_topic(claims: Sequence[Mapping]) -> dict[str, list[Mapping]]:
    """Claims by topic, in the order of `TOPICS`."""
    return {topic: [claim for claim in claims if claim["topic"] == topic] for topic in TOPICS}


def values(audit: Mapping) -> dict[str, str]:
    """Counts by kind and verdict, which claims of each paper those are, why others fall.

    Keys begin with ``kinds.`` and one of `TOPICS`; totals with ``fallen.`` and ``printed.``.
    """
    claims = audit["claims"]
    papers = by_paper(claims)
    found = _totals(claims)
    for kind, members in by_topic(claims).items():
        counts = Counter(claim["status"] for claim in members)
        found[f"kinds.{kind}.total"] = number(len(members))
        found |= {f"kinds.{kind}.{status}": number(counts[status]) for status in STATUSES}
        found |= _fallen(f"kinds.{kind}.fallen", members)
        own = by_paper(members)
        found |= {f"kinds.{kind}.{key}": badges(own.get(key, [])) for key in papers}
    return found


def _totals(claims: Sequence[Mapping]) -> dict[str, str]:
    """How many claims fall, in all and by paper, for which reasons, and how many are printed."""
    found = _fallen("fallen", claims)
    for key, own in by_paper(claims).items():
        found |= _fallen(f"fallen.{key}", own)
    printed = [claim for claim in claims if claim["source"] == "paper"]
    found |= _fallen("printed.fallen", printed)
    return found | {
        "printed.total": number(len(printed)),
        "printed.own": number(len(claims) - len(printed)),
    }


def _fallen(name: str, claims: Sequence[Mapping]) -> dict[str, str]:
    fallen = [claim for claim in claims if claim["status"] in FALLEN]
    counts = Counter(claim["reason"] for claim in fallen)
    reasons = {
        f"{name}.{reason}": number(sum(counts[kind] for kind in kinds))
        for reason, kinds in REASONS.items()
    }
    return {f"{name}.total": number(len(fallen)), **reasons}
