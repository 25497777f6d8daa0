"""Counts of claims by consequence, which README, console, report and site share.

Claims that a paper prints and claims that this project adds are always counted separately.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from .ids import by_paper
from .paper import OURS
from .verdict import CONSEQUENCES

MISLEADING = ("wrong", "hypothesis")  # change what a reader would do
FALLEN = ("slip", "hypothesis", "wrong")
NARROWER = "setting"  # holds in the setting of its source, but not in general
UPHELD = ("stands", "loosely", NARROWER)


def printed(claims: Sequence[Mapping]) -> list[Mapping]:
    """The claims that a paper prints."""
    return [claim for claim in claims if claim["source"] != OURS]


def added(claims: Sequence[Mapping]) -> list[Mapping]:
    """The claims that this project adds."""
    return [claim for claim in claims if claim["source"] == OURS]


def with_consequences(claims: Sequence[Mapping], *wanted: str) -> list[Mapping]:
    """The claims that a paper prints with these consequences, one consequence after the other."""
    own = printed(claims)
    return [claim for key in wanted for claim in own if claim["consequence"] == key]


def consequences(claims: Sequence[Mapping]) -> dict[str, int]:
    """Number of claims with each of `CONSEQUENCES`, in their order."""
    counts = Counter(claim["consequence"] for claim in claims)
    return {consequence: counts[consequence] for consequence in CONSEQUENCES}


def by_source(claims: Sequence[Mapping]) -> dict[str, list[Mapping]]:
    """Printed claims by the prefix of their paper, in its order; those of this project at the end.

    The key of the latter is "this project", which is present even without such claims.
    """
    return by_paper(printed(claims)) | {OURS: added(claims)}
