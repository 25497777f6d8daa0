"""Evidence on the columns Removal approach and Removal variant of Table 1: what methods evaluate.

On a small law whose second feature is the first or one more, so that other rows cannot occur. No
value of it is zero, so that the zeros of a baseline are told from observed values.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, cast

import numpy as np

from shapaudit.datasets import Dataset
from shapaudit.estimators import ApproSemivalue, OptimisedMonteCarlo
from shapaudit.estimators.base import Estimator
from shapaudit.estimators.methods import METHODS
from shapaudit.estimators.structured import CShapley, LShapley
from shapaudit.explainers.base import ExplainerMethod
from shapaudit.explainers.correlated_linear import CorrelatedLinear
from shapaudit.explainers.dasp import Dasp
from shapaudit.explainers.deep_shap import DeepShap
from shapaudit.explainers.deep_shapnet import DeepShapNet
from shapaudit.explainers.deeplift import DeepLift
from shapaudit.explainers.fast_shap import FastShap
from shapaudit.explainers.linear import Linear
from shapaudit.explainers.path_dependent_tree import PathDependentTree
from shapaudit.explainers.shallow_shapnet import ShallowShapNet
from shapaudit.explainers.tree import InterventionalTree
from shapaudit.games import BaselineGame, all_coalitions
from shapaudit.models import LinearModel, Model, NetworkRegression
from shapaudit.nets import Network
from shapaudit.removals import FittedRemoval, Removal
from shapaudit.removals.autoencoder import Autoencoder
from shapaudit.removals.baseline import Baseline
from shapaudit.removals.gaussian import Gaussian
from shapaudit.removals.kernel import Kernel
from shapaudit.removals.marginal import Marginal
from shapaudit.removals.matching import Cohort, ExactMatch
from shapaudit.removals.surrogate import Surrogate
from shapaudit.truth import shapley_from_table
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.trees import Split, as_ensemble

from .common import as_model
from .costs import random_shapnet

THIRD = [(1.0, 1.0), (1.0, 3.0), (2.0, 1.0), (2.0, 2.0), (3.0, 1.0), (3.0, 3.0)]
OBSERVED = np.array(
    [(a, a + k % 2, b, c) for a in (1.0, 2.0, 3.0) for k, (b, c) in enumerate(THIRD)]
)
EXPLICAND = np.array([2.0, 2.0, 3.0, 2.0])  # which can occur, and is none of them
FEATURES, BUDGET, TOLERANCE = 4, 60, 1e-9
NAMES = tuple(f"x{j + 1}" for j in range(FEATURES))
SLOPES = np.array([1.0, -2.0, 3.0, 0.5])
NET: dict[str, Any] = {"hidden": (8,), "epochs": 3}
# What the methods are run with here, where that is not their removal's default.
SMALL: dict[str, Removal] = {
    "CES": ExactMatch(own_row=True),
    "Shapley cohort refinement": Cohort(ratio=0.6),
    "Generative model": Autoencoder(draws=5, latent=2, **NET),
    "Surrogate model": Surrogate(**NET),
    "SGD-Shapley": Baseline("zero"),
    "Parametric KernelSHAP": Gaussian(draws=5),
    "Nonparametric KernelSHAP": Kernel(bandwidth=0.5),
}
KINDS = ("explicand", "observed", "hybrid", "padded", "other")


class Recorded:
    """A model that records every row it is asked for; ``n_features`` is that of the model."""

    def __init__(self, model: Model):
        self.model, self.n_features = model, FEATURES
        self.asked: list[np.ndarray] = []

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) of rows (m, d)."""
        self.asked.append(np.array(rows))
        return self.model.predict(rows)

    def taken(self) -> np.ndarray:
        """Return the rows (m, d) since the last call."""
        rows, self.asked = self.asked, []
        return np.concatenate([np.empty((0, FEATURES)), *rows])


