"""Evidence on the column Variance-free of Table 1: runs alike, and baselines drawn at random."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product

import numpy as np

from shapaudit.explainers.base import ExplainerMethod
from shapaudit.explainers.dasp import Dasp
from shapaudit.explainers.deep_shap import DeepShap
from shapaudit.explainers.deep_shapnet import DeepShapNet
from shapaudit.explainers.deeplift import DeepLift
from shapaudit.explainers.linear import Linear
from shapaudit.explainers.multipliers import rescale
from shapaudit.explainers.path_dependent_tree import PathDependentTree
from shapaudit.explainers.shallow_shapnet import ShallowShapNet
from shapaudit.explainers.tree import InterventionalTree
from shapaudit.models import LinearModel
from shapaudit.nets import Network
from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
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
    context: Context, explainers: Mapping[str, ExplainerMethod] = EXPLAINERS
) -> Evidence:
    """Return the number of different answers of several generators, by method, over models."""
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
            most = max(most, len({run.values.tobytes() for run in runs}))
        row = {"method": name, "models": context.settings.random_games, "runs": SEEDS}
        rows.append(row | {"answers": most})
    return {"rows": rows}


Population = list[tuple[Fraction, ...]]
Values = Callable[[Population], np.ndarray]  # of some baselines


def on_samples(values: Values, population: Population) -> tuple[list, list]:
    """Return the variances (d,) of values over all samples of `DRAWN` baselines and of one.

    Baselines are drawn with replacement.
    """
    variances = []
    for size in (DRAWN, 1):
        drawn = [values(list(rows)) for rows in product(population, repeat=size)]
        mean = sum(drawn) / Fraction(len(drawn))
        variances.append(
            sum((sample_values - mean) ** 2 for sample_values in drawn) / Fraction(len(drawn))
        )
    return variances[0], variances[1]


EXPLICAND = (Fraction(2), Fraction(1))
POPULATION = [tuple(map(Fraction, row)) for row in ((0, 0), (3, 1), (-1, 2))]
SLOPES = [Fraction(0), Fraction(2), Fraction(-3)]  # the intercept first


def methods() -> Iterator[tuple[str, Values]]:
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


def gather_baselines(context: Context, named: Callable = methods) -> Evidence:
    """Return variances of values over all samples, and that of one baseline over their number."""
    cases, rows = [], []
    for method, values in named():
        several, single = on_samples(values, POPULATION)
        for j, (a, b) in enumerate(zip(several, single, strict=True)):
            cases.append(Case(f"{method}, feature {j + 1}", a, b / DRAWN))
        rows.append({"method": method, "variance": sum(several, Fraction(0))})
    return {"cases": cases, "rows": rows, "drawn": DRAWN}
