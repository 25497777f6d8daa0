"""Contents of the pages on the claims and figures of a study."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from ...audit.base import Claim
from ...audit.ids import by_paper, short_id
from ...audit.paper import OURS, Paper
from ...audit.tally import consequences, printed
from ...audit.verdict import CONSEQUENCES, STATUSES
from ...papers import package_of
from ..audit import labels_of, place, place_of, verdicts_of
from ..findings import Findings
from ..headlines import claims_told
from ..originals import Original, table_of
from .pages import file_of_paper
from .text import number, words

SIDES, PIXELS = ("width", "height"), 4 / 3  # of a point
FALLEN = ("wrong", "hypothesis")  # consequences whose claims a scorecard names
GRAVEST = (*FALLEN, "slip", "setting", "undecided", "loosely", "stands")


def papers(
    audit: Mapping,
    known: Mapping[str, Paper],
    registry: Mapping[str, Claim],
    verified: Mapping[str, str],
) -> list[dict]:
    """Papers with their claims and a scorecard of what they print.

    ``known`` are the papers by key, ``registry`` the claims and ``verified`` the checker's results,
    both by the claim's id.
    """
    return [
        _paper(known[claims[0]["paper"]], claims)
        | {
            "package": package_of(claims[0]["paper"]),
            "claims": [
                _claim(claim, registry[claim["id"]], verified[claim["id"]])
                | {"code": f"{known[claim['paper']].letter} {short_id(claim['id'])}"}
                for claim in claims
            ],
        }
        for claims in by_paper(audit["claims"]).values()
    ]


def _paper(paper: Paper, claims: Sequence[Mapping]) -> dict:
    own = printed(claims)
    return {
        **{
            key: getattr(paper, key)
            for key in ("key", "prefix", "name", "title", "link", "pdf", "code")
        },
        "section": paper.section,
        "file": file_of_paper(paper.prefix),
        "verdict": claims_told(own),
        "counts": consequences(own),
        "printed": len(own),
        "ours": len(claims) - len(own),
        "fallen": [
            {"id": claim["id"], "title": claim["title"], "consequence": key}
            | {"matters": claim["matters"], "lacks": claim["lacks"]}
            for key in FALLEN
            for claim in own
            if claim["consequence"] == key
        ],
    }


def by_consequence(papers: Sequence[Mapping]) -> list[tuple[Mapping, Mapping]]:
    """Pairs of a paper and a claim of it, those that change most for a reader first."""
    pairs = [(paper, claim) for paper in papers for claim in paper["claims"]]
    return sorted(pairs, key=lambda pair: GRAVEST.index(pair[1]["consequence"]))


def originals(
    findings: Findings, known: Mapping[str, Sequence[Original]], figures: Sequence[Mapping]
) -> dict[str, list[dict]]:
    """Printed figures and tables by the paper's key, with our figures and numbers beside them.

    ``figures`` are of `figures`; a study without some of them shows the others.
    """
    drawn = {f"{figure['notebook']}/{figure['name']}": figure for figure in figures}
    return {
        key: [
            {
                **{"item": original.item, "shows": original.shows, "read": original.read},
                "figures": [drawn[name] for name in original.figures if name in drawn],
                "table": table_of(original.compare(findings) if original.compare else ()),
            }
            for original in own
        ]
        for key, own in known.items()
    }


def crossed(audit: Mapping) -> list[dict]:
    """Counts of claims by consequence and verdict, those that papers print and ours."""
    counts = Counter(
        (claim["consequence"], claim["status"], claim["source"] == OURS)
        for claim in audit["claims"]
    )
    return [
        {
            **{"key": key, "name": name},
            "cells": [
                {"status": status, "printed": counts[key, status, False]}
                | {"ours": counts[key, status, True]}
                for status in STATUSES
            ],
        }
        for key, name in CONSEQUENCES.items()
    ]


def _claim(claim: Mapping, registered: Claim, verified: str) -> dict:
    checks = [getattr(check, "func", check) for _, check in registered.parts]  # of a partial
    return {
        **claim,
        "short": short_id(claim["id"]),
        "ours": claim["source"] == OURS,
        "where": place_of(claim),
        "proofs": [{"place": place(label), "label": label} for label in labels_of(claim)],
        "verdicts": verdicts_of(claim),
        "verified": verified,
        "words_of_consequence": CONSEQUENCES[claim["consequence"]],
        "modules": list(dict.fromkeys(check.__module__ for check in checks)),
        "numbers": {words(key): number(value) for key, value in claim["numbers"].items()},
        "sample": {words(key): number(value) for key, value in claim["sample"].items()},
        "limits": [
            {**limit, **{key: number(limit[key]) for key in ("estimate", "low", "high", "level")}}
            for limit in claim["limits"]
        ],
        "table": table_of(claim.get("rows", ())),
    }


def _size(path: Path) -> dict[str, int]:
    """Width and height in pixels, so that a page has its length before pictures are loaded."""
    head = path.read_text(encoding="utf-8")[:1000]
    sides = {side: re.search(rf'<svg[^>]*\b{side}="([\d.]+)pt"', head) for side in SIDES}
    return {side: round(float(match[1]) * PIXELS) for side, match in sides.items() if match}


def figures(paths: Sequence[Path], declared: Mapping[str, Mapping[str, tuple]]) -> list[dict]:
    """SVG figures with the captions in the ``.rst`` files beside them.

    ``declared`` has their titles, captions and claims, by notebook and name. ``file`` is where the
    site has a copy.
    """
    shown = []
    for path in paths:
        notebook = path.parent.name
        title, _, claims = declared[notebook][path.stem]
        shown.append(
            {
                **{"notebook": notebook, "name": path.stem, "title": title, "claims": claims},
                "source": f"notebooks/{notebook}.ipynb",
                "file": f"figures/{notebook}/{path.name}",
                **_size(path),
                "caption": path.with_suffix(".rst").read_text(encoding="utf-8").strip(),
            }
        )
    return shown
