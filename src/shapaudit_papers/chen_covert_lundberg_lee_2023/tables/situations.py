"""The table of evaluations saved, in LaTeX."""

from shapaudit_audit.report.latex import DASH, escape, number, tabular
from shapaudit_audit.report.saved import RIVALS, TAKEN, TARGET, TOGETHER, evaluations_saved, told
from shapaudit_audit.report.situations import Situations

from ..findings import ChenReplication


def saved_table(replication: ChenReplication) -> str:
    """Evaluations of `auto` to the errors that others reach at the target, game by game."""
    rows = evaluations_saved([replication.best, replication.tasks])
    labels = Situations([replication.tasks, replication.best]).labels
    cells = {(row.task, row.rival): row for row in rows}
    tasks = list(dict.fromkeys(row.task for row in rows))
    body = [
        [
            escape(labels[task]) if task else TOGETHER,
            number(next(row.games for row in rows if row.task == task)),
            *(
                escape(told(cells[task, rival])).replace("≤", r"$\le$")
                if (task, rival) in cells
                else DASH
                for rival in RIVALS
            ),
        ]
        for task in sorted(tasks, key=lambda task: task == "")
    ]
    heads = [["", "explicands", *RIVALS.values()]]
    return tabular("@{}lr" + "c" * len(RIVALS) + "@{}", heads, [body])


def values(replication: ChenReplication) -> dict[str, str]:
    """Medians over all games together, by rival; and what is taken and compared."""
    label = replication.tasks.label_of(TAKEN)
    texts = {"taken": escape(label), "target": number(TARGET)}
    rows = {row.rival: row for row in evaluations_saved([replication.best, replication.tasks])}
    for rival in RIVALS:
        text = escape(told(rows[rival])) if rival in rows else "not run"
        texts[rival] = text.replace("≤", r"$\le$")
    return {f"saved.{key}": text for key, text in texts.items()}
