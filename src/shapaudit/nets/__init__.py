"""Dense networks and what trains them: gradients, Adam, batches, an early stop."""

from .activations import ACTIVATIONS, Activation
from .adam import Adam
from .losses import LOSSES, Supervised, softmax
from .network import Network
from .training import Objective, Trainable, fit

__all__ = [
    "ACTIVATIONS",
    "LOSSES",
    "Activation",
    "Adam",
    "Network",
    "Objective",
    "Supervised",
    "Trainable",
    "fit",
    "softmax",
]
