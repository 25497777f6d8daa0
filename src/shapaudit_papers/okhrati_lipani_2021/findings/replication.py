"""Trials, suites and maps together, and the ratios of their errors."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from shapaudit.statistics.simultaneous import Ratio
from shapaudit.statistics.typical import joint_ratios
from shapaudit_audit.study.blocks.games import GameBlock
from shapaudit_audit.study.blocks.runs import EstimatorBlock

from .maps import MAP_CONTRASTS, MAP_ROLES, Maps
from .trial import CASTRO, METHODS, TableExperiment

CONTRASTS = ((CASTRO, "owen"), (CASTRO, "halved-owen"), ("owen", "halved-owen"))


@dataclass(frozen=True, eq=False)
class OkhratiReplication:
    """What the study has of the paper.

    Attributes
    ----------
    trials, suites, maps : experiments by name
    deviations : standard deviations along paths of growing samples, by path
    games : blocks of the configuration, by path
    searches : random searches for an architecture, by name
    specs : the ``estimators`` block of the configuration
    published : values printed in the paper
    alpha : of the study
    """

    trials: Mapping[str, TableExperiment]
    suites: Mapping[str, TableExperiment]
    maps: Mapping[str, Maps]
    deviations: Mapping[str, pd.DataFrame]
    games: Mapping[str, GameBlock]
    searches: Mapping[str, Mapping]
    specs: Mapping[str, EstimatorBlock]
    published: pd.DataFrame
    alpha: float

    def label_of(self, estimator: str) -> str:
        """Label of an estimator; optimised Monte Carlo is the paper's Castro sampling."""
        return "Castro" if estimator == CASTRO else self.specs[estimator].label

    def printed(self, quantity: str, data: str = "credit") -> pd.Series:
        """Published values of a quantity, by method."""
        rows = self.published.query("quantity == @quantity and data == @data")
        return rows.set_index("method")["value"]

    @cached_property
    def ratios(self) -> dict[tuple[str, str], list[Ratio]]:
        """`CONTRASTS` by trial and "samples" or "evaluations", limits for all of them together."""
        units = {}
        for name, trial in self.trials.items():
            units[name, "samples"] = trial.at_samples(trial.samples[-1])
            units[name, "evaluations"] = trial.at_budget(trial.budgets[-1])[list(METHODS)]
        return joint_ratios(units, CONTRASTS, self.alpha)

    @cached_property
    def suite_ratios(self) -> dict[str, dict[str, Ratio]]:
        """Error of each estimator over Castro's, by suite or maps, at the last budget."""
        ratios = {}
        parts = {name: suite.at_budget(suite.budgets[-1]) for name, suite in self.suites.items()}
        parts |= {
            name: maps.means.xs(maps.budget, level="budget").T for name, maps in self.maps.items()
        }
        for name, units in parts.items():
            contrasts = [(other, CASTRO) for other in units if other != CASTRO]
            limits = joint_ratios({name: units}, contrasts, self.alpha / len(parts))[name]
            ratios[name] = {a: r for (a, _), r in zip(contrasts, limits, strict=True)}
        return ratios

    @cached_property
    def map_ratios(self) -> dict[str, dict[tuple[str, str], Ratio]]:
        """Ratios of errors on a typical image of the maps, `MAP_CONTRASTS` by maps.

        Images are the units; the limits hold for all maps together.
        """
        units = {
            name: pd.DataFrame(
                {
                    role: maps.squared_errors(*row)
                    for role, row in zip(MAP_ROLES, maps.rows, strict=True)
                }
            )
            for name, maps in self.maps.items()
        }
        # Errors are roots of their squares, and so are the medians of their ratios and the limits.
        return {
            name: {
                pair: Ratio(*np.sqrt(ratio).tolist())
                for pair, ratio in zip(MAP_CONTRASTS, ratios, strict=True)
            }
            for name, ratios in joint_ratios(units, MAP_CONTRASTS, self.alpha).items()
        }
