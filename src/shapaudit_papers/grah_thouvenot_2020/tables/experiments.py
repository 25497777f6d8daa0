"""Tables of the experiments; each function returns the LaTeX of one table."""

from collections.abc import Mapping, Sequence

import pandas as pd

from shapaudit_audit.report.latex import (
    DASH,
    escape,
    fixed,
    number,
    percent,
    ratio_with_limits,
    stacked,
    tabular,
    with_limits,
)
from shapaudit_audit.report.palette import family_of

from ..findings import CONTRASTS, VARIANT_CONTRASTS, Experiment, GrahReplication

Experiments = Mapping[str, Experiment]


def tables(replication: GrahReplication) -> dict[str, str]:
    """All tables by file name without suffix, but that of the published readings."""
    experiments, compared = replication.experiments, replication.comparisons
    return {
        "study": study_table(experiments),
        "errors": errors_table(experiments),
        "ratios": comparisons_table(compared, CONTRASTS, experiments, "ratio"),
        "speed": comparisons_table(compared, CONTRASTS, experiments, "speed"),
        "variants": comparisons_table(compared, VARIANT_CONTRASTS, experiments, "ratio"),
        "steps": steps_table(experiments),
        "spread": spread_table(experiments),
        "coverage": coverage_latex(experiments),
        "collapsed": relative_table(replication.collapsed),
    }


def _labels_by_family(experiments: Experiments) -> dict[str, list[str]]:
    """Names of the estimators that ran anywhere, in the order of the configuration, by family."""
    families: dict[str, list[str]] = {}
    for experiment in experiments.values():
        for name in experiment.estimators:
            family = families.setdefault(family_of(experiment.specs[name]), [])
            if name not in family:
                family.append(name)
    order = {name: k for k, name in enumerate(next(iter(experiments.values())).specs)}
    return {family: sorted(names, key=order.__getitem__) for family, names in families.items()}


def _header(experiments: Experiments) -> list[str]:
    """Labels of the experiments, what follows a comma on a line of its own."""
    parts = [map(escape, e.label.partition(", ")[::2]) for e in experiments.values()]
    return ["", *(stacked(*part) for part in parts)]


def study_table(experiments: Experiments) -> str:
    """What each experiment consists of."""
    header = ["", "players", "explicands", "seeds", "tuning", "budgets", "truth", "equal split"]
    rows = [
        [
            escape(e.label),
            number(e.players),
            number(e.explicands),
            number(e.repetitions),
            number(e.tuning_explicands),
            f"{number(int(e.frame['budget'].min()))}--{number(e.budget)}",
            escape(truth_words(e)),
            number(e.start, 2),
        ]
        for e in experiments.values()
    ]
    return tabular("@{}lrrrrr>{\\raggedright\\arraybackslash}p{3.9cm}r@{}", [header], [rows])


def truth_words(experiment: Experiment) -> str:
    """How the truth is known, and to what precision."""
    first = experiment.truth.iloc[0]
    if first["certificate"] == "exact":
        check = first["check"]
        return f"exact: {first['method']}" + (f", {check}" if check != "none" else "")
    return f"{first['certificate']}: {first['method']}"


def errors_table(experiments: Experiments) -> str:
    """Mean error at the last budget of every estimator in every experiment, with 95 % limits."""
    groups = []
    for names in _labels_by_family(experiments).values():
        rows = []
        for name in names:
            label = next(iter(experiments.values())).label_of(name)
            rows.append([escape(label), *(_error(e, name) for e in experiments.values())])
        groups.append(rows)
    budgets = ["evaluations", *(number(e.budget) for e in experiments.values())]
    header = [_header(experiments), budgets]
    return tabular("@{}l" + "c" * len(experiments) + "@{}", header, groups)


def _error(experiment: Experiment, name: str) -> str:
    if name not in experiment.last.index:
        return DASH
    row = experiment.last.loc[name]
    return stacked(*with_limits(row["mean"], row["low"], row["high"]))


def relative_table(experiment: Experiment) -> str:
    """Errors over those of the equal split: median with limits, and smallest over explicands."""
    rows = [
        [
            escape(experiment.label_of(name)),
            *with_limits(row["median"], row["low"], row["high"]),
            number(row["smallest"], 2),
        ]
        for name, row in experiment.relative.iterrows()
    ]
    return tabular("@{}lrlr@{}", [["", "median", "limits", "smallest"]], [rows])


def comparisons_table(
    comparisons: pd.DataFrame,
    contrasts: Sequence[tuple[str, str]],
    experiments: Experiments,
    kind: str,
) -> str:
    """Contrasts by experiments: ``kind`` "ratio" of errors, or "speed" in evaluations.

    ``comparisons`` comes from `comparisons.compare_all`; contrasts that ran nowhere are left out.
    """
    specs = next(iter(experiments.values())).specs
    cells = comparisons.set_index(["a", "b", "experiment"])
    draw = _ratio if kind == "ratio" else _speed
    rows = []
    for a, b in contrasts:
        row = [
            draw(cells.loc[(a, b, name)]) if (a, b, name) in cells.index else DASH
            for name in experiments
        ]
        if any(cell != DASH for cell in row):
            rows.append([rf"{escape(specs[a].label)} / {escape(specs[b].label)}", *row])
    header = [_header(experiments)]
    width = "@{}>{\\raggedright\\arraybackslash}p{5.0cm}" + "c" * len(experiments) + "@{}"
    return tabular(width, header, [rows])


