"""Judge the claims of a study and write the machine-readable audit.

The statistical claims of a study form one family. Each is checked at alpha divided by their number
(Bonferroni), so that the chance of any wrong statistical verdict in the study is at most alpha. The
checks themselves split their share over what they compare. Claims decided by exact arithmetic or
enumeration spend nothing: their limits, where they show any, are at level 1 - alpha each.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..schemas.validation import best_match, validator_of
from ..study.sealed import to_sealed
from .base import Claim, verdict_record
from .evidence import Evidence, Gather
from .verdict import ClaimError

SCHEMA_VERSION = 4


def audit(
    claims: Sequence[Claim], evidence_of: Callable[[Gather], Evidence], alpha: float
) -> list[dict[str, Any]]:
    """One record per claim, in the order given.

    ``evidence_of`` returns what a claim's function has gathered: `KeptEvidence.of` for evidence
    on disk. ``alpha`` is the error rate of all statistical claims together. Raises `ClaimError`
    naming the claim whose check failed.
    """
    share = alpha / max(1, sum(claim.statistical for claim in claims))
    records = []
    for claim in claims:
        level = share if claim.statistical else alpha
        try:
            verdict = claim.judge(claim.evidence(evidence_of), level)
        except Exception as error:
            raise ClaimError(f"claim {claim.id} ({claim.title}): {error}") from error
        records.append(verdict_record(claim, verdict, level))
    return records


def document(study: str, alpha: float, records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The audit of a study, as `claims.schema.yaml` describes it."""
    return {
        "schema": SCHEMA_VERSION,
        "study": study,
        "alpha": alpha,
        "correction": "bonferroni",
        "claims": list(records),
    }


def to_json(audited: dict[str, Any]) -> str:
    """The document as text: two-space indents, no time stamps, the same bytes every time."""
    return json.dumps(audited, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def write_json(path: str | Path, audited: dict[str, Any], schema: str | Path) -> None:
    """Validate the document against the YAML schema at ``schema`` and write it to ``path``.

    Raises `ClaimError` naming the place where the document breaks the schema.
    """
    if fault := best_match(validator_of(schema).iter_errors(audited)):
        raise ClaimError(f"{Path(path).name}: {fault.json_path}: {fault.message}")
    Path(path).write_text(to_sealed(to_json(audited)), encoding="utf-8")
