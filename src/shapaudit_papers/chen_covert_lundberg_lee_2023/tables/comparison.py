"""Tables of the protocol and of the tasks; each function returns the LaTeX of one table."""

from collections.abc import Iterable, Mapping

import pandas as pd

from shapaudit.estimators import Card, create
from shapaudit.statistics.agreement import PUBLISHED
from shapaudit_audit.report.latex import (
    DASH,
    escape,
    number,
    ratio,
    ratio_cell,
    stacked,
    tabular,
    with_formulas,
)
from shapaudit_audit.report.tasks import MARGIN, TaskComparison

from ..findings import CONTRASTS, ChenReplication, Protocol
from .calibration import calibration_table

NAMED = 6  # estimators that a cell of the choices names; of the others it says how many


def tables(replication: ChenReplication) -> dict[str, str]:
    """All tables by file name without suffix, but that of the best estimators."""
    return {
        "benchmark_estimators": estimators_table(replication.tasks),
        "benchmark_agreement": agreement_table(replication.protocols.values()),
        "benchmark_contrasts": contrasts_table(replication),
        "benchmark_joint": joint_table(replication.protocol),
        "benchmark_choices": choices_table(replication.tasks),
        "benchmark_regrets": regrets_table(replication.tasks),
        "calibration": calibration_table(replication.tasks.tasks),
    }


def estimators_table(compared: TaskComparison) -> str:
    """A longtable of what every estimator is and promises, and where it did best and worst."""
    extremes = extreme_tasks(compared)
    rows = ""
    for family, names in compared.estimators.items():
        rows += rf"\multicolumn{{6}}{{@{{}}l}}{{\emph{{{escape(family)}}}}}\\*" + "\n"
        rows += "".join(_card_row(compared, name, extremes) for name in names)
        rows += "\\addlinespace\n"
    head = (
        " & Definition, source & Evaluations, cost of each & Bias & Efficient & Best, worst task "
        "\\\\\n\\midrule\n"
    )
    narrow = ">{\\raggedright\\arraybackslash}p"
    widths = "".join(f"{narrow}{{{width}cm}}" for width in (2.3, 4.9, 2.6, 2.2))
    return (
        f"\\begin{{longtable}}{{@{{}}{widths}l{narrow}{{2.2cm}}@{{}}}}\n"
        "\\caption{Estimators of the benchmark, with their names in the literature. Cost: order\n"
        "of the arithmetic per evaluation, for drawing the coalition and using its value, in\n"
        "addition to the game; less where the game provides walks along permutations. Efficient:\n"
        "the estimates sum to $v(\\mathcal M)-v(\\emptyset)$. Best and worst task: typical error\n"
        "relative to paired KernelSHAP at the headline budget.}\\\\\n"
        f"\\toprule\n{head}\\endfirsthead\n\\toprule\n{head}\\endhead\n"
        f"\\bottomrule\n\\endlastfoot\n{rows}\\end{{longtable}}\n"
    )


def extreme_tasks(compared: TaskComparison) -> dict[str, str]:
    """By estimator, the tasks of its smallest and largest ratio to paired KernelSHAP, with these.

    At the headline budget of each task; an estimator that ran in one task has only that one.
    """
    cells = headline_cells(compared, compared.ratios).reset_index()
    extremes = {compared.reference: "1 everywhere"}
    for name, own in cells.groupby("a"):
        ends = [own.loc[own["ratio"].idxmin()], own.loc[own["ratio"].idxmax()]]
        named = [_task_ratio(compared, end) for end in ends[: len(own)]]
        extremes[str(name)] = r", \newline ".join(named)
    return extremes


def _task_ratio(compared: TaskComparison, cell: Mapping) -> str:
    label = compared.tasks[cell["task"]].label.partition(", ")[0]
    return f"{escape(label)} ({ratio(cell['ratio'], 2)})"


def _card_row(compared: TaskComparison, name: str, extremes: Mapping[str, str]) -> str:
    spec = compared.specs[name]
    card = create(spec.estimator, spec.params).card
    label = spec.label
    told = [DASH] * 4 if card is None else _card_cells(card, label)
    cells = [escape(label), *told, extremes.get(name, DASH)]
    return " & ".join(cells) + " \\\\\n"


def _card_cells(card: Card, label: str) -> list[str]:
    aliases = [alias for alias in card.aliases if alias != label]
    also = f" ({escape(', '.join(aliases))})" if aliases else ""
    return [
        rf"{escape(card.definition)}{also} \emph{{{escape(card.source)}}}",
        rf"${card.evaluations}$, \newline ${card.cost or DASH}$",
        "none" if card.unbiased else with_formulas(card.bias),
        "yes" if card.efficient else "no",
    ]


