"""Contents of the page on the models of the tasks: how well they predict."""

from collections.abc import Mapping

from ...study.blocks.study import Study
from .text import number

NAMES = {"r2": "R²", "rmse": "RMSE", "accuracy": "accuracy", "log_loss": "log loss"}
WARNING = (
    "R² below zero: the model predicts worse than the target's mean. Check that the columns of "
    "the data are those that it was trained on, in the same order and units. Estimators are "
    "compared nevertheless, but the model is not worth explaining."
)


def scored(study: Study, scores: Mapping[str, Mapping]) -> list[dict]:
    """Models by name with their scores on test rows, and a warning where R² is below zero.

    ``scores`` are the contents of the files of scores that training writes.
    """
    return [
        {
            "name": name,
            "dataset": study.models[name].dataset,
            "trainer": study.models[name].trainer,
            "rows": number(content["test_rows"]),
            "score": _shown(content),
            "warning": WARNING if content["score"].get("r2", 0.0) < 0 else "",
        }
        for name, content in scores.items()
    ]


def _shown(content: Mapping) -> str:
    shown = [f"{NAMES.get(key, key)} {number(value)}" for key, value in content["score"].items()]
    return ", ".join(shown) or f"none: {content['remark']}"