def _ratio(row: pd.Series) -> str:
    value, interval = ratio_with_limits(row["ratio"], row["low"], row["high"])
    if row["verdict"] != "undecided":
        value = rf"\textbf{{{value}}}"
    return stacked(value, interval)


def _speed(row: pd.Series) -> str:
    value, interval = ratio_with_limits(row["speed_up"], row["speed_low"], row["speed_high"])
    if row["at_start"]:
        value = (r"\ensuremath{\ge}" if row["speed_up"] > 1 else r"\ensuremath{\le}") + value
    return stacked(value, interval)


def steps_table(experiments: Experiments) -> str:
    """Published steps against steps chosen on other explicands, with what the choice cost."""
    header = ["", "rule", "published", "chosen", "grid", "evaluations", "published", "tuned"]
    groups = []
    for experiment in experiments.values():
        rows = [
            _step_row(experiment, *rule)
            for rule in (("constant", "psgd-constant"), (r"\ensuremath{1/\sqrt t}", "psgd-sqrt"))
            if {rule[1], f"{rule[1]}-tuned"} <= set(experiment.settings)
        ]
        if rows:
            rows[0][0] = escape(experiment.label)
            groups.append(rows)
    return tabular("@{}llrrrrcc@{}", [header], groups)


def _step_row(experiment: Experiment, rule: str, name: str) -> list[str]:
    tuning = experiment.settings[f"{name}-tuned"]["tuning"]
    grid = sorted(tuning["grid"])
    chosen = number(tuning["chosen"], 1)
    if tuning["chosen"] in (grid[0], grid[-1]):
        chosen += r"\textsuperscript{*}"
    return [
        "",
        rule,
        number(experiment.settings[name]["params"]["scale"], 1),
        chosen,
        f"{number(grid[0], 1)}--{number(grid[-1], 1)}",
        number(tuning["evaluations"]),
        _error(experiment, name),
        _error(experiment, f"{name}-tuned"),
    ]


def published_table(experiments: Experiments) -> str:
    """Published readings beside our errors at the same budgets."""
    header = ["", "estimator", "evaluations", "reading", "this study", "limits", "ratio"]
    groups = [rows for e in experiments.values() if (rows := _published_rows(e))]
    if not groups:
        groups = [[["", "no reading has the players and budgets of this study", *[""] * 5]]]
    return tabular("@{}llrrrlr@{}", [header], groups)


def _published_rows(experiment: Experiment) -> list[list[str]]:
    rows: list[list[str]] = []
    for name in experiment.compared:
        readings = experiment.published[experiment.published["method"] == name]
        for k, row in enumerate(readings.sort_values("evaluations").itertuples()):
            rows.append(
                [
                    "" if rows else escape(experiment.label),
                    "" if k else escape(experiment.label_of(name)),
                    number(int(row.evaluations)),
                    _reading(row.error),
                    *with_limits(row.mean, row.low, row.high),
                    fixed(row.ratio, 2),
                ]
            )
    return rows


def _reading(value: float) -> str:
    """A reading with the digits it was taken to, at least two."""
    two = f"{value:#.2g}"
    return two if float(two) == value else f"{value:g}"


def spread_table(experiments: Experiments) -> str:
    """Standard deviations between explicands and between seeds, and the share of the first."""
    header = ["", *["explicands", "seeds", "share"] * len(experiments)]
    above = ["", *(rf"\multicolumn{{3}}{{c}}{{{escape(e.label)}}}" for e in experiments.values())]
    groups = []
    for names in _labels_by_family(experiments).values():
        rows = []
        for name in names:
            cells = [cell for e in experiments.values() for cell in _spread(e, name)]
            if set(cells) != {DASH}:
                rows.append([escape(next(iter(experiments.values())).label_of(name)), *cells])
        groups.append(rows)
    return tabular("@{}l" + "rrr" * len(experiments) + "@{}", [above, header], groups)


def _spread(experiment: Experiment, name: str) -> list[str]:
    if name not in experiment.components.index or name not in experiment.compared:
        return [DASH] * 3
    row = experiment.components.loc[name]
    return [number(row["between"], 2), number(row["within"], 2), percent(row["share"])]


def coverage_latex(experiments: Experiments) -> str:
    """Coverage of nominal 95 % intervals at the first, a middle and the last budget."""
    header = ["", "estimator", *("evaluations", "coverage") * 3]
    groups = [rows for e in experiments.values() if (rows := _coverage_rows(e))]
    return tabular("@{}ll" + "rc" * 3 + "@{}", [header], groups)


def _coverage_rows(experiment: Experiment) -> list[list[str]]:
    table: list[list[str]] = []
    for name in experiment.compared:
        rows = experiment.coverage[experiment.coverage["estimator"] == name].sort_values("budget")
        if rows.empty:
            continue
        cells = []
        for k in (0, len(rows) // 2, len(rows) - 1):
            row = rows.iloc[k]
            shares = with_limits(*(100 * row[key] for key in ("mean", "low", "high")))
            cells += [number(int(row["budget"])), stacked(*shares)]
        label = "" if table else escape(experiment.label)
        table.append([label, escape(experiment.label_of(name)), *cells])
    return table
