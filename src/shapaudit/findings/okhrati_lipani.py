"""What the notebook and the report read of the experiments of Okhrati & Lipani 2021.

Experiments are known by the beginning of their names: "okhrati-samples" repeats Table I and Figure
1 with the three algorithms at equal samples, "okhrati-suite" compares many estimators at equal
evaluations, "okhrati-maps" makes the saliency maps of Figure 3. Errors are squared, and means over
the players, as published.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from ..estimators import (
    AntitheticMonteCarlo,
    Estimator,
    MultilinearSampling,
    OptimisedMonteCarlo,
    create,
)
from ..samplers.quadrature import plan, quadrature_rule
from ..statistics.simultaneous import Ratio, joint_ratios
from ..statistics.summaries import PairMeans, load_estimates
from ..study.samples import with_samples
from ..theory.multilinear import bias_and_variance, size_moments
from .reporting import MissingExperiment

SAMPLES, SUITE, MAPS = "okhrati-samples", "okhrati-suite", "okhrati-maps"
METHODS = ("optimised-mc", "owen", "halved-owen")  # Castro, Algorithm 1, Algorithm 2
CASTRO = METHODS[0]
MAP_ROLES = ("castro", "halved", "best")  # of the rows of the maps
MAP_CONTRASTS = (("castro", "halved"), ("best", "castro"), ("best", "halved"))
CONTRASTS = ((CASTRO, "owen"), (CASTRO, "halved-owen"), ("owen", "halved-owen"))
MAP_SAMPLES = 12


def exact_error(
    estimator: Estimator, budget: int, moments: Sequence[np.ndarray]
) -> tuple[float, float] | None:
    """Expected squared bias and variance, means over players and games; None for others.

    ``moments`` are those of `size_moments`, plain and paired, (2, ..., d, d) each.
    """
    d = moments[0].shape[-1]
    if isinstance(estimator, MultilinearSampling):
        cost = estimator.minimum_budget(d) // _least(estimator)
        settings = (estimator.halved, estimator.levels, estimator.draws)
        rule, counts = plan(estimator.grid, budget // cost, d, *settings)
        bias, variance = bias_and_variance(moments[estimator.halved], rule, counts)
        return float(np.square(bias).mean()), float(variance.mean())
    if isinstance(estimator, OptimisedMonteCarlo | AntitheticMonteCarlo):
        # The players before one in a random order have the law of a uniform q.
        paired = isinstance(estimator, AntitheticMonteCarlo)
        units = (budget - estimator.fixed_cost) // estimator.unit_cost(d)
        rule = quadrature_rule("random", 1)
        _, variance = bias_and_variance(moments[paired], rule, np.array([units]))
        return 0.0, float(variance.mean())
    return None


def _least(estimator: MultilinearSampling) -> int:
    """Draws in the smallest budget."""
    one_player = estimator.minimum_budget(1)
    return one_player // (2 * (1 + estimator.halved))


@dataclass(frozen=True, eq=False)
class Trial(PairMeans):
    """An experiment on a game with tables: many explicands of one model.

    Attributes
    ----------
    name, label, players, repetitions : the experiment's
    provenance : of the data
    accuracy : of the model on the test rows
    difference : between two exact methods, the largest over pairs and players
    estimators : by name, in the order of the study
    means : squared errors over players and seeds, by (estimator, budget) and pair
    tables : values (pairs, 2^d)
    """

    name: str
    label: str
    players: int
    repetitions: int
    provenance: str
    accuracy: float
    difference: float
    estimators: Mapping[str, Estimator]
    means: pd.DataFrame
    tables: np.ndarray

    def budget_of(self, estimator: str, samples: int) -> int:
        """Evaluations that so many samples of an estimator take."""
        return with_samples(self.estimators[estimator], samples, self.players)[1]

    @cached_property
    def samples(self) -> list[int]:
        """Numbers of samples at which all three algorithms have a budget of their own."""
        known = set(self.budgets)
        candidates = {(n - 1) // self.players for n in known}
        return sorted(
            s for s in candidates if s and all(self.budget_of(m, s) in known for m in METHODS)
        )

    def errors(self, estimator: str, budget: int) -> np.ndarray:
        """Squared errors (pairs,)."""
        return self.means.loc[(estimator, budget)].to_numpy()

    def at_samples(self, samples: int) -> pd.DataFrame:
        """Squared errors (pairs, 3) of the three algorithms at equal samples."""
        found = {m: self.errors(m, self.budget_of(m, samples)) for m in METHODS}
        return pd.DataFrame(found)

    def at_budget(self, budget: int) -> pd.DataFrame:
        """Squared errors (pairs, estimators) at equal evaluations."""
        return self.means.xs(budget, level="budget").T

    @cached_property
    def _moments(self) -> list[np.ndarray]:
        tables = [np.asarray(table) for table in self.tables]
        return [
            np.stack([size_moments(table, paired) for table in tables], axis=1)
            for paired in (False, True)
        ]

    def exact(self, estimator: str, budget: int) -> tuple[float, float] | None:
        """Squared bias and variance, exactly, means over players and pairs."""
        return exact_error(self.estimators[estimator], budget, self._moments)


@dataclass(frozen=True, eq=False)
class Maps:
    """Saliency maps of a few images.

    Attributes
    ----------
    name, label, players, provenance, accuracy : as in `Trial`
    images : explicands (pairs, d)
    reference : Shapley values (pairs, d), with standard errors
    kept : estimates (n, d) by (estimator, budget, pair), of the pairs that are shown
    means : squared errors over players and seeds, by (estimator, budget) and pair
    estimators : by name
    """

    name: str
    label: str
    players: int
    provenance: str
    accuracy: float
    images: np.ndarray
    reference: np.ndarray
    standard_errors: np.ndarray
    kept: pd.DataFrame
    means: pd.DataFrame
    estimators: Mapping[str, Estimator]

    @property
    def shown(self) -> int:
        """Pairs that are shown, the first ones."""
        return int(self.kept.index.unique("pair").max()) + 1

    @property
    def budget(self) -> int:
        """The last budget: that of halved Owen sampling."""
        return int(max(self.means.index.unique("budget")))

    def at_samples(self, estimator: str) -> int:
        """Evaluations of an estimator at the published number of samples."""
        return with_samples(self.estimators[estimator], MAP_SAMPLES, self.players)[1]

    @cached_property
    def best(self) -> str:
        """Estimator with the smallest mean squared error at the last budget, on other images."""
        others = self.means.xs(self.budget, level="budget").iloc[:, self.shown :]
        return str(others.mean(axis=1).idxmin())

    @cached_property
    def rows(self) -> list[tuple[str, int]]:
        """Estimators of the maps below the reference, with their evaluations."""
        published = [(m, self.at_samples(m)) for m in (CASTRO, "halved-owen")]
        return [*published, (self.best, self.budget)]

    def map_of(self, estimator: str, budget: int) -> np.ndarray:
        """Estimates (shown, d)."""
        return self.kept.loc[(estimator, budget)].to_numpy()

    def squared_errors(self, estimator: str, budget: int) -> np.ndarray:
        """Of the maps (shown,), summed over the pixels."""
        error = self.map_of(estimator, budget) - self.reference[: self.shown]
        return np.square(error).sum(axis=1)

    def relative_error(self, estimator: str, budget: int) -> float:
        """Root mean squared error over the root mean square of the reference, shown images."""
        squares = self.squared_errors(estimator, budget).sum()
        return float(np.sqrt(squares) / np.linalg.norm(self.reference[: self.shown]))


@dataclass(frozen=True, eq=False)
class Replication:
    """Trials, suites and maps by name, standard deviations by game, labels, published values."""

    trials: Mapping[str, Trial]
    suites: Mapping[str, Trial]
    maps: Mapping[str, Maps]
    deviations: Mapping[str, pd.DataFrame]
    games: Mapping[str, Mapping]
    specs: Mapping[str, Mapping]
    published: pd.DataFrame
    alpha: float

    def label_of(self, estimator: str) -> str:
        """Label of an estimator; optimised Monte Carlo is the paper's Castro sampling."""
        return "Castro" if estimator == CASTRO else self.specs[estimator]["label"]

    def printed(self, quantity: str, data: str = "credit") -> pd.Series:
        """Published values of a quantity, by method."""
        rows = self.published.query("quantity == @quantity and data == @data")
        return rows.set_index("method")["value"]

    @cached_property
    def ratios(self) -> dict[tuple[str, str], list[Ratio | float]]:
        """`CONTRASTS` by trial and "samples" or "evaluations", limits for all of them together."""
        units = {}
        for name, trial in self.trials.items():
            units[name, "samples"] = trial.at_samples(trial.samples[-1])
            units[name, "evaluations"] = trial.at_budget(trial.budgets[-1])[list(METHODS)]
        return joint_ratios(units, CONTRASTS, self.alpha)

    @cached_property
    def suite_ratios(self) -> dict[str, dict[str, Ratio]]:
        """Error of each estimator over Castro's, by suite or maps, at the last budget."""
        found = {}
        parts = {name: suite.at_budget(suite.budgets[-1]) for name, suite in self.suites.items()}
        parts |= {
            name: maps.means.xs(maps.budget, level="budget").T for name, maps in self.maps.items()
        }
        for name, units in parts.items():
            contrasts = [(other, CASTRO) for other in units if other != CASTRO]
            limits = joint_ratios({name: units}, contrasts, self.alpha / len(parts))[name]
            found[name] = {a: r for (a, _), r in zip(contrasts, limits, strict=True)}
        return found

    @cached_property
    def map_ratios(self) -> dict[str, dict[tuple[str, str], Ratio]]:
        """Ratios of relative errors of the maps, `MAP_CONTRASTS` by maps.

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
        # Relative errors are roots of mean squares, and so are their ratios and limits.
        return {
            name: {
                pair: Ratio(*np.sqrt(ratio).tolist())
                for pair, ratio in zip(MAP_CONTRASTS, ratios, strict=True)
            }
            for name, ratios in joint_ratios(units, MAP_CONTRASTS, self.alpha).items()
        }


def load_replication(results: str | Path, study: Mapping, published: str | Path) -> Replication:
    """The experiments of a study from its results folder.

    Raises `MissingExperiment` where the study lacks one of the three kinds.
    """
    results = Path(results)
    kinds: dict[str, dict] = {SAMPLES: {}, SUITE: {}, MAPS: {}}
    for name, setting in study["experiments"].items():
        kind = next((kind for kind in kinds if name.startswith(kind)), None)
        if kind is not None:
            load = _load_maps if kind == MAPS else _load_trial
            kinds[kind][name] = load(results, study, name, setting)
    if lacking := [kind for kind, found in kinds.items() if not found]:
        raise MissingExperiment(
            f"the report needs experiments that begin with {', '.join(map(repr, lacking))}; study "
            f"{study['study']!r} has none."
        )
    paths = study.get("paths", {})
    deviations = {name: pd.read_parquet(results / "paths" / f"{name}.parquet") for name in paths}
    return Replication(
        *kinds.values(),
        deviations=deviations,
        games={name: study["games"][path["game"]] for name, path in paths.items()},
        specs=study["estimators"],
        published=pd.read_csv(published),
        alpha=study["claims"]["alpha"],
    )


def _common(results: Path, study: Mapping, name: str, setting: Mapping) -> dict:
    game = study["games"][setting["game"]]
    frame = load_estimates(results, name, setting)
    frame = frame.assign(squared_error=frame["squared_error"] / game["players"])
    means = frame.groupby(["estimator", "budget", "pair"], sort=False)["squared_error"].mean()
    score = pd.read_json(results / "models" / f"{game['model']}.score.json", typ="series")
    dataset = study["models"][game["model"]]["dataset"]
    with np.load(results / "datasets" / f"{dataset}.npz", allow_pickle=False) as file:
        provenance = str(file["provenance"])
    specs = {key: study["estimators"][key] for key in setting["estimators"]}
    return {
        "name": name,
        "label": game["label"],
        "players": game["players"],
        "provenance": provenance,
        "accuracy": score["score"]["accuracy"],
        "means": means.unstack("pair"),
        "estimators": {
            key: create(spec["estimator"], spec.get("params")) for key, spec in specs.items()
        },
    }


def _load_trial(results: Path, study: Mapping, name: str, setting: Mapping) -> Trial:
    truth = pd.read_parquet(results / "truth" / f"{setting['game']}.parquet")
    common = _common(results, study, name, setting)
    tables = np.load(results / "games" / setting["game"] / "tables.npy", mmap_mode="r")
    return Trial(
        **common,
        repetitions=setting["repetitions"],
        difference=float(truth["difference"].max()),
        tables=tables[: common["means"].shape[1]],
    )


def _load_maps(results: Path, study: Mapping, name: str, setting: Mapping) -> Maps:
    truth = pd.read_parquet(results / "truth" / f"{setting['game']}.parquet")
    kept = pd.read_parquet(results / "kept" / f"{name}.parquet")
    with np.load(results / "games" / setting["game"] / "pairs.npz", allow_pickle=False) as file:
        images = file["explicands"]
    return Maps(
        **_common(results, study, name, setting),
        images=images,
        reference=truth.pivot(index="pair", columns="player", values="value").to_numpy(),
        standard_errors=truth.pivot(
            index="pair", columns="player", values="standard_error"
        ).to_numpy(),
        kept=kept.pivot(index=["estimator", "budget", "pair"], columns="player", values="value"),
    )
