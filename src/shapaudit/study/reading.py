"""What a finished study has left on disk, read back."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from .layout import batches, part_of
from .overlays import load_study as load_study


class MissingExperiment(ValueError):
    """The study lacks an experiment that the report is about."""


def load_estimates(results: str | Path, experiment: str, block: Mapping) -> pd.DataFrame:
    """Estimates of an experiment with the column ``error``; ``block`` is that of the configuration.

    Raises FileNotFoundError naming the table that is missing.
    """
    folder = Path(results) / "estimates" / experiment
    tables = [pd.read_parquet(folder / f"{batch}.parquet") for batch in batches(block)]
    frame = pd.concat(tables, ignore_index=True)
    return frame.assign(error=np.sqrt(frame["squared_error"]))


def load_settings(results: str | Path, experiment: str, block: Mapping) -> dict:
    """Parameters and tuning of each estimator of an experiment, by name."""
    folder = Path(results) / "estimates" / experiment
    settings = {}
    for batch in batches(block):
        settings |= json.loads((folder / f"{batch}.json").read_text(encoding="utf-8"))
    return settings


def load_architectures(results: str | Path, study: Mapping) -> dict[str, dict]:
    """Rankings of the random searches for an architecture, by name."""
    folder = Path(results) / "architectures"
    return {
        name: json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        for name in study.get("architectures", {})
    }


def load_scores(results: str | Path, study: Mapping) -> dict[str, dict]:
    """Test scores by model."""
    folder = Path(results) / "models"
    return {
        name: json.loads((folder / f"{name}.score.json").read_text(encoding="utf-8"))
        for name in study["models"]
    }


def experiments_of(study: Mapping, paper: str, role: str) -> dict[str, dict]:
    """Blocks of the experiments that a study runs for a paper in a role, by name.

    Raises `MissingExperiment` where there is none.
    """
    found = {
        name: block
        for name, block in part_of(study, "experiments", paper).items()
        if block.get("role") == role
    }
    if not found:
        raise MissingExperiment(
            f"the report needs an experiment with paper: {paper} and role: {role}; study "
            f"{study['study']!r} has none."
        )
    return found
