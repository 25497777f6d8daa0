"""What the page shows of the claims of a study, and its figures."""

from base64 import b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from ...audit.base import STATUSES, Claim
from ...audit.changes import by_paper, short_id
from ...audit.paper import Paper
from ..audit import place_of, reason_of
from .text import number, words


def papers(audit: Mapping, known: Mapping[str, Paper], registry: Mapping[str, Claim]) -> list[dict]:
    """Claims by paper, each paper with how many claims got which verdict.

    ``known`` are the papers by key, ``registry`` the claims by id.
    """
    found = []
    for prefix, claims in by_paper(audit["claims"]).items():
        counts = Counter(claim["status"] for claim in claims)
        found.append(
            {
                "prefix": prefix,
                "name": known[claims[0]["paper"]].name,
                "counts": {status: counts[status] for status in STATUSES},
                "claims": [_claim(claim, registry[claim["id"]]) for claim in claims],
            }
        )
    return found


def _claim(claim: Mapping, registered: Claim) -> dict:
    check = registered.check
    module = getattr(check, "func", check).__module__  # some checks are partial functions
    return {
        **claim,
        "short": short_id(claim["id"]),
        "where": place_of(claim),
        "reason": reason_of(claim),
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
