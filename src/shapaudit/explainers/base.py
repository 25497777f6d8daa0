"""The contract of an explainer: it is fitted to a model once, and explains many rows."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import Field, dataclass
from typing import Any, ClassVar

import numpy as np

from ..estimators.arguments import as_generator
from ..parameters import check_fields
from .background import Background, ExplainerError, as_background, checked_table

__all__ = [
    "Attributions",
    "Background",
    "ExplainerCard",
    "ExplainerError",
    "ExplainerMethod",
    "FittedExplainer",
]

MODELS = ("linear", "trees", "network", "shallow-shapnet", "deep-shapnet", "any")
TARGETS = ("baseline", "marginal", "conditional")
Names = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class ExplainerCard:
    """What an explainer is and promises; the contract tests hold it to that.

    Attributes
    ----------
    models : kind of model that it reads, one of `MODELS`; "any" has a method predict
    target : the game whose Shapley values it is after, one of `TARGETS`: absent features are taken
        from one baseline, from the rows of a background, or from their law given the present ones
    definition : one sentence
    cost : order of the arithmetic of one explanation, LaTeX
    source : paper, section, equation
    exact_for : models and laws for which the values are the Shapley values of the target, up to
        rounding (or, of a stochastic explainer, in expectation)
    bias : what is known of the bias outside of these; empty where there is none
    deterministic : it draws nothing from its generator
    efficient : the values sum to v(grand) - v(empty) of its target
    """

    models: str
    target: str
    definition: str
    cost: str
    source: str
    exact_for: str
    bias: str = ""
    deterministic: bool = True
    efficient: bool = True

    @property
    def exact(self) -> bool:
        """Whether there is no bias, for any model of the kind."""
        return not self.bias

    def __post_init__(self) -> None:
        """Raise ValueError for an unknown kind of model or target."""
        for name, known in (("models", MODELS), ("target", TARGETS)):
            if getattr(self, name) not in known:
                raise ValueError(f"{name} {getattr(self, name)!r} is none of {', '.join(known)}.")


@dataclass(frozen=True, eq=False)
class Attributions:
    """Attributions of the model's output at some rows.

    Attributes
    ----------
    values : (m, d), or (d,) of one row, in units of the model's output
    base_value : what an empty coalition is worth; with it the values of an efficient explainer sum
        to the output
    rows : rows of the model evaluated, or passes through it, for this explanation; 0 where its
        parameters are read instead
    """

    values: np.ndarray
    base_value: float
    rows: int


class FittedExplainer(ABC):
    """An explainer that has read a model.

    Attributes
    ----------
    explainer : what was fitted
    background : rows that stand for absent features
    fit_rows : rows of the model spent on the fit
    """

    explainer: "ExplainerMethod"
    background: Background
    fit_rows: int = 0

    def explain(self, explicands: np.ndarray, baselines: np.ndarray | None = None) -> Attributions:
        """Attributions of rows (m, d), or of one row (d,), in the order of the features.

        ``baselines`` (k, d) or (d,) take the place of the background for this call. Raises
        `ExplainerError` for rows of another number of features, entries that are not finite (trees
        take missing ones, NaN), and baselines of an explainer whose target has none.
        """
        name, d = self.explainer.id, self.background.n_features
        missing = self.explainer.takes_missing
        rows = checked_table(f"{name}: explicands", explicands, d, missing)
        if baselines is None:
            references = self.background.rows
        else:
            references = self._given(baselines)
        values, base_value, spent = self._explained(rows, references)
        return Attributions(values[0] if np.ndim(explicands) == 1 else values, base_value, spent)

    def _given(self, baselines: np.ndarray) -> np.ndarray:
        explainer = self.explainer
        if explainer.card.target == "conditional":
            raise ExplainerError(
                f"{explainer.id} explains conditional values, which have no baselines; fit it to "
                "other rows instead."
            )
        rows = checked_table(
            f"{explainer.id}: baselines", baselines, self.background.n_features,
            explainer.takes_missing,
        )  # fmt: skip
        explainer.check_baselines(rows)
        return rows

    @abstractmethod
    def output(self, rows: np.ndarray) -> np.ndarray:
        """What is explained (m,) at rows (m, d): for a classifier its log-odds, for instance."""

    @abstractmethod
    def _explained(
        self, explicands: np.ndarray, baselines: np.ndarray
    ) -> tuple[np.ndarray, float, int]:
        """Values (m, d) of the rows (m, d), the base value, and rows of the model spent."""


class ExplainerMethod(ABC):
    """A method that reads a kind of model; its dataclass fields are its parameters.

    Attributes
    ----------
    id : its name in a configuration
    names : names in the literature, each with the parameters that bear it
    card : what it is and promises
    takes_missing : whether rows may have missing entries, NaN
    """

    id: ClassVar[str]
    names: ClassVar[Names] = {}
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    takes_missing: ClassVar[bool] = False

    @property
    @abstractmethod
    def card(self) -> ExplainerCard:
        """What the explainer is and promises; a class variable of a subclass may take its place."""

    def __post_init__(self) -> None:
        """Raise ValueError for a parameter outside its declared choices, or of another type."""
        check_fields(self.id, self)

    def fit(self, model: Any, data: Any, rng: np.random.Generator | int = 0) -> FittedExplainer:
        """Read a model, with the rows that stand for absent features.

        Parameters
        ----------
        model : of the kind that the card names, see docs/explainers.md
        data : rows (n, d), one row (d,), a pandas data frame, or a `Dataset`, whose training rows
            are taken. Explainers with one baseline want one row
        rng : generator or seed; deterministic explainers draw nothing from it

        Raises `ExplainerError`, or `ModelError`, for a model of another kind, rows that do not fit
        it, entries that are not finite, and what the explainer itself cannot deal with.
        """
        background = as_background(self.id, data, self.takes_missing)
        if self.card.target != "conditional":
            self.check_baselines(background.rows)
        return self._fitted(model, background, as_generator(self.id, rng))

    def check_baselines(self, rows: np.ndarray) -> None:
        """Raise `ExplainerError` for more than one baseline (k, d) where the target has one."""
        if self.card.target == "baseline" and len(rows) != 1:
            raise ExplainerError(
                f"{self.id} explains against one baseline, not {len(rows)} rows; give one row, for "
                "instance their mean, rows.mean(axis=0)."
            )

    def check_features(self, background: Background, n_features: int) -> None:
        """Raise `ExplainerError` where the model has another number of features."""
        if background.n_features != n_features:
            raise ExplainerError(
                f"{self.id}: the model has {n_features} features, the rows have "
                f"{background.n_features}."
            )

    @abstractmethod
    def _fitted(
        self, model: Any, background: Background, rng: np.random.Generator
    ) -> FittedExplainer:
        """The explainer fitted to a model over checked rows."""
