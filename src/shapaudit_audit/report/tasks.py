"""Estimators compared over tasks and budgets: ratios of errors, and which estimator to take.

A task is an experiment with many pairs of explicand and baseline. Errors are norms, and a ratio is
that of a typical explicand, the median over explicands: half of them have a smaller one. What an
estimator costs is its regret, its error over the error of the best estimator for the same task
and budget.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import comb

import numpy as np
import pandas as pd

from shapaudit.estimators import create
from shapaudit.statistics.limits import MINIMUM_UNITS, UNBOUNDED
from shapaudit.statistics.simultaneous import contrasts_of
from shapaudit.statistics.summaries import ExplicandMeans, explicand_means
from shapaudit.statistics.typical import TINY, typical_limits

from ..study.blocks.runs import EstimatorBlock, ExperimentBlock
from ..study.reading import load_estimates, load_truth
from .advice import OTHER, kind_of
from .findings import Findings

ERROR_ROUNDING = 1e-12  # share of the norm of the Shapley values: smaller errors are rounding
LEAST = 1e-300  # of a limit, so that its reciprocal is a number
# Regret up to which an estimator is as good as the best: an error that falls as one over the root
# of the evaluations is a tenth larger with a fifth fewer, about what a budget is rounded by.
MARGIN = 1.1


@dataclass(frozen=True, eq=False)
class Task(ExplicandMeans):
    """Many pairs of explicand and baseline of one model.

    Attributes
    ----------
    name, label, players, repetitions : the experiment's
    reference : the estimator that its others are compared with
    active : median over explicands of the number of players whose Shapley value is not 0
    means : mean errors over seeds, by (estimator, budget) and explicand, NaN where a costly
        estimator did not run; explicands that were picked by hand are no draws from any law, and
        are left out
    scale : mean norm of the Shapley values; errors below ``ERROR_ROUNDING`` of it are rounding
    most : most evaluations of a budget that an estimator gets here, of those that take long
    with_errors : estimators that gave standard errors here
    kind : of the model, a key of `KINDS`
    norms : norm of the Shapley values by explicand, None where they are not known
    """

    name: str
    label: str
    players: int
    repetitions: int
    reference: str
    active: float
    means: pd.DataFrame
    scale: float = 0.0
    most: Mapping[str, int] = field(default_factory=dict)
    with_errors: frozenset[str] = frozenset()
    kind: str = OTHER
    norms: pd.Series | None = None

    def complete(self, budget: int) -> bool:
        """Whether every estimator that runs at smaller budgets also runs at this one."""
        return all(most == 0 or budget <= most for most in self.most.values())

    @property
    def headline(self) -> int:
        """The largest complete budget of at most half of all coalitions; the smallest without one.

        With more, little is left to estimate: sampling without replacement is then nearly exact.
        """
        budgets = [budget for budget in self.budgets if self.complete(budget)]
        sampled = [budget for budget in budgets if 2 * budget <= 1 << self.players]
        return max(sampled, default=self.budgets[0])

    def errors(self, budget: int) -> pd.DataFrame:
        """Errors (explicands, estimators) of all that ran at a budget.

        An error below the rounding error counts as the rounding error.
        """
        table = self.means.xs(budget, level="budget").T.dropna(axis=1, how="all")
        return table.clip(lower=max(self._rounding, TINY))

    def exact(self, budget: int) -> list[str]:
        """Estimators without an error on any explicand at a budget."""
        means = self.means.xs(budget, level="budget").T.mean()
        return [*means.index[means <= self._rounding]]

    def units(self, budget: int) -> pd.DataFrame:
        """The `errors` at a budget, without the estimators that are exact there."""
        return self.errors(budget).drop(columns=self.exact(budget))

    @property
    def _rounding(self) -> float:
        return ERROR_ROUNDING * self.scale


@dataclass(frozen=True, eq=False)
class TaskComparison:
    """Tasks by name, the ``estimators`` block of the study, and its alpha."""

    tasks: Mapping[str, Task]
    specs: Mapping[str, EstimatorBlock]
    alpha: float

    @cached_property
    def ratios(self) -> pd.DataFrame:
        """Typical error over that of the task's reference, for every task, budget and estimator."""
        wanted = {
            (task.name, budget): [
                (name, task.reference) for name in task.units(budget) if name != task.reference
            ]
            for task in self.tasks.values()
            for budget in task.budgets
            if task.reference in task.units(budget)
        }
        return compare_typically(self.tasks, wanted, self.alpha)

    def at_headlines(self, contrasts: Sequence[tuple[str, str]]) -> pd.DataFrame:
        """Ratios of errors for contrasts (a, b), a over b, at every task's headline budget.

        Contrasts of an estimator that did not run are left out; see `compare_typically`.
        """
        wanted = {
            (task.name, task.headline): [
                pair for pair in contrasts if {*pair} <= {*task.units(task.headline)}
            ]
            for task in self.tasks.values()
        }
        return compare_typically(self.tasks, wanted, self.alpha)

    @cached_property
    def regrets(self) -> pd.DataFrame:
        """Error over that of the best estimator of the task and budget, on a typical explicand.

        The best has the smallest of the `ratios`, or is exact: its equals have regret 1 then, and
        the others one relative to the rounding error, which is no bound. The limits hold
        simultaneously for all pairs of estimators in all cells, so that they stay valid after the
        best has been selected. Columns: task, budget, a, b (the best), ratio, low, high. The ratio
        of the best itself is 1; its upper limit is the largest that its error may be relative to
        any other estimator.
        """
        wanted, best, possible = {}, [], 0
        for (task, budget), least in self._best.items():
            reference = self.tasks[task].reference
            names = [*self.tasks[task].errors(budget).columns.drop(reference), reference]
            wanted[task, budget] = [(name, least) for name in names if name != least]
            best.append((task, budget, least, least, 1.0, 1.0))
            possible += comb(len(names), 2)
        share = self.alpha * sum(map(len, wanted.values())) / max(1, possible)
        others = compare_typically(self.tasks, wanted, share)
        itself = pd.DataFrame(best, columns=others.columns[:-1])
        lows = others.groupby(["task", "budget"])["low"].min().clip(LEAST, 1.0)
        lows = lows.reindex(itself.set_index(["task", "budget"]).index).to_numpy()
        itself["high"] = np.where(lows == LEAST, UNBOUNDED, 1 / lows)
        itself["low"] = itself["low"].where(itself["high"].notna())
        return pd.concat([itself, others], ignore_index=True)

    @cached_property
    def _best(self) -> dict[tuple[str, int], str]:
        """The best estimator by task and budget, where the reference and others ran and some err.

        The first of those that are exact, or else that with the smallest of the `ratios`.
        """
        ratios = dict(list(self.ratios.groupby(["task", "budget"])))
        best = {}
        for task in self.tasks.values():
            for budget in task.budgets:
                ran, exact = task.errors(budget).columns, task.exact(budget)
                if task.reference in ran and len(exact) < len(ran) > 1:
                    cell = ratios.get((task.name, budget))
                    best[task.name, budget] = exact[0] if exact else _least(cell, task.reference)
        return best

    @cached_property
    def choices(self) -> pd.DataFrame:
        """The best estimator of each task and budget, and which others are within `MARGIN` of it.

        Columns: task, budget, best, ratio, low, high, others. Ratio and limits are those of
        `ratios`, 1 for the reference; where the best is exact, those of the reference's regret
        turned over. The others come in the order of their regret.
        """
        ratios = self.ratios.set_index(["task", "budget", "a"])[["ratio", "low", "high"]]
        rows = []
        for (task, budget), cell in self.regrets.groupby(["task", "budget"], sort=False):
            best, reference = cell["b"].iloc[0], self.tasks[task].reference
            close = cell[(cell["ratio"] <= MARGIN) & (cell["a"] != best)].sort_values("ratio")
            if best == reference:
                ends = (1.0, 1.0, 1.0)
            elif (task, budget, best) in ratios.index:
                ends = tuple(ratios.loc[(task, budget, best)])
            else:
                regrets = cell.set_index("a")[["ratio", "low", "high"]]
                ends = _turned_over(*regrets.loc[reference])
            limits = dict(zip(("ratio", "low", "high"), ends, strict=True))
            kept = {"task": task, "budget": budget, "best": best, "others": tuple(close["a"])}
            rows.append(kept | limits)
        columns = ["task", "budget", "best", "others", "ratio", "low", "high"]
        return pd.DataFrame(rows, columns=columns)

    def completed(self, cells: pd.DataFrame) -> pd.DataFrame:
        """The rows of a table by task and budget whose cells are complete; see `Task.complete`."""
        keys = zip(cells["task"], cells["budget"], strict=True)
        kept = [self.tasks[task].complete(int(budget)) for task, budget in keys]
        return cells.loc[np.array(kept, dtype=bool)]

    @cached_property
    def near(self) -> pd.Series:
        """Number of complete cells in which each estimator is within `MARGIN` of the best."""
        cells = self.completed(self.regrets)
        return cells.loc[cells["ratio"] <= MARGIN, "a"].value_counts()

    @cached_property
    def regret_ranking(self) -> pd.DataFrame:
        """Estimators that ran in all complete cells, least regret first.

        Indexed by estimator. Columns: typical (the median over the cells, because a regret has no
        bound where another estimator is exact), worst (the largest) with its limits low and high,
        and near and sure, the numbers of cells in which it is within `MARGIN` of the best by the
        estimate and by the upper limit.
        """
        complete = self.completed(self.regrets)
        cells = complete.groupby("a")
        worst = complete.loc[cells["ratio"].idxmax()].set_index("a")
        table = pd.DataFrame(
            {
                "typical": cells["ratio"].median(),
                "worst": worst["ratio"],
                "low": worst["low"],
                "high": worst["high"],
                "near": cells["ratio"].agg(lambda regrets: (regrets <= MARGIN).sum()),
                "sure": cells["high"].agg(lambda regrets: (regrets <= MARGIN).sum()),
            }
        )
        everywhere = cells.size() == len(self.completed(self.choices))
        return table[everywhere].sort_values("typical", kind="stable")

    @property
    def reference(self) -> str:
        """The reference of all tasks; raises ValueError where they have several."""
        names = {task.reference for task in self.tasks.values()}
        if len(names) != 1:
            raise ValueError(f"the tasks have several references: {', '.join(sorted(names))}")
        return names.pop()

    @cached_property
    def ranking(self) -> pd.Series:
        """Geometric mean over tasks, at their headline budgets, of the ratio to the reference.

        By estimator, smallest first; only of estimators that ran in all tasks. The tasks must
        have the same reference.
        """
        rows = self.at_headline(self.ratios)
        table = np.log(rows.pivot(index="a", columns="task", values="ratio")).dropna()
        ranks = np.exp(table.mean(axis=1))
        ranks[self.reference] = 1.0
        return ranks.sort_values(kind="stable")

    def at_headline(self, cells: pd.DataFrame) -> pd.DataFrame:
        """The rows of a table, by task and budget, at the headline budgets."""
        headlines = {task.name: task.headline for task in self.tasks.values()}
        return cells[cells["budget"] == cells["task"].map(headlines)]

    def label_of(self, estimator: str) -> str:
        """Label of an estimator, or its name where the study has none of that name."""
        return self.specs[estimator].label if estimator in self.specs else estimator

    @cached_property
    def estimators(self) -> dict[str, list[str]]:
        """Estimators that ran by the family of their card, in the order of the study."""
        ran = {name for task in self.tasks.values() for name in task.means.index.unique(0)}
        families: dict[str, list[str]] = {}
        for name, spec in self.specs.items():
            if name in ran:
                card = create(spec.estimator, spec.params).card
                families.setdefault(card.family if card else "other", []).append(name)
        return families


