"""The best estimators of the suite on the games of Grah & Thouvenot 2020: a sentence."""

from shapaudit_audit.report.latex import NOT_RUN, escape, listing, number, ratio
from shapaudit_audit.report.tasks import TaskComparison


def best_values(best: TaskComparison) -> dict[str, str]:
    """Which estimator had the smallest error where."""
    parts, choices = [], best.choices
    for name, won in choices.groupby("best", sort=False) if len(choices) else ():
        ends = dict.fromkeys(
            ratio(float(end), 2) for end in (won["ratio"].min(), won["ratio"].max())
        )
        parts.append(
            f"{escape(best.label_of(name))} in {number(len(won))} of {number(len(choices))} "
            f"combinations of game and budget ({' to '.join(ends)})"
        )
    explicands = min(task.explicands for task in best.tasks.values())
    return {"best.winners": listing(parts, empty=NOT_RUN), "best.explicands": number(explicands)}
