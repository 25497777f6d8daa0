"""The results of a finished study, read from its folder."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from .blocks.base import record
from .blocks.runs import ExperimentBlock
from .blocks.studies import ExplanationStudyBlock, RemovalStudyBlock
from .blocks.study import Study, part_of
from .overlays import load_study
from .places import REMOVAL_TABLES, Places
from .results import read_table
from .sealed import read_document


class MissingExperiment(ValueError):
    """The study lacks an experiment that the report is about."""


def read_study(path: str | Path) -> Study:
    """The record of a study from its file, which is valid, laid over what it extends."""
    return record(Study, load_study(path))


def load_table(path: str | Path, schema: str) -> pd.DataFrame:
    """A table of the study as a frame, checked as `read_table` does."""
    return pd.DataFrame(read_table(path, schema))


def _joined(paths: Iterable[str], schema: str) -> pd.DataFrame:
    return pd.concat([load_table(path, schema) for path in paths], ignore_index=True)


def load_truth(results: str | Path, game: str) -> pd.DataFrame:
    """The table of a game's Shapley values."""
    return load_table(Places(results).truth(game), "truth")


def load_estimates(results: str | Path, experiment: str, block: ExperimentBlock) -> pd.DataFrame:
    """Estimates of an experiment with the column ``error``; ``block`` is that of the configuration.

    Raises FileNotFoundError naming the table that is missing.
    """
    frame = _joined(Places(results).all_estimates({experiment: block}), "estimates")
    return frame.assign(error=np.sqrt(frame["squared_error"]))


def load_explanations(results: str | Path, name: str, block: ExplanationStudyBlock) -> pd.DataFrame:
    """Errors of an explanation study; ``block`` is that of the configuration."""
    places = Places(results)
    return _joined((places.explanations(name, k) for k in block.batches()), "explanations")


def load_attributions(results: str | Path, name: str, block: ExplanationStudyBlock) -> pd.DataFrame:
    """Explanations that an explanation study has saved."""
    places = Places(results)
    return _joined((places.attributions(name, k) for k in block.batches()), "attributions")


def load_settings(results: str | Path, experiment: str, block: ExperimentBlock) -> dict:
    """Parameters and tuning of each estimator of an experiment, by name."""
    settings: dict[str, dict] = {}
    for path in Places(results).all_settings({experiment: block}):
        settings |= read_document(path)
    return settings


def load_removal_study(
    results: str | Path, name: str, block: RemovalStudyBlock
) -> dict[str, pd.DataFrame]:
    """Tables of a study of removals by name; "x" has the columns of the schema "removal_x".

    ``block`` is that of the configuration. Raises FileNotFoundError naming the table that is
    missing.
    """
    places, jobs = Places(results), block.batches()
    return {
        table: _joined((places.removals(name, job, table) for job in jobs), f"removal_{table}")
        for table in REMOVAL_TABLES
    }


def load_architectures(results: str | Path, study: Study) -> dict[str, dict]:
    """Rankings of the random searches for an architecture, by name."""
    places = Places(results)
    return {name: read_document(places.architecture(name)) for name in study.architectures}


def load_scores(results: str | Path, models: Iterable[str]) -> dict[str, dict]:
    """Test scores of some models, by name."""
    return {name: load_score(results, name) for name in models}


def load_score(results: str | Path, model: str) -> dict:
    """Test scores of a model, with the names of its trainer and dataset."""
    return read_document(Places(results).score(model))


def experiments_of(study: Study, paper: str, role: str) -> dict[str, ExperimentBlock]:
    """Experiments that a study runs for a paper in a role, by name.

    Raises `MissingExperiment` where there is none.
    """
    experiments = {
        name: block
        for name, block in part_of(study.experiments, paper).items()
        if block.role == role
    }
    if not experiments:
        raise MissingExperiment(
            f"the report needs an experiment with paper: {paper} and role: {role}; study "
            f"{study.study!r} has none."
        )
    return experiments
