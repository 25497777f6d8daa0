"""Tables by kind of the wider games: regrets of `auto`, who is ahead of it, and ShaplEIG."""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from pages import markdown
from suite_summary import AHEAD, FLOOR, OURS, PLAIN, TASK, compared, page, read, table_of, write

AUTO = f"shapaudit {OURS}"
SLOW = "shapiq ShaplEIG"
# Simple estimators, of which the better one should nowhere be far ahead.
SIMPLE = {f"over {PLAIN}": f"shapaudit {PLAIN}", "over SVARM": "shapaudit Stratified SVARM"}
NEAR, FAR = 1.05, 1.5


def _kinds(runs: pd.DataFrame, table: pd.DataFrame) -> np.ndarray:
    """The kinds of a table's games, one for each task."""
    kinds = runs.drop_duplicates("game").set_index("game")["kind"]
    return kinds.loc[table.index.get_level_values("game")].to_numpy()


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def regrets_by_kind(runs: pd.DataFrame) -> pd.DataFrame:
    """Spread of the regret of `auto` over the tasks of each kind, and its errors over others'.

    The last columns are geometric means of the ratio of its error to one of `SIMPLE`.
    """
    errors, regret = table_of(runs).clip(lower=FLOOR), compared(runs)[AUTO].dropna()
    kinds, rows = _kinds(runs, regret), []
    for kind in [*sorted(set(kinds)), "all"]:
        some = regret[(kinds == kind) | (kind == "all")]
        own = errors.loc[some.index]
        means = [
            f"{np.exp(np.log(own[AUTO] / own[name]).mean()):.2f}" if name in own else "–"
            for name in SIMPLE.values()
        ]
        spread = (f"{value:.2f}" for value in (*some.quantile([0.5, 0.9]), some.max()))
        within = (_percent((some <= bound).mean()) for bound in (NEAR, FAR))
        games = some.index.get_level_values("game").nunique()
        rows.append((kind, str(games), str(len(some)), *spread, *within, *means))
    names = ("kind", "games", "tasks", "median", "nine tenths", "worst")
    return pd.DataFrame(rows, columns=[*names, f"within {NEAR}", f"within {FAR}", *SIMPLE])


def ahead(runs: pd.DataFrame) -> pd.DataFrame:
    """Tasks on which another errs less than `auto` by more than a tenth, the worst first.

    Columns: kind, task, the best of the others, and the error of `auto` over its error.
    """
    errors = table_of(runs).clip(lower=FLOOR)
    others = errors.drop(columns=AUTO)
    ratios = (errors[AUTO] / others.min(axis=1)).dropna().sort_values(ascending=False)
    worse = ratios[ratios > AHEAD]
    rows = [
        (kind, " at ".join(map(str, task)), others.loc[task].idxmin(), f"{ratio:.2f}")
        for kind, (task, ratio) in zip(_kinds(runs, worse), worse.items(), strict=True)
    ]
    return pd.DataFrame(rows, columns=["kind", "task", "best", "ratio"])


def again(runs: pd.DataFrame) -> pd.DataFrame:
    """The errors of `auto` over those of others, in runs of many samples: a row for each pair."""
    errors, rows = table_of(runs).clip(lower=FLOOR), []
    samples = runs.groupby(TASK)["seed"].nunique()
    for task, found in errors.iterrows():
        for method in found.dropna().index.drop(AUTO):
            ratio = f"{found[AUTO] / found[method]:.2f}"
            rows.append((" at ".join(map(str, task)), method, str(samples[task]), ratio))
    return pd.DataFrame(rows, columns=["task", "other", "samples", "ratio"])


def beside_slow(runs: pd.DataFrame) -> pd.DataFrame:
    """The error of `auto` over that of ShaplEIG, and seconds of both: a row for each kind.

    Medians over its games, which here are one each.
    """
    errors = table_of(runs).clip(lower=FLOOR)
    ratios = (errors[AUTO] / errors[SLOW]).dropna()
    rows, kinds = [], _kinds(runs, ratios)
    budgets = sorted(set(ratios.index.get_level_values("budget")))
    for kind in [*sorted(set(kinds)), "all"]:
        some = ratios[(kinds == kind) | (kind == "all")].groupby("budget").median()
        rows.append((kind, *(f"{some[budget]:.2f}" for budget in budgets)))
    names = runs["package"] + " " + runs["method"]
    seconds = runs.assign(name=names).groupby(["name", "budget"])["seconds"].median()
    for name in (AUTO, SLOW):
        rows.append((f"seconds of {name}", *(f"{seconds[name, budget]:.2g}" for budget in budgets)))
    return pd.DataFrame(rows, columns=["kind", *map(str, budgets)])


def told(table: pd.DataFrame, names: int = 1) -> str:
    """A table of texts, the first columns of which are names."""
    return markdown(list(table), table.to_numpy().tolist(), names)


def by_kind(runs: pd.DataFrame, slow: pd.DataFrame, more: pd.DataFrame | None) -> str:
    """The tables by kind, of games with few players; without ``more``, no table of its samples."""
    few = runs[runs["players"] <= 16]
    samples = few["seed"].nunique()
    names = slow["package"] + " " + slow["method"]
    of_auto, of_slow = (slow.loc[names == name, "seed"].nunique() for name in (AUTO, SLOW))
    repeated = []
    if more is not None:
        repeated = ["These with more samples of coalitions:", told(again(more), names=2)]
    return "\n\n".join(
        [
            "## `auto` by kind, 8 to 16 players",
            "Regret of `auto` over all others, and geometric means of its error over those of "
            f"{PLAIN} and stratified SVARM:",
            told(regrets_by_kind(few)),
            "All tasks on which another errs less than `auto` by more than a tenth, and the error "
            "of `auto` over that of the best:",
            told(ahead(few), names=3),
            *repeated,
            "## ShaplEIG beside `auto`",
            "Errors of `auto` over those of ShaplEIG by evaluations, on the first game of each "
            "kind, and processor seconds of an estimate. ShaplEIG takes too long for all games.",
            told(beside_slow(slow)),
            f"Root mean squares over few samples of coalitions, {of_auto} of `auto` and "
            f"{of_slow} of ShaplEIG, so that these ratios have no limits; the tables by "
            f"kind above rest on {samples} of each.",
            "",
        ]
    )


def main() -> None:
    """Write suite_wider.md and suite_wider.csv."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the tables go")
    parser.add_argument("files", type=Path, nargs="+", help="runs that suite.py kept")
    parser.add_argument(
        "--slow", type=Path, nargs="+", required=True, help="those of shapleig.py and of `auto`"
    )
    parser.add_argument(
        "--more", type=Path, nargs="+", help="of tasks on which others are ahead, as listed without"
    )
    parser.add_argument("--note", default="", help="sentences on how the runs came about")
    arguments = parser.parse_args()
    runs, measured, missing = read(arguments.files, arguments.note)
    slow = read(arguments.slow, "")[0]
    more = read(arguments.more, "")[0] if arguments.more else None
    text = page(runs, measured, "Regret on the wider suite of games")
    text = "\n".join([text, by_kind(runs, slow, more)]) + missing
    kept = pd.concat([runs, slow, more]).drop_duplicates([*TASK, "seed", "package", "method"])
    write(arguments.folder, "suite_wider", text, kept)


if __name__ == "__main__":
    main()
