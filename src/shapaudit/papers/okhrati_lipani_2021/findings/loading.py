"""The experiments from a study's results folder.

They are known by the beginning of their names: "okhrati-samples" repeats Table I and Figure 1 with
the three algorithms at equal samples, "okhrati-suite" compares many estimators at equal
evaluations, "okhrati-maps" makes the saliency maps of Figure 3.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from shapaudit.estimators import create
from shapaudit.study.reading import MissingExperiment, load_estimates

from .maps import Maps
from .replication import Replication
from .trial import Trial

SAMPLES, SUITE, MAPS = "okhrati-samples", "okhrati-suite", "okhrati-maps"


def load_replication(results: str | Path, study: Mapping, published: str | Path) -> Replication:
    """The experiments of a study from its results folder.

    Raises `MissingExperiment` where the study lacks one of the three kinds.
    """
    results = Path(results)
    kinds: dict[str, dict] = {SAMPLES: {}, SUITE: {}, MAPS: {}}
    for name, setting in study["experiments"].items():
        kind = next((kind for kind in kinds if name.startswith(kind)), None)
        if kind is not None:
            load = _load_maps if kind == MAPS else _load_trial
            kinds[kind][name] = load(results, study, name, setting)
    if lacking := [kind for kind, found in kinds.items() if not found]:
        raise MissingExperiment(
            f"the report needs experiments that begin with {', '.join(map(repr, lacking))}; study "
            f"{study['study']!r} has none."
        )
    paths = study.get("paths", {})
    deviations = {name: pd.read_parquet(results / "paths" / f"{name}.parquet") for name in paths}
    return Replication(
        *kinds.values(),
        deviations=deviations,
        games={name: study["games"][path["game"]] for name, path in paths.items()},
        specs=study["estimators"],
        published=pd.read_csv(published),
        alpha=study["claims"]["alpha"],
    )


def _common(results: Path, study: Mapping, name: str, setting: Mapping) -> dict:
    game = study["games"][setting["game"]]
    frame = load_estimates(results, name, setting)
    frame = frame.assign(squared_error=frame["squared_error"] / game["players"])
    means = frame.groupby(["estimator", "budget", "pair"], sort=False)["squared_error"].mean()
    score = pd.read_json(results / "models" / f"{game['model']}.score.json", typ="series")
    dataset = study["models"][game["model"]]["dataset"]
    with np.load(results / "datasets" / f"{dataset}.npz", allow_pickle=False) as file:
        provenance = str(file["provenance"])
    specs = {key: study["estimators"][key] for key in setting["estimators"]}
    return {
        "name": name,
        "label": game["label"],
        "players": game["players"],
        "provenance": provenance,
        "accuracy": score["score"]["accuracy"],
        "means": means.unstack("pair"),
        "estimators": {
            key: create(spec["estimator"], spec.get("params")) for key, spec in specs.items()
        },
    }


def _load_trial(results: Path, study: Mapping, name: str, setting: Mapping) -> Trial:
    truth = pd.read_parquet(results / "truth" / f"{setting['game']}.parquet")
    common = _common(results, study, name, setting)
    tables = np.load(results / "games" / setting["game"] / "tables.npy", mmap_mode="r")
    return Trial(
        **common,
        repetitions=setting["repetitions"],
        difference=float(truth["difference"].max()),
        tables=tables[: common["means"].shape[1]],
    )


def _load_maps(results: Path, study: Mapping, name: str, setting: Mapping) -> Maps:
    truth = pd.read_parquet(results / "truth" / f"{setting['game']}.parquet")
    kept = pd.read_parquet(results / "kept" / f"{name}.parquet")
    with np.load(results / "games" / setting["game"] / "pairs.npz", allow_pickle=False) as file:
        images = file["explicands"]
    return Maps(
        **_common(results, study, name, setting),
        images=images,
        reference=truth.pivot(index="pair", columns="player", values="value").to_numpy(),
        standard_errors=truth.pivot(
            index="pair", columns="player", values="standard_error"
        ).to_numpy(),
        kept=kept.pivot(index=["estimator", "budget", "pair"], columns="player", values="value"),
    )