class OpaqueProduct:
    """f(x) = x1 x3 - 2 x2 + x3 x4 / 2, a model without readable parameters."""

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) of rows (m, d)."""
        return rows[:, 0] * rows[:, 2] - 2 * rows[:, 1] + rows[:, 2] * rows[:, 3] / 2


def small_data() -> Dataset:
    """Return the observed rows, all of them for training."""
    split = {"train": np.arange(len(OBSERVED)), "test": np.arange(0)}
    target = OpaqueProduct().predict(OBSERVED)
    return Dataset("small", OBSERVED, target, NAMES, split, "generated")


def kind_of(row: np.ndarray) -> str:
    """Return the kind of a row, one of `KINDS`.

    "hybrid" rows have the explicand's values and otherwise those of one observed row; "padded"
    rows have zeros instead of the others.
    """
    if (row == EXPLICAND).all():
        return "explicand"
    if (row == OBSERVED).all(axis=1).any():
        return "observed"
    own = row == EXPLICAND
    if ((row == OBSERVED) | own).all(axis=1).any():
        return "hybrid"
    return "padded" if ((row == 0) | own).all() else "other"


def counted(rows: np.ndarray) -> dict[str, int]:
    """Return how many rows are of each kind, and how many of them are impossible under the law."""
    kinds = [kind_of(row) for row in rows]
    outside = int((~np.isin(rows[:, 1] - rows[:, 0], (0.0, 1.0))).sum())
    return {kind: kinds.count(kind) for kind in KINDS} | {"excluded": outside}


class Targets(NamedTuple):
    """Shapley values (d,) of three games of a model: of zeros, all hybrids, matching rows."""

    baseline: np.ndarray
    marginal: np.ndarray
    matching: np.ndarray


def targets_of(model: Model) -> Targets:
    """Return the target values of a model, by enumeration."""
    coalitions = all_coalitions(FEATURES)
    fitted = FittedRemoval(
        Marginal(), model, NAMES, {"background": OBSERVED, "weights": np.ones(len(OBSERVED))}, 0
    )
    rng = np.random.default_rng(0)  # nothing is drawn
    games = (
        BaselineGame(model.predict, EXPLICAND, np.zeros(FEATURES)),
        fitted.game(EXPLICAND, rng),
        ExactMatch(own_row=True).fit(model, small_data(), rng).game(EXPLICAND, rng),
    )
    return Targets(*(shapley_from_table(game(coalitions)) for game in games))


def same_as(values: np.ndarray, model: Model) -> dict[str, int]:
    """Return whether values are those of the target games, by name."""
    targets = targets_of(model)._asdict()
    return {
        name: int(np.abs(values - target).max() < TOLERANCE) for name, target in targets.items()
    }


def emptied(value: float, model: Model) -> str:
    """Return which value the empty coalition has: the output at "zeros", the "mean", or "other"."""
    if abs(value - model.predict(np.zeros((1, FEATURES)))[0]) < TOLERANCE:
        return "zeros"
    return "mean" if abs(value - model.predict(OBSERVED).mean()) < TOLERANCE else "other"


def by_removal(
    removal: Removal, estimator: Estimator, rng: np.random.Generator, explained: Model
) -> Evidence:
    """Return the rows that a removal and an estimator evaluate, and the game they explain."""
    model = Recorded(explained)
    fitted = removal.fit(as_model(model), small_data(), rng)
    in_fit = model.taken()
    game = fitted.game(EXPLICAND, rng)
    budget = max(BUDGET, estimator.minimum_budget(FEATURES))
    estimator.estimate(game, budget, rng)
    taken = model.taken()
    values = game(all_coalitions(FEATURES))
    return {
        "fit": len(in_fit),
        "fit_observed": counted(in_fit)["observed"],
        **counted(taken),
        **same_as(shapley_from_table(values), explained),
        "whole": int(abs(values[-1] - explained.predict(EXPLICAND[None])[0]) < TOLERANCE),
        "empty": emptied(values[0], explained),
    }


def by_explainer(trial: "ExplainerTrial", rng: np.random.Generator) -> Evidence:
    """Return the entries of `by_removal` for an explainer that reads or queries a model."""
    model, asked = trial.model, Recorded(trial.model)
    chosen = asked if trial.explainer.card.models == "any" else model
    fitted = trial.explainer.fit(chosen, trial.rows, rng)
    in_fit = asked.taken()
    explanation = fitted.explain(EXPLICAND)
    whole = float(model.predict(EXPLICAND[None])[0])
    return {
        "fit": len(in_fit),
        "fit_observed": counted(in_fit)["observed"],
        **counted(asked.taken()),
        **same_as(explanation.values, model),
        "whole": int(abs(explanation.values.sum() + explanation.base_value - whole) < TOLERANCE),
        "empty": emptied(explanation.base_value, model),
    }


def linear_network() -> NetworkRegression:
    """Return a network without hidden layers, for which all rules are exact."""
    network = Network.start([FEATURES, 1], "relu", np.random.default_rng(0))
    network.weights[0][...] = SLOPES[:, None]
    return NetworkRegression(network)


class ExplainerTrial(NamedTuple):
    """An explainer, a model for which it is exact where there is one, and background rows."""

    explainer: ExplainerMethod
    model: Model
    rows: np.ndarray = OBSERVED


def explained(rng: np.random.Generator) -> dict[str, ExplainerTrial]:
    """Return the explainers of Table 1; those printed with a baseline have zeros."""
    trees = as_ensemble(
        Split(
            0, Fraction("1.5"), Fraction(-1), Split(1, Fraction("2.5"), Fraction(2), Fraction(5))
        ),
        FEATURES,
    )
    linear, network, zeros = LinearModel(SLOPES, 1.0), linear_network(), np.zeros((1, FEATURES))
    shapnets = (random_shapnet(rng, FEATURES, deep=deep) for deep in (False, True))
    return {
        "FastSHAP": ExplainerTrial(
            FastShap(removal="surrogate", epochs=3, hidden=(8,)), as_model(OpaqueProduct())
        ),
        "LinearSHAP": ExplainerTrial(Linear(), linear),
        "Correlated LinearSHAP": ExplainerTrial(CorrelatedLinear(), linear),
        "Interventional TreeSHAP": ExplainerTrial(InterventionalTree(), trees),
        "Path-dependent TreeSHAP": ExplainerTrial(PathDependentTree(weights="rows"), trees),
        "DeepLIFT": ExplainerTrial(DeepLift(), network, zeros),
        "DeepSHAP": ExplainerTrial(DeepShap(), network),
        "DASP": ExplainerTrial(Dasp(), network, zeros),
        "Shallow ShapNet": ExplainerTrial(ShallowShapNet(), next(shapnets), zeros),
        "Deep ShapNet": ExplainerTrial(DeepShapNet(), next(shapnets), zeros),
    }


def removed(removals: Mapping[str, Removal] = SMALL) -> dict[str, tuple[Removal, Estimator]]:
    """Return the methods of Table 1 that consist of a removal and an estimator, by name."""
    return {
        method.name: (removals.get(method.name, method.removal), method.estimator)
        for method in METHODS
        if "ApproShapley" not in method.name
    }


class Majority:
    """A game of voters without a model; it records the coalitions that it is asked for."""

    n_players = FEATURES

    def __init__(self):
        self.asked = 0

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Return 1 for more than half of the voters, otherwise 0 (m,)."""
        self.asked += len(coalitions)
        return (coalitions.sum(axis=1) > FEATURES / 2).astype(np.float64)


