"""Evidence on claim 85: bias, variance and rows of the 24 methods of Table 1, on one small law.

Five features of three levels, whose marginal and conditional values are known by enumeration. Every
fit has training rows of its own, and is the independent unit; models and explicands stay.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from shapaudit.datasets import Dataset
from shapaudit.datasets.laws import DiscreteLaw
from shapaudit.estimators import ApproSemivalue, OptimisedMonteCarlo
from shapaudit.estimators.base import Estimator
from shapaudit.estimators.methods import METHODS
from shapaudit.estimators.realised import RealisedMonteCarlo, RealisedWalks
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
from shapaudit.games import BaselineGame, ConditionalGame, Game, TabularGame, all_coalitions
from shapaudit.models import CountedModel, Model
from shapaudit.models.network import train_network
from shapaudit.models.polynomial import train_polynomial
from shapaudit.models.shapnet import train_deep_shapnet, train_shallow_shapnet
from shapaudit.models.xgboost import train_xgboost
from shapaudit.removals import FittedRemoval, Removal
from shapaudit.removals.autoencoder import Autoencoder
from shapaudit.removals.baseline import Baseline
from shapaudit.removals.gaussian import Gaussian
from shapaudit.removals.marginal import Marginal
from shapaudit.removals.matching import ExactMatch
from shapaudit.removals.path_dependent import PathDependent
from shapaudit.removals.surrogate import Surrogate
from shapaudit.truth import shapley_from_table
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled

from .common import as_model
from .table_one import METHODS as PRINTED

FEATURES, LEVELS = 5, (0.0, 1.0, 2.0)
ROWS, TRAINING = 100, 600  # of each fit, and of the models
EXPLICANDS, RUNS = 3, 2
BUDGET = 48  # evaluations of a game, of 32 coalitions
FEWEST, MOST = 6, 30  # fits
DIGITS = 8  # that are kept
NET: dict[str, Any] = {"hidden": (32,), "epochs": 80, "patience": 10}
NAMES = tuple(f"x{j + 1}" for j in range(FEATURES))
# Where the removal of a method is not run with its defaults.
REMOVALS: dict[str, Removal] = {
    "CES": ExactMatch(own_row=True),
    "Generative model": Autoencoder(draws=20, latent=2, **NET),
    "Surrogate model": Surrogate(**NET),
    "SGD-Shapley": Baseline("zero"),
    "Parametric KernelSHAP": Gaussian(draws=50),
}
FRESH = RealisedMonteCarlo, RealisedWalks  # which draw noise for every unit


@dataclass(frozen=True)
class MeasuredMethod:
    """A method as it is measured.

    Attributes
    ----------
    name : of the row of Table 1
    model : which of the models it explains
    target : the values of the population that it is held against
    removal : its own game; None for the baseline of a ShapNet, which is part of the model
    runs : the estimator or explainer
    settled : an explainer that gives the exact values of its own game; None to enumerate it
    """

    name: str
    model: str
    target: str
    removal: Removal | None
    runs: Estimator | ExplainerMethod
    settled: ExplainerMethod | None = None


def target_of_removal(removal: Removal) -> str:
    """The game that a removal estimates; raises ValueError where it does not say."""
    if removal.card is None:
        raise ValueError(f"removal {removal.id!r} has no card.")
    return removal.card.target


def _estimated() -> dict[str, MeasuredMethod]:
    zero = Baseline("zero")
    theory = (("ApproSemivalue", ApproSemivalue()), ("ApproShapley", OptimisedMonteCarlo()))
    parts: list[tuple[str, Removal, Estimator]] = [
        (name, zero, estimator) for name, estimator in theory
    ]
    parts += [
        (method.name, REMOVALS.get(method.name, method.removal), method.estimator)
        for method in METHODS
        if "ApproShapley" not in method.name
    ]
    return {
        name: MeasuredMethod(name, "network", target_of_removal(removal), removal, estimator)
        for name, removal, estimator in parts
    }


def _explained() -> dict[str, MeasuredMethod]:
    marginal, zero = Marginal(), Baseline("zero")
    exact, drawn = CorrelatedLinear(), CorrelatedLinear(permutations=10)
    by_rows = PathDependentTree(weights="rows")
    fast = FrozenFastShap(removal="surrogate", hidden=(32,), epochs=60, patience=10)
    rows = (
        ("FastSHAP", "network", "conditional", Surrogate(**NET), fast),
        ("LinearSHAP", "linear", "marginal", marginal, Linear()),
        ("Correlated LinearSHAP", "linear", "conditional", None, drawn, exact),
        ("Interventional TreeSHAP", "trees", "marginal", marginal, InterventionalTree()),
        ("Path-dependent TreeSHAP", "trees", "conditional", PathDependent(), by_rows),
        ("DeepLIFT", "network", "baseline", zero, DeepLift()),
        ("DeepSHAP", "network", "marginal", marginal, DeepShap()),
        ("DASP", "network", "baseline", zero, Dasp()),
        ("Shallow ShapNet", "shallow", "baseline", None, ShallowShapNet()),
        ("Deep ShapNet", "deep", "baseline", None, DeepShapNet()),
    )
    return {name: MeasuredMethod(name, *rest) for name, *rest in rows}


class WithRemoval:
    """A model together with the fitted removal of its absent features."""

    def __init__(self, fitted: FittedRemoval):
        self.fitted, self.n_features = fitted, fitted.n_features

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """Outputs (m,) of rows (m, d)."""
        return self.fitted.model.predict(rows)


class FrozenFastShap(FastShap):
    """FastSHAP on a removal that was fitted before, so that runs differ in its network only."""

    def _removal(self, model: WithRemoval, background, rng) -> FittedRemoval:
        return model.fitted


def methods() -> dict[str, MeasuredMethod]:
    """The 24 methods of Table 1 by name."""
    return _estimated() | _explained()


@dataclass(frozen=True, eq=False)
class SmallWorld:
    """A law, models trained on its rows, explicands (m, d), and the source of randomness."""

    context: Context
    law: DiscreteLaw
    models: Mapping[str, Model]
    explicands: np.ndarray

    def rng(self, *names: str | int) -> np.random.Generator:
        """Return the generator of a purpose."""
        return self.context.generator("ccll23-85", *names)

    def rows(self, fit: int) -> Dataset:
        """The training rows of a fit, the same for all methods."""
        return _dataset(self.law.sample(self.rng("rows", fit), ROWS), None)

    @cached_property
    def _support(self) -> dict[str, np.ndarray]:
        return {"background": self.law.support, "weights": self.law.probabilities}

    def truth(self, method: MeasuredMethod) -> np.ndarray:
        """Return the population's values (m, d)."""
        model = self.models[method.model]
        games: Sequence[Game]
        if method.target == "marginal":
            whole = FittedRemoval(Marginal(), model, NAMES, self._support, 0)
            games = [whole.game(x, np.random.default_rng(0)) for x in self.explicands]
        elif method.target == "conditional":
            games = [ConditionalGame(self.law, model, x) for x in self.explicands]
        else:
            games = [BaselineGame(model.predict, x, reference(model)) for x in self.explicands]
        return shapley(games)


