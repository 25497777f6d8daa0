"""Estimators compared over tasks and budgets: ratios of mean errors, and which estimator to take.

A task is an experiment with many pairs of explicand and baseline. Errors are norms.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import pandas as pd

from ..estimators import create
from ..statistics.simultaneous import MINIMUM_UNITS, contrasts_of, ratio_limits
from ..statistics.summaries import PairMeans, pair_means
from ..study.layout import reference_of
from ..study.reading import load_estimates, load_truth
from .findings import Findings

ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Task(PairMeans):
    """Many pairs of explicand and baseline of one model.

    Attributes
    ----------
    name, label, players, repetitions : the experiment's
    reference : the estimator that its others are compared with
    active : median over pairs of the number of players whose Shapley value is not 0
    means : mean errors over seeds, by (estimator, budget) and pair
    scale : mean norm of the Shapley values; errors below ``ROUNDING`` of it are rounding
    """

    name: str
    label: str
    players: int
    repetitions: int
    reference: str
    active: float
    means: pd.DataFrame
    scale: float = 0.0

    def units(self, budget: int) -> pd.DataFrame:
        """Errors (pairs, estimators) at a budget, of the estimators that err there at all."""
        table = self.means.xs(budget, level="budget").T
        return table.loc[:, table.mean() > ROUNDING * self.scale]


@dataclass(frozen=True, eq=False)
class Comparison:
    """Tasks by name, the ``estimators`` block of the study, and its alpha."""

    tasks: Mapping[str, Task]
    specs: Mapping[str, dict]
    alpha: float

    @cached_property
    def ratios(self) -> pd.DataFrame:
        """Mean error over that of the task's reference, for every task, budget and estimator."""
        wanted = {
            (task.name, budget): [
                (name, task.reference) for name in task.units(budget) if name != task.reference
            ]
            for task in self.tasks.values()
            for budget in task.budgets
            if task.reference in task.units(budget)
        }
        return compare_means(self.tasks, wanted, self.alpha)

    def at_last_budgets(self, contrasts: Sequence[tuple[str, str]]) -> pd.DataFrame:
        """Some contrasts (a, b), the error of a over that of b, at the last budget of every task.

        Of those of which both ran; see `compare_means`.
        """
        wanted = {
            (task.name, task.budgets[-1]): [
                pair for pair in contrasts if {*pair} <= {*task.units(task.budgets[-1])}
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
            cell = pd.concat([cell, pd.DataFrame([self._itself(task, budget)])])
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

    @property
    def reference(self) -> str:
        """The reference of all tasks; raises ValueError where they have several."""
        names = {task.reference for task in self.tasks.values()}
        if len(names) != 1:
            raise ValueError(f"the tasks have several references: {', '.join(sorted(names))}")
        return names.pop()

    @cached_property
    def ranking(self) -> pd.Series:
        """Geometric mean over tasks, at their last budgets, of the ratio to the reference.

        By estimator, smallest first; of those that ran in all tasks, which have one reference.
        """
        last = {task.name: task.budgets[-1] for task in self.tasks.values()}
        rows = self.ratios[self.ratios["budget"] == self.ratios["task"].map(last)]
        table = np.log(rows.pivot(index="a", columns="task", values="ratio")).dropna()
        ranks = np.exp(table.mean(axis=1))
        ranks[self.reference] = 1.0
        return ranks.sort_values(kind="stable")

    def _itself(self, task: str, budget: int) -> dict:
        """The row of a reference beside itself."""
        one = dict.fromkeys(("a", "b"), self.tasks[task].reference)
        return {"task": task, "budget": budget, **one, "ratio": 1.0, "low": 1.0, "high": 1.0}

    def label_of(self, estimator: str) -> str:
        """Label of an estimator."""
        return self.specs[estimator]["label"]

    @cached_property
    def estimators(self) -> dict[str, list[str]]:
        """Estimators that ran by the family of their card, in the order of the study."""
        ran = {name for task in self.tasks.values() for name in task.means.index.unique(0)}
        families: dict[str, list[str]] = {}
        for name, spec in self.specs.items():
            if name in ran:
                card = create(spec["estimator"], spec.get("params")).card
                families.setdefault(card.family if card else "other", []).append(name)
        return families


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


def compare_tasks(found: Findings, experiments: Mapping[str, Mapping]) -> Comparison:
    """The comparison over some experiments of a study, given with their blocks: its tasks."""
    study = found.study
    tasks = {name: _task(found, name, block) for name, block in experiments.items()}
    return Comparison(tasks, study["estimators"], study["claims"]["alpha"])


def _task(found: Findings, name: str, block: Mapping) -> Task:
    game = found.study["games"][block["game"]]
    truth = load_truth(found.results, block["game"])
    active = truth[truth["value"].abs() > 0].groupby("pair").size().median()
    norms = np.sqrt((truth["value"] ** 2).groupby(truth["pair"]).sum())
    return Task(
        name=name,
        label=game["label"],
        players=game["players"],
        repetitions=block["repetitions"],
        reference=reference_of(block),
        active=float(active),
        means=pair_means(load_estimates(found.results, name, block)),
        scale=float(norms.mean()),
    )
