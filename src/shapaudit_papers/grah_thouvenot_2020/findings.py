"""What the notebook and the report read of the experiments of Grah & Thouvenot 2020."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from shapaudit.statistics.comparisons import compare_all, published_comparison, readings_of
from shapaudit.statistics.summaries import (
    coverage_table,
    equal_split_errors,
    error_curves,
    last_budget,
    relative_errors,
    truth_precision,
    variance_components,
)
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.study.blocks.runs import EstimatorBlock, ExperimentBlock
from shapaudit_audit.study.reading import experiments_of, load_estimates, load_settings, load_truth

from . import PAPER

# The published steps at d = 300 stand in the place of those at d = 16.
NAMESAKES = {"psgd-constant-small": "psgd-constant", "psgd-sqrt-small": "psgd-sqrt"}

# What the variants of projected SGD vary, and the estimators that show it.
VARIANTS = {
    "Step size": ("psgd-constant", "psgd-sqrt", "psgd-inverse", "psgd-radius"),
    "Averaging of a constant step": ("psgd-constant", "psgd-constant-last"),
    "Projection, step 2/(μ(t+1))": ("psgd-inverse", "psgd-inverse-ball", "psgd-dykstra"),
    "Projection, 1/√t step": ("psgd-sqrt", "psgd-ball-only"),
    "Sampling of coalitions": ("psgd-constant-tuned", "psgd-uniform-sampling"),
    "Mini-batches": ("psgd-sqrt-tuned", "psgd-batch"),
}
BACKGROUND = ("optimised-mc", "paired-kernel-shap")
COMPARED = {"psgd-constant", "psgd-sqrt", "psgd-constant-tuned", "psgd-sqrt-tuned"}
SHOWN_AS_VARIANTS = {name for names in VARIANTS.values() for name in names} - COMPARED

# (a, b): the error of a over that of b.
CONTRASTS = (
    ("optimised-mc", "plain-mc"),
    ("psgd-constant", "plain-mc"),
    ("psgd-sqrt", "plain-mc"),
    ("psgd-constant", "optimised-mc"),
    ("psgd-sqrt", "optimised-mc"),
    ("psgd-constant-tuned", "optimised-mc"),
    ("psgd-sqrt-tuned", "optimised-mc"),
    ("psgd-constant-tuned", "psgd-constant"),
    ("psgd-sqrt-tuned", "psgd-sqrt"),
    ("psgd-free", "optimised-mc"),
    ("psgd-free", "psgd-sqrt-tuned"),
    ("antithetic-mc", "optimised-mc"),
    ("kernel-shap", "optimised-mc"),
    ("kernel-shap", "psgd-sqrt-tuned"),
    ("paired-kernel-shap", "psgd-sqrt-tuned"),
    ("paired-kernel-shap", "psgd-free"),
    ("paired-kernel-shap", "antithetic-mc"),
)
# The same for the variants of projected SGD.
VARIANT_CONTRASTS = (
    ("psgd-inverse", "psgd-sqrt"),
    ("psgd-radius", "psgd-sqrt"),
    ("psgd-constant-last", "psgd-constant"),
    ("psgd-inverse-ball", "psgd-inverse"),
    ("psgd-dykstra", "psgd-inverse-ball"),
    ("psgd-ball-only", "psgd-sqrt"),
    ("psgd-uniform-sampling", "psgd-constant-tuned"),
    ("psgd-batch", "psgd-sqrt-tuned"),
)


@dataclass(frozen=True, eq=False)
class Experiment:
    """An experiment's tables and what follows from them.

    Attributes
    ----------
    name, label : in the configuration; the label is that of the games
    players, explicands, repetitions, tuning_explicands : sizes
    estimators : names in the order of the configuration
    frame : its estimates, with `NAMESAKES` applied
    settings : parameters and tuning by estimator
    truth : table of the Shapley values
    specs : the ``estimators`` block of the study
    readings : published readings for as many players
    """

    name: str
    label: str
    players: int
    explicands: int
    repetitions: int
    tuning_explicands: int
    estimators: tuple[str, ...]
    frame: pd.DataFrame
    settings: Mapping[str, dict]
    truth: pd.DataFrame
    specs: Mapping[str, EstimatorBlock]
    readings: pd.DataFrame

    @cached_property
    def curves(self) -> pd.DataFrame:
        """Mean errors with limits, from `summaries.error_curves`."""
        return error_curves(self.frame)

    @cached_property
    def last(self) -> pd.DataFrame:
        """Mean errors at the last budget, indexed by estimator, smallest first."""
        rows = self.curves[self.curves["budget"] == self.budget]
        return rows.set_index("estimator").sort_values("mean")

    @cached_property
    def relative(self) -> pd.DataFrame:
        """Median error at the last budget over that of the equal split, indexed by estimator."""
        return relative_errors(self.frame, self.truth)

    @cached_property
    def coverage(self) -> pd.DataFrame:
        """Coverage of the nominal 95 % intervals."""
        return coverage_table(self.frame)

    @cached_property
    def components(self) -> pd.DataFrame:
        """Spread over explicands and over seeds, indexed by estimator."""
        return variance_components(self.frame).set_index("estimator")

    @cached_property
    def precision(self) -> dict[str, float]:
        """Error of the truth against the errors of the estimators."""
        return truth_precision(self.frame, self.truth)

    @cached_property
    def published(self) -> pd.DataFrame:
        """Published readings beside our errors."""
        return published_comparison(self.frame, self.readings)

    @cached_property
    def start(self) -> float:
        """Error of the equal split."""
        return float(equal_split_errors(self.truth, self.explicands).mean())

    @property
    def budget(self) -> int:
        """The last budget."""
        return last_budget(self.frame)

    def label_of(self, estimator: str) -> str:
        """Label of an estimator."""
        return self.specs[estimator].label

    @property
    def compared(self) -> list[str]:
        """Estimators of the main figures: all but the variants that have a figure of their own."""
        return [name for name in self.estimators if name not in SHOWN_AS_VARIANTS]


def _namesakes(estimators: Sequence[str], known: Collection[str]) -> dict[str, str]:
    """New names of those of some estimators that have a namesake among the ``known`` ones."""
    return {
        name: NAMESAKES[name]
        for name in estimators
        if name in NAMESAKES and NAMESAKES[name] in set(known).difference(estimators)
    }


@dataclass(frozen=True, eq=False)
class GrahReplication:
    """Their experiments by name, that whose Shapley values collapse, and the study's alpha."""

    experiments: Mapping[str, Experiment]
    collapsed: Experiment
    alpha: float

    @cached_property
    def comparisons(self) -> pd.DataFrame:
        """All contrasts of the experiments, in one family."""
        frames = {name: experiment.frame for name, experiment in self.experiments.items()}
        return compare_all(frames, (*CONTRASTS, *VARIANT_CONTRASTS), self.alpha)


