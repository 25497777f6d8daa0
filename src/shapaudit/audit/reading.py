"""The audit of a study and of its repetitions, read back."""

import json
from collections.abc import Mapping
from pathlib import Path


def load_audit(results: str | Path) -> dict:
    """The audit of a study, ``results/claims/claims.json``."""
    return json.loads((Path(results) / "claims" / "claims.json").read_text(encoding="utf-8"))


def load_repetitions(results: str | Path, study: Mapping) -> dict[int, dict]:
    """Audits of the repetitions by base seed, ``repetitions/<seed>/claims/claims.json``."""
    seeds = study.get("repetition", {}).get("seeds", [])
    folder = Path(results) / "repetitions"
    return {
        seed: json.loads(
            (folder / str(seed) / "claims" / "claims.json").read_text(encoding="utf-8")
        )
        for seed in seeds
    }


def find_claim(audit: Mapping, name: str) -> dict:
    """The record of a claim; raises ValueError when the audit has none of that id."""
    for claim in audit["claims"]:
        if claim["id"] == name:
            return claim
    raise ValueError(f"the audit of study {audit['study']!r} has no claim {name!r}.")
