"""Exact conditional expectations E[f(X) | X_S = x_S], from a law and a model.

| Law | Model | How |
|---|---|---|
| discrete, chain | any | enumeration |
| normal, mixture | polynomial of degree 1 or 2, radial, one ReLU or probit layer | closed |
| copula, normal | additive | one integral per feature |
| normal in independent pairs | trees | probabilities of leaves |

`numerical` has each a second way, from `Law.given` of each coalition alone.
"""

from ...datasets.laws import ChainLaw, CopulaLaw, DiscreteLaw, GaussianLaw, Law, MixtureLaw
from ...models.base import Model
from .additive import additive_expectation
from .base import Expectation
from .boxes import box_expectation
from .normal import normal_expectation
from .table import TableExpectation, exact_values

__all__ = ["Expectation", "exact_values", "expectation_of"]


def expectation_of(law: Law, model: Model) -> Expectation | None:
    """The exact expectations of the model under the law, or None where no form is known."""
    if isinstance(law, DiscreteLaw | ChainLaw):
        return TableExpectation(law, model)
    closed_form: Expectation | None = None
    if isinstance(law, GaussianLaw | MixtureLaw):
        closed_form = normal_expectation(law, model)
    if closed_form is None and isinstance(law, GaussianLaw | CopulaLaw):
        closed_form = additive_expectation(law, model)
    if closed_form is None and isinstance(law, GaussianLaw):
        closed_form = box_expectation(law, model)
    return closed_form
