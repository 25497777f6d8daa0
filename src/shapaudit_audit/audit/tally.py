"""How many claims have which consequence: the counts that README, console, report and site share.

What a paper prints and what this project adds to it are counted apart, everywhere.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from .ids import by_paper
from .paper import OURS
from .verdict import CONSEQUENCES

FALLEN = ("slip", "hypothesis", "wrong")
NARROWER = "setting"  # holds where its source looked, and not in general
UPHELD = ("stands", "loosely", NARROWER)


def printed(claims: Sequence[Mapping]) -> list[Mapping]:
    """Those that a paper prints."""
    return [claim for claim in claims if claim["source"] != OURS]


def added(claims: Sequence[Mapping]) -> list[Mapping]:
    """Those of this project."""
    return [claim for claim in claims if claim["source"] == OURS]


def consequences(claims: Sequence[Mapping]) -> dict[str, int]:
    """How many claims have each of `CONSEQUENCES`, in their order."""
    counts = Counter(claim["consequence"] for claim in claims)
    return {consequence: counts[consequence] for consequence in CONSEQUENCES}


def by_source(claims: Sequence[Mapping]) -> dict[str, list[Mapping]]:
    """Printed claims by the prefix of their paper, in its order; those of this project at the end.

    The key of the latter is "this project"; it is there even where there are none.
    """
    return by_paper(printed(claims)) | {OURS: added(claims)}
