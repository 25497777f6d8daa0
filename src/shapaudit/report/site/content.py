"""What the page shows of the claims of a study, and its figures."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path

from ...audit.base import Claim
from ...audit.changes import by_paper, short_id
from ...audit.paper import OURS, Paper
from ...audit.tally import by_source, consequences
from ...audit.verdict import CONSEQUENCES
from ..audit import place_of, verdicts_of
from .text import number, words


def papers(
    audit: Mapping,
    known: Mapping[str, Paper],
    registry: Mapping[str, Claim],
    verified: Mapping[str, str],
) -> list[dict]:
    """Claims by paper.

    ``known`` are the papers by key, ``registry`` the claims and ``verified`` what the checker says
    of them by id.
    """
    return [
        {
            "prefix": prefix,
            "name": known[claims[0]["paper"]].name,
            "claims": [
                _claim(claim, registry[claim["id"]], verified[claim["id"]]) for claim in claims
            ],
        }
        for prefix, claims in by_paper(audit["claims"]).items()
    ]


def counts(audit: Mapping, known: Mapping[str, Paper]) -> list[dict]:
    """How many claims of each paper have which consequence, what this project adds at the end."""
    return [
        {
            "name": "This project's own" if key == OURS else known[claims[0]["paper"]].name,
            "counts": consequences(claims),
        }
        for key, claims in by_source(audit["claims"]).items()
    ]


def _claim(claim: Mapping, registered: Claim, verified: str) -> dict:
    check = registered.check
    module = getattr(check, "func", check).__module__  # some checks are partial functions
    return {
        **claim,
        "short": short_id(claim["id"]),
        "where": place_of(claim),
        "verdicts": verdicts_of(claim),
        "verified": verified,
        "words_of_consequence": CONSEQUENCES[claim["consequence"]],
        "module": f"src/{module.replace('.', '/')}.py",
        "numbers": {words(key): number(value) for key, value in claim["numbers"].items()},
        "sample": {words(key): number(value) for key, value in claim["sample"].items()},
        "limits": [
            {**limit, **{key: number(limit[key]) for key in ("estimate", "low", "high", "level")}}
            for limit in claim["limits"]
        ],
        "table": _table(claim.get("rows", ())),
    }


def _table(rows: Sequence[Mapping]) -> dict | None:
    if not rows:
        return None
    keys = list(dict.fromkeys(key for row in rows for key in row))
    cells = [[number(row.get(key)) for key in keys] for row in rows]
    return {"head": [words(key) for key in keys], "cells": cells}


def figures(paths: Sequence[Path]) -> list[dict]:
    """SVG figures as data addresses, each with the caption in the ``.rst`` file beside it."""
    found = []
    for path in paths:
        data = b64encode(path.read_bytes()).decode("ascii")
        found.append(
            {
                "name": words(path.stem),
                "source": f"notebooks/{path.parent.name}.ipynb",
                "caption": path.with_suffix(".rst").read_text(encoding="utf-8").strip(),
                "image": f"data:image/svg+xml;base64,{data}",
            }
        )
    return found
