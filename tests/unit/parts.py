"""Claims by their id, and parts of claims by the piece of evidence that decides them."""

from dataclasses import replace

from shapaudit_audit.audit.base import Check, Claim
from shapaudit_audit.audit.evidence import is_sampled, key_of
from shapaudit_audit.papers import registry


def part(name: str) -> Claim:
    """The claim of an id, or what is left of one with a single piece, by the end of its key.

    A piece that decides several claims is found by the end of the name of its check.

    Ids of the survey may go without their prefix.
    Raises ValueError where no piece, or more than one, has a key that ends so.
    """
    known = registry()
    for identifier in (name, f"ccll23-{name}"):
        if identifier in known:
            return known[identifier]
    ((claim, gather, check),) = [
        (claim, gather, check)
        for claim in known.values()
        for gather, check in claim.parts
        if any(f".{key}".endswith(f".{name}") for key in (key_of(gather), called(check)))
    ]
    return replace(
        claim,
        gather=gather,
        check=check,
        also=(),
        setting=claim.setting if gather is claim.gather else "",
        statistical=claim.statistical and is_sampled(gather),
    )


def called(check: Check) -> str:
    """The dotted name of a check, or of the function that it is made from."""
    function = getattr(check, "func", check)
    return f"{function.__module__}.{function.__name__}"
