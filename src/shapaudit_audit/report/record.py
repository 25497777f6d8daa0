"""A run of the default study in one small record, docs/findings.json, that is committed.

README.md and docs/findings.md follow from it and the registry of claims. It names the
configuration, claims and figures that it was made from, so that `outdated` can tell without any
results whether it is time for `make readme`.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..audit.base import Claim
from ..study.provenance import config_hash
from .findings import Findings


class Summary(NamedTuple):
    """What the package of a paper adds to the record, and what the texts say of that.

    Attributes
    ----------
    key : under which the record has it
    of : from a study's results what the record has, as JSON holds it
    picture : figure in docs/figures, by its path in the folder of figures
    section : Markdown of docs/findings.md, paragraph by paragraph, from what the record has
    headline : sentences for the first paragraph of README.md
    overview : paragraphs of README.md after the table of verdicts
    """

    key: str
    of: Callable[[Findings], dict]
    picture: str
    section: Callable[[Mapping], list[str]]
    headline: Callable[[Mapping], str] = lambda part: ""
    overview: Callable[[Mapping], list[str]] = lambda part: []


def pictures(found: Findings, summaries: Sequence[Summary]) -> list[Path]:
    """Files of the figures that docs/ shows, in the results of a study."""
    return [Path(found.results) / "figures" / summary.picture for summary in summaries]


def record(found: Findings, summaries: Sequence[Summary]) -> dict:
    """Everything that the texts say of a study, as JSON holds it."""
    study, claims = found.study, found.audit["claims"]
    figures = pictures(found, summaries)
    return {
        "study": study["study"],
        "configuration_sha256": config_hash(study),
        "figures_sha256": {path.name: digest(path.read_bytes()) for path in figures},
        "statements_sha256": statements(claims),
        "claims": {claim["id"]: verdict_of(claim) for claim in claims},
        **{summary.key: summary.of(found) for summary in summaries},
    }


def verdict_of(claim: Mapping) -> dict[str, str | None]:
    """The consequence and both verdicts of a claim; none in the paper's setting if it has none."""
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
    """By paper, one SHA-256 of what its claims say and where they stand."""
    texts: dict[str, list] = {}
    for claim in claims:
        said = [claim[key] for key in ("id", "title", "where", "statement")]
        texts.setdefault(claim["paper"], []).append(said)
    return {paper: digest(json.dumps(text).encode()) for paper, text in texts.items()}


def outdated(
    found: Mapping, study: Mapping, figures: Path, registry: Mapping[str, Claim]
) -> list[str]:
    """Why a record is not of this configuration, these figures in a folder, these claims; or []."""
    reasons = []
    if found["configuration_sha256"] != config_hash(study):
        reasons.append(f"the configuration of study {study['study']!r} has changed")
    if lost := sorted(set(found["claims"]) - set(registry)):
        reasons.append(f"it has claims that are not registered: {', '.join(lost)}")
    if new := sorted(set(registry) - set(found["claims"])):
        reasons.append(f"it lacks the claims {', '.join(new)}")
    now, then = statements(map(vars, registry.values())), found["statements_sha256"]
    if changed := sorted(paper for paper in now if now[paper] != then.get(paper)):
        reasons.append(f"claims have changed what they say: {', '.join(changed)}")
    for name, sha in found["figures_sha256"].items():
        if not (figures / name).exists() or digest((figures / name).read_bytes()) != sha:
            reasons.append(f"the figure {name} is another one")
    return reasons
