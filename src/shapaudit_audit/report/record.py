"""The record of a run of the default study, docs/findings.json, which is committed.

README.md and docs/findings.md are written from it and the registry of claims. It holds digests of
the configuration, claims and figures that it was made from, so that `outdated` can tell without
any results whether `make readme` has to be run.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..audit.base import Claim
from ..study.blocks.study import Study
from ..study.provenance import config_hash
from .findings import Findings


class Summary(NamedTuple):
    """The part of the record that a paper's package makes, and the texts made from that part.

    Attributes
    ----------
    key : its key in the record
    of : makes that part of the record, as JSON holds it, from a study's results
    pictures : figures in docs/figures, by their paths in the folder of figures
    section : makes paragraphs of docs/findings.md, in Markdown, from that part
    headline : makes sentences for the first paragraph of README.md
    overview : makes paragraphs of README.md for after the table of verdicts
    """

    key: str
    of: Callable[[Findings], dict]
    pictures: tuple[str, ...]
    section: Callable[[Mapping], list[str]]
    headline: Callable[[Mapping], str] = lambda part: ""
    overview: Callable[[Mapping], list[str]] = lambda part: []


def pictures(findings: Findings, summaries: Sequence[Summary]) -> list[Path]:
    """Files of the figures that docs/ shows, in the results of a study."""
    folder = Path(findings.results) / "figures"
    return [folder / picture for summary in summaries for picture in summary.pictures]


def record(findings: Findings, summaries: Sequence[Summary]) -> dict:
    """All results of a study that the texts state, as JSON holds them."""
    study, claims = findings.study, findings.audit["claims"]
    figures = pictures(findings, summaries)
    return {
        "study": study.study,
        "configuration_sha256": config_hash(study),
        "figures_sha256": {path.name: digest(path.read_bytes()) for path in figures},
        "statements_sha256": statements(claims),
        "claims": {claim["id"]: verdict_of(claim) for claim in claims},
        **{summary.key: summary.of(findings) for summary in summaries},
    }


def verdict_of(claim: Mapping) -> dict[str, str | None]:
    """The consequence and both verdicts of a claim; None for the setting of a general claim."""
    setting = claim["setting"]
    there = " (on a stand-in)" if setting and setting["stand_in"] else ""
    return {
        "consequence": claim["consequence"],
        "setting": setting["status"] + there if setting else None,
        "general": claim["status"],
    }


def digest(content: bytes) -> str:
    """SHA-256 of some bytes."""
    return hashlib.sha256(content).hexdigest()


def statements(claims: Iterable[Mapping]) -> dict[str, str]:
    """By paper, one SHA-256 of ids, titles, places and statements of its claims."""
    texts: dict[str, list] = {}
    for claim in claims:
        said = [claim[key] for key in ("id", "title", "where", "statement")]
        texts.setdefault(claim["paper"], []).append(said)
    return {paper: digest(json.dumps(text).encode()) for paper, text in texts.items()}


NAMED = 5  # claims that a message names


def _some(ids: list[str]) -> str:
    """The first ids, and how many others there are."""
    more = f" and {len(ids) - NAMED} others" if len(ids) > NAMED else ""
    return f"{', '.join(ids[:NAMED])}{more}"


def outdated(
    kept: Mapping, study: Study, figures: Path, registry: Mapping[str, Claim]
) -> list[str]:
    """Reasons why a record does not belong to this configuration, these figures and these claims.

    ``kept`` is the record, ``figures`` the folder of the figures, ``registry`` the claims by id.
    The list is empty where the record is current.
    """
    reasons = []
    if kept["configuration_sha256"] != config_hash(study):
        reasons.append(f"the configuration of study {study.study!r} has changed")
    if lost := sorted(set(kept["claims"]) - set(registry)):
        reasons.append(f"claims have been removed: {_some(lost)}")
    if new := sorted(set(registry) - set(kept["claims"])):
        reasons.append(f"claims have been added: {_some(new)}")
    now, then = statements(map(vars, registry.values())), kept["statements_sha256"]
    if changed := sorted(paper for paper in now if now[paper] != then.get(paper)):
        reasons.append(f"statements of claims have been reworded: {', '.join(changed)}")
    for name, sha in kept["figures_sha256"].items():
        if not (figures / name).exists() or digest((figures / name).read_bytes()) != sha:
            reasons.append(f"the figure {name} is another one")
    return reasons
