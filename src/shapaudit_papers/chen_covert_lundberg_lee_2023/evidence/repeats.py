"""Evidence on the column Variance-free of Table 1: runs that draw, and runs that do not."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product

import numpy as np

from shapaudit.estimators import (
    ApproSemivalue,
    Estimator,
    KernelSHAP,
    MultilinearSampling,
    OptimisedMonteCarlo,
    PlainMonteCarlo,
)
from shapaudit.estimators.sgd import default_rule
from shapaudit.explainers.base import ExplainerMethod
from shapaudit.explainers.dasp import Dasp
from shapaudit.explainers.deep_shap import DeepShap
from shapaudit.explainers.deep_shapnet import DeepShapNet
from shapaudit.explainers.deeplift import DeepLift
from shapaudit.explainers.fast_shap import FastShap
from shapaudit.explainers.linear import Linear
from shapaudit.explainers.multipliers import rescale
from shapaudit.explainers.path_dependent_tree import PathDependentTree
from shapaudit.explainers.shallow_shapnet import ShallowShapNet
from shapaudit.explainers.tree import InterventionalTree
from shapaudit.games import TabularGame
from shapaudit.models import LinearModel
from shapaudit.nets import Network
from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_papers.theory.removal import linear_shap
from shapaudit_papers.theory.trees import (
    Split,
    as_ensemble,
    interventional_values,
    path_dependent_game,
)

from .costs import random_shapnet
from .networks import unit
from .trees import random_rows, random_tree

FEATURES, SEEDS, DRAWN = 4, 3, 2  # DRAWN baselines of a random sample
PLAYERS, BUDGET = 8, 150  # of the game that estimators play, below its 256 coalitions
EXPLAINERS: dict[str, ExplainerMethod] = {
    "LinearSHAP": Linear(),
    "Interventional TreeSHAP": InterventionalTree(),
    "Path-dependent TreeSHAP": PathDependentTree(weights="rows"),
    "DeepLIFT": DeepLift(),
    "DeepSHAP": DeepShap(),
    "DASP, all sizes": Dasp(),
    "DASP, two sizes": Dasp(sizes=2),
    "DASP, one size": Dasp(sizes=1),
    "Shallow ShapNet": ShallowShapNet(),
    "Deep ShapNet": DeepShapNet(),
}
# Methods of Table 1 that draw, by the row, with the estimator that is run here. Removals with noise
# of their own only add to it.
ESTIMATORS: dict[str, Estimator] = {
    "ApproSemivalue": ApproSemivalue(),
    "ApproShapley": OptimisedMonteCarlo(),
    "IME, CES, cohort refinement, generative and surrogate models": PlainMonteCarlo(),
    "Multilinear extension sampling": MultilinearSampling(),
    "SGD-Shapley": default_rule(),
    "KernelSHAP, parametric and nonparametric": KernelSHAP(),
}
FASTSHAP = FastShap(removal="baseline", evaluations=16, epochs=2, hidden=(8,))


def random_models(rng: np.random.Generator) -> dict[str, object]:
    """A random model of each kind."""
    rows = random_rows(rng, FEATURES)
    return {
        "linear": LinearModel(rng.normal(size=FEATURES)),
        "trees": as_ensemble(random_tree(rng, rows), FEATURES),
        "network": Network.start([FEATURES, 5, 4, 1], "relu", rng),
        "shallow-shapnet": random_shapnet(rng, FEATURES, deep=False),
        "deep-shapnet": random_shapnet(rng, FEATURES, deep=True),
    }


def gather_repeats(
    context: Context,
    explainers: Mapping[str, ExplainerMethod] = EXPLAINERS,
    estimators: Mapping[str, Estimator] = ESTIMATORS,
) -> Evidence:
    """Return the number of different answers of several generators, by method, over models.

    ``drawn`` has those of the methods that draw: estimators on one random game, and FastSHAP
    trained on the same rows.
    """
    values = context.generator("ccll23-86").normal(size=1 << PLAYERS)
    drawn = [
        {"method": name, "runs": SEEDS, "answers": _answers(_estimates(estimator, values))}
        for name, estimator in estimators.items()
    ]
    drawn.append({"method": "FastSHAP", "runs": SEEDS, "answers": _answers(_trained(context))})
    return {"rows": explainer_rows(context, explainers), "drawn": drawn}


def _answers(runs: Iterable[np.ndarray]) -> int:
    return len({values.tobytes() for values in runs})


def _estimates(estimator: Estimator, values: np.ndarray) -> Iterator[np.ndarray]:
    budget = max(BUDGET, estimator.minimum_budget(PLAYERS))
    for seed in range(SEEDS):
        yield estimator.estimate(TabularGame(values), budget, np.random.default_rng(seed)).values


def _trained(context: Context) -> Iterator[np.ndarray]:
    rng = context.generator("ccll23-86", "rows")
    rows, model = rng.normal(size=(20, FEATURES)), LinearModel(rng.normal(size=FEATURES))
    for seed in range(SEEDS):
        yield FASTSHAP.fit(model, rows, seed).explain(rows[0]).values


def explainer_rows(context: Context, explainers: Mapping[str, ExplainerMethod]) -> list[Evidence]:
    """Return the most different answers of several generators, by explainer, over models."""
    rows = []
    for name, explainer in explainers.items():
        most = 0
        for k in range(context.settings.random_games):
            rng = context.generator("ccll23-table-1", k)
            model = random_models(rng)[explainer.card.models]
            baselines, explicand = rng.normal(size=(3, FEATURES)), rng.normal(size=FEATURES)
            if explainer.card.target == "baseline":
                baselines = np.zeros((1, FEATURES))
            runs = (
                explainer.fit(model, baselines, seed).explain(explicand) for seed in range(SEEDS)
            )
            most = max(most, _answers(run.values for run in runs))
        row = {"method": name, "models": context.settings.random_games, "runs": SEEDS}
        rows.append(row | {"answers": most})
    return rows


Population = list[tuple[Fraction, ...]]
Values = Callable[[Population], np.ndarray]  # of some baselines


def spread(values: Values, population: Population) -> Fraction:
    """Return the variance of values, summed over features, over all samples of `DRAWN` baselines.

    Baselines are drawn with replacement.
    """
    drawn = [values(list(rows)) for rows in product(population, repeat=DRAWN)]
    mean = sum(drawn) / Fraction(len(drawn))
    return sum((((part - mean) ** 2).sum() for part in drawn), Fraction(0)) / len(drawn)


EXPLICAND = (Fraction(2), Fraction(1))
POPULATION = [tuple(map(Fraction, row)) for row in ((0, 0), (3, 1), (-1, 2))]
SLOPES = [Fraction(0), Fraction(2), Fraction(-3)]  # the intercept first


def of_rows() -> Iterator[tuple[str, Values]]:
    """Yield methods by name, as functions from baselines to values at an explicand.

    Their models have two features.
    """
    tree = Split(0, Fraction(0), Fraction(-1), Split(1, Fraction(1), Fraction(2), Fraction(5)))

    x = EXPLICAND

    def linear_values(rows):
        mean = [sum(column) / Fraction(len(rows)) for column in zip(*rows, strict=True)]
        return linear_shap(SLOPES, x, mean)

    def tree_values(rows):
        return sum(interventional_values(tree, x, row) for row in rows) / Fraction(len(rows))

    def network_values(rows):
        given = np.array([rationals(row) for row in rows])
        return rescale(unit(), rationals(x)[None], given)[0][0].sum(axis=0) / Fraction(len(rows))

    def path_values(rows):
        stump = Split(0, Fraction(0), Fraction(-1), Fraction(1))
        return shapley_values(path_dependent_game(stump, x, rows))

    yield "LinearSHAP", linear_values
    yield "Interventional TreeSHAP", tree_values
    yield "Path-dependent TreeSHAP", path_values
    yield "DeepSHAP", network_values
