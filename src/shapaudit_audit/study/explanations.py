"""Explainers and estimators on the same models, at counted rows of the model.

A unit is a data set, drawn or split anew, with a model trained on it. All methods and models use
the same data sets. A few test rows of a unit are explained, and its errors are means over these.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from shapaudit import datasets, explainers, removals
from shapaudit.datasets import Dataset, LawDataset
from shapaudit.estimators import create
from shapaudit.estimators.checked_runs import run_once
from shapaudit.games import BaselineGame, ConditionalGame, Game, NetworkGame
from shapaudit.models import CountedModel, Model
from shapaudit.models.read_layers import read_layers
from shapaudit.progress import progress
from shapaudit.removals import FittedRemoval
from shapaudit.removals.marginal import Marginal
from shapaudit.seeding import derive_seed, generator
from shapaudit.truth import Truth, compute

from .blocks.base import Block
from .blocks.games import DatasetBlock, RemovalBlock
from .blocks.runs import EstimatorBlock
from .blocks.studies import ExplainedModelBlock, ExplainerBlock, ExplanationStudyBlock
from .costs import rows_per_value
from .explained_models import ExplainedModel, checked_dataset, explainer_fits, trained
from .explicands import drawn_explicands

Table = dict[str, np.ndarray]
MEASURES = ("model", "unit", "method", "budget", "rows", "error", "reference_error", "gap", "score")
KEPT = ("model", "unit", "method", "budget", "feature", "value")
REFERENCE, EXPLICAND = "reference", "explicand"


class Blocks(Block, frozen=True, kw_only=True):
    """The blocks of a configuration that an explanation study names, by name."""

    dataset: DatasetBlock
    explainers: dict[str, ExplainerBlock]
    estimators: dict[str, EstimatorBlock]
    removal: RemovalBlock | None = None


@dataclass(frozen=True, eq=False)
class Unit:
    """A data set, a model and the rows that are explained.

    Attributes
    ----------
    axes : names from which its generators are derived, the base seed first
    explicands, background : (m, d) and (k, d)
    """

    axes: tuple
    dataset: Dataset
    explained: ExplainedModel
    explicands: np.ndarray
    background: np.ndarray

    def rng(self, *names: str | int) -> np.random.Generator:
        """The generator for the named axes of this unit."""
        return generator(self.axes[0], *self.axes[1:], *names)


@dataclass(eq=False)
class MeasuredExplanations:
    """Explanations by one method at one budget: values (m, d), and the mean number of rows."""

    budget: int
    rows: float
    values: np.ndarray = field(repr=False)


def run_study(
    name: str, study: ExplanationStudyBlock, blocks: Blocks, seed: int
) -> tuple[Table, Table]:
    """Errors of all methods on the models of a study, and the explanations kept.

    ``study`` is its block of the configuration, ``blocks`` are those that it names. Columns of the
    schemas "explanations" and "attributions".
    """
    measured: list[tuple] = []
    kept: list[tuple] = []
    for model, spec in study.models.items():
        for number in progress(range(study.units), f"{name}, {model}", "units"):
            unit = make_unit(name, study, model, spec, blocks, seed, number)
            truths = [truth_of(unit, study, blocks, k) for k in range(len(unit.explicands))]
            results = list(explanations(unit, study, blocks))
            for method, result in results:
                errors = _errors(result.values, truths)
                score = unit.explained.score
                measured.append((model, number, method, result.budget, result.rows, *errors, score))
            if number < study.keep:
                given = [(EXPLICAND, 0, unit.explicands[0]), (REFERENCE, 0, truths[0].values)]
                given += [(method, result.budget, result.values[0]) for method, result in results]
                kept += [
                    (model, number, method, budget, feature, value)
                    for method, budget, values in given
                    for feature, value in enumerate(values)
                ]
    return _table(MEASURES, measured), _table(KEPT, kept)


def _table(columns: tuple[str, ...], rows: list[tuple]) -> Table:
    parts = zip(*rows, strict=True) if rows else [()] * len(columns)
    kinds = {"model": str, "method": str, "unit": np.int64, "budget": np.int64, "feature": np.int64}
    return {
        name: np.array(part, dtype=kinds.get(name, np.float64))
        for name, part in zip(columns, parts, strict=True)
    }


def make_unit(
    name: str,
    study: ExplanationStudyBlock,
    model: str,
    spec: ExplainedModelBlock,
    blocks: Blocks,
    seed: int,
    number: int,
) -> Unit:
    """The unit with this number; its data do not depend on the model."""
    data = ("explanations", name, number)
    rng = generator(seed, *data, "data")
    loaded = datasets.load(blocks.dataset.loader, blocks.dataset.params, rng)
    dataset = checked_dataset(name, loaded)
    own = derive_seed(seed, *data, "model", model) % 2**31
    rng = generator(seed, *data, "rows")
    explicands = drawn_explicands(dataset, study.explicands, rng)
    background = background_of(study.background, dataset, rng)
    return Unit((seed, *data, model), dataset, trained(spec, dataset, own), explicands, background)


def background_of(kind: int | str, dataset: Dataset, rng: np.random.Generator) -> np.ndarray:
    """Rows (k, d): the mean of the training rows, zeros, or training rows that are drawn."""
    rows = dataset.rows("train")[0]
    if kind == "mean":
        return rows.mean(axis=0)[None]
    if kind == "zero":
        return np.zeros((1, rows.shape[1]))
    return rows[rng.permutation(len(rows))[:kind]]


def truth_of(unit: Unit, study: ExplanationStudyBlock, blocks: Blocks, k: int) -> Truth:
    """True Shapley values of the study's target at explicand ``k``."""
    spec = study.truth
    explicand = unit.explicands[k]
    output = unit.explained.output_of(explicand)
    if spec.method == "explainer":
        exact = next(
            block
            for key in study.explainers
            if explainer_fits(block := blocks.explainers[key], unit.explained.kind)
            and explainers.create(block.explainer, block.params).card.exact
        )
        values = explained_by(exact, unit, output, explicand).values
        return Truth(values, "exact", exact.explainer)
    model = unit.explained.predictor(output)
    if spec.method == "law":
        game: Game = ConditionalGame(_law(unit), model, explicand, "conditional")
    elif unit.explained.kind == "network" and len(unit.background) == 1:
        layers = read_layers(unit.explained.model, output)
        first = layers.weights[0], layers.biases[0]
        # Its walks add one feature at a time to the first layer.
        game = NetworkGame(*first, layers.output_from, explicand, unit.background[0])
    else:
        game = _game(model, explicand, unit.background, unit.dataset.feature_names)
    return compute(spec.method, game, unit.rng("truth", k), **spec.params)