def _least(cell: pd.DataFrame, reference: str) -> str:
    """The estimator with the least ratio of a cell, or the reference, whose own ratio is 1."""
    names = [*cell["a"], reference]
    return names[int(np.argmin([*cell["ratio"], 1.0]))]


def _turned_over(ratio: float, low: float, high: float) -> tuple[float, float, float]:
    """A ratio with its limits after numerator and denominator have changed places."""
    least = 0.0 if high == UNBOUNDED else 1 / high
    return 1 / ratio, least, UNBOUNDED if low < LEAST else 1 / low


def compare_typically(
    tasks: Mapping[str, Task],
    wanted: Mapping[tuple[str, int], Sequence[tuple[str, str]]],
    alpha: float,
) -> pd.DataFrame:
    """Ratios of errors on a typical explicand, first over second, limits that hold jointly.

    ``wanted`` lists the comparisons by task and budget; each is over the explicands that both ran.
    Columns: task, budget, a, b, ratio, low, high; no limits for fewer than 10 explicands.
    """
    groups, keys = [], []
    rows: list[tuple] = []
    for (name, budget), contrasts in wanted.items():
        units, first = tasks[name].errors(budget), len(rows)
        rows += [
            (name, budget, a, b, (units[a] / units[b]).median(), np.nan, np.nan)
            for a, b in contrasts
        ]
        for places, own in _by_explicands(units, contrasts):
            if len(own) >= MINIMUM_UNITS:
                groups.append(contrasts_of(own, [contrasts[k] for k in places]))
                keys.append([first + k for k in places])
    if groups:
        for places, joint in zip(keys, typical_limits(groups, alpha), strict=True):
            for k, limits in zip(places, joint, strict=True):
                rows[k] = (*rows[k][:4], limits.estimate, limits.low, limits.high)
    return pd.DataFrame(rows, columns=["task", "budget", "a", "b", "ratio", "low", "high"])


