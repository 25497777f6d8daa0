"""Tables of the runs that `peers.py` kept: errors, their ratios, evaluations and seconds."""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from pages import machine, markdown
from shapaudit.statistics.simultaneous import ratio_of_means

CELL = ["game", "budget"]
RESAMPLES = 19999
UNBOUNDED = 1e100  # a limit beyond it says nothing: on some explicands an error is next to none


def references(runs: pd.DataFrame) -> pd.Series:
    """This project's estimator of least mean error on the tuning explicands, by game and budget.

    The tuning explicands are others than those compared, so that the choice does not favour it. An
    estimator that did not run on all of them is not chosen.
    """
    errors = runs[runs["tuning"]].groupby([*CELL, "method"])["error"]
    counts = errors.count()
    means = errors.mean()[counts == counts.groupby(CELL).transform("max")]
    return means.groupby(CELL).idxmin().map(lambda label: label[-1])


def summarise(runs: pd.DataFrame) -> pd.DataFrame:
    """One row for each game, budget and method, the least mean error first.

    Columns: game, budget, package, method, explicands, error (mean over explicands), ratio (of mean
    errors, to that of the reference), low, high (95 % limits, explicands resampled for both at
    once; missing below ten explicands and where they are unbounded), evaluations (mean), seconds
    (median), reference.
    """
    chosen = references(runs)
    compared = runs[~runs["tuning"]]
    rows = []
    for (game, budget), cell in compared.groupby(CELL):
        reference = chosen[game, budget]
        own = cell["package"] == "shapaudit"
        base = cell[own & (cell["method"] == reference)].set_index("explicand")["error"]
        for (package, method), runs_of in cell.groupby(["package", "method"]):
            errors = runs_of.set_index("explicand")["error"].sort_index()
            units = np.column_stack([errors, base.loc[errors.index]])
            ratio = ratio_of_means(units, 0.05, RESAMPLES)
            bounded = ratio.high < UNBOUNDED
            row = {
                "game": game,
                "budget": budget,
                "package": package,
                "method": method,
                "explicands": len(errors),
                "error": errors.mean(),
                "ratio": ratio.estimate,
                "low": ratio.low if bounded else np.nan,
                "high": ratio.high if bounded else np.nan,
                "evaluations": runs_of["evaluations"].mean(),
                "seconds": runs_of["seconds"].median(),
                "reference": reference,
            }
            rows.append(row)
    return pd.DataFrame(rows).sort_values([*CELL, "error"], ignore_index=True)


def peers_ahead(cell: pd.DataFrame) -> str:
    """A sentence: the peers whose mean error is below the least of this project."""
    own = cell["package"].str.startswith("shapaudit")
    better = cell[~own & (cell["error"] < cell.loc[own, "error"].min())]
    names = ", ".join(f"{row.package} {row.method}" for row in better.itertuples())
    return f"Peers ahead of all of this project: {names or 'none'}."


def section(cell: pd.DataFrame) -> str:
    """The rows of one game and budget as a table."""
    first = cell.iloc[0]
    rows = [
        [
            row.package,
            row.method + (" †" if row.explicands < cell["explicands"].max() else ""),
            f"{row.error:#.3g}",
            (f"{row.ratio:.2f}" if row.ratio < 100 else f"{row.ratio:.0f}")
            + ("" if np.isnan(row.low) else f" [{row.low:.2f}, {row.high:.2f}]"),
            f"{row.evaluations:.0f}",
            f"{row.seconds:.4f}",
        ]
        for row in cell.itertuples()
    ]
    header = ["Package", "Method", "Mean error", "Ratio [95 %]", "Evaluations", "Seconds"]
    title = f"## {first.game}, {first.budget:,} evaluations"
    basis = (
        f"Reference: {first.reference}. Explicands: {cell['explicands'].max()}. {peers_ahead(cell)}"
    )
    return "\n\n".join([title, basis, markdown(header, rows, 2)])


def page(table: pd.DataFrame, measured: str) -> str:
    """All tables with what their columns mean."""
    shorter = table["explicands"] < table.groupby(CELL)["explicands"].transform("max")
    words = (
        "Mean over explicands of the Euclidean norm of the error, on games of the default study "
        "(d = 16, one seed for each explicand). The ratio is to this project's estimator of least "
        "mean error on the study's tuning explicands, which are others; its limits, from ten "
        "explicands on, are 95 % bootstrap limits, each for itself, explicands resampled for both "
        "at once; there are none where the reference is next to exact on most explicands. "
        "Evaluations are those that the game counted, repeats included; no run may exceed its "
        "budget. Errors do not depend on the machine; seconds (of one processor, median over "
        "explicands, without compilation) do, and are good to a factor of two. The version beside "
        "a package is the one that its row was measured with. The values of these games are "
        "functions of one sum over players, which Auto and Odd Fourier alone look for; their lead "
        "here need not carry over to others."
    )
    parts = ["# Beside other packages", words, measured]
    if shorter.any():
        parts.append(f"† {table.loc[shorter, 'explicands'].min()} explicands only, for its time.")
    return "\n\n".join([*parts, *(section(cell) for _, cell in table.groupby(CELL))])


def versions(runs: pd.DataFrame) -> pd.Series:
    """Version of the package of each method; ValueError where runs of a method differ in it."""
    grouped = runs.fillna({"version": ""}).groupby(["package", "method"])["version"]
    mixed = grouped.nunique() > 1
    if mixed.any():
        labels = ", ".join(map(" ".join, mixed.index[mixed]))
        raise ValueError(f"Runs with different versions: {labels}; keep those of one.")
    return grouped.first()


def main() -> None:
    """Write peers.csv and peers.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path, help="where the tables go")
    parser.add_argument("files", type=Path, nargs="+", help="what peers.py kept")
    arguments = parser.parse_args()
    runs = pd.concat([pd.read_csv(file, dtype={"version": str}) for file in arguments.files])
    table = summarise(runs).join(versions(runs), on=["package", "method"])
    table.to_csv(arguments.directory / "peers.csv", index=False, float_format="%.6g")
    named = table.assign(package=(table["package"] + " " + table["version"]).str.strip())
    text = page(named, machine(sorted(runs["python"].unique())))
    (arguments.directory / "peers.md").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
