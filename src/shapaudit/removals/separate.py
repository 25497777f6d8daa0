"""Removal by separate models: one is trained on each set of features."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from ..games import all_coalitions, coalition_index
from ..models import CountedModel
from ..models.nodes import BY_NODE, LEAF, Nodes
from ..models.trees import TreeEnsemble
from ..models.xgboost import train_xgboost
from ..progress import progress
from .base import FittedRemoval, Removal, RemovalCard, RemovalError, TrainingData
from .gaussian import moments
from .own_training import AuxiliaryGame, dataset_of, target_of

MOST_FEATURES = {"least-squares": 16, "xgboost": 12}


@dataclass(frozen=True)
class Separate(Removal):
    """v(S) = what a model trained on the features S alone predicts of x_S; v(empty) = mean target.

    Strumbelj & Kononenko 2009; Chen et al. 2023, Section 5.1.3. The model to explain is not
    asked: 2^d models are trained on the target, up to 16 features by least squares and 12 by trees.

    All columns are numbers; a table with categories is refused.

    Parameters
    ----------
    trainer : "least-squares", linear with an intercept; or "xgboost"
    n_estimators, max_depth, learning_rate : of the trees
    """

    id: ClassVar = "separate"
    card: ClassVar = RemovalCard(
        definition="The prediction of a model that is trained on the features of S alone.",
        source="Strumbelj & Kononenko 2009; Chen et al. 2023, Section 5.1.3",
        target="conditional",
        noise="none",
        uses="training",
        exact_for="models that are optimal for each S, of a target whose expectation f is",
    )

    trainer: Literal["least-squares", "xgboost"] = "least-squares"
    n_estimators: int = 50
    max_depth: int = 4
    learning_rate: float = 0.3

    def learn(
        self, model: CountedModel, background: TrainingData, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        """Coefficients (2^d, d + 1), or the trees of all models."""
        d = len(background.names)
        if d > MOST_FEATURES[self.trainer]:
            raise RemovalError(
                f"{self.id}: {d} features need 2^{d} models; at most "
                f"{MOST_FEATURES[self.trainer]} by {self.trainer}. Take fewer features, or the "
                "removal surrogate, which is one model for all."
            )
        target = target_of(self, background)
        if self.trainer == "least-squares":
            moments(self.id, background)  # refuses columns that others determine
            return {"coefficients": _regressions(background.rows, target)}
        return self._trees(background, target, int(rng.integers(2**31)))

    def _trees(
        self, background: TrainingData, target: np.ndarray, seed: int
    ) -> dict[str, np.ndarray]:
        fitted = []
        coalitions = all_coalitions(len(background.names))[1:]
        for coalition in progress(coalitions, f"{self.id}, xgboost", "models"):
            names = tuple(np.array(background.names)[coalition])
            part = replace(background, rows=background.rows[:, coalition], names=names)
            model = train_xgboost(
                dataset_of(part),
                seed,
                n_estimators=self.n_estimators,
                max_depth=self.max_depth,
                learning_rate=self.learning_rate,
            )
            fitted.append(_on_all_features(model.ensemble, np.flatnonzero(coalition)))
        return _joined(fitted) | {"empty": np.array([target.mean()])}

    def play(
        self, fitted: FittedRemoval, explicand: np.ndarray, rng: np.random.Generator
    ) -> AuxiliaryGame:
        """The predictions, without noise."""
        if "coefficients" in fitted.arrays:
            table = fitted.arrays["coefficients"] @ np.append(1.0, explicand)
        else:
            table = _predictions(fitted.arrays, explicand)
        return AuxiliaryGame(fitted, lambda coalitions: table[coalition_index(coalitions)])


def _regressions(rows: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Intercept and coefficients (2^d, d + 1) of least squares on each set of features."""
    d = rows.shape[1]
    centred, mean = rows - rows.mean(axis=0), rows.mean(axis=0)
    gram, product = centred.T @ centred, centred.T @ (target - target.mean())
    table = np.zeros((1 << d, d + 1))
    for row, coalition in zip(table, all_coalitions(d), strict=True):
        members = np.flatnonzero(coalition)
        row[1 + members] = np.linalg.solve(gram[np.ix_(members, members)], product[members])
        row[0] = target.mean() - row[1:] @ mean
    return table


def _on_all_features(ensemble: TreeEnsemble, members: np.ndarray) -> TreeEnsemble:
    """An ensemble on some features as one on all, which looks at those only."""
    feature = ensemble.nodes.feature
    renamed = np.where(feature == LEAF, LEAF, members[feature])
    return replace(
        ensemble, nodes=ensemble.nodes._replace(feature=renamed), n_features=int(members[-1]) + 1
    )


def _joined(ensembles: list[TreeEnsemble]) -> dict[str, np.ndarray]:
    """All trees as arrays, with the places at which those of each ensemble begin."""
    each = [ensemble.nodes.by_node() for ensemble in ensembles]
    sizes = [e.nodes.feature.size for e in ensembles]
    return {
        **{name: np.concatenate([nodes[name] for nodes in each]) for name in BY_NODE},
        "roots": np.concatenate([e.roots for e in ensembles]),
        "first_node": np.concatenate([[0], np.cumsum(sizes)]),
        "first_tree": np.concatenate([[0], np.cumsum([e.roots.size for e in ensembles])]),
        "base": np.array([e.base_score for e in ensembles]),
    }


def _predictions(arrays: Mapping[str, np.ndarray], explicand: np.ndarray) -> np.ndarray:
    """What each of the models predicts (2^d,), the mean target first."""
    table = np.empty(len(arrays["base"]) + 1)
    table[0] = arrays["empty"][0]
    for k, base in enumerate(arrays["base"]):
        there = slice(*arrays["first_node"][k : k + 2])
        nodes = Nodes(*(arrays[name][there] for name in BY_NODE))
        roots = arrays["roots"][slice(*arrays["first_tree"][k : k + 2])]
        ensemble = TreeEnsemble(nodes, roots, base, explicand.size)
        table[k + 1] = ensemble.predict(explicand[None])[0]
    return table
