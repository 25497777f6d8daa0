"""Predictions of a model on fixed rows of its games, saved with them: later jobs must agree."""

from pathlib import Path

import numpy as np

from shapaudit.games import GameError, hybrid_rows
from shapaudit.models.agreement import differing_row, fingerprint

from .sealed import damaged, read_document, write_document

FINGERPRINT = "fingerprint.json"
ROWS = 64


def fixed_rows(explicands: np.ndarray, baselines: np.ndarray) -> np.ndarray:
    """Hybrid rows (64, d) of explicands and baselines (n, d) at fixed coalitions."""
    coalitions = np.random.default_rng(0).random((ROWS, explicands.shape[1])) < 0.5
    coalitions[:2] = [[True], [False]]
    chosen = np.arange(ROWS) % len(explicands)
    rows = zip(coalitions, explicands[chosen], baselines[chosen], strict=True)
    return np.concatenate([hybrid_rows(coalition[None], x, r) for coalition, x, r in rows])


def write_fingerprint(directory: str | Path, predictions: np.ndarray) -> None:
    """Keep predictions (m,) on fixed rows, and their digest, in ``fingerprint.json``."""
    content = {"fingerprint": fingerprint(predictions), "predictions": predictions.tolist()}
    write_document(Path(directory) / FINGERPRINT, content, indent=2, sort_keys=True)


def check_fingerprint(directory: str | Path, name: str, predictions: np.ndarray) -> None:
    """Raise `GameError` unless the model of the games ``name`` predicts the saved values.

    `DamagedResult` is raised where there are none. Values are compared with a tolerance instead of
    by their digest: jobs may run on different processors, on which the last digits of the same
    model differ, by far less than any error that is measured.
    """
    try:
        kept = read_document(Path(directory) / FINGERPRINT)
    except FileNotFoundError as error:
        raise damaged(directory, f"{FINGERPRINT} is missing") from error
    before = np.array(kept["predictions"], dtype=np.float64)
    row = differing_row(before, predictions)
    if row is not None:
        raise GameError(
            f"the model of the games {name} differs from the one with which they were built: its "
            f"fingerprint was {kept['fingerprint']} and is {fingerprint(predictions)} (a value of "
            f"{before[row]:.6g} is now {predictions[row]:.6g}). List all files that its code "
            "reads under files: of the model in the configuration, and run again; everything that "
            "depends on them is then recomputed. If it reads none, run once with --forcerun "
            "train_model."
        )
