"""Table of how often the limits of ratios decide wrongly."""

from collections.abc import Mapping

from shapaudit_audit.report.latex import escape, number, percent, tabular
from shapaudit_audit.report.tasks import Task

from ..calibration import OTHER, SIZE, generated, of_tasks, shares

SPREADS = (0.5, 1.5, 2.5)  # of generated laws, in logarithms


def calibration_table(tasks: Mapping[str, Task]) -> str:
    """Shares of wrong decisions at nominal levels: of the typical ratio, and of the ratio of means.

    The last without and with the rule that half of the units count.
    """
    laws = [(escape(label), units) for label, units in of_tasks(tasks)]
    for spread, units in generated(SPREADS):
        laws.append((f"log-normal, spreads {spread:g} and {OTHER:g}", units))
    by_law = {name: shares(units) for name, units in laws}
    body = [
        [name, *(percent(share.wrong / share.samples, 2) for share in row)]
        for name, row in by_law.items()
    ]
    columns = next(iter(by_law.values()))
    header = [
        ["", *(share.kind for share in columns)],
        [
            f"{number(SIZE)} units, nominal level",
            *(percent(share.level, 1) for share in columns),
        ],
    ]
    return tabular("@{}lrrrr@{}", header, [body])