THEORY: dict[str, Callable[[], Estimator]] = {
    "ApproSemivalue": ApproSemivalue,
    "ApproShapley": OptimisedMonteCarlo,
}


def theory_rows(context: Context, theory: Mapping[str, Callable]) -> list[Evidence]:
    """Return the coalitions asked for and the errors of methods on `Majority`."""
    rows = []
    for name, make in theory.items():
        game, estimator = Majority(), make()
        made = estimator.estimate(game, 100 * BUDGET, context.generator("ccll23-84a", name))
        rows.append(
            {
                "method": name,
                "evaluations": made.evaluations,
                "asked": game.asked,
                "error": float(np.abs(made.values - 1 / FEATURES).max()),
            }
        )
    return rows


def gather_evaluated(
    context: Context,
    removals: Mapping[str, Removal] = SMALL,
    explainers: Callable = explained,
    theory: Mapping[str, Callable] = THEORY,
) -> Evidence:
    """Return the rows that each method evaluates, by kind, and the games that it explains.

    ``baseline``, ``marginal`` and ``matching`` say whether its exact values are those of zeros,
    of hybrids with all observed rows, and of means over matching rows; ``whole`` whether the
    grand coalition has the model's output as its value, and ``empty`` which value the empty
    coalition has. ``theory`` has the evaluations and errors of methods of game theory on a game
    without a model, in which every voter has the same Shapley value; ``error`` is the largest
    difference from it.
    """
    rows = []
    for name, (removal, estimator) in removed(removals).items():
        evaluated = by_removal(
            removal, estimator, context.generator("ccll23-84", name), as_model(OpaqueProduct())
        )
        rows.append({"method": name} | evaluated)
    for name, explained_model in explainers(context.generator("ccll23-84")).items():
        evaluated = by_explainer(explained_model, context.generator("ccll23-84", name))
        rows.append({"method": name} | evaluated)
    return {"rows": rows, "observed": len(OBSERVED), "theory": theory_rows(context, theory)}


class LogChance:
    """The logarithm of the probability of a class whose log-odds are those of `OpaqueProduct`."""

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) of rows (m, d)."""
        return -np.logaddexp(0.0, -OpaqueProduct().predict(rows))


def introduced() -> dict[str, tuple[Estimator, Model]]:
    """Return methods as their sources define them, and the models that they explain.

    L-Shapley and C-Shapley are those of their public code: features beyond the neighbourhood
    are present, and the logarithm of a probability is explained. Multilinear extension sampling
    is that of Okhrati & Lipani 2021, Definition III.1.
    """
    named = {method.name: method.estimator for method in METHODS}
    methods: dict[str, tuple[Estimator, Model]] = {}
    for name in ("L-Shapley", "C-Shapley"):
        local = cast(LShapley | CShapley, named[name])
        methods[name] = replace(local, outside="present"), as_model(LogChance())
    sampled = "Multilinear extension sampling"
    methods[sampled] = named[sampled], as_model(OpaqueProduct())
    return methods


def gather_introduced(context: Context, zeros: Removal = SMALL["SGD-Shapley"]) -> Evidence:
    """Return methods with zeros for absent features, as introduced, and with rows of data.

    Rows evaluated by kind and the games explained are those of `gather_evaluated`.
    """
    rows = []
    for name, (estimator, model) in introduced().items():
        for told, removal in (("zeros", zeros), ("rows", Marginal())):
            rng = context.generator("ccll23-84c", name, told)
            evaluated = by_removal(removal, estimator, rng, model)
            rows.append({"method": name, "absent": told} | evaluated)
    return {"rows": rows}
