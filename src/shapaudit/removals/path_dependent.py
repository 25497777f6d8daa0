"""Removal inside trees: splits on absent features are followed both ways, by weight."""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numba import njit

from ..games import Game
from ..models import CountedModel, ensemble_of
from ..models.nodes import LEAF, Nodes
from ..models.tree_kernels import goes_left
from ..models.trees import TreeEnsemble
from .base import FittedRemoval, Removal, RemovalCard, RemovalError, TrainingData


@dataclass(frozen=True)
class PathDependent(Removal):
    """v(S) follows x at splits on S, and both children of other splits, by their weights.

    Lundberg, Erion & Lee 2018; Chen et al. 2023, Section 5.2.3. The trees are read, so that a value
    takes no row of the model. Children of which neither has any weight count for a half each.

    All columns are numbers; a table with categories is refused.

    Parameters
    ----------
    weights : "file", those of the model's file: sums of second derivatives of its loss, which are
        counts of rows for squared errors only; or "rows", numbers of training rows
    """

    id: ClassVar = "path-dependent"
    card: ClassVar = RemovalCard(
        definition="Splits on absent features are followed to both sides, by their weights.",
        source="Lundberg, Erion & Lee 2018; Chen et al. 2023, Section 5.2.3",
        target="conditional",
        noise="none",
        uses="expectation",
        exact_for="trees of depth one",
    )

    weights: Literal["rows", "file"] = "rows"

    def learn(
        self, model: CountedModel, background: TrainingData, rng: np.random.Generator
    ) -> dict[str, np.ndarray]:
        """The trees and their weights; raises `RemovalError` for a model that has none."""
        ensemble = ensemble_of(model)
        if ensemble is None:
            raise RemovalError(
                f"{self.id}: the model is no ensemble of trees; take a removal for any model, as "
                "kernel or surrogate."
            )
        if self.weights == "rows":
            ensemble = ensemble.reweighted(background.rows)
        elif ensemble.weight is None:
            raise RemovalError(
                f"{self.id}: the model's file tells no weights of its nodes; set weights 'rows' to "
                "count the training rows."
            )
        weight = np.asarray(ensemble.weight)
        arrays = ensemble.nodes.stored() | {"roots": ensemble.roots, "weight": weight}
        return arrays | {"base": np.array([ensemble.base_score])}

    def play(
        self, fitted: FittedRemoval, explicand: np.ndarray, rng: np.random.Generator
    ) -> "PathDependentGame":
        """The game on the trees, without noise."""
        arrays = fitted.arrays
        nodes = Nodes.made(arrays)
        base = float(arrays["base"][0])
        ensemble = TreeEnsemble(nodes, arrays["roots"], base, fitted.n_features, arrays["weight"])
        return PathDependentGame(ensemble, explicand, self.id)


class PathDependentGame:
    """v(S) = the expected leaf where splits on absent features go to either side by weight.

    ``ensemble`` has weights; ``explicand`` is (d,).
    """

    prepared_rows = 0

    def __init__(self, ensemble: TreeEnsemble, explicand: np.ndarray, name: str):
        self.ensemble, self.explicand, self.name = ensemble, explicand, name
        self.n_players = explicand.size

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool."""
        e = self.ensemble
        row = self.explicand.astype(np.float32)
        return _expected(e.nodes, e.weight, e.roots, e.base_score, row, coalitions, e.depth)

    def rows(self, coalitions: np.ndarray) -> np.ndarray:
        """Rows of the model (m,): none."""
        return np.zeros(len(coalitions), dtype=np.int64)

    def realisation(self, rng: np.random.Generator) -> Game:
        """The game itself: it has no noise."""
        return self


@njit(cache=True, nogil=True)
def _expected(
    nodes: Nodes,
    weight: np.ndarray,
    roots: np.ndarray,
    base: float,
    explicand: np.ndarray,
    coalitions: np.ndarray,
    depth: int,
) -> np.ndarray:
    values = np.full(coalitions.shape[0], base)
    waiting = np.empty(depth + 2, dtype=np.int64)
    shares = np.empty(depth + 2)
    for k in range(coalitions.shape[0]):
        for root in roots:
            waiting[0], shares[0] = root, 1.0
            top = 1
            while top:
                top -= 1
                node, share = waiting[top], shares[top]
                j = nodes.feature[node]
                if j == LEAF:
                    values[k] += share * nodes.value[node]
                    continue
                left = 1.0 if goes_left(nodes, node, explicand[j]) else 0.0
                if not coalitions[k, j]:
                    mass = weight[nodes.left[node]] + weight[nodes.right[node]]
                    left = weight[nodes.left[node]] / mass if mass > 0.0 else 0.5
                if left < 1.0:
                    waiting[top], shares[top] = nodes.right[node], share * (1.0 - left)
                    top += 1
                if left > 0.0:
                    waiting[top], shares[top] = nodes.left[node], share * left
                    top += 1
    return values
