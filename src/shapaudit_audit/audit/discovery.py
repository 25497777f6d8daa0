"""The claims in the package of a paper; they need not be registered."""

from collections import Counter
from importlib import import_module

from .base import Claim
from .evidence import modules_in
from .paper import Paper
from .verdict import ClaimError


def claims_in(package: str, paper: Paper) -> list[Claim]:
    """Claims of all modules of a paper's package, by id.

    Raises `ClaimError` naming claims of the same id, of another paper or prefix, or under a
    heading that ``claims/__init__.py`` does not list.
    """
    folder = f"{package}.claims"
    headings = import_module(folder).HEADINGS
    claims = [claim for module in modules_in(folder) for claim in getattr(module, "CLAIMS", ())]
    if twice := [name for name, n in Counter(claim.id for claim in claims).items() if n > 1]:
        raise ClaimError(f"claims with the same id: {', '.join(twice)}.")
    for claim in claims:
        if claim.paper != paper.key or not claim.id.startswith(f"{paper.prefix}-"):
            raise ClaimError(
                f"claim {claim.id} of {claim.paper!r} stands in the package of {paper.key!r}, "
                f"whose claims begin with {paper.prefix}-."
            )
        if claim.heading not in headings:
            raise ClaimError(
                f"claim {claim.id} stands under {claim.heading!r}, none of the HEADINGS of "
                f"{folder}: {', '.join(headings)}."
            )
    return sorted(claims, key=lambda claim: claim.id)
