"""Tables of the benchmark of Chen et al. (2023); each function returns the LaTeX of one table."""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from shapaudit.estimators import Card, create
from shapaudit.report.latex import (
    escape,
    fixed,
    number,
    ratio_with_limits,
    stacked,
    tabular,
)
from shapaudit.statistics.agreement import PUBLISHED
from shapaudit.statistics.simultaneous import verdict

from ..findings import (
    CONTRASTS,
    REFERENCE,
    Benchmark,
    Protocol,
)

NOT_RUN = "--"
NAMED = 6  # estimators that a cell of the choices names; of the others it says how many


def tables(benchmark: Benchmark) -> dict[str, str]:
    """All tables by file name without suffix."""
    return {
        "benchmark_estimators": estimators_table(benchmark),
        "benchmark_agreement": agreement_table(benchmark),
        "benchmark_ratios": ratios_table(benchmark),
        "benchmark_contrasts": contrasts_table(benchmark),
        "benchmark_choices": choices_table(benchmark),
    }


def estimators_table(benchmark: Benchmark) -> str:
    """A longtable of what every estimator is and promises, and where it did best and worst."""
    extremes = extreme_tasks(benchmark)
    rows = ""
    for family, names in benchmark.estimators.items():
        rows += rf"\multicolumn{{6}}{{@{{}}l}}{{\emph{{{escape(family)}}}}}\\*" + "\n"
        rows += "".join(_card_row(benchmark, name, extremes) for name in names)
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
        "of the arithmetic per evaluation, to draw its coalition and to use its value, beside\n"
        "that of the game; the less where the game walks along permutations by itself. Efficient:\n"
        "the estimates sum to $v(\\mathcal M)-v(\\emptyset)$. Best and worst task: mean error\n"
        "over that of paired KernelSHAP at the last budget.}\\\\\n"
        f"\\toprule\n{head}\\endfirsthead\n\\toprule\n{head}\\endhead\n"
        f"\\bottomrule\n\\endlastfoot\n{rows}\\end{{longtable}}\n"
    )


def extreme_tasks(benchmark: Benchmark) -> dict[str, str]:
    """By estimator, the tasks of its smallest and largest ratio to paired KernelSHAP, with these.

    At the last budget of each task; an estimator that ran in one task has only that one.
    """
    cells = last_cells(benchmark, benchmark.ratios).reset_index()
    found = {REFERENCE: "1 everywhere"}
    for name, own in cells.groupby("a"):
        ends = [own.loc[own["ratio"].idxmin()], own.loc[own["ratio"].idxmax()]]
        named = [_task_ratio(benchmark, end) for end in ends[: len(own)]]
        found[str(name)] = r", \newline ".join(named)
    return found


def _task_ratio(benchmark: Benchmark, cell: Mapping) -> str:
    label = benchmark.tasks[cell["task"]].label.partition(", ")[0]
    return f"{escape(label)} ({number(cell['ratio'], 2)})"


def _card_row(benchmark: Benchmark, name: str, extremes: Mapping[str, str]) -> str:
    spec = benchmark.specs[name]
    card = create(spec["estimator"], spec.get("params")).card
    label = spec["label"]
    told = [NOT_RUN] * 4 if card is None else _card_cells(card, label)
    cells = [escape(label), *told, extremes.get(name, NOT_RUN)]
    return " & ".join(cells) + " \\\\\n"


def _card_cells(card: Card, label: str) -> list[str]:
    aliases = [alias for alias in card.aliases if alias != label]
    also = f" ({escape(', '.join(aliases))})" if aliases else ""
    return [
        rf"{escape(card.definition)}{also} \emph{{{escape(card.source)}}}",
        rf"${card.evaluations}$, \newline ${card.cost or NOT_RUN}$",
        "none" if card.unbiased else escape(card.bias),
        "yes" if card.efficient else "no",
    ]


def agreement_table(benchmark: Benchmark) -> str:
    """Our mean squared errors over the published ones, by method and samples; differences bold."""
    protocols = [p for p in benchmark.protocols.values() if len(p.comparison)]
    samples = sorted({n for p in protocols for n in p.comparison["samples"]})
    groups = [[[rf"\emph{{{escape(p.label)}}}", *[""] * len(samples)]] for p in protocols]
    for group, protocol in zip(groups, protocols, strict=True):
        group += _agreement_rows(protocol, samples)
    header = ["samples", *(number(int(n)) for n in samples)]
    return tabular("@{}l" + "c" * len(samples) + "@{}", [header], groups)


