"""The configuration of a study of the same model, table and estimators."""

import os
import sys
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..explanations.asking import SLOW
from ..optional import needed
from ..own_files import OwnFolder
from ..progress import duration
from .comparison import Comparison
from .several import Comparisons

TABULATED = 20  # players up to which a study evaluates all coalitions, once
SHUFFLES = 16, 4096  # of a reference, at least and at most
HEAD = """# snakemake --cores all --configfile {path}
# compares the same estimators on the same model over {explicands} rows, drawn anew, with joint
# confidence limits. Every key is described in config/README.md.
{differs}"""


@dataclass(frozen=True)
class StudySource:
    """What was compared, as the command line named it.

    Attributes
    ----------
    data, target, drop, groups, output : see `compare`
    predictor : "file.py:name" of a function, or the file of a saved model
    numbers : whether the table holds numbers alone, each column being a player, and the model is a
        booster of XGBoost, which a study reads itself
    """

    data: str
    predictor: str
    target: str | None = None
    drop: Sequence[str] = ()
    groups: Mapping[str, Sequence[str]] | None = None
    output: Sequence[str] | None = None
    numbers: bool = False

    def players(self) -> dict[str, Any]:
        """Which columns are which players, as parameters of a data set."""
        columns: dict[str, Any] = {"path": _found(self.data)}
        columns |= {"target": self.target} if self.target else {}
        columns |= {"drop": list(self.drop)} if self.drop else {}
        return columns | ({"groups": dict(self.groups)} if self.groups else {})

    def files(self) -> list[str]:
        """Files that the model is made of: its own, and modules beside a function's file."""
        where = self.predictor.rpartition(":")[0] or self.predictor
        if not where.endswith(".py"):
            return [_found(where)] if Path(where).is_file() else []
        folder, own = Path(where).resolve().parent, Path(where).resolve()
        loaded = [getattr(module, "__file__", None) for module in [*sys.modules.values()]]
        beside = {Path(file).resolve() for file in loaded if file and file.endswith(".py")}
        near = sorted(file for file in beside if file.parent == folder and file != own)
        return [_found(where), *(_found(os.path.relpath(file)) for file in near)]


def write_study(
    compared: Comparison | Comparisons,
    path: Path,
    source: StudySource,
    *,
    estimators: Sequence[str],
    seed: int,
) -> None:
    """Write the study of a comparison; its head says what it does otherwise.

    Raises `FolderError` rather than overwrite a file that was not written here.
    """
    comparison, several = compared.parts[0], len(compared.parts) > 1
    planned, explicands = comparison.plan, max(10, comparison.plan.explicands)
    runs = {name: {"label": name, "estimator": name} for name in estimators}
    tree = source.numbers and planned.truth == "trees" and comparison.values.shape[1] > TABULATED
    many = planned.background > 1 and not tree  # exact values of trees take one row at a time
    truth, differs = _truth(comparison, tree, explicands * len(compared.parts))
    if several:
        differs.append("Each output is a model of its own, which is asked for its own rows.")
    names = [f"mine-{k}" for k in range(1, len(compared.parts) + 1)] if several else ["mine"]
    named = dict(zip(names, compared.parts, strict=True))
    game: dict[str, Any] = {
        **{"reward": "prediction", "players": comparison.values.shape[1], "explicands": explicands},
        **{"truth": truth, **({"removal": "background"} if many else {})},
    }
    experiment = {
        **{"budgets": list(planned.budgets), "repetitions": planned.repetitions},
        **{"reference": estimators[0], "estimators": list(runs)},
    }
    columns = _columns(comparison, source)
    study: dict[str, Any] = {
        **{"study": "comparison", "seed": seed, "results": "results/comparison"},
        "datasets": {"mine": {"loader": "csv" if source.numbers else "mixed", "params": columns}},
        "models": {name: _model(part, source, columns, several) for name, part in named.items()},
        "games": {
            name: {"label": _label(part), "model": name} | deepcopy(game)
            for name, part in named.items()
        },
        "estimators": runs,
        "experiments": {name: {"game": name} | deepcopy(experiment) for name in names},
        "claims": {"alpha": 0.05},
    }
    if many:
        rows = {"removal": "marginal", "params": {"rows": planned.background}}
        study["removals"] = {"background": rows}
    else:
        differs.append(
            "Absent columns are replaced by one row, which is drawn for each explained row."
        )
    head = HEAD.format(
        path=path, explicands=explicands, differs="".join(f"# {sentence}\n" for sentence in differs)
    )
    yaml = needed("yaml", "the study of a comparison", "plots")
    OwnFolder(path.parent).write({path.name: head + yaml.safe_dump(study, sort_keys=False)})


def _label(comparison: Comparison) -> str:
    """What the page of the study calls the games of an output."""
    quantity = comparison.quantity
    return ": ".join(part for part in (quantity.target, quantity.output) if part) or "My model"


def _columns(comparison: Comparison, source: StudySource) -> dict[str, Any]:
    """Parameters of the data set."""
    columns = source.players()
    slow = comparison.plan.row_seconds >= SLOW
    if slow and not source.numbers and "target" in columns:
        # With a target a study scores the model on all test rows.
        columns["drop"] = [*columns.get("drop", []), columns.pop("target")]
    return columns


def _model(
    comparison: Comparison, source: StudySource, columns: Mapping[str, Any], several: bool
) -> dict[str, Any]:
    """Block of the model of an output."""
    if source.numbers:
        params = {"path": _found(source.predictor)}
        return {"dataset": "mine", "trainer": "xgboost-file", "params": params}
    where, colon, name = source.predictor.rpartition(":")
    if where.endswith(".py"):
        predictor = f"{_found(where)}:{name}"
    else:
        predictor = source.predictor if colon else _found(source.predictor)
    params = {**deepcopy(columns), "predictor": predictor}
    if comparison.quantity.output and (several or source.output):
        params["output"] = comparison.quantity.output
    model = {"dataset": "mine", "trainer": "mixed", "params": params, "files": source.files()}
    return {key: value for key, value in model.items() if value != []}


def _truth(comparison: Comparison, tree: bool, games: int) -> tuple[dict[str, Any], list[str]]:
    """The method of truth, and what there is to say on it."""
    planned, d = comparison.plan, comparison.values.shape[1]
    if tree:
        return {"method": "tree"}, []
    if d <= TABULATED:
        rows = games * planned.background * 2**d
        seconds = rows * planned.row_seconds
        dear = [f"It evaluates all coalitions, which takes the model about {duration(seconds)}."]
        return {"method": "enumeration"}, dear if planned.truth == "reference" else []
    most = planned.reference or 4 * planned.budgets[-1]
    shuffles = int(np.clip(most // (d + 1), *SHUFFLES))
    said = f"The true values come from {shuffles:,} permutations, with standard errors."
    return {"method": "permutations", "params": {"shuffles": shuffles}}, [said]


def _found(path: str) -> str:
    """A path as a study finds it: from the project's folder as it is, from another one in full."""
    return path if Path("Snakefile").is_file() else str(Path(path).resolve())
