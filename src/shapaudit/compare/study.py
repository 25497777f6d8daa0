"""The configuration of a study of the same model, table and estimators."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from .comparison import Comparison

TRUTHS = {"enumeration": "enumeration", "trees": "tree", "reference": "permutations"}
HEAD = """# snakemake --cores all --configfile {path}
# compares the same estimators over pairs of rows, one explained and one in the place of absent
# columns, with joint confidence limits. Every key is described in config/README.md.
"""


def write_study(
    comparison: Comparison,
    path: Path,
    *,
    data: str,
    target: str | None,
    drop: Sequence[str],
    model: str,
    estimators: Sequence[str],
    seed: int,
) -> None:
    """Write the study of a table of numbers and a booster that XGBoost saved."""
    columns = {"path": data} | ({"target": target} if target else {})
    columns |= {"drop": list(drop)} if drop else {}
    runs = {name: {"label": name, "estimator": name} for name in estimators}
    game: dict[str, Any] = {
        "label": "My model",
        "model": "mine",
        "reward": "prediction",
        "players": comparison.values.shape[1],
        "pairs": max(10, comparison.plan.explicands),
        "truth": {"method": TRUTHS[comparison.plan.truth]},
    }
    study = {
        "study": "comparison",
        "seed": seed,
        "results": "results/comparison",
        "datasets": {"mine": {"loader": "csv", "params": columns}},
        "models": {
            "mine": {"dataset": "mine", "trainer": "xgboost-file", "params": {"path": model}}
        },
        "games": {"mine": game},
        "estimators": runs,
        "experiments": {
            "mine": {
                "game": "mine",
                "budgets": list(comparison.plan.budgets),
                "repetitions": comparison.plan.repetitions,
                "reference": estimators[0],
                "estimators": list(runs),
            }
        },
        "claims": {"alpha": 0.05},
    }
    text = yaml.safe_dump(study, sort_keys=False)
    path.write_text(HEAD.format(path=path) + text, encoding="utf-8")