def _by_explicands(
    units: pd.DataFrame, contrasts: Sequence[tuple[str, str]]
) -> Iterator[tuple[list[int], pd.DataFrame]]:
    """Places of contrasts that were run on the same explicands, with the errors on these."""
    ran = units.notna()
    places: dict[bytes, list[int]] = {}
    for k, (a, b) in enumerate(contrasts):
        places.setdefault((ran[a] & ran[b]).to_numpy().tobytes(), []).append(k)
    for shared, members in places.items():
        own = units[np.frombuffer(shared, dtype=bool)]
        names = dict.fromkeys(name for k in members for name in contrasts[k])
        yield members, own if own.notna().all(axis=None) else own[[*names]]


def compare_tasks(findings: Findings, experiments: Mapping[str, ExperimentBlock]) -> TaskComparison:
    """The comparison whose tasks are some experiments of a study, given with their blocks."""
    study = findings.study
    tasks = {name: _task(findings, name, block) for name, block in experiments.items()}
    return TaskComparison(tasks, study.estimators, study.claims.alpha)


def _task(findings: Findings, name: str, block: ExperimentBlock) -> Task:
    game = findings.study.games[block.game]
    truth = load_truth(findings.results, block.game)
    active = truth[truth["value"].abs() > 0].groupby("explicand").size().median()
    norms = np.sqrt((truth["value"] ** 2).groupby(truth["explicand"]).sum())
    frame = load_estimates(findings.results, name, block)
    drawn = frame[frame["explicand"] >= len(game.selection.explicands if game.selection else ())]
    means = explicand_means(drawn)
    return Task(
        name=name,
        label=game.label,
        players=game.players,
        repetitions=block.repetitions,
        reference=block.compared_with,
        active=float(active),
        means=means,
        scale=float(norms.mean()),
        most={
            key: limits.evaluations
            for key, limits in block.costly.items()
            if limits.evaluations is not None
        },
        with_errors=frozenset(drawn.loc[drawn["coverage"].notna(), "estimator"]),
        kind=kind_of(findings.study.models[game.model]),
        norms=norms if means.columns.isin(norms.index).all() else None,
    )
