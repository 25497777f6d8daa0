"""Made-up explanation studies that follow the schemas."""

from pathlib import Path

import numpy as np
import pandas as pd

from shapaudit_audit.study.blocks.studies import ExplanationStudyBlock
from shapaudit_audit.study.blocks.study import Study
from shapaudit_audit.study.explained_models import KINDS, explainer_fits
from shapaudit_audit.study.places import Places
from shapaudit_audit.study.results import write_table

SPREAD = 0.3  # of log-normal errors over units
PASSES = {"deeplift": 3, "dasp": 64}


def errors_of(
    config: Study, block: ExplanationStudyBlock, scales: dict[str, float]
) -> pd.DataFrame:
    """Errors of a study whose methods have some ``scales``, 1 by default; / sqrt(budget)."""
    rng = np.random.default_rng(0)
    rows = []
    for model, spec in block.models.items():
        kind = KINDS[spec.trainer]
        cells = [
            (name, 0, PASSES.get(config.explainers[name].explainer, 0))
            for name in block.explainers
            if explainer_fits(config.explainers[name], kind)
        ]
        cells += [(e, 10 * n, 10 * n) for e in block.estimators for n in block.rows]
        for unit in range(block.units):
            for method, budget, spent in cells:
                scale = scales.get(method, 1.0) / np.sqrt(max(budget, 1))
                error = scale * np.exp(SPREAD * rng.normal())
                rows.append((model, unit, method, budget, spent, error, 0.001, 0.01, 0.8))
    columns = ["model", "unit", "method", "budget", "rows", "error", "reference_error", "gap"]
    return pd.DataFrame(rows, columns=[*columns, "score"])


def attributions_of(frame: pd.DataFrame, keep: int, features: int = 16) -> pd.DataFrame:
    """Explanations of pictures by the methods of some errors, of the first units."""
    rng = np.random.default_rng(1)
    cells = frame[frame["unit"] < keep][["model", "unit", "method", "budget"]]
    given = cells.drop_duplicates(["model", "unit"]).assign(budget=0)
    both = [given.assign(method=name) for name in ("explicand", "reference")]
    cells = pd.concat([*both, cells], ignore_index=True)
    kept = cells.loc[cells.index.repeat(features)].reset_index(drop=True)
    feature = np.tile(np.arange(features), len(cells))
    return kept.assign(feature=feature, value=rng.normal(size=len(kept)))


def write_explanations(folder: Path, config: Study, scales: dict[str, float] | None = None) -> None:
    """Both tables of each job of each study."""
    places = Places(folder)
    for name, block in config.explanation_studies.items():
        frame = errors_of(config, block, scales or {})
        kept = attributions_of(frame, block.keep)
        for first, models in block.batches().items():
            for table, path, schema in (
                (frame, places.explanations(name, first), "explanations"),
                (kept, places.attributions(name, first), "attributions"),
            ):
                Path(path).parent.mkdir(parents=True, exist_ok=True)
                write_table(table[table["model"].isin(models)], path, schema)
