"""Tables of the runs that `suite.py` kept: regrets, a heat map of them, and evaluations saved."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from pages import machine, markdown
from patience import LONGEST, MEMORY, TOO_LARGE, TOO_SLOW
from shapaudit.statistics.regret import evaluations_to_reach, regrets, summarised

FLOOR = 1e-4  # relative error below which nobody is better than anybody else
TASK = ["game", "budget"]
SAVED = (
    ("shap", "KernelExplainer, all features"),
    ("shap", "PermutationExplainer"),
    ("shapaudit", "Paired KernelSHAP"),
)
AHEAD = 1.1  # times the error of another, from which that is better
SPENT = 2_000  # evaluations of those, whose error is to be reached
OURS, PLAIN = "Auto", "Leverage SHAP"


def table_of(runs: pd.DataFrame) -> pd.DataFrame:
    """Root mean square error over seeds: a row for each task, a column for each contestant."""
    runs = runs.assign(method=runs["package"] + " " + runs["method"], square=runs["error"] ** 2)
    return np.sqrt(runs.pivot_table(index=TASK, columns="method", values="square", dropna=True))


def compared(runs: pd.DataFrame) -> pd.DataFrame:
    """Regrets, a row for each task and a column for each contestant."""
    errors = table_of(runs)
    return pd.DataFrame(regrets(errors.to_numpy(), FLOOR), errors.index, errors.columns)


def overall(regret: pd.DataFrame) -> pd.DataFrame:
    """Median with limits, worst and where, tasks: a row for each contestant, the best first."""
    games = regret.index.get_level_values("game").to_numpy()
    rows = []
    for method in regret.columns:
        spread = summarised(regret[method].to_numpy(), games, np.random.default_rng(0))
        where = " at ".join(map(str, regret.index[spread.worst]))
        rows.append(
            (method, spread.median, spread.low, spread.high, spread.largest, where, spread.tasks)
        )
    names = ["method", "median", "low", "high", "worst", "where", "tasks"]
    return pd.DataFrame(rows, columns=names).sort_values(["median", "worst"], ignore_index=True)


def heat(regret: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    """Median regret of each contestant in each situation: few or many players, model, budget."""
    facts = runs.drop_duplicates("game").set_index("game")
    games = regret.index.get_level_values("game")
    size = np.where(facts.loc[games, "players"] <= 16, "few", "many")
    by_kind = regret.groupby([size, facts.loc[games, "kind"].to_numpy()]).median()
    by_budget = regret.groupby([size, regret.index.get_level_values("budget")]).median()
    table = pd.concat([by_kind, by_budget]).T
    table.columns = [f"{few}, {what}" for few, what in table.columns]
    return table.loc[regret.median().sort_values().index]


def times(runs: pd.DataFrame) -> pd.DataFrame:
    """Median microseconds of processor time per evaluation beside the game, by budget."""
    named = runs.assign(
        method=runs["package"] + " " + runs["method"], time=1e6 * runs["seconds"] / runs["budget"]
    )
    table = named.pivot_table(index="method", columns="budget", values="time", aggfunc="median")
    return table.sort_values(table.columns[-1])


def over_plain(runs: pd.DataFrame) -> str:
    """A sentence: the error of `auto` over that of the least squares it builds on."""
    errors = table_of(runs).clip(lower=FLOOR)
    ratios = (errors[f"shapaudit {OURS}"] / errors[f"shapaudit {PLAIN}"]).dropna()
    where = " at ".join(map(str, ratios.idxmax()))
    return (
        f"With the same seeds the error of `auto` is {ratios.median():.3g} times that of "
        f"{PLAIN} (median), at most {ratios.max():.3g} times ({where})."
    )


def others_ahead(runs: pd.DataFrame) -> pd.DataFrame:
    """Who errs less than `auto` by more than a tenth, the most frequent first.

    Columns: method, tasks (of so many), largest ratio of the errors, and where it is.
    """
    errors = table_of(runs).clip(lower=FLOOR)
    own, rows = errors[f"shapaudit {OURS}"], []
    for method in errors.columns:
        ratios = (own / errors[method]).dropna()
        better = ratios[ratios > AHEAD]
        if len(better):
            where = " at ".join(map(str, better.idxmax()))
            rows.append((method, len(better), len(ratios), float(better.max()), where))
    names = ["method", "ahead on", "of tasks", "at most by", "where"]
    return pd.DataFrame(rows, columns=names).sort_values("ahead on", ascending=False)


def saved(runs: pd.DataFrame) -> pd.DataFrame:
    """Evaluations with which `auto` reaches the error that others have at 2,000, by game.

    Quartiles over the games, and how many of them are bounds.
    """
    errors, rows = table_of(runs), []
    own = errors[f"shapaudit {OURS}"].dropna()
    for package, method in SAVED:
        if (name := f"{package} {method}") not in errors:
            continue
        targets = errors[name].dropna()
        targets = targets[targets.index.get_level_values("budget") == SPENT].droplevel("budget")
        if targets.empty:  # of runs with other budgets
            continue
        reached = []
        for game, target in targets.items():
            mine = own[game]
            reached.append(evaluations_to_reach(target, mine.index.to_numpy(), mine.to_numpy()))
        counts = np.array([count for count, _ in reached])
        bounds = sum(note != "" for _, note in reached)
        rows.append((name, *np.quantile(counts, [0.25, 0.5, 0.75]), len(counts), bounds))
    return pd.DataFrame(
        rows, columns=["method", "quarter", "median", "three quarters", "games", "bounds"]
    )


def cells(row) -> list[str]:
    """A row of a table as text; a dash where an estimator ran on no such game."""
    return [_cell(x) for x in row]


def _cell(value):
    if not isinstance(value, float):
        return str(value)
    return "–" if np.isnan(value) else f"{value:.3g}"


def section(title: str, runs: pd.DataFrame) -> list[str]:
    """The tables of some of the games."""
    regret = compared(runs)
    main = overall(regret)
    lines = [f"## {title}", "", markdown(list(main), [cells(row) for row in main.to_numpy()])]
    lines += ["", over_plain(runs)]
    ahead = others_ahead(runs)
    if len(ahead):
        text = "Tasks on which others err less than `auto` by more than a tenth:"
        rows = [cells(row) for row in ahead.to_numpy()]
        lines += ["", text, "", markdown(list(ahead), rows)]
    hot = heat(regret, runs)
    rows = [[name, *cells(row)] for name, row in zip(hot.index, hot.to_numpy(), strict=True)]
    lines += ["", "Median regret by situation:", "", markdown(["method", *hot.columns], rows)]
    spent = times(runs)
    rows = [[name, *cells(row)] for name, row in zip(spent.index, spent.to_numpy(), strict=True)]
    text = "Microseconds of processor time per evaluation beside the game, medians by evaluations:"
    lines += ["", text, "", markdown(["method", *map(str, spent.columns)], rows)]
    spared = saved(runs)
    if len(spared):
        text = f"Evaluations of `auto` to the error that others have at {SPENT:,}, over games:"
        rows = [cells(row) for row in spared.to_numpy()]
        lines += ["", text, "", markdown(list(spared), rows)]
    return [*lines, ""]


def page(runs: pd.DataFrame, measured: str, title: str = "Regret on the suite of games") -> str:
    """The whole page."""
    few = runs["players"] <= 16
    lines = [
        f"# {title}",
        "",
        "Regret is the error of an estimator over that of the best of all on the same game at the "
        f"same budget (root mean square over seeds; relative errors below {FLOOR:g} count as "
        "that). Limits are 95 % of the bootstrap over games. Estimators of this project that "
        "sample alike see the same coalitions.",
        "",
        measured,
        "",
    ]
    for part in sorted(set(runs["part"])):
        for many, chosen in (("8 to 16 players", few), ("30 to 300 players", ~few)):
            some = runs[chosen & (runs["part"] == part)]
            if len(some):
                lines += section(f"{part.capitalize()}, {many}", some)
    return "\n".join(lines)


def left_out(refused: pd.DataFrame) -> list[str]:
    """Sentences on the runs that have no error, by what was lacking: time, memory, evaluations."""
    first = refused["note"].str.extract(f"^({TOO_SLOW}|{TOO_LARGE})", expand=False)
    reasons = {
        TOO_SLOW: f"Left out, as a smaller run had taken more than {LONGEST:.0f} processor seconds",
        TOO_LARGE: f"Left out for memory, more than {MEMORY >> 30} GiB",
        "": "Refused by an estimator, its budget being too small or its game too large for it",
    }
    lines = []
    for reason, text in reasons.items():
        counts = refused[first.fillna("") == reason].groupby(["package", "method"]).size()
        listed = "; ".join(f"{' '.join(name)} {count}" for name, count in counts.items())
        lines += [f"{text} (number of runs): {listed}.", ""] if listed else []
    return lines


def read(files: Sequence[Path], note: str) -> tuple[pd.DataFrame, str, str]:
    """Runs with an error, a sentence on how they were measured, and those on runs without."""
    runs = pd.concat([pd.read_csv(file) for file in files], ignore_index=True)
    refused = runs[runs["error"].isna()]
    runs = runs[runs["error"].notna()]
    pythons = sorted(set(runs["python"]))
    peers = runs[["package", "version"]].dropna().drop_duplicates().sort_values("package")
    versions = ", ".join(f"{package} {version}" for package, version in peers.to_numpy())
    measured = f"{machine(pythons)} Peers: {versions}. {note}".strip()
    return runs, measured, "\n".join(["", *left_out(refused)]) if len(refused) else ""


def write(folder: Path, name: str, text: str, runs: pd.DataFrame) -> None:
    """Write a page, and the runs beside it as CSV."""
    (folder / f"{name}.md").write_text(text, encoding="utf-8")
    columns = [c for c in runs if c not in ("note", "python")]
    runs[columns].to_csv(folder / f"{name}.csv", index=False, float_format="%.4g")


def main() -> None:
    """Write suite.md and suite.csv."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the tables go")
    parser.add_argument("files", type=Path, nargs="+", help="runs that suite.py kept")
    parser.add_argument("--note", default="", help="sentences on how the runs came about")
    arguments = parser.parse_args()
    runs, measured, missing = read(arguments.files, arguments.note)
    write(arguments.folder, "suite", page(runs, measured) + missing, runs)


if __name__ == "__main__":
    main()
