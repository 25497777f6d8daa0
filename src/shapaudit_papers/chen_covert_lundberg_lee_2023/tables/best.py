"""The best estimators of the suite on the games of Grah & Thouvenot 2020: table and sentence."""

from shapaudit_audit.report.latex import (
    DASH,
    NOT_RUN,
    escape,
    listing,
    number,
    ratio_cell,
    stacked,
    tabular,
)
from shapaudit_audit.report.tasks import TaskComparison


def best_table(best: TaskComparison) -> str:
    """Typical error over that of paired KernelSHAP by task and budget; its mean first."""
    places = [(task, budget) for task in best.tasks.values() for budget in task.budgets]
    labels = [stacked(*map(escape, task.label.partition(", ")[::2])) for task, _ in places]
    header = [["", *labels], ["evaluations", *(number(budget) for _, budget in places)]]
    own = [
        number(float(task.means.loc[(best.reference, budget)].mean()), 2)
        if (best.reference, budget) in task.means.index
        else DASH
        for task, budget in places
    ]
    cells = best.ratios.set_index(["a", "task", "budget"])
    rows = [
        [
            escape(best.label_of(name)),
            *(
                ratio_cell(*cells.loc[key, ["ratio", "low", "high"]])
                if key in cells.index
                else DASH
                for task, budget in places
                for key in [(name, task.name, budget)]
            ),
        ]
        for names in best.estimators.values()
        for name in names
        if name != best.reference
    ]
    reference = [f"{escape(best.label_of(best.reference))}, mean error", *own]
    return tabular("@{}l" + "c" * len(places) + "@{}", header, [[reference], rows])


def best_values(best: TaskComparison) -> dict[str, str]:
    """Which estimator had the smallest error where."""
    parts, choices = [], best.choices
    for name, won in choices.groupby("best", sort=False) if len(choices) else ():
        ends = dict.fromkeys(
            number(float(ratio), 2) for ratio in (won["ratio"].min(), won["ratio"].max())
        )
        parts.append(
            f"{escape(best.label_of(name))} in {number(len(won))} of {number(len(choices))} "
            f"combinations of game and budget ({' to '.join(ends)})"
        )
    explicands = min(task.explicands for task in best.tasks.values())
    return {"best.winners": listing(parts, empty=NOT_RUN), "best.explicands": number(explicands)}