def reference(model: Model) -> np.ndarray:
    """Return the baseline (d,): the ShapNet's own, or zeros."""
    return getattr(model, "reference", np.zeros(FEATURES))


def shapley(games: Sequence[Game]) -> np.ndarray:
    """Exact Shapley values (m, d) of games."""
    return np.stack([shapley_from_table(game(all_coalitions(FEATURES))) for game in games])


def _dataset(rows: np.ndarray, target: np.ndarray | None) -> Dataset:
    split = {"train": np.arange(len(rows)), "test": np.arange(0)}
    return Dataset("drawn", rows, target, NAMES, split, "generated")


def small_world(context: Context) -> SmallWorld:
    """Return a random pairwise law, and models of a target with interactions."""
    law = DiscreteLaw.ising(context.generator("ccll23-85", "law"), FEATURES, LEVELS)
    rng = context.generator("ccll23-85", "models")
    x = law.sample(rng, TRAINING)
    target = x[:, 0] * x[:, 1] + np.maximum(x[:, 1] + x[:, 2] - x[:, 4], 0) - x[:, 3]
    data = _dataset(x, target + 0.2 * rng.standard_normal(TRAINING))
    models: dict[str, Model] = {
        "network": train_network(data, 0, hidden=(12, 8), epochs=60),
        "linear": train_polynomial(data, 0, degree=1),
        "trees": train_xgboost(data, 0, n_estimators=10, max_depth=3),
        "shallow": train_shallow_shapnet(data, 0, modules=10, width=8, epochs=25),
        "deep": train_deep_shapnet(data, 0, epochs=15),
    }
    return SmallWorld(context, law, models, law.sample(rng, EXPLICANDS))


