"""Verdicts of a study that differ in its repetitions from other base seeds."""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter

from .verdict import UNDECIDED


@dataclass(frozen=True)
class Change:
    """A claim whose verdict differs in a repetition: its statuses before and after."""

    id: str
    seed: int
    before: str
    after: str

    @property
    def overturned(self) -> bool:
        """Whether a decision became another decision; a change to or from `UNDECIDED` is none."""
        return UNDECIDED not in (self.before, self.after)


def changes(audit: Mapping, repetitions: Mapping[int, Mapping]) -> list[Change]:
    """Every statistical verdict of ``audit`` that differs in a repetition (audits by base seed).

    Raises ValueError naming a claim that a repetition did not judge.
    """
    differing = []
    for seed, other in repetitions.items():
        statuses = {claim["id"]: claim["status"] for claim in other["claims"]}
        for claim in filter(itemgetter("statistical"), audit["claims"]):
            if claim["id"] not in statuses:
                raise ValueError(f"the repetition from seed {seed} lacks claim {claim['id']}.")
            before, after = claim["status"], statuses[claim["id"]]
            if before != after:
                differing.append(Change(claim["id"], seed, before, after))
    return differing
