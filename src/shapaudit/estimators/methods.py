"""Methods of Chen, Covert, Lundberg & Lee 2023, Table 1, that are a removal and an estimator.

``method("CES").explain(model, dataset, explicand, 2000, 0).values`` are its Shapley values. The
methods of Table 1 that read a model are explainers, see `shapaudit.explainers`.
"""

from dataclasses import dataclass

import numpy as np

from ..datasets import Dataset
from ..discovery import compared
from ..models import Model
from ..parameters import hint
from ..removals.autoencoder import Autoencoder
from ..removals.base import Removal
from ..removals.baseline import Baseline
from ..removals.gaussian import Gaussian
from ..removals.kernel import Kernel
from ..removals.marginal import Marginal
from ..removals.matching import Cohort, ExactMatch
from ..removals.surrogate import Surrogate
from . import UnknownEstimator
from .arguments import as_generator
from .base import Estimate, Estimator
from .kernel import KernelSHAP
from .monte_carlo import OptimisedMonteCarlo
from .multilinear import MultilinearSampling
from .realised import RealisedMonteCarlo, RealisedWalks
from .sgd import default_rule
from .structured import CShapley, LShapley


@dataclass(frozen=True)
class Method:
    """How absent features are removed, and how Shapley values are estimated.

    Another parameter is another method: ``dataclasses.replace(method("CES"),
    removal=ExactMatch(own_row=True))``.

    Attributes
    ----------
    name : in Table 1, or that of a method of game theory after the removal it is given here
    removal : what stands for absent features
    estimator : of the Shapley values of the game that the removal makes
    """

    name: str
    removal: Removal
    estimator: Estimator

    def explain(
        self,
        model: Model,
        dataset: Dataset,
        explicand: np.ndarray,
        budget: int,
        rng: np.random.Generator | int,
    ) -> Estimate:
        """Shapley values of one explicand (d,) within ``budget`` evaluations, removal fitted first.

        Parameters
        ----------
        model : with ``predict`` of rows (m, d)
        dataset : whose training rows the removal is fitted to
        budget : evaluations of coalitions; each may take several rows of the model
        rng : generator or seed

        Raises `RemovalError` for data that the removal cannot use, and `BudgetTooSmall`.
        """
        rng = as_generator(self.name, rng)
        game = self.removal.fit(model, dataset, rng).game(explicand, rng)
        return self.estimator.estimate(game, budget, rng)


METHODS = (
    Method("L-Shapley", Marginal(), LShapley()),
    Method("C-Shapley", Marginal(), CShapley()),
    Method("IME", Marginal(), RealisedMonteCarlo()),
    Method("CES", ExactMatch(), RealisedWalks()),
    Method("Shapley cohort refinement", Cohort(), OptimisedMonteCarlo()),
    Method("Generative model", Autoencoder(), OptimisedMonteCarlo()),
    Method("Surrogate model", Surrogate(), OptimisedMonteCarlo()),
    Method("Multilinear extension sampling", Marginal(), MultilinearSampling()),
    Method("SGD-Shapley", Baseline(), default_rule()),
    Method("KernelSHAP", Marginal(), KernelSHAP()),
    Method("Parametric KernelSHAP", Gaussian(), KernelSHAP()),
    Method("Nonparametric KernelSHAP", Kernel(), KernelSHAP()),
    Method("Marginal ApproShapley", Marginal(), OptimisedMonteCarlo()),
    Method("Conditional ApproShapley", Gaussian(), OptimisedMonteCarlo()),
)


def method(name: str) -> Method:
    """The method of a name, compared without case; spaces, underscores and hyphens are the same.

    Raises `UnknownEstimator` naming what is close and the methods there are.
    """
    known = {compared(method.name): method for method in METHODS}
    if compared(name) not in known:
        raise UnknownEstimator(
            f"unknown method {name!r}{hint(compared(name), known)}; known: "
            f"{', '.join(method.name for method in METHODS)}."
        )
    return known[compared(name)]
