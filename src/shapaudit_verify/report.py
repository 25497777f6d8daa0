"""What the checks say of a study, piece by piece and verdict by verdict."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from .kept import Draws, audit_in, decode, read
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


def judge(claim: Mapping, findings: Mapping[str, Finding]) -> tuple[str, str]:
    """What is found of a claim's verdict, and why; ``findings`` are those of pieces with a check.

    A claim stands where all its pieces say so, and has fallen where one of them does.
    """
    made = {key: findings[key] for key in claim["gathered"] if key in findings}
    open_pieces = [key for key in claim["gathered"] if key not in findings]
    if not made:
        if claim["statistical"]:
            return SAMPLED, "random draws of the study cannot be re-derived from definitions"
        reasons = [REASONS.get(key, "there is no check of its evidence yet") for key in open_pieces]
        return OPEN, "; ".join(dict.fromkeys(reasons))
    for key, finding in made.items():
        if finding.found == CONTRADICTED:
            return CONTRADICTED, f"{key}: {finding.why}"
    why = "; ".join(dict.fromkeys(finding.why for finding in made.values()))
    expected = {**dict.fromkeys(STANDING, True), **dict.fromkeys(FALLEN, False)}
    wanted = expected.get(claim["status"])
    stand = [finding.stands for finding in made.values()]
    if wanted is None or None in stand:
        return IN_PART, f"{why}; what follows from it is not judged here"
    if open_pieces and (all(stand) or not wanted):
        return IN_PART, f"{why}; no check re-derives {', '.join(open_pieces)}"
    if wanted != all(stand):
        return CONTRADICTED, f"{', '.join(made)}: the evidence says otherwise"
    partly = any(finding.found == IN_PART for finding in made.values())
    return IN_PART if partly else CONFIRMED, f"{why}, and the verdict follows"


def verify(results: Path) -> dict[str, Any]:
    """Findings on all verdicts of a study, and on pieces that no claim is judged by.

    Raises `BrokenFile` for a file with another checksum, and FileNotFoundError for a missing one
    and for a study without claims.
    """
    audit = audit_in(results)
    gathered = [key for claim in audit["claims"] for key in claim["gathered"]]
    papers = list(dict.fromkeys(key.partition("/")[0] for key in gathered))
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
        outcome, why = judge(claim, findings)
        record = {key: claim[key] for key in ("id", "paper", "status")}
        records.append(record | {"evidence": claim["gathered"], "found": outcome, "why": why})
    return {"study": audit["study"], "claims": records}