def _law(unit: Unit):
    if not isinstance(unit.dataset, LawDataset):
        raise ValueError(
            f"the truth by a law needs data drawn from one, which {unit.dataset.name} are not; "
            "choose a dataset loader whose name ends in '-law'"
        )
    return unit.dataset.law


def _game(model: Model, explicand, background, names: tuple[str, ...]) -> Game:
    """The marginal game of a background, or the game of a single baseline."""
    if len(background) == 1:
        return BaselineGame(model.predict, explicand, background[0])
    arrays = {"background": background, "weights": np.ones(len(background))}
    fitted = FittedRemoval(Marginal(), model, names, arrays, 0)
    return fitted.game(explicand, np.random.default_rng(0))  # nothing is drawn


def explained_by(spec: ExplainerBlock, unit: Unit, output: int | None, explicand: np.ndarray):
    """The explanation of a row (d,) by a fresh explainer of a block, its fit included."""
    params = spec.params
    chosen = params if output is None else {**params, "output": output}
    explainer = explainers.create(spec.explainer, chosen)
    data = unit.background
    if explainer.card.target == "conditional":
        data = unit.dataset.rows("train")[0]
    fitted = explainer.fit(unit.explained.model, data, unit.rng("explainer", explainer.id))
    explanation = fitted.explain(explicand)
    return explainers.Attributions(
        explanation.values, explanation.base_value, explanation.rows + fitted.fit_rows
    )


def explanations(
    unit: Unit, study: ExplanationStudyBlock, blocks: Blocks
) -> Iterator[tuple[str, MeasuredExplanations]]:
    """Names of methods with their explanations, for all methods and budgets."""
    for name in study.explainers:
        if explainer_fits(spec := blocks.explainers[name], unit.explained.kind):
            explained = [
                explained_by(spec, unit, unit.explained.output_of(row), row)
                for row in unit.explicands
            ]
            rows = float(np.mean([explanation.rows for explanation in explained]))
            values = np.array([explanation.values for explanation in explained])
            yield name, MeasuredExplanations(0, rows, values)
    for name in study.estimators:
        for multiple in study.rows:
            if (result := _estimated(name, multiple, unit, study, blocks)) is not None:
                yield name, result


def _estimated(name: str, multiple: int, unit: Unit, study: ExplanationStudyBlock, blocks: Blocks):
    """Explanations by an estimator within ``multiple`` rows per feature; None for too few rows."""
    spec, d = blocks.estimators[name], unit.explicands.shape[1]
    estimator, allowed = create(spec.estimator, spec.params), multiple * d
    each = len(unit.background) if blocks.removal is None else rows_per_value(blocks.removal)
    if allowed // each < estimator.minimum_budget(d):
        return None
    values, spent = [], 0
    for k, explicand in enumerate(unit.explicands):
        counted = CountedModel(unit.explained.predictor(unit.explained.output_of(explicand)))
        model = cast(Model, counted)  # games and removals ask for nothing but predictions
        if blocks.removal is None:
            game = _game(model, explicand, unit.background, unit.dataset.feature_names)
        else:
            made = removals.create(blocks.removal.removal, blocks.removal.params)
            fitted = made.fit(model, unit.dataset, unit.rng("removal"))
            game = fitted.game(explicand, unit.rng("removal", k))
        rng = unit.rng("estimator", name, k, multiple)
        (estimate,) = run_once(estimator, game, [allowed // each], _always(rng))
        values.append(estimate.values)
        spent += counted.rows
    return MeasuredExplanations(allowed, spent / len(values), np.array(values))


def _always(rng: np.random.Generator) -> Callable[[int], np.random.Generator]:
    """The generator, whatever the budget."""
    return lambda budget: rng


def _errors(values: np.ndarray, truths: list[Truth]) -> tuple[float, float, float]:
    """Means over explicands of the error, the truth's standard error, and the error of the sum.

    Each is relative to the norm of the true values.
    """
    parts = []
    for own, truth in zip(values, truths, strict=True):
        scale = np.linalg.norm(truth.values) or 1.0
        errors = truth.standard_errors
        doubt = 0.0 if errors is None else np.linalg.norm(errors)
        difference = own - truth.values
        sizes = (np.linalg.norm(difference), doubt, abs(difference.sum()))
        parts.append(np.array(sizes) / scale)
    return tuple(np.mean(parts, axis=0).tolist())