def load(findings: Findings) -> GrahReplication:
    """The experiments of a study.

    Raises `MissingExperiment` where the study has none to compare estimators, or none whose values
    collapse.
    """
    study, published = findings.study, findings.printed(PAPER.key)
    experiments, collapsed = (
        {
            name: _experiment(findings, name, block, published)
            for name, block in experiments_of(study, PAPER.key, role).items()
        }
        for role in ("comparison", "collapsed")
    )
    (experiment,) = collapsed.values()
    return GrahReplication(experiments, experiment, study.claims.alpha)


def _experiment(
    findings: Findings, name: str, block: ExperimentBlock, published: pd.DataFrame
) -> Experiment:
    study, results = findings.study, findings.results
    game = study.games[block.game]
    frame = load_estimates(results, name, block)
    settings = load_settings(results, name, block)
    renamed = _namesakes(block.estimators, study.estimators)
    readings = readings_of(published, name, game.players)
    return Experiment(
        name=name,
        label=game.label,
        players=game.players,
        explicands=study.explicands_of(block),
        repetitions=block.repetitions,
        tuning_explicands=game.tuning_explicands,
        estimators=tuple(renamed.get(key, key) for key in block.estimators),
        frame=frame.assign(estimator=frame["estimator"].replace(renamed)),
        settings={renamed.get(key, key): value for key, value in settings.items()},
        truth=load_truth(results, block.game),
        specs=study.estimators,
        readings=readings.assign(method=readings["method"].replace(renamed)),
    )
