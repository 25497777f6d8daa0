"""Processor time of the 24 methods of Table 1 of Chen et al. 2023, as claim ccll23-85 runs them.

With a path it writes the table there as Markdown, and the seconds into the package, where the
report and the site read them.
"""

import sys
from pathlib import Path
from statistics import median
from time import process_time

from pages import machine, markdown
from shapaudit.estimators.base import Estimator
from shapaudit_audit.audit.context import Context
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import measured
from shapaudit_papers.chen_covert_lundberg_lee_2023.tables import methods

ROUNDS, CALLS = 7, 5
HEADER = ("Method", "Model", "Milliseconds to fit", "per explanation")
MODULE = Path(methods.__file__).with_name("seconds.py")


def seconds_of(world: measured.SmallWorld, method: measured.MeasuredMethod) -> tuple[float, float]:
    """Median seconds of a fit and of an explanation, after one uncounted round."""
    fits, explanations = [], []
    for number in range(ROUNDS + 1):
        started = process_time()
        explain = fitted(world, method, number)
        middle = process_time()
        for call in range(CALLS):
            explain(call)
        ended = process_time()
        if number:
            fits.append(middle - started)
            explanations.append((ended - middle) / CALLS)
    return median(fits), median(explanations)


def fitted(world: measured.SmallWorld, method: measured.MeasuredMethod, number: int):
    """A function that explains an explicand, of a method that has been fitted to fresh rows."""
    data, model = world.rows(number), world.models[method.model]
    rng = world.rng(method.name, number)
    frozen, count = isinstance(method.runs, measured.FrozenFastShap), len(world.explicands)
    played = frozen or isinstance(method.runs, Estimator)
    removal = method.removal.fit(model, data, rng) if played else None
    if isinstance(method.runs, Estimator):
        budget = max(measured.BUDGET, method.runs.minimum_budget(measured.FEATURES))

        def estimate(call: int) -> None:
            game = removal.game(world.explicands[call % count], rng)
            method.runs.estimate(game, budget, rng)

        return estimate
    rows = data.rows("train")[0]
    if method.target == "baseline":
        rows = measured.reference(model)[None]
    explainer = method.runs.fit(measured.WithRemoval(removal) if frozen else model, rows, rng)
    return lambda call: explainer.explain(world.explicands[call % count])


def main(folder: Path) -> None:
    world = measured.small_world(Context("benchmark", 1))
    chosen = measured.methods()
    by_method = {row.method: seconds_of(world, chosen[row.method]) for row in methods.ROWS}
    table = [
        [name, chosen[name].model, *(f"{1e3 * spent:.3g}" for spent in both)]
        for name, both in by_method.items()
    ]
    text = (
        "# How long the methods of a survey take\n\n"
        "Processor time of the 24 methods of Table 1 of Chen et al. (2023), on the law of five "
        f"features of claim ccll23-85, with {measured.ROWS} training rows and {measured.BUDGET} "
        f"evaluations where a method takes a number of them; the median of {ROUNDS} rounds. "
        f"{machine()} Good to a factor of two only. Made by `benchmarks/methods.py`.\n\n"
        + markdown(HEADER, table, names=2)
        + "\n"
    )
    (folder / "methods.md").write_text(text, encoding="utf-8")
    lines = [
        f"    {name!r}: ({a:.3g}, {b:.3g}),".replace("'", '"') for name, (a, b) in by_method.items()
    ]
    MODULE.write_text(
        '"""Seconds of a fit and of an explanation, by method of Table 1.\n\n'
        'Written by benchmarks/methods.py; do not edit by hand.\n"""\n\n'
        "SECONDS = {\n" + "\n".join(lines) + "\n}\n",
        encoding="utf-8",
    )
    print(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
