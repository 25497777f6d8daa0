"""Lists of what there is: estimators, data sets and games."""

import textwrap

from .. import datasets, games
from ..estimators import list_estimators, list_offered

WIDTH = 79


def _estimators() -> list[str]:
    listed = list_estimators() | {name: f"({of})" for name, of in list_offered().items()}
    return [f"{name:<32} {definition}" for name, definition in listed.items()]


def _datasets() -> list[str]:
    return [f"{name:<16} {_first_sentence(load)}" for name, load in datasets.LOADERS.items()]


def _games() -> list[str]:
    return [f"{name:<24} {_first_sentence(kind)}" for name, kind in games.GAMES.items()]


LISTINGS = {"estimators": _estimators, "datasets": _datasets, "games": _games}


def _first_sentence(thing: object) -> str:
    text = (thing.__doc__ or "").strip().partition("\n\n")[0]
    return " ".join(text.split())


def names() -> str:
    """Names of what there is, for the end of the help."""
    parts = []
    for name, lines in LISTINGS.items():
        names = ", ".join(line.split()[0] for line in lines())
        parts.append(textwrap.fill(f"{name}: {names}", WIDTH, subsequent_indent="  "))
    return "\n\n".join(parts)
