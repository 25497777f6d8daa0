"""What the page shows of the claims of a study, and its figures."""

from base64 import b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace

from jinja2 import Environment

from ..claims import REGISTRY, STATUSES
from ..findings.verdicts import by_paper, paper_name, short_id
from ..tables.audit import owed_to, place_of
from .text import number, words


def papers(audit: Mapping) -> list[dict]:
    """Claims by paper, each paper with how many claims got which verdict."""
    found = []
    for prefix, claims in by_paper(audit["claims"]).items():
        counts = Counter(claim["status"] for claim in claims)
        found.append(
            {
                "prefix": prefix,
                "name": paper_name(claims[0]["paper"]),
                "counts": {status: counts[status] for status in STATUSES},
                "claims": [_claim(claim) for claim in claims],
            }
        )
    return found


def _claim(claim: Mapping) -> dict:
    check = REGISTRY[claim["id"]].check
    module = getattr(check, "func", check).__module__  # some checks are partial functions
    return {
        **claim,
        "short": short_id(claim["id"]),
        "where": place_of(claim),
        "owed": owed_to(claim),
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


def figures(paths: Sequence[Path], captions: Path, study: Mapping) -> list[dict]:
    """SVG figures as data addresses, with the captions that Snakemake's report gives them."""
    study = SimpleNamespace(config=study)
    found = []
    for path in paths:
        source = (captions / f"{path.stem}.rst").read_text(encoding="utf-8")
        caption = Environment(autoescape=False).from_string(source).render(snakemake=study)
        data = b64encode(path.read_bytes()).decode("ascii")
        found.append(
            {
                "name": words(path.stem),
                "source": f"notebooks/{path.parent.name}.ipynb",
                "caption": caption.replace("``", "").strip(),
                "image": f"data:image/svg+xml;base64,{data}",
            }
        )
    return found
