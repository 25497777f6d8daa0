"""Fitted explainers on disk: a manifest in JSON and arrays in an npz file, nothing pickled.

What a fitted explainer consists of is taken apart into numbers, texts, lists and arrays, by the
fields of the classes in `PARTS` and of the explainer itself. No other class is made when it is
read.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from sys import modules
from typing import Any, get_args

import numpy as np

from ..archives import UNREADABLE
from ..datasets.base import save_arrays
from ..models import LinearModel, Model, ModelError, ShapleyNetwork, TreeEnsemble
from ..models.linear_leaves import LinearLeaves
from ..models.nodes import Nodes
from ..models.read_layers import Layers
from ..models.read_trees import ReadTrees, read_trees
from ..models.trees_read import Encoding
from ..nets import Network
from ..nets.shapnet import ShapNet
from ..own_files import check_manifest
from ..removals import create as create_removal
from ..removals.base import FittedRemoval, name_of
from .background import Background, ExplainerError
from .base import ExplainerMethod, FittedExplainer
from .paths import PathTables

MANIFEST, ARRAYS = "explainer.json", "explainer.npz"
FORMAT = 1  # of both files
PARTS = {
    cls.__name__: cls
    for cls in (
        Background,
        Layers,
        LinearLeaves,
        LinearModel,
        Nodes,
        PathTables,
        ShapNet,
        ShapleyNetwork,
        TreeEnsemble,
        *get_args(Encoding),
    )
}
TREES = "ReadTrees"  # kept as the trees that it was read from
NETWORK = "Network"
REMOVAL = "FittedRemoval"  # kept without the model, which may be any function
SHAPNET = ("n_features", "groups", "channels", "width", "parameters")


def save(fitted: FittedExplainer, directory: str | Path) -> None:
    """Write ``explainer.json`` and ``explainer.npz`` for `load`; equal explainers, equal bytes.

    Raises `ExplainerError` for a part of a class that is not in `PARTS`, and `FolderError` rather
    than overwrite a file that was not written here.
    """
    arrays: dict[str, np.ndarray] = {}
    explainer = fitted.explainer
    manifest = {
        "format": FORMAT,
        "explainer": explainer.id,
        "fitted": type(fitted).__name__,
        "params": _taken_apart(_fields_of(explainer), arrays),
        "parts": _taken_apart(
            {key: part for key, part in _fields_of(fitted).items() if key != "explainer"}, arrays
        ),
    }
    directory = Path(directory)
    check_manifest(directory, MANIFEST, ("format", "explainer", "parts"), [ARRAYS])
    directory.mkdir(parents=True, exist_ok=True)
    text = json.dumps(manifest, indent=2, sort_keys=True)
    (directory / MANIFEST).write_text(text + "\n", encoding="utf-8")
    save_arrays(directory / ARRAYS, arrays)


def read_fitted(
    directory: str | Path,
    cls: type[ExplainerMethod] | None,
    model: Model | None,
    known: Callable[[str], type[ExplainerMethod]],
) -> FittedExplainer:
    """The fitted explainer that `save` wrote.

    ``cls`` is the class of a user's explainer; ``known`` finds the class of an id of the package,
    ``model`` is what an amortised explainer asks.
    Raises `ExplainerError` for a folder without such files, files that are damaged, of another
    version, or of another explainer.
    """
    directory = Path(directory)
    manifest, arrays = _read(directory)
    if manifest.get("format") != FORMAT:
        raise ExplainerError(
            f"{directory} is of format {manifest.get('format')!r}, and this version reads format "
            f"{FORMAT}; fit the explainer again and save it with this version."
        )
    try:
        cls = cls or known(manifest["explainer"])
        if cls.id != manifest["explainer"]:
            raise ExplainerError(
                f"{directory} holds the explainer {manifest['explainer']!r}, not {cls.id!r}."
            )
        explainer = cls(**_put_together(manifest["params"], arrays, model))
        parts = _put_together(manifest["parts"], arrays, model)
        fitted: Callable[..., FittedExplainer] = _fitted_class(cls, manifest["fitted"])
        return fitted(explainer=explainer, **parts)
    except (KeyError, TypeError, AttributeError, ModelError) as error:
        raise _damaged(directory, error) from error


def _read(directory: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    try:
        manifest = json.loads((directory / MANIFEST).read_text(encoding="utf-8"))
        if not isinstance(manifest, dict):
            raise ValueError("its manifest is no mapping")
        with np.load(directory / ARRAYS, allow_pickle=False) as file:
            return manifest, {key: file[key] for key in file.files}
    except UNREADABLE as error:
        raise _damaged(directory, error) from error


def _damaged(directory: Path, error: Exception) -> ExplainerError:
    return ExplainerError(
        f"{directory} holds no fitted explainer that can be read ({error}); fit it again and save "
        "it with shapaudit.explainers.save."
    )


def _fitted_class(cls: type[ExplainerMethod], name: str) -> type[FittedExplainer]:
    """What an explainer gives when it is fitted, from its module or that of a class above it."""
    for base in cls.__mro__:
        candidate = getattr(modules[base.__module__], name, None)
        if isinstance(candidate, type) and issubclass(candidate, FittedExplainer):
            return candidate
    raise KeyError(name)


def _fields_of(instance: Any) -> dict[str, Any]:
    if isinstance(instance, ShapNet):
        names: Iterable[str] = SHAPNET
    elif is_dataclass(instance):
        names = [field.name for field in fields(instance)]
    else:
        names = instance._fields  # a named tuple
    return {name: getattr(instance, name) for name in names}


def _taken_apart(part: Any, arrays: dict[str, np.ndarray]) -> Any:
    """What JSON holds; arrays are put aside under numbers."""
    if part is None or isinstance(part, bool | int | float | str):
        return part
    if isinstance(part, np.ndarray):
        arrays[name := f"array{len(arrays)}"] = part
        return {"array": name}
    if isinstance(part, np.generic):
        return part.item()
    if isinstance(part, ReadTrees):
        return {"class": TREES, "of": _taken_apart(_kept_of(part), arrays)}
    if isinstance(part, Network):
        return {"class": NETWORK, "of": _taken_apart(part.arrays(), arrays)}
    if isinstance(part, FittedRemoval):
        kept = {key: value for key, value in _fields_of(part).items() if key != "model"}
        kept |= {"removal": name_of(type(part.removal)), "params": _fields_of(part.removal)}
        return {"class": REMOVAL, "of": _taken_apart(kept, arrays)}
    if PARTS.get(type(part).__name__) is type(part):
        return {"class": type(part).__name__, "of": _taken_apart(_fields_of(part), arrays)}
    if isinstance(part, Mapping):
        return {"map": {key: _taken_apart(value, arrays) for key, value in part.items()}}
    if isinstance(part, list | tuple):
        return [_taken_apart(value, arrays) for value in part]
    raise ExplainerError(
        f"a {type(part).__name__} cannot be saved; keep arrays, numbers, texts, models of this "
        "package, and lists of these."
    )


def _kept_of(trees: ReadTrees) -> Any:
    """Trees without the model that they were read from, with its categories where it has some."""
    source = getattr(trees.encode, "__self__", None)
    if not isinstance(source, Encoding) and trees.encode is not np.asarray:
        raise ExplainerError(
            "trees behind the transformers of a pipeline cannot be saved; save the pipeline, and "
            "fit the explainer again."
        )
    kept = trees.ensemble if trees.encode is np.asarray else source
    if not trees.categories:
        return kept
    if isinstance(trees.categories, tuple):
        return {"trees": kept, "in_order": True, "categories": trees.categories}
    return {"trees": kept, "in_order": False, "categories": list(trees.categories.items())}


def _trees_from(content: Any) -> ReadTrees:
    if not isinstance(content, Mapping):
        return read_trees(content)
    known = content["categories"] if content["in_order"] else dict(content["categories"])
    return replace(read_trees(content["trees"]), categories=known)


def _put_together(part: Any, arrays: Mapping[str, np.ndarray], model: Model | None) -> Any:
    if isinstance(part, list):
        return tuple(_put_together(value, arrays, model) for value in part)
    if not isinstance(part, dict):
        return part
    if "array" in part:
        return arrays[part["array"]]
    if "map" in part:
        return {key: _put_together(value, arrays, model) for key, value in part["map"].items()}
    content = _put_together(part["of"], arrays, model)
    if part["class"] == TREES:
        return _trees_from(content)
    if part["class"] == NETWORK:
        return Network.from_arrays(content)
    if part["class"] == REMOVAL:
        return _removal(content, model)
    return PARTS[part["class"]](**content)


def _removal(content: dict[str, Any], model: Model | None) -> FittedRemoval:
    if model is None:
        raise ExplainerError(
            "this explainer asks its model for the ends of each game, and the files hold no model; "
            "give it, load(directory, model=...)."
        )
    removal = create_removal(content["removal"], content.pop("params"))
    return FittedRemoval(**(content | {"removal": removal, "model": model}))
