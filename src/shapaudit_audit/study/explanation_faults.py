"""Faults in the explainers and explanation studies of a configuration."""

from collections.abc import Iterator
from importlib.util import find_spec

from shapaudit import explainers, models
from shapaudit.datasets import LOADERS
from shapaudit.games.tabular import MAX_TABULATED_PLAYERS
from shapaudit.truth import METHODS

from .blocks.studies import ExplainedModelBlock, ExplanationStudyBlock
from .blocks.study import Study
from .data_shapes import shape_of
from .explained_models import BINNED, KINDS, LIGHTGBM, OTHERS, explainer_fits
from .faults import called, made, registered

STUDIES = "explanation_studies"
LAW = "-law"  # end of the names of loaders whose data are drawn from a known law


def explanation_parameters(config: Study) -> Iterator[str]:
    """Faults of explainers, trainers and truths, each by itself."""
    for name, spec in config.explainers.items():
        yield from made(f"explainers.{name}", explainers.create, spec.explainer, spec.params)
    for name, study in config.explanation_studies.items():
        where, truth = f"{STUDIES}.{name}", study.truth
        for key, model in study.models.items():
            yield from _trainer_faults(f"{where}.models.{key}", model)
        if truth.method != "explainer":
            yield from registered(f"{where}.truth", "method", truth.method, METHODS, truth.params)
        elif truth.params:
            yield f"{where}.truth: the method explainer takes no params; leave them out"


def _trainer_faults(where: str, model: ExplainedModelBlock) -> Iterator[str]:
    trainer = model.trainer
    if trainer not in KINDS:
        known = ", ".join(sorted(KINDS))
        yield f"{where}: no explainer reads what the trainer {trainer!r} gives; known: {known}"
    elif trainer == "lightgbm" and find_spec("lightgbm") is None:
        yield f"{where}: {LIGHTGBM}"
    else:
        function = OTHERS.get(trainer) or models.TRAINERS[trainer]
        yield from called(where, f"trainer {trainer!r}", function, model.params)


def explanation_consistency(config: Study) -> Iterator[str]:
    """Faults between the blocks of a study."""
    for name, study in config.explanation_studies.items():
        where = f"{STUDIES}.{name}"
        yield from _target_faults(where, study, config)
        yield from _explainer_faults(where, study, config)
        yield from _row_faults(where, study)


def _target_faults(where: str, study: ExplanationStudyBlock, config: Study) -> Iterator[str]:
    target, method = study.target, study.truth.method
    conditional = target == "conditional"
    if target == "baseline" and not study.one_baseline:
        yield f"{where}: the target baseline has one; say background: 1, mean or zero"
    if conditional != (method == "law"):
        yield (
            f"{where}.truth: the method law is for the target conditional, and that takes no "
            f"other; this study has {method} and {target}"
        )
    _, players = shape_of(config.datasets[study.dataset])
    if method == "enumeration" and players > MAX_TABULATED_PLAYERS:
        yield (
            f"{where}.truth: enumeration takes {MAX_TABULATED_PLAYERS} features at most, and "
            f"{study.dataset} has {players}; choose the method permutations"
        )
    loader = config.datasets[study.dataset].loader
    if conditional and not loader.endswith(LAW):
        yield (
            f"{where}: conditional values are known of data drawn from a law only; the loader of "
            f"{study.dataset} is {loader}, choose one of "
            f"{', '.join(loader for loader in LOADERS if loader.endswith(LAW))}"
        )
    if conditional and study.estimators and not study.removal:
        yield f"{where}: estimators play a conditional game by a removal; name one, removal: ..."
    if study.removal and not conditional:
        yield f"{where}: a removal is for the target conditional; leave it out, or change target"
    for name, model in study.models.items():
        if conditional and model.trainer in BINNED:
            yield (
                f"{where}.models.{name}: conditional values of {model.trainer} are not known, "
                "its trees are over intervals; choose forest or xgboost"
            )


def _explainer_faults(where: str, study: ExplanationStudyBlock, config: Study) -> Iterator[str]:
    blocks = {name: config.explainers[name] for name in study.explainers}
    kinds = {KINDS[model.trainer] for model in study.models.values()}
    for name, spec in blocks.items():
        card = explainers.create(spec.explainer, spec.params).card
        if card.models not in kinds:
            yield (
                f"{where}: {name} explains models of the kind {card.models}, and those of this "
                f"study are of the kind {', '.join(sorted(kinds))}; leave it out"
            )
        if card.target == "baseline" and not study.one_baseline:
            yield f"{where}: {name} explains against one baseline; say background: 1, mean or zero"
        if card.models == "deep-shapnet" and study.background != "mean":
            yield f"{where}: {name} has the mean of the training rows as baseline: background: mean"
    if study.truth.method != "explainer":
        return
    for kind in sorted(kinds):
        fitting = [spec for spec in blocks.values() if explainer_fits(spec, kind)]
        if not any(explainers.create(s.explainer, s.params).card.exact for s in fitting):
            yield f"{where}.truth: none of its explainers is exact for models of the kind {kind}"


def _row_faults(where: str, study: ExplanationStudyBlock) -> Iterator[str]:
    if bool(study.rows) != bool(study.estimators):
        yield f"{where}: estimators and rows go together; give both or none"
    if study.keep > study.units:
        yield f"{where}: keep exceeds the {study.units} units"
    elif (study.per_job or 1) > len(study.models):
        yield f"{where}: per_job exceeds the {len(study.models)} models"
