"""Checks by the piece of evidence that they re-derive, and how what they find is compared.

A check is a function of a piece and of the study's `Draws`. It takes from the piece only how far it
goes (the largest d, the number of games) and gives its entries anew, or some of them, under the
same names.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from importlib import import_module
from typing import Any, NamedTuple

from .kept import Draws

ENTRY_ROUNDING = 1e-9  # of floating-point entries, relative to the larger of 1 and their size
MODULES = (
    "grah",
    "grah_bounds",
    "grah_steps",
    "chen",
    "chen_models",
    "chen_equations",
    "chen_explainers",
    "chen_networks",
    "chen_laws",
    "chen_structured",
    "chen_removals",
    "chen_conditional",
    "chen_foundations",
    "okhrati",
    "bell",
    "field",
    "counterexamples",
)

Made = dict[str, Any]


class Check(NamedTuple):
    """What re-derives a piece, and what must be so of it where its claims stand."""

    make: Callable[[Mapping[str, Any], Draws], Made]
    stands: Callable[[Made], bool] | None


CHECKS: dict[str, Check] = {}


def equal_sides(made: Made) -> bool:
    """Whether both sides of every case are the same."""
    return all(left == right for _, left, right in made["cases"])


def rederives(key: str, stands: Callable[[Made], bool] | None = equal_sides) -> Callable:
    """Register a check of the piece ``paper/module.function``.

    ``stands`` says, of what was re-derived, whether a claim judged by it is true; None where the
    evidence alone does not say that.
    """

    def register(make):
        CHECKS[key] = Check(make, stands)
        return make

    return register


def known() -> dict[str, Check]:
    """All checks by the piece that they re-derive."""
    for module in MODULES:
        import_module(f".{module}", __package__)
    return CHECKS


def differences(kept: Any, made: Any, place: str = "") -> list[str]:
    """Where what is kept is not what was made; entries of a mapping that were not made are left."""
    if isinstance(made, Mapping) and isinstance(kept, Mapping):
        missing = [f"{place}{key} is missing" for key in made if key not in kept]
        shared = [key for key in made if key in kept]
        parts = [differences(kept[key], made[key], f"{place}{key}: ") for key in shared]
        return missing + [line for part in parts for line in part]
    if isinstance(made, list | tuple) and isinstance(kept, list | tuple):
        if len(kept) != len(made):
            return [f"{place}{len(kept)} entries, not {len(made)}"]
        pairs = enumerate(zip(kept, made, strict=True), start=1)
        parts = [differences(entry, other, f"{place}{k}: ") for k, (entry, other) in pairs]
        return [line for part in parts for line in part]
    return [] if _same(kept, made) else [f"{place}{kept} is kept, {made} is right"]


def left_out(kept: Any, made: Any) -> set[str]:
    """Names of the entries of mappings, at any depth, that were not made."""
    if isinstance(made, Mapping) and isinstance(kept, Mapping):
        rest = {str(key) for key in kept if key not in made}
        return rest.union(*(left_out(kept[key], made[key]) for key in made if key in kept))
    if isinstance(made, list | tuple) and isinstance(kept, list | tuple):
        return set().union(*map(left_out, kept, made))
    return set()


def _same(kept: Any, made: Any) -> bool:
    numbers = (int, float, Fraction)
    if isinstance(kept, float) and isinstance(made, numbers):
        return abs(kept - float(made)) <= ENTRY_ROUNDING * max(1.0, abs(float(made)))
    return (type(kept) in numbers and type(made) in numbers and kept == made) or (
        type(kept) is type(made) and kept == made
    )