def of_fit(world: SmallWorld, method: MeasuredMethod, fit: int, runs: int = RUNS) -> tuple:
    """Return exact values (m, d) of a fit's own games, estimates (runs, m, d), and the cost.

    The cost counts rows of the model, or passes through it: those of the fit, and those of an
    explanation.
    """
    data, model = world.rows(fit), CountedModel(world.models[method.model])
    fitted = None
    if method.removal is not None:
        fitted = method.removal.fit(as_model(model), data, world.rng(method.name, fit, "fit"))
    if isinstance(method.runs, Estimator):
        if fitted is None:
            raise ValueError(f"{method.name} estimates the values of a game: it needs a removal.")
        return _by_estimator(world, method, fit, runs, fitted, model)
    return _by_explainer(world, method, fit, runs, fitted, data)


def _by_estimator(world, method, fit, runs, fitted: FittedRemoval, model: CountedModel) -> tuple:
    fit_rows = fitted.fit_rows
    played = FittedRemoval(fitted.removal, as_model(model), fitted.names, fitted.arrays, fit_rows)
    games = [
        played.game(x, world.rng(method.name, fit, "game", k))
        for k, x in enumerate(world.explicands)
    ]
    tables = [TabularGame(game(all_coalitions(FEATURES))) for game in games]
    budget = max(BUDGET, method.runs.minimum_budget(FEATURES))

    def estimates(asked: Sequence[Game], run: int) -> np.ndarray:
        return np.stack(
            [
                method.runs.estimate(
                    game, budget, world.rng(method.name, fit, "run", run, k)
                ).values
                for k, game in enumerate(asked)
            ]
        )

    fresh = isinstance(method.runs, FRESH)
    before = model.rows
    first = estimates(games, 0) if fresh or fit == 0 else estimates(tables, 0)
    spent = (model.rows - before) / len(games) + getattr(games[0], "prepared_rows", 0)
    repeated = [first, *(estimates(games if fresh else tables, run) for run in range(1, runs))]
    exact = np.stack([shapley_from_table(table.values) for table in tables])
    return exact, np.stack(repeated), (fit_rows, spent)


def _by_explainer(world, method, fit, runs, fitted: FittedRemoval | None, data: Dataset) -> tuple:
    model = world.models[method.model]
    rows = reference(model)[None] if method.target == "baseline" else data.rows("train")[0]
    given: Model | WithRemoval = model
    if isinstance(method.runs, FrozenFastShap) and fitted is not None:
        given = WithRemoval(fitted)
    made = [
        method.runs.fit(given, rows, world.rng(method.name, fit, "run", run)) for run in range(runs)
    ]
    explanations = [fitted_run.explain(world.explicands) for fitted_run in made]
    each = made[0].explain(world.explicands[0]).rows
    fit_rows = made[0].fit_rows
    if method.settled is not None:
        exact = method.settled.fit(model, rows).explain(world.explicands).values
    elif fitted is None:
        exact = world.truth(method)
    else:
        rng = world.rng(method.name, fit, "game")
        exact = shapley([fitted.game(x, rng) for x in world.explicands])
    return exact, np.stack([run.values for run in explanations]), (fit_rows, each)


@sampled
def gather_methods(
    context: Context, chosen: Mapping[str, MeasuredMethod] | None = None, fits: int | None = None
) -> Evidence:
    """Return exact values (fits, m, d) of each method's own games, and estimates of them.

    Estimates have the shape (fits, runs, m, d). Beside them are the population's values (m, d),
    the rows of data that a fit takes, and the rows of the model, or passes, of a fit and of an
    explanation.
    """
    world, printed = small_world(context), {row.name: row for row in PRINTED}
    count = fits or int(np.clip(context.settings.interaction_games // 6, FEWEST, MOST))
    measured = {}
    for name, method in (chosen or methods()).items():
        own = [of_fit(world, method, fit) for fit in range(count)]
        fit_rows, rows = own[0][2]
        measured[name] = {
            "model": method.model,
            "target": method.target,
            "printed": (printed[name].unbiased, printed[name].settled),
            "truth": world.truth(method).round(DIGITS),
            "exact": np.stack([exact for exact, _, _ in own]).round(DIGITS),
            "estimates": np.stack([estimates for _, estimates, _ in own]).round(DIGITS),
            "data_rows": 0 if method.target == "baseline" else ROWS,
            "fit_rows": int(fit_rows),
            "rows": float(rows),
        }
    return {"methods": measured, "features": FEATURES, "budget": BUDGET}
