"""Time and error of the Shapley values of thresholds of 300 players: by inversion and by shuffles.

The explicands are drawn as those of the study's `classification-large`. Of each explicand every
method is timed in processor time, rounds alternate, and the least counts: other jobs only add.
Beside them stands the error of the estimator that has the smallest one there.
"""

import argparse
from pathlib import Path
from time import process_time

import numpy as np

from pages import machine, markdown
from shapaudit import datasets, models
from shapaudit.estimators import create
from shapaudit.seeding import generator
from shapaudit.truth import cyclic_reference, inverted_shapley
from shapaudit_audit.study.collection import build_collection

D, BUDGET = 300, 60_000
SHUFFLES, BOUNDS = (8192, 131_072), (1e-4, 2e-5, 1e-5)
FREE = {"sampling": "projected", "step": "contracting", "average": "last", "paired": True}
ESTIMATORS = {
    "projected SGD, nothing to tune": create("projected-sgd", FREE),
    "paired KernelSHAP": create("paired-kernel-shap"),
}


def games(explicands: int) -> list:
    """Same-class games of explicands from both sides of the threshold."""
    rng = generator(0, "large truth")
    dataset = datasets.load("gaussian", {"n_rows": 2000, "n_features": D}, rng)
    model = models.train("chi-square", dataset, {}, 0)
    made = build_collection("large", dataset, model, "same-class", explicands, 0, rng)
    return [made.structured(explicand) for explicand in range(explicands)]


def methods() -> dict:
    """Functions from a game to its truth, by what a row of the table is called."""
    inverted = {
        f"inversion, bound {bound:g}": lambda game, b=bound: inverted_shapley(game, b)
        for bound in BOUNDS
    }
    rng = generator(0, "large truth", "shuffles")
    return inverted | {
        f"{count:,} shuffles": lambda game, n=count: cyclic_reference(game, rng, n)
        for count in SHUFFLES
    }


def doubt(truth) -> float:
    """Norm of the bounds, or of the standard errors, of a truth."""
    return float(np.linalg.norm(truth.standard_errors if truth.bounds is None else truth.bounds))


def measure(played: list, rounds: int) -> tuple[dict, dict]:
    """Least seconds and norm of the error by explicand and method; estimators' errors."""
    called, measured = methods(), {}
    for game in played:
        taken = {name: [] for name in called}
        for number in range(rounds + 1):
            for name, call in called.items():
                start = process_time()
                truth = call(game)
                if number or len(measured) == len(called):  # the first call compiles
                    taken[name].append((process_time() - start, doubt(truth)))
        for name, pairs in taken.items():
            measured.setdefault(name, []).append(np.min(pairs, axis=0))
    errors = {name: [] for name in ESTIMATORS}
    for explicand, game in enumerate(played):
        values = inverted_shapley(game, BOUNDS[-1]).values
        for name, estimator in ESTIMATORS.items():
            estimate = estimator.estimate(
                game, BUDGET, generator(0, "large truth", name, explicand)
            )
            errors[name].append(np.linalg.norm(estimate.values - values))
    return measured, errors


def page(measured: dict, errors: dict) -> str:
    """The measurements in words and as a table."""
    means = {name: float(np.mean(values)) for name, values in errors.items()}
    least = min(means, key=means.get)
    rows = []
    for name, pairs in measured.items():
        seconds, norms = np.array(pairs).T
        rows.append(
            [
                name,
                f"{np.median(seconds):.3f}",
                f"{seconds.max():.3f}",
                f"{norms.max():.2g}",
                f"{norms.max() / means[least]:.2%}",
            ]
        )
    header = ["Truth", "seconds, median", "seconds, most", "error", "of the smallest error"]
    return "\n\n".join(
        [
            "# Shapley values of thresholds of 300 players",
            f"Processor seconds for each of {len(seconds)} explicands, the least of several "
            "rounds, and the largest norm over the players of the bounds of inversion, which are "
            "proved, and of the standard errors of shuffles. The smallest mean error with "
            f"{BUDGET:,} evaluations is that of {least}, {means[least]:.3g}. {machine()}",
            markdown(header, rows),
        ]
    )


def main() -> None:
    """Measure, and write large_truth.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path, help="where the results go")
    parser.add_argument("--explicands", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    measured, errors = measure(games(arguments.explicands), arguments.rounds)
    text = page(measured, errors)
    (arguments.directory / "large_truth.md").write_text(text + "\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
