"""Tables of `front_door.py` as Markdown.

python benchmarks/front_door_summary.py results.csv > benchmarks/results/front_door.md
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

from front_door import BACKGROUND
from shapaudit.explanations.explanation import interval_factor

EXACT = 1e-9  # relative errors below which values are exact, but for rounding
HEAD = """# Rows of ten models, explained by `Explainer` and by shap

Written by `front_door_summary.py` from the runs of `front_door.py`. {rows} rows of each model are
explained over {background} background rows; models are functions, so that nothing can be read from
them, and the exact values come from all coalitions or from the trees of the model. Versions:
{versions}.
"""


def table(frame: pd.DataFrame) -> str:
    """A table in Markdown."""
    lines = [
        f"| {' | '.join(map(str, frame.columns))} |",
        f"|{':--|' + '--:|' * (frame.shape[1] - 1)}",
    ]
    lines += [f"| {' | '.join(map(str, row))} |" for row in frame.to_numpy()]
    return "\n".join(lines)


def versions() -> str:
    """Those of the packages that were compared."""
    from importlib.metadata import version

    return ", ".join(f"{name} {version(name)}" for name in ("shap", "scikit-learn", "numpy"))


def errors(runs: pd.DataFrame) -> str:
    """Errors of the others over those of `Explainer`, and of `Explainer` itself."""
    runs = runs.assign(relative=runs["error"] / runs["scale"])
    parts = []
    for (model, budget), part in runs.groupby(["model", "budget"], sort=False):
        wide = part.pivot(index="row", columns="method", values="relative")
        own = wide["Explainer"]
        line = {"Model": model, "Evaluations": f"{budget:,}", "Explainer": f"{own.median():.2g}"}
        for other in wide.columns.drop("Explainer"):
            ratio = wide[other].clip(lower=EXACT) / own.clip(lower=EXACT)
            mean = np.exp(np.log(ratio).mean())
            line[f"{other} ÷ Explainer"] = "over 1,000" if mean > 1000 else f"{mean:.1f}"
        parts.append(line)
    return table(pd.DataFrame(parts))


def coverage(runs: pd.DataFrame) -> str:
    """Shares of rows whose intervals hold all exact values, by evaluations."""
    own = runs[runs["method"] == "Explainer"]
    factors = own["players"].map(interval_factor)
    own = own.assign(all_held=own["farthest"] <= factors)
    by_model = own.groupby(["budget", "model"])["all_held"].mean()
    lines = [
        {
            "Evaluations": f"{budget:,}",
            "Rows": f"{len(part):,}",
            "All values of a row held": f"{part['all_held'].mean():.1%}",
            "Worst model": f"{by_model[budget].min():.0%} ({by_model[budget].idxmin()})",
            "Values held by pointwise normal intervals": f"{part['held'].mean():.1%}",
        }
        for budget, part in own.groupby("budget")
    ]
    return table(pd.DataFrame(lines))


def seconds(runs: pd.DataFrame) -> str:
    """Processor time of a row, the model's included, by evaluations."""
    means = runs.groupby(["budget", "method"])["seconds"].median().unstack() * 1e3
    frame = means.map("{:.0f}".format).reset_index()
    frame["budget"] = frame["budget"].map("{:,}".format)
    return table(frame.rename(columns={"budget": "Evaluations"}))


def main() -> None:
    """Print the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    runs = pd.read_csv(parser.parse_args().file)
    rows = int(runs["row"].max()) + 1
    print(HEAD.format(rows=rows, background=BACKGROUND, versions=versions()))
    print("## Errors at equal evaluations\n")
    print("Median over the rows of the norm of the error over that of the values, and geometric")
    print("means over the rows of the ratio of the errors of shap's explainers to it.\n")
    print(errors(runs))
    print("\n## How often the intervals hold\n")
    print("Simultaneous intervals of nominally 95 % hold all values of a row, over all models:\n")
    print(coverage(runs))
    print("\n## Milliseconds of a row\n")
    print("Processor time with the model's, medians over the models:\n")
    print(seconds(runs))


if __name__ == "__main__":
    main()