def agreement_table(protocols: Iterable[Protocol]) -> str:
    """Our mean squared errors over the published ones, by method and samples; differences bold."""
    protocols = [protocol for protocol in protocols if len(protocol.comparison)]
    samples = sorted({n for p in protocols for n in p.comparison["samples"]})
    groups = [[[rf"\emph{{{escape(p.label)}}}", *[""] * len(samples)]] for p in protocols]
    for group, protocol in zip(groups, protocols, strict=True):
        group += _agreement_rows(protocol, samples)
    header = ["samples", *(number(int(n)) for n in samples)]
    return tabular("@{}l" + "c" * len(samples) + "@{}", [header], groups)


def joint_table(protocol: Protocol) -> str:
    """Printed errors over their expectations: a factor for each method, with joint limits."""
    header = ["", "printed over expected"]
    joint = protocol.joint
    rows = [] if joint is None else joint.methods.sort_values("factor").iterrows()
    body = [[escape(name), ratio_cell(*row[["factor", "low", "high"]])] for name, row in rows]
    return tabular("@{}lc@{}", [header], [body])


def _agreement_rows(protocol: Protocol, samples: Iterable[int]) -> list[list[str]]:
    cells = protocol.comparison.set_index(["method", "samples"])
    present = set(cells.index.unique("method"))
    rows = []
    for method in (method for method in PUBLISHED if method in present):
        row = [escape(method)]
        for n in samples:
            ran = (method, n) in cells.index
            row.append(_ratio(cells.loc[(method, n)]) if ran else DASH)
        rows.append(row)
    return rows


def _ratio(row: Mapping[str, float]) -> str:
    return ratio_cell(row["ratio"], row["low"], row["high"])


def headline_cells(compared: TaskComparison, frame: pd.DataFrame) -> pd.DataFrame:
    """Rows of a table of ratios at the headline budget of each task, by (a, b, task)."""
    return compared.at_headline(frame).set_index(["a", "b", "task"]).sort_index()


def _task_header(compared: TaskComparison) -> list[list[str]]:
    labels = [map(escape, task.label.partition(", ")[::2]) for task in compared.tasks.values()]
    budgets = [number(task.headline) for task in compared.tasks.values()]
    return [["", *(stacked(*label) for label in labels)], ["evaluations", *budgets]]


def _by_task(compared: TaskComparison, cells: pd.DataFrame, a: str, b: str) -> list[str]:
    return [
        _ratio(cells.loc[(a, b, task)]) if (a, b, task) in cells.index else DASH
        for task in compared.tasks
    ]


def regrets_table(compared: TaskComparison) -> str:
    """Error over that of the best, over all tasks and budgets, by regret."""
    body = [
        [
            escape(compared.label_of(name)),
            ratio(row["typical"]),
            number(int(row["near"])),
            number(int(row["sure"])),
        ]
        for name, row in compared.regret_ranking.iterrows()
    ]
    header = ["", "median regret", "near the best", "by the upper limit"]
    return tabular("@{}lrrr@{}", [header], [body])


def contrasts_table(replication: ChenReplication) -> str:
    """`CONTRASTS` at the headline budget of each task; those that ran nowhere left out."""
    compared = replication.tasks
    cells = headline_cells(compared, replication.contrasts)
    rows = []
    for a, b in CONTRASTS:
        row = _by_task(compared, cells, a, b)
        if set(row) != {DASH}:
            labels = (escape(compared.label_of(name)) for name in (a, b))
            rows.append([" / ".join(labels), *row])
    columns = "@{}>{\\raggedright\\arraybackslash}p{2.9cm}" + "c" * len(compared.tasks) + "@{}"
    return tabular(columns, _task_header(compared), [rows])


def choices_table(compared: TaskComparison) -> str:
    """Best estimator by task and budget, and those within the margin of it."""
    header = [
        "",
        "active",
        "evaluations",
        "best",
        "ratio",
        f"within {MARGIN - 1:.0%} of it".replace("%", r"\,\%"),
    ]
    groups = []
    for name, task in compared.tasks.items():
        cells = compared.choices[compared.choices["task"] == name]
        rows = [
            [
                "" if k else escape(task.label),
                "" if k else number(int(task.active)),
                number(int(cell["budget"])),
                escape(compared.label_of(cell["best"])),
                _ratio(cell),
                _named(compared, cell["others"]),
            ]
            for k, (_, cell) in enumerate(cells.iterrows())
        ]
        groups.append(rows)
    narrow = ">{\\raggedright\\arraybackslash}p"
    return tabular(
        f"@{{}}{narrow}{{2.1cm}}rr{narrow}{{2.4cm}}c{narrow}{{4.7cm}}@{{}}", [header], groups
    )


def _named(compared: TaskComparison, names: tuple[str, ...]) -> str:
    labels = [compared.label_of(name) for name in names[:NAMED]]
    if len(names) > NAMED:
        labels.append(f"{len(names) - NAMED} more")
    return escape("; ".join(labels) or "none")
