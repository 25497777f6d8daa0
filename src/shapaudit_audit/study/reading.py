"""The results of a finished study, read from its folder."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from .layout import REMOVAL_TABLES, batches, explanation_batches, part_of
from .overlays import load_study as load_study
from .results import read_table
from .sealed import read_document


class MissingExperiment(ValueError):
    """The study lacks an experiment that the report is about."""


def load_table(path: str | Path, schema: str) -> pd.DataFrame:
    """A table of the study as a frame, checked as `read_table` does."""
    return pd.DataFrame(read_table(path, schema))


def load_truth(results: str | Path, game: str) -> pd.DataFrame:
    """The table of a game's Shapley values."""
    return load_table(Path(results) / "truth" / f"{game}.parquet", "truth")


def load_estimates(results: str | Path, experiment: str, block: Mapping) -> pd.DataFrame:
    """Estimates of an experiment with the column ``error``; ``block`` is that of the configuration.

    Raises FileNotFoundError naming the table that is missing.
    """
    folder = Path(results) / "estimates" / experiment
    tables = [load_table(folder / f"{batch}.parquet", "estimates") for batch in batches(block)]
    frame = pd.concat(tables, ignore_index=True)
    return frame.assign(error=np.sqrt(frame["squared_error"]))


def load_explanations(results: str | Path, name: str, block: Mapping) -> pd.DataFrame:
    """Errors of an explanation study; ``block`` is that of the configuration."""
    return _explanations(results, name, block, "", "explanations")


def load_attributions(results: str | Path, name: str, block: Mapping) -> pd.DataFrame:
    """Explanations that an explanation study has saved."""
    return _explanations(results, name, block, ".kept", "attributions")


def _explanations(results, name: str, block: Mapping, kind: str, schema: str) -> pd.DataFrame:
    folder = Path(results) / "explanations" / name
    files = [folder / f"{first}{kind}.parquet" for first in explanation_batches(block)]
    return pd.concat([load_table(file, schema) for file in files], ignore_index=True)


def load_settings(results: str | Path, experiment: str, block: Mapping) -> dict:
    """Parameters and tuning of each estimator of an experiment, by name."""
    folder = Path(results) / "estimates" / experiment
    settings: dict[str, dict] = {}
    for batch in batches(block):
        settings |= read_document(folder / f"{batch}.json")
    return settings


def load_removal_study(results: str | Path, name: str, block: Mapping) -> dict[str, pd.DataFrame]:
    """Tables of a study of removals by name; "x" has the columns of the schema "removal_x".

    ``block`` is that of the configuration. Raises FileNotFoundError naming the table that is
    missing.
    """
    folder = Path(results) / "removal_studies" / name
    jobs = batches(block, "removals")
    return {
        kind: pd.concat(
            [load_table(folder / f"{job}.{kind}.parquet", f"removal_{kind}") for job in jobs],
            ignore_index=True,
        )
        for kind in REMOVAL_TABLES
    }


def load_architectures(results: str | Path, study: Mapping) -> dict[str, dict]:
    """Rankings of the random searches for an architecture, by name."""
    folder = Path(results) / "architectures"
    return {name: read_document(folder / f"{name}.json") for name in study.get("architectures", {})}


def load_scores(results: str | Path, models: Iterable[str]) -> dict[str, dict]:
    """Test scores of some models, by name."""
    return {name: load_score(results, name) for name in models}


def load_score(results: str | Path, model: str) -> dict:
    """Test scores of a model, with the names of its trainer and dataset."""
    return read_document(Path(results) / "models" / f"{model}.score.json")


def experiments_of(study: Mapping, paper: str, role: str) -> dict[str, dict]:
    """Blocks of the experiments that a study runs for a paper in a role, by name.

    Raises `MissingExperiment` where there is none.
    """
    experiments = {
        name: block
        for name, block in part_of(study, "experiments", paper).items()
        if block.get("role") == role
    }
    if not experiments:
        raise MissingExperiment(
            f"the report needs an experiment with paper: {paper} and role: {role}; study "
            f"{study['study']!r} has none."
        )
    return experiments
