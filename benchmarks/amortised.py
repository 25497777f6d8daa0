"""From how many explanations on does an amortised explainer pay, beside an estimator of each row?

A unit is a random layer of ReLU, rows of a Gaussian law that removals and networks are fitted to,
and new rows. Against the mean baseline the games are the model's own; conditional values, which the
law gives exactly, are estimated by a surrogate, or from draws of a fitted normal law. An estimator
takes as many evaluations of a row as bring it to the error of the network, the fewest of several,
by interpolation in logarithms. The break-even is what the fits cost more, removal and surrogate
included, over what an explanation then saves: in rows of the model, and in processor seconds with
the model as it is and with one that takes 10 ms a row.
"""

import sys
from pathlib import Path
from time import process_time
from typing import NamedTuple

import numpy as np

from pages import machine, markdown
from shapaudit.datasets import Dataset
from shapaudit.datasets.laws import GaussianLaw
from shapaudit.estimators import create as create_estimator
from shapaudit.explainers import create
from shapaudit.games import TabularGame, all_coalitions
from shapaudit.games.expectations import expectation_of
from shapaudit.models import NetworkRegression
from shapaudit.nets import Network
from shapaudit.removals import create as create_removal
from shapaudit.statistics.comparisons import evaluations_to_reach
from shapaudit.truth import shapley_from_table

PLAYERS, WIDTH, NEW, FITS, TIMED = 10, 32, 16, 5, 4
CORRELATION = 0.5
ROWS = (100, 400, 1600)
EVALUATIONS = 32
DRAWS = 20  # of a value by the fitted normal law
BUDGETS = (12, 16, 22, 32, 48, 64, 128)
SLOW = 0.01  # seconds per row of a model that takes its time
RIVALS = ("auto", "paired-kernel-shap", "Leverage SHAP")
LEARNERS = {"FastSHAP": "fast-shap", "stochastic amortisation": "stochastic-amortisation"}
# Values by target, and the removals by which the estimators reach them.
TARGETS = {
    "baseline": {"the model": ("baseline", {})},
    "conditional": {
        "the surrogate": ("surrogate", {}),
        "a normal law": ("gaussian", {"draws": DRAWS}),
    },
}
REMOVAL = {"baseline": "baseline", "conditional": "surrogate"}  # of the amortised explainers
HEADER = (
    "Values", "Trained on", "Explainer", "Fit: rows", "Fit: seconds", "Error",
    "Best estimator, with", "Its evaluations", "Its rows", "Its ms",
    "Pays from: rows", "Pays from: seconds", "Pays from: seconds, 10 ms a row",
)  # fmt: skip


TITLE = "From how many explanations on an amortised explainer pays"
INTRODUCTION = f"""
Random layers of {WIDTH} ReLUs on {PLAYERS} equally correlated Gaussian features, {FITS} units of
each size: medians, with the range. Errors are relative to the values, on {NEW} new rows. Training
sees {EVALUATIONS} evaluations of each row besides its two ends, or what the estimator that it
learns from makes of them. The best estimator is that which takes the fewest evaluations to the
error of the network, of `auto`, paired KernelSHAP and Leverage SHAP, from {BUDGETS[0]} evaluations
on; it plays the games of the model, of a surrogate fitted to the same rows, or of a normal law
fitted to them with {DRAWS} draws a value, and there is none where no estimator reaches the error.
Rows are those of the model, of which the surrogate takes none once it is fitted. "Pays from" counts
explanations: what the fit costs more over what an explanation saves, removal and surrogate
included; "never" where nothing is saved, 0 where the fit costs no more.
"""


class Price(NamedTuple):
    """Rows of the model and seconds of its own, of a fit and of an explanation."""

    fit_rows: float
    fit_seconds: float
    rows: float
    seconds: float

    def pays(self, rival: "Price") -> tuple[float, float, float]:
        """Explanations from which on this costs no more: rows, seconds, seconds of a slow model."""
        own, other = self.with_slow_rows(), rival.with_slow_rows()
        pairs = [(self.fit_rows - rival.fit_rows, rival.rows - self.rows),
                 (self.fit_seconds - rival.fit_seconds, rival.seconds - self.seconds),
                 (own[0] - other[0], other[1] - own[1])]  # fmt: skip
        return tuple(break_even(*pair) for pair in pairs)

    def with_slow_rows(self) -> tuple[float, float]:
        """Seconds of a fit and of an explanation where a row takes `SLOW` seconds."""
        return self.fit_seconds + SLOW * self.fit_rows, self.seconds + SLOW * self.rows


def break_even(more: float, saved: float) -> float:
    """Explanations whose savings pay for a fit; infinite where there are none."""
    if more <= 0:
        return 0.0
    return more / saved if saved > 0 else np.inf


class Unit:
    """A model, rows to fit to, and new rows with their values (m, d) by target."""

    def __init__(self, rng: np.random.Generator, rows: int):
        law = GaussianLaw.equicorrelated(PLAYERS, CORRELATION)
        network = Network.start([PLAYERS, WIDTH, 1], "relu", rng)
        for weight, bias in zip(network.weights, network.biases, strict=True):
            weight[...] = rng.normal(size=weight.shape) * np.sqrt(2 / len(weight))
            bias[...] = rng.normal(size=bias.shape) / 2
        self.model = NetworkRegression(network)
        self.rows, self.new = law.sample(rng, rows), law.sample(rng, NEW)
        names = tuple(f"x{j + 1}" for j in range(PLAYERS))
        split = {"train": np.arange(rows), "test": np.arange(0)}
        self.data = Dataset("drawn", self.rows, None, names, split, "generated")
        coalitions, mean = all_coalitions(PLAYERS), self.rows.mean(axis=0)
        baseline = [self.model.predict(np.where(coalitions, row, mean)) for row in self.new]
        exact = expectation_of(law, self.model).values(self.new, coalitions)
        tables = {"baseline": np.array(baseline), "conditional": exact}
        self.truth = {name: shapley_from_table(table) for name, table in tables.items()}

    def error(self, values: np.ndarray, target: str) -> float:
        """Root of the mean squared error over that of the values."""
        truth = self.truth[target]
        return float(np.linalg.norm(values - truth) / np.linalg.norm(truth))


