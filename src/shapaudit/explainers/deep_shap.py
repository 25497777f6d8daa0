"""DeepSHAP: the mean of DeepLIFT over baselines."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from .base import ExplainerCard, Names
from .deeplift import BIAS, DeepLift


@dataclass(frozen=True)
class DeepShap(DeepLift):
    """DeepLIFT against each row of a background, averaged: marginal values, with its bias.

    `fit` takes the networks that `DeepLift` takes.

    Parameters
    ----------
    rule : "rescale" or "reveal-cancel", which tells positive from negative parts
    output : class whose logit is explained; may be left out for networks with one output

    Examples
    --------
    >>> network = MLPRegressor(hidden_layer_sizes=(32, 32)).fit(rows, target)  # rows (n, d)
    >>> fitted = create("deep-shap").fit(network, rows[:100])  # 100 baselines
    >>> values = fitted.explain(rows[:5]).values  # (5, d), in units of the output
    """

    rule: Literal["rescale", "reveal-cancel"] = "rescale"
    output: int | None = None

    id: ClassVar[str] = "deep-shap"
    names: ClassVar[Names] = {"DeepSHAP": {}, "DeepExplainer": {}}
    card: ClassVar[ExplainerCard] = ExplainerCard(
        models="network",
        target="marginal",
        definition="The mean of DeepLIFT over the rows of the background.",
        cost=r"O(\text{weights} \times \text{baselines})",
        source="Chen, Lundberg & Lee 2022; Chen et al. 2023, Section 5.2.3",
        exact_for="linear networks",
        bias=BIAS,
    )
