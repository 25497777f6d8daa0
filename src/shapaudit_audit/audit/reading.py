"""The audit of a study and of its repetitions, read back."""

import json
from collections.abc import Mapping
from pathlib import Path

from ..schemas import schema_file
from ..schemas.validation import best_match, validator_of
from ..study.blocks.study import Study
from ..study.fresh_seeds import repetition_seeds
from ..study.sealed import damaged, read_document


def load_audit(results: str | Path) -> dict:
    """The audit of a study, ``results/claims/claims.json``.

    Raises `DamagedResult` where the file was changed, or where a verdict has a status, consequence
    or topic that the schema does not know, so that no count would include it.
    """
    path = Path(results) / "claims" / "claims.json"
    audited = read_document(path)
    if fault := best_match(validator_of(schema_file("claims")).iter_errors(audited)):
        raise damaged(path, f"{fault.json_path}: {fault.message.rstrip('.')}")
    return audited


def load_verified(results: str | Path) -> dict[str, str]:
    """The checker's result for each verdict by the claim's id, ``results/claims/verified.json``.

    It is "confirmed", "confirmed in part", "rests on samples" or "not re-derived". The rule that
    writes the file fails where a verdict is contradicted.
    """
    text = (Path(results) / "claims" / "verified.json").read_text(encoding="utf-8")
    return {claim["id"]: claim["found"] for claim in json.loads(text)["claims"]}


def load_repetitions(results: str | Path, study: Study) -> dict[int, dict]:
    """Audits of the repetitions by base seed, ``repetitions/<seed>/claims/claims.json``."""
    return {
        seed: load_audit(Path(results) / "repetitions" / str(seed))
        for seed in repetition_seeds(study)
    }


def find_claim(audit: Mapping, name: str) -> dict:
    """The record of a claim; raises ValueError when the audit has none of that id."""
    for claim in audit["claims"]:
        if claim["id"] == name:
            return claim
    raise ValueError(f"the audit of study {audit['study']!r} has no claim {name!r}.")
