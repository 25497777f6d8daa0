"""The contract of an explainer: it is fitted to a model once, and explains many rows."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import Field, dataclass
from typing import Any, ClassVar

import numpy as np

from ..estimators.arguments import as_generator
from ..parameters import check_fields
from .background import Background, ExplainerError, checked_table
from .reading import (
    Numbers,
    Reading,
    aligned,
    as_background,
    as_table,
    is_table,
    names_in,
    numbers_in,
    plain_numbers,
)

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
    reading: ClassVar[Reading | None] = None  # set by `fit`; of a loaded explainer there is none

    def explain(self, explicands: Any, baselines: Any = None) -> Attributions:
        """Attributions of rows (m, d), or of one row (d,), in the order of the features.

        ``baselines`` (k, d) or (d,) take the place of the background for this call. The columns of
        a data frame are found by their names. Raises `ExplainerError` for rows of another number of
        features, columns that are missing, unknown or there twice, entries that are not finite
        (trees take missing ones, NaN), and baselines of an explainer whose target has none; and
        `ModelError` where what was read from the model gives other outputs than the model itself,
        which is not there after `load`.
        """
        rows = self._checked("explicands", explicands)
        if baselines is None:
            references = self.background.rows
        else:
            references = self._given(baselines)
        values, base_value, spent = self._explained(rows, references)
        return Attributions(values[0] if np.ndim(explicands) == 1 else values, base_value, spent)

    def _checked(self, what: str, given: Any) -> np.ndarray:
        """Rows (m, d) of an array or a table, at which the model gives what was read from it."""
        what, background = f"{self.explainer.id}: {what}", self.background
        given = as_table(given)
        if is_table(given) and (
            background.named or sorted(names_in(given)) == sorted(background.names)
        ):
            given = aligned(what, given, background.names)
        numbers = numbers_in(what, given, self.numbers)
        missing = self.explainer.takes_missing
        rows = checked_table(what, numbers, background.n_features, missing)
        if self.reading is not None and self.reading.check is not None:
            self.reading.check(given if hasattr(given, "iloc") else rows, rows)
        return rows

    def __getstate__(self) -> dict[str, Any]:
        """Without the model that was read, as after `save`."""
        return {key: part for key, part in self.__dict__.items() if key != "reading"}

    @property
    def numbers(self) -> Numbers:
        """Rows (m, d) of a table of the features."""
        return plain_numbers if self.reading is None else self.reading.numbers

    def _given(self, baselines: Any) -> np.ndarray:
        explainer = self.explainer
        if explainer.card.target == "conditional":
            raise ExplainerError(
                f"{explainer.id} explains conditional values, which have no baselines; fit it to "
                "other rows instead."
            )
        rows = self._checked("baselines", baselines)
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
            are taken. Explainers with one baseline want one row. Columns are found by their names
            where the model knows those of its features
        rng : generator or seed; deterministic explainers draw nothing from it

        Raises `ExplainerError`, or `ModelError`, for a model of another kind, rows that do not fit
        it, entries that are not finite, what the explainer itself cannot deal with, and a model
        that gives other outputs for the rows than what was read from it.
        """
        reading = self._read(model)
        background, given = as_background(self.id, data, self.takes_missing, reading)
        if self.card.target != "conditional":
            self.check_baselines(background.rows)
        fitted = self._fitted(reading.model, background, as_generator(self.id, rng))
        if reading.check is not None:
            reading.check(given, background.rows)
        object.__setattr__(fitted, "reading", reading)
        return fitted

    def _read(self, model: Any) -> Reading:
        """The model, with what tells its columns and checks its outputs."""
        return Reading.of(model)

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
