"""Recommendations for situations in which estimators need not be compared."""

from dataclasses import dataclass

from ..study.blocks.games import ModelBlock
from ..study.blocks.studies import ExplainedModelBlock

# Situations of an `Advice`: kinds of models, and a budget that all coalitions fit into.
TREE, LINEAR, NETWORK, OTHER = "tree", "linear", "network", "other"
COALITIONS = "coalitions"
KINDS = {
    TREE: "boosted trees or a forest",
    LINEAR: "linear model",
    NETWORK: "neural network",
    OTHER: "another model, or unknown",
}
_OF_TRAINERS = {
    "xgboost": TREE,
    "xgboost-file": TREE,
    "least-squares": LINEAR,
    "network": NETWORK,
    "perceptron": NETWORK,
    "shallow-shapnet": NETWORK,
    "deep-shapnet": NETWORK,
}


@dataclass(frozen=True)
class Advice:
    """The recommended method for a situation.

    Attributes
    ----------
    situation : a key of `KINDS`, or `COALITIONS`
    take : what to do, a clause without a full stop
    why : one or two sentences
    claims : ids of the claims that it rests on
    """

    situation: str
    take: str
    why: str
    claims: tuple[str, ...]

    def __post_init__(self):
        """Raise ValueError for a situation that is unknown."""
        if self.situation not in (*KINDS, COALITIONS):
            known = ", ".join((*KINDS, COALITIONS))
            raise ValueError(f"situation {self.situation!r} is none of {known}.")


def kind_of(model: ModelBlock | ExplainedModelBlock) -> str:
    """Kind of a model, given with its block of the configuration."""
    return _OF_TRAINERS.get(model.trainer, OTHER)
