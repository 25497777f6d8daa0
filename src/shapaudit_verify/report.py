"""What the checks say of a study, piece by piece and verdict by verdict."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from .kept import Draws, decode, read
from .open_pieces import REASONS
from .registry import Check, differences, known, left_out

CONFIRMED = "confirmed"
IN_PART = "confirmed in part"
SAMPLED = "rests on samples"
OPEN = "not re-derived"
CONTRADICTED = "contradicted"
STANDING, FALLEN = ("proved", "exact", "supported"), ("refuted", "inconsistent")
SHOWN = 3  # differences that are told


class Finding(NamedTuple):
    """What was found of a piece; ``stands`` is whether claims judged by it are true, if known."""

    found: str
    why: str
    stands: bool | None = None


def examine(piece: Any, check: Check, draws: Draws) -> Finding:
    """Re-derive an encoded piece and compare. What cannot be read as a piece is contradicted."""
    try:
        kept = decode(piece)
        made = check.make(kept, draws)
        wrong = differences(kept, made)
    except Exception as error:  # a check trusts nothing of the piece, least of all its form
        return Finding(CONTRADICTED, f"it cannot be re-derived: {error!r}")
    if wrong:
        return Finding(CONTRADICTED, "; ".join(wrong[:SHOWN]))
    stands = check.stands(made) if check.stands else None
    if rest := sorted(left_out(kept, made)):
        return Finding(IN_PART, f"re-derived but for {', '.join(rest)}", stands)
    return Finding(CONFIRMED, "the evidence is re-derived", stands)


def judge(claim: Mapping, finding: Finding | None) -> tuple[str, str]:
    """What is found of a claim's verdict, and why."""
    if finding is None:
        if claim["statistical"]:
            return SAMPLED, "random draws of the study cannot be re-derived from definitions"
        return OPEN, REASONS.get(claim["gathered"], "there is no check of its evidence yet")
    if finding.found == CONTRADICTED:
        return CONTRADICTED, f"{claim['gathered']}: {finding.why}"
    expected = {**dict.fromkeys(STANDING, True), **dict.fromkeys(FALLEN, False)}
    wanted = expected.get(claim["status"])
    if finding.stands is None or wanted is None:
        return IN_PART, f"{finding.why}; what follows from it is not judged here"
    if finding.stands != wanted:
        return CONTRADICTED, f"{claim['gathered']}: the evidence says otherwise"
    return finding.found, f"{finding.why}, and the verdict follows"


def verify(results: Path) -> dict[str, Any]:
    """Findings on all verdicts of a study, and on pieces that no claim is judged by.

    Raises `BrokenFile` for a file with another checksum, FileNotFoundError for a missing one.
    """
    audit = read(results / "claims" / "claims.json")
    papers = list(dict.fromkeys(claim["gathered"].partition("/")[0] for claim in audit["claims"]))
    findings = {}
    for paper in papers:
        content = read(results / "evidence" / f"{paper}.json")
        draws = Draws(content["seed"], content["study"])
        for key, check in known().items():
            owner, _, name = key.partition("/")
            if owner == paper:
                piece = content["pieces"].get(name)
                findings[key] = examine(piece, check, draws)
    records = []
    for claim in audit["claims"]:
        outcome, why = judge(claim, findings.get(claim["gathered"]))
        record = {key: claim[key] for key in ("id", "paper", "status")}
        records.append(record | {"evidence": claim["gathered"], "found": outcome, "why": why})
    return {"study": audit["study"], "claims": records}
