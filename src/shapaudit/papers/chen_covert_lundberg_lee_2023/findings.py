"""What the notebook and the report read of the benchmark of Chen, Covert, Lundberg & Lee 2023.

Experiments whose name begins with "chen-published" follow the published protocol, one pair and many
trials; the others that begin with "chen-" are tasks of many pairs. The errors of the protocol are
squared norms, as published; those of the tasks are norms, as everywhere else in this project.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from shapaudit.estimators import create
from shapaudit.statistics.agreement import (
    PUBLISHED,
    TRIALS,
    biased,
    compare_cells,
    decompose,
    published_cells,
)
from shapaudit.statistics.simultaneous import MINIMUM_UNITS, contrasts_of, ratio_limits
from shapaudit.statistics.summaries import PairMeans, pair_means
from shapaudit.study.reading import MissingExperiment, load_estimates

PREFIX, PROTOCOL, BEST = "chen-", "chen-published", "best-"
# Data of the published tables by experiment; of the hundred trees, what the caption says.
DATA = {
    "chen-published": "diabetes",
    "chen-published-hundred": "diabetes",
    "chen-published-nhanes": "nhanes",
    "chen-published-blog": "blog",
}
REFERENCE = "paired-kernel-shap"
ROUNDING = 1e-12

# (a, b): the error of a over that of b, at the last budget.
CONTRASTS = (
    ("antithetic-mc", "optimised-mc"),
    ("me-anti", "me"),
    ("mef-adapt", "mef"),
    ("rof-adapt", "plain-mc"),
    ("mef-adapt-deviation", "mef-adapt"),
    ("rof-adapt-deviation", "rof-adapt"),
    ("me-gauss", "me"),
    ("me-stratified", "me"),
    ("sobol-walks", "antithetic-mc"),
    ("psgd-sqrt", "kernel-shap"),
    ("psgd-free", "paired-kernel-shap"),
    ("outer-sizes", "paired-kernel-shap"),
    ("leverage-shap", "paired-kernel-shap"),
    ("leverage-shap", "mef-adapt-deviation"),
    ("regression-adjusted", "paired-kernel-shap"),
    ("odd-fourier", "third-order"),
    ("odd-fourier", "regression-adjusted"),
)


@dataclass(frozen=True, eq=False)
class Protocol:
    """The published protocol on one pair.

    Attributes
    ----------
    name, label, players, trials : the experiment's
    cells : our `agreement.decompose`
    published : `agreement.published_cells` of as many players
    alpha : error rate of all comparisons together
    """

    name: str
    label: str
    players: int
    trials: int
    cells: pd.DataFrame
    published: pd.DataFrame
    alpha: float

    @cached_property
    def comparison(self) -> pd.DataFrame:
        """Our errors over the published ones, from `agreement.compare_cells`."""
        cells = compare_cells(self.cells, self.published, self.alpha)
        columns = (cells[key].to_numpy() for key in ("bias", "variance", "spread"))
        return cells.assign(biased=biased(*columns, TRIALS, self.alpha))


@dataclass(frozen=True, eq=False)
class Task(PairMeans):
    """Many pairs of explicand and baseline of one model.

    Attributes
    ----------
    name, label, players, repetitions : the experiment's
    active : median over pairs of the number of players whose Shapley value is not 0
    means : mean errors over seeds, by (estimator, budget) and pair
    scale : mean norm of the Shapley values; errors below ``ROUNDING`` of it are rounding
    """

    name: str
    label: str
    players: int
    repetitions: int
    active: float
    means: pd.DataFrame
    scale: float = 0.0

    def units(self, budget: int) -> pd.DataFrame:
        """Errors (pairs, estimators) at a budget, of the estimators that err there at all."""
        table = self.means.xs(budget, level="budget").T
        return table.loc[:, table.mean() > ROUNDING * self.scale]


@dataclass(frozen=True, eq=False)
class Benchmark:
    """Protocols and tasks by name, the ``estimators`` block of the study, and its alpha."""

    protocols: Mapping[str, Protocol]
    tasks: Mapping[str, Task]
    specs: Mapping[str, dict]
    alpha: float

    @cached_property
    def ratios(self) -> pd.DataFrame:
        """Mean error over that of paired KernelSHAP, for every task, budget and estimator."""
        wanted = {
            (task.name, budget): [
                (name, REFERENCE) for name in task.units(budget) if name != REFERENCE
            ]
            for task in self.tasks.values()
            for budget in task.budgets
            if REFERENCE in task.units(budget)
        }
        return compare_means(self.tasks, wanted, self.alpha)

    @cached_property
    def contrasts(self) -> pd.DataFrame:
        """`CONTRASTS` at the last budget of every task that ran both."""
        wanted = {
            (task.name, task.budgets[-1]): [
                pair for pair in CONTRASTS if {*pair} <= {*task.units(task.budgets[-1])}
            ]
            for task in self.tasks.values()
        }
        return compare_means(self.tasks, wanted, self.alpha)

    @cached_property
    def choices(self) -> pd.DataFrame:
        """The best estimator of each task and budget, and which others may be as good.

        Columns: task, budget, best, ratio, low, high, others. Ratio and limits are those of
        `ratios`; the others are not `behind`.
        """
        rows = []
        for (task, budget), cell in self.ratios.groupby(["task", "budget"], sort=False):
            cell = pd.concat([cell, pd.DataFrame([_itself(task, budget)])])
            cell = cell.sort_values("ratio", kind="stable")
            best, *rest = cell["a"]
            others = tuple(name for name in rest if name not in self.behind[task, budget])
            kept = {"task": task, "budget": budget, "best": best, "others": others}
            rows.append({**kept, **cell.iloc[0][["ratio", "low", "high"]]})
        return pd.DataFrame(rows)

    @cached_property
    def behind(self) -> dict[tuple[str, int], set[str]]:
        """Estimators that err more than another one of their task and budget.

        By the limits of the ratios of any two of a cell, which hold for all pairs of all cells
        together, so however the other one was found.
        """
        cells = self.ratios.groupby(["task", "budget"], sort=False).groups
        wanted = {
            (task, budget): list(combinations(self.tasks[task].units(budget), 2))
            for task, budget in cells
        }
        compared = compare_means(self.tasks, wanted, self.alpha)
        found = {cell: set() for cell in cells}
        for row in compared.itertuples():
            if row.low > 1 or row.high < 1:
                found[row.task, row.budget].add(row.a if row.low > 1 else row.b)
        return found

    @cached_property
    def near(self) -> pd.Series:
        """In how many cells of `choices` an estimator is the best or may be, largest first."""
        cells = [{row.best, *row.others} for row in self.choices.itertuples()]
        return pd.Series([name for cell in cells for name in sorted(cell)]).value_counts()

    @cached_property
    def ranking(self) -> pd.Series:
        """Geometric mean over tasks, at their last budgets, of the ratio to the reference.

        By estimator, smallest first; of those that ran in all tasks.
        """
        last = {task.name: task.budgets[-1] for task in self.tasks.values()}
        rows = self.ratios[self.ratios["budget"] == self.ratios["task"].map(last)]
        table = np.log(rows.pivot(index="a", columns="task", values="ratio")).dropna()
        ranks = np.exp(table.mean(axis=1))
        ranks[REFERENCE] = 1.0
        return ranks.sort_values(kind="stable")

    def label_of(self, estimator: str) -> str:
        """Label of an estimator."""
        return self.specs[estimator]["label"]

    @cached_property
    def estimators(self) -> dict[str, list[str]]:
        """Estimators of the benchmark by the family of their card, in the order of the study."""
        ran = {name for task in self.tasks.values() for name in task.means.index.unique(0)}
        families: dict[str, list[str]] = {}
        for name, spec in self.specs.items():
            if name in ran:
                card = create(spec["estimator"], spec.get("params")).card
                families.setdefault(card.family if card else "other", []).append(name)
        return families


def _itself(task: str, budget: int) -> dict:
    same = dict.fromkeys(("ratio", "low", "high"), 1.0)
    return {"task": task, "budget": budget, "a": REFERENCE, "b": REFERENCE, **same}


def compare_means(
    tasks: Mapping[str, Task],
    wanted: Mapping[tuple[str, int], Sequence[tuple[str, str]]],
    alpha: float,
) -> pd.DataFrame:
    """Ratios of mean errors over pairs, first over second, with limits that hold for all together.

    ``wanted`` lists the comparisons by task and budget. Columns: task, budget, a, b, ratio, low,
    high; no limits for tasks of fewer than 10 pairs.
    """
    groups, keys, rows = [], [], []
    for (name, budget), contrasts in wanted.items():
        units = tasks[name].units(budget)
        means = units.mean()
        rows += [(name, budget, a, b, means[a] / means[b], np.nan, np.nan) for a, b in contrasts]
        if contrasts and len(units) >= MINIMUM_UNITS:
            groups.append(contrasts_of(units, contrasts))
            keys.append(range(len(rows) - len(contrasts), len(rows)))
    if groups:
        for places, found in zip(keys, ratio_limits(groups, alpha), strict=True):
            for k, limits in zip(places, found, strict=True):
                rows[k] = (*rows[k][:5], limits.low, limits.high)
    return pd.DataFrame(rows, columns=["task", "budget", "a", "b", "ratio", "low", "high"])


def published_methods(specs: Mapping[str, Mapping]) -> dict[str, str]:
    """Published methods that the estimators of some blocks are, by name, from their cards.

    Raises ValueError naming two estimators that are the same method.
    """
    methods: dict[str, str] = {}
    for name, spec in specs.items():
        for method in create(spec["estimator"], spec.get("params")).aliases:
            if method not in PUBLISHED:
                continue
            if method in methods.values():
                other = next(key for key, known in methods.items() if known == method)
                raise ValueError(f"{other} and {name} are both {method}; leave out one of them.")
            methods[name] = method
    return methods


def load_benchmark(results: str | Path, study: Mapping, published: str | Path) -> Benchmark:
    """The benchmark of a study from its results folder.

    Raises `MissingExperiment` where the study has no published protocol or no task,
    FileNotFoundError naming a table that is missing.
    """
    alpha = study["claims"]["alpha"]
    tables = pd.read_csv(published)
    protocols, tasks = {}, {}
    for name, setting in study["experiments"].items():
        if not name.startswith(PREFIX):
            continue
        if name.startswith(PROTOCOL):
            game = study["games"][setting["game"]]
            frame = load_estimates(results, name, setting)
            same = {"name": name, "label": game["label"], "players": game["players"]}
            cells = published_cells(tables, DATA.get(name, ""), game["players"])
            first = frame[frame["pair"] == 0]
            trials = setting["repetitions"]
            specs = {key: study["estimators"][key] for key in setting["estimators"]}
            own = decompose(first, published_methods(specs))
            protocols[name] = Protocol(
                **same, trials=trials, cells=own, published=cells, alpha=alpha
            )
        else:
            tasks[name] = _task(results, study, name)
    if PROTOCOL not in protocols or not tasks:
        raise MissingExperiment(
            f"the report needs the experiment {PROTOCOL!r} and another one that begins with "
            f"{PREFIX!r}; study {study['study']!r} has only {', '.join(study['experiments'])}."
        )
    return Benchmark(protocols, tasks, study["estimators"], alpha)


def best_of_suite(results: str | Path, study: Mapping) -> Benchmark:
    """The experiments whose name begins with "best-": tasks without a published protocol.

    Raises `MissingExperiment` where the study has none.
    """
    names = [name for name in study["experiments"] if name.startswith(BEST)]
    if not names:
        raise MissingExperiment(
            f"the report needs an experiment whose name begins with {BEST!r}; study "
            f"{study['study']!r} has only {', '.join(study['experiments'])}."
        )
    tasks = {name: _task(results, study, name) for name in names}
    return Benchmark({}, tasks, study["estimators"], study["claims"]["alpha"])


def own_benchmark(results: str | Path, study: Mapping) -> Benchmark:
    """The benchmark of a study of one's own: each of its experiments is a task.

    Raises `MissingExperiment` where one of them lacks the estimator that all are compared with.
    """
    for name, setting in study["experiments"].items():
        if REFERENCE not in setting["estimators"]:
            raise MissingExperiment(
                f"experiment {name!r} lacks {REFERENCE}, which its estimators are compared with; "
                "add it to estimators and to the experiment."
            )
    tasks = {name: _task(results, study, name) for name in study["experiments"]}
    return Benchmark({}, tasks, study["estimators"], study["claims"]["alpha"])


def _task(results: str | Path, study: Mapping, name: str) -> Task:
    setting = study["experiments"][name]
    game = study["games"][setting["game"]]
    truth = pd.read_parquet(Path(results) / "truth" / f"{setting['game']}.parquet")
    active = truth[truth["value"].abs() > 0].groupby("pair").size().median()
    norms = np.sqrt((truth["value"] ** 2).groupby(truth["pair"]).sum())
    return Task(
        name=name,
        label=game["label"],
        players=game["players"],
        repetitions=setting["repetitions"],
        active=float(active),
        means=pair_means(load_estimates(results, name, setting)),
        scale=float(norms.mean()),
    )