def learnt(unit: Unit, name: str, target: str, rng) -> tuple[float, Price]:
    """Error and price of an amortised explainer."""
    params = {"removal": REMOVAL[target], "evaluations": EVALUATIONS}
    start = process_time()
    fitted = create(name, params).fit(unit.model, unit.rows, rng)
    middle = process_time()
    explanation = fitted.explain(unit.new)
    seconds = (process_time() - middle) / NEW
    return unit.error(explanation.values, target), Price(
        fitted.fit_rows, middle - start, explanation.rows / NEW, seconds
    )


class Played:
    """The games of a removal on the new rows, and the errors of estimators there by budget."""

    def __init__(self, unit: Unit, target: str, removal: str, params: dict, rng):
        start = process_time()
        self.fitted = create_removal(removal, params).fit(unit.model, unit.data, rng)
        self.fit_seconds = process_time() - start
        self.unit, self.rng, coalitions = unit, rng, all_coalitions(PLAYERS)
        tables = [TabularGame(self.fitted.game(row, rng)(coalitions)) for row in unit.new]
        self.curves = {
            name: [
                unit.error(
                    np.array([create_estimator(name).estimate(t, b, rng).values for t in tables]),
                    target,
                )
                for b in BUDGETS
            ]
            for name in RIVALS
        }

    def best(self, error: float) -> tuple[str, float]:
        """Who has an error with the fewest evaluations, and these; NaN where nobody has it."""
        evaluations = {
            name: float(evaluations_to_reach(np.array(BUDGETS), np.array(curve), np.array(error)))
            for name, curve in self.curves.items()
        }
        name = min(evaluations, key=lambda rival: np.nan_to_num(evaluations[rival], nan=np.inf))
        return name, evaluations[name]

    def price(self, name: str, evaluations: float) -> Price:
        """Of an explanation with so many evaluations."""
        budget, seconds = round(evaluations), []
        for row in self.unit.new[:TIMED]:
            start = process_time()
            game = self.fitted.game(row, self.rng)
            create_estimator(name).estimate(game, budget, self.rng)
            seconds.append(process_time() - start)
        rows = game.prepared_rows + evaluations * int(game.rows(all_coalitions(PLAYERS)[1:2])[0])
        return Price(self.fitted.fit_rows, self.fit_seconds, rows, float(np.median(seconds)))


def measured(target: str, count: int) -> dict[tuple[str, str], list[tuple]]:
    """By explainer and what the estimators ask: error, prices and break-evens of each unit."""
    units: dict[tuple[str, str], list[tuple]] = {}
    for fit in range(FITS):
        rng = np.random.default_rng([count, fit, len(target)])
        unit = Unit(rng, count)
        played = {
            label: Played(unit, target, *removal, rng) for label, removal in TARGETS[target].items()
        }
        for label, name in LEARNERS.items():
            error, own = learnt(unit, name, target, rng)
            for asked, games in played.items():
                rival, evaluations = games.best(error)
                price = games.price(rival, evaluations) if evaluations == evaluations else None
                units.setdefault((label, asked), []).append((error, own, rival, evaluations, price))
        print(target, count, fit, file=sys.stderr)
    return units


def line(target: str, count: int, label: str, asked: str, units: list[tuple]) -> list[str]:
    """A row of the table: medians over units, with the range of errors and of break-evens."""
    own = [f"{np.median([u[1][k] for u in units]):,.{d}f}" for k, d in ((0, 0), (1, 2))]
    start = [target, f"{count:,}", label, *own, told([u[0] for u in units])]
    reached = [u for u in units if u[4] is not None]
    if len(reached) <= len(units) / 2:
        return [*start, f"{asked}: none", f"over {BUDGETS[-1]}", *["–"] * 5]
    names = sorted({u[2] for u in reached})
    middle = [np.median([u[3] for u in reached]), np.median([u[4].rows for u in reached])]
    milliseconds = 1e3 * np.median([u[4].seconds for u in reached])
    pays = np.array([u[1].pays(u[4]) for u in reached]).T
    return [
        *start, f"{asked}: {', '.join(names)}", *(f"{value:,.0f}" for value in middle),
        f"{milliseconds:.2g}", *map(told, pays),
    ]  # fmt: skip


def told(values) -> str:
    """Median and range."""
    parts = [number(value) for value in (np.median(values), np.min(values), np.max(values))]
    return parts[0] if len(set(parts)) == 1 else f"{parts[0]} ({parts[1]} to {parts[2]})"


def number(value: float) -> str:
    """Two digits of a small number, "never" for what is infinite."""
    if np.isinf(value):
        return "never"
    return f"{value:,.0f}" if value >= 10 or value == 0 else f"{value:.2g}"


def main(folder: Path) -> None:
    """Write the table."""
    table = [
        line(target, count, label, asked, units)
        for target in TARGETS
        for count in ROWS
        for (label, asked), units in measured(target, count).items()
    ]
    text = f"# {TITLE}\n\n{' '.join(INTRODUCTION.split())} {machine()} Written by "
    text += f"`benchmarks/amortised.py`.\n\n{markdown(HEADER, table, names=3)}\n"
    (folder / "amortised.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
