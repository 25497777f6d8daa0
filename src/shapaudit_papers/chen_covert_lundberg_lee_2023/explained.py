"""What the explanation studies of this paper found: errors, ratios at equal cost, rows to reach."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from shapaudit.statistics.comparisons import evaluations_to_reach
from shapaudit.statistics.limits import MINIMUM_UNITS
from shapaudit.statistics.simultaneous import Group, Ratio
from shapaudit.statistics.typical import typical_limits
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.study.blocks.studies import ExplanationStudyBlock
from shapaudit_audit.study.blocks.study import part_of
from shapaudit_audit.study.reading import load_attributions, load_explanations

from . import PAPER

REFERENCE = "paired-kernel-shap"
ROUNDING = 1e-9  # relative errors below this are those of an exact method
SHARED = "model", "method", "budget"


class StudiedMethod(NamedTuple):
    """A method on a model, with the evaluations that it may spend: 0 for an explainer."""

    model: str
    method: str
    budget: int


@dataclass(frozen=True, eq=False)
class Studied:
    """One explanation study.

    Attributes
    ----------
    name : in the configuration
    block : of the configuration
    labels : of explainers and estimators, by name
    frame : columns of the schema "explanations"
    kept : columns of the schema "attributions"
    """

    name: str
    block: ExplanationStudyBlock
    labels: Mapping[str, str]
    frame: pd.DataFrame
    kept: pd.DataFrame

    @property
    def units(self) -> int:
        """Number of data sets and models."""
        return self.block.units

    @cached_property
    def errors(self) -> pd.DataFrame:
        """Relative errors, a row per unit and a column per (model, method, budget)."""
        return self.frame.pivot(index="unit", columns=list(SHARED), values="error")

    @cached_property
    def rows(self) -> pd.Series:
        """Rows or passes that an explanation took, by (model, method, budget)."""
        return self.frame.groupby(list(SHARED))["rows"].mean()

    def shown(self, models: list[str] | None = None) -> list[StudiedMethod]:
        """Models and their methods in the order of the configuration."""
        chosen = list(self.block.models) if models is None else models
        distinct = self.frame[[*SHARED]].drop_duplicates()
        cells = [StudiedMethod(*row) for row in distinct.itertuples(index=False)]
        return [cell for model in chosen for cell in cells if cell.model == model]

    def budget_above(self, cell: StudiedMethod) -> int | None:
        """The least budget of the reference that is not below what an explainer takes."""
        spent = self.rows[cell]
        budgets = [
            budget
            for model, method, budget in self.errors.columns
            if model == cell[0] and method == REFERENCE and budget >= spent
        ]
        return min(budgets) if budgets and spent > 0 else None

    def reached(self, cell: StudiedMethod, estimator: str) -> tuple[float, str]:
        """Rows with which an estimator has a method's error on a typical unit, and a sign.

        The sign is "<" or ">" where that lies beyond the budgets of the study.
        """
        own = self.errors[cell[0]]
        curves = own[estimator] if estimator in own.columns.get_level_values(0) else None
        if curves is None or self.errors[cell].median() < ROUNDING:
            return np.nan, ""
        spent = np.array([self.rows[cell[0], estimator, budget] for budget in curves.columns])
        target = self.errors[cell].to_numpy()
        table = curves.to_numpy().clip(min=ROUNDING)
        needed = evaluations_to_reach(spent, table, target)
        typical = float(np.median(np.nan_to_num(needed, nan=np.inf)))
        if np.isinf(typical):
            return float(spent[-1]), ">"
        return typical, "<" if typical <= spent[0] else ""


@dataclass(frozen=True, eq=False)
class Explanations:
    """All explanation studies of the paper that were run, by name.

    Limits hold for all ratios together, and those of errors for all errors of a study together.
    """

    studies: Mapping[str, Studied]
    alpha: float

    @cached_property
    def typical(self) -> dict[tuple[str, StudiedMethod], Ratio]:
        """Errors on a typical unit with limits, by study and (model, method, budget)."""
        ratios: dict[tuple[str, StudiedMethod], Ratio] = {}
        for name, study in self.studies.items():
            cells = study.shown()
            units = {name: (study.errors[cells], np.eye(len(cells)))}
            ratios |= self._limits(units, {name: cells})
        return ratios

    @cached_property
    def ratios(self) -> dict[tuple[str, StudiedMethod], Ratio]:
        """Errors of explainers over those of the reference at no fewer rows, on a typical unit."""
        cells: dict[str, list[StudiedMethod]] = {}
        units = {}
        for name, study in self.studies.items():
            budgets = {cell: study.budget_above(cell) for cell in study.shown() if cell.budget == 0}
            cells[name] = [cell for cell, budget in budgets.items() if budget is not None]
            if cells[name]:
                others = [(cell[0], REFERENCE, budgets[cell]) for cell in cells[name]]
                count = len(cells[name])
                units[name] = (
                    study.errors[[*cells[name], *others]],
                    np.hstack([np.eye(count), -np.eye(count)]),
                )
        return self._limits(units, cells)

    def _limits(self, units: Mapping, cells: Mapping) -> dict[tuple[str, StudiedMethod], Ratio]:
        groups = {name: Group(frame.to_numpy(), matrix) for name, (frame, matrix) in units.items()}
        if groups and min(len(group.units) for group in groups.values()) >= MINIMUM_UNITS:
            ratios = typical_limits(list(groups.values()), self.alpha)
        else:
            ratios = [_without_limits(group) for group in groups.values()]
        return {
            (name, cell): ratio
            for name, own in zip(groups, ratios, strict=True)
            for cell, ratio in zip(cells[name], own, strict=True)
        }


def _without_limits(group: Group) -> list[Ratio]:
    logarithms = np.log(group.units.clip(min=1e-300)) @ group.exponents.T
    return [Ratio.without_limits(estimate) for estimate in np.exp(np.median(logarithms, axis=0))]


def load(findings: Findings) -> Explanations:
    """The explanation studies of a finished study."""
    study = findings.study
    labels = {
        name: spec.label
        for key in ("explainers", "estimators")
        for name, spec in getattr(study, key).items()
    } | {"reference": "reference", "explicand": "picture"}
    studies = {
        name: Studied(
            name,
            block,
            labels,
            load_explanations(findings.results, name, block),
            load_attributions(findings.results, name, block),
        )
        for name, block in part_of(study.explanation_studies, PAPER.key).items()
    }
    return Explanations(studies, study.claims.alpha)


def depths(study: Studied) -> dict[str, dict[str, int]]:
    """Number of hidden layers of each network of a study, by activation and name of the model."""
    by_activation: dict[str, dict[str, int]] = {}
    for name, model in study.block.models.items():
        params = model.params
        if model.trainer == "network" and "hidden" in params:
            own = by_activation.setdefault(params.get("activation", "relu"), {})
            own[name] = len(params["hidden"])
    return by_activation


def by_depth(explanations: Explanations) -> Studied | None:
    """The study of networks by depth: that with several depths of an activation."""
    several = (
        study
        for study in explanations.studies.values()
        if any(len(set(own.values())) > 1 for own in depths(study).values())
    )
    return next(several, None)


def by_passes(explanations: Explanations) -> list[Studied]:
    """Studies whose models are all networks, but for that by depth: each has one model."""
    return [
        study
        for study in explanations.studies.values()
        if len(study.block.models) == 1
        and study.block.target == "baseline"
        and study is not by_depth(explanations)
    ]


def with_pictures(explanations: Explanations) -> Studied | None:
    """The last study that has kept explanations of square pictures."""
    kept = [
        study
        for study in explanations.studies.values()
        if len(study.kept) and np.sqrt(study.kept["feature"].max() + 1).is_integer()
    ]
    return kept[-1] if kept else None
