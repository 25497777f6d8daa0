"""How often the intervals of `auto` hold the Shapley values, on games of the suite.

The intervals are of 1.96 standard errors, nominally 95 %. Infinite standard errors, with which too
few pairs say that they do not determine the values, are counted apart.
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from draws import FEW_BUDGETS, MANY_BUDGETS, generator_of
from pages import machine, markdown
from shapaudit.estimators import create
from solved_games import PARTS, entries

NORMAL = 1.96


def held(part: str, seeds: int, draw: int) -> pd.DataFrame:
    """A row for each run: players, kind, budget, share held, of finite errors, and the length.

    The length is the root mean square of the standard errors over that of the errors.
    """
    estimator, rows = create("auto"), []
    for entry in entries():
        if entry.part != part:
            continue
        solved = entry.drawn(draw) if draw else entry.solved
        name = f"{entry.name}/{draw}" if draw else entry.name
        for budget in FEW_BUDGETS if entry.few else MANY_BUDGETS[:2]:
            if entry.few and budget >= 1 << entry.n_players:
                continue
            for seed in range(seeds):
                rng = generator_of(name, budget, seed, "shapaudit", "Auto")
                estimate = estimator.estimate(solved.game, budget, rng)
                finite = bool(np.isfinite(estimate.standard_errors).all())
                errors = np.abs(estimate.values - solved.values)
                inside = np.mean(errors <= NORMAL * estimate.standard_errors)
                length = np.linalg.norm(estimate.standard_errors)
                length /= max(np.linalg.norm(errors), 1e-300)
                rows.append((entry.few, entry.kind, budget, finite, inside, length))
    names = ["few", "kind", "budget", "finite", "held", "length"]
    return pd.DataFrame(rows, columns=names)


def table(runs: pd.DataFrame) -> str:
    """Per cent held by kind and budget, of the runs with finite errors."""
    finite = runs[runs["finite"]]
    cells = 100 * finite.pivot_table(
        index="kind", columns="budget", values="held", margins=True, margins_name="all"
    )
    rows = [
        [name, *("" if np.isnan(x) else f"{x:.0f}" for x in row)]
        for name, row in zip(cells.index, cells.to_numpy(), strict=True)
    ]
    return markdown(["kind", *map(str, cells.columns)], rows)


def page(runs: pd.DataFrame, part: str) -> str:
    """The whole page."""
    lines = [
        "# Coverage of the standard errors of `auto`",
        f"Per cent of the Shapley values within {NORMAL} standard errors, nominally 95, by kind of "
        f"game and number of evaluations, on the {part} games of the suite. {machine()}",
    ]
    for title, chosen in (
        ("8 to 16 players", runs[runs["few"]]),
        ("30 to 300 players", runs[~runs["few"]]),
    ):
        if not len(chosen):
            continue
        infinite = 100 * (1.0 - chosen["finite"].mean())
        lengths = chosen.loc[chosen["finite"], "length"].quantile([0.25, 0.5, 0.75])
        spread = ", ".join(f"{x:.2f}" for x in lengths)
        lines += [
            f"## {title}",
            table(chosen),
            f"Standard errors are infinite in {infinite:.0f} % of the runs, which do not count. "
            f"Quartiles of their norm over that of the errors: {spread}.",
        ]
    return "\n\n".join(lines) + "\n"


def main() -> None:
    """Write coverage.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the table goes")
    parser.add_argument("--part", choices=PARTS, default=PARTS[1])
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--draw", type=int, default=1)
    arguments = parser.parse_args()
    runs = held(arguments.part, arguments.seeds, arguments.draw)
    (arguments.folder / "coverage.md").write_text(page(runs, arguments.part), encoding="utf-8")


if __name__ == "__main__":
    main()