def _agreement_rows(protocol: Protocol, samples: Iterable[int]) -> list[list[str]]:
    cells = protocol.comparison.set_index(["method", "samples"])
    present = set(cells.index.unique("method"))
    rows = []
    for method in (method for method in PUBLISHED if method in present):
        row = [escape(method)]
        for n in samples:
            found = (method, n) in cells.index
            row.append(ratio_cell(cells.loc[(method, n)]) if found else NOT_RUN)
        rows.append(row)
    return rows


def ratio_cell(row: Mapping[str, float]) -> str:
    """A ratio over its limits, bold where they leave 1 out; alone where it has none."""
    if np.isnan(row["low"]):
        return fixed(row["ratio"], 2)
    value, interval = ratio_with_limits(row["ratio"], row["low"], row["high"])
    if verdict(row["low"], row["high"]) != "undecided":
        value = rf"\textbf{{{value}}}"
    return stacked(value, interval)


def last_cells(benchmark: Benchmark, frame: pd.DataFrame) -> pd.DataFrame:
    """Rows of a table of ratios at the last budget of each task, by (a, b, task)."""
    last = {task.name: task.budgets[-1] for task in benchmark.tasks.values()}
    rows = frame[frame["budget"] == frame["task"].map(last)]
    return rows.set_index(["a", "b", "task"]).sort_index()


def _task_header(benchmark: Benchmark) -> list[list[str]]:
    labels = [map(escape, task.label.partition(", ")[::2]) for task in benchmark.tasks.values()]
    budgets = [number(task.budgets[-1]) for task in benchmark.tasks.values()]
    return [["", *(stacked(*label) for label in labels)], ["evaluations", *budgets]]


def _by_task(benchmark: Benchmark, cells: pd.DataFrame, a: str, b: str) -> list[str]:
    return [
        ratio_cell(cells.loc[(a, b, task)]) if (a, b, task) in cells.index else NOT_RUN
        for task in benchmark.tasks
    ]


def ratios_table(benchmark: Benchmark) -> str:
    """Mean error over that of paired KernelSHAP at the last budget of each task, by family."""
    cells = last_cells(benchmark, benchmark.ratios)
    groups = [
        [
            [escape(benchmark.label_of(name)), *_by_task(benchmark, cells, name, REFERENCE)]
            for name in names
            if name != REFERENCE
        ]
        for names in benchmark.estimators.values()
    ]
    columns = "@{}l" + "c" * len(benchmark.tasks) + "@{}"
    return tabular(columns, _task_header(benchmark), groups)


def contrasts_table(benchmark: Benchmark) -> str:
    """`benchmark.CONTRASTS` at the last budget of each task; those that ran nowhere left out."""
    cells = last_cells(benchmark, benchmark.contrasts)
    rows = []
    for a, b in CONTRASTS:
        row = _by_task(benchmark, cells, a, b)
        if set(row) != {NOT_RUN}:
            labels = (escape(benchmark.label_of(name)) for name in (a, b))
            rows.append([" / ".join(labels), *row])
    columns = "@{}>{\\raggedright\\arraybackslash}p{5.6cm}" + "c" * len(benchmark.tasks) + "@{}"
    return tabular(columns, _task_header(benchmark), [rows])


def choices_table(benchmark: Benchmark) -> str:
    """Best estimator by task and budget, and those that may be as good."""
    header = ["", "active", "evaluations", "best", "ratio", "not distinguishable from it"]
    groups = []
    for name, task in benchmark.tasks.items():
        cells = benchmark.choices[benchmark.choices["task"] == name]
        rows = [
            [
                "" if k else escape(task.label),
                "" if k else number(int(task.active)),
                number(int(cell["budget"])),
                escape(benchmark.label_of(cell["best"])),
                ratio_cell(cell),
                _named(benchmark, cell["others"]),
            ]
            for k, (_, cell) in enumerate(cells.iterrows())
        ]
        groups.append(rows)
    narrow = ">{\\raggedright\\arraybackslash}p"
    return tabular(
        f"@{{}}{narrow}{{2.1cm}}rr{narrow}{{2.4cm}}c{narrow}{{5.6cm}}@{{}}", [header], groups
    )


def _named(benchmark: Benchmark, names: tuple[str, ...]) -> str:
    labels = [benchmark.label_of(name) for name in names[:NAMED]]
    if len(names) > NAMED:
        labels.append(f"{len(names) - NAMED} more")
    return escape("; ".join(labels) or "none")
