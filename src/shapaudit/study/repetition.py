"""The study once more from another base seed, as far as its claims look: does a verdict change?"""

import logging
from collections.abc import Mapping
from typing import Any

import pandas as pd

from .. import datasets, models
from ..claims import Context, Settings, StudyEstimates, StudyGame, audit, document, select
from ..seeding import derive_seed, generator
from ..truth import Truth
from .collection import GameCollection, build_collection
from .experiments import run_spec
from .ground_truth import compute_all

logger = logging.getLogger("shapaudit")
Collections = dict[str, tuple[GameCollection, list[Truth]]]


def repeat(study: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """The audit of a study from the base seed ``seed``: new data, models, pairs, truths, runs.

    ``study`` is what `layout.repeated` leaves of a configuration. Only the statistical claims are
    looked at again: the others are decided without a sample. Returns the document that
    `workflow/schemas/claims.schema.yaml` describes.
    """
    collections = _collections(study, seed)
    estimates = {
        name: _estimates(study, name, spec, collections[spec["game"]], seed)
        for name, spec in study["experiments"].items()
    }
    games = tuple(
        StudyGame.from_tables(name, collection.tables[: collection.n_experiment])
        for name, (collection, _) in collections.items()
        if collection.tables is not None
    )
    settings = Settings(**study["claims"])
    context = Context(study["study"], seed, games, settings, estimates)
    sampled = [claim for claim in select() if claim.statistical]
    return document(context, audit(sampled, context))


def _collections(study: Mapping, seed: int) -> Collections:
    """Games with their truths."""
    collections = {}
    for name, spec in study["games"].items():
        key = study["models"][spec["model"]]["dataset"]
        source = study["datasets"][key]
        rng = generator(seed, "dataset", key)
        dataset = datasets.load(source["loader"], source.get("params", {}), rng)
        kind = study["models"][spec["model"]]
        trained = derive_seed(seed, "model", spec["model"]) % 2**31
        model = models.train(kind["trainer"], dataset, kind.get("params", {}), trained)
        rng = generator(seed, "pairs", name)
        sizes = spec["pairs"], spec.get("tuning_pairs", 0)
        choice = spec.get("selection"), spec.get("baseline", "drawn")
        collection = build_collection(name, dataset, model, spec["reward"], *sizes, rng, *choice)
        truth = spec["truth"]
        truths, _ = compute_all(
            collection, truth["method"], truth.get("params", {}), truth.get("check"), seed
        )
        collections[name] = collection, truths
        logger.info("%s: %d games", name, len(truths))
    return collections


def _estimates(study, name, spec, games, seed) -> StudyEstimates:
    """Tables and settings of the estimators of one experiment."""
    frames, settings = [], {}
    for estimator in spec["estimators"]:
        block = study["estimators"][estimator]
        table, settings[estimator] = run_spec(block, spec, *games, seed, (name, estimator))
        frames.append(pd.DataFrame(table).assign(estimator=estimator))
        logger.info("%s on %s: %d rows", estimator, name, len(frames[-1]))
    return StudyEstimates(pd.concat(frames, ignore_index=True), settings)
