"""Plans, words, tables, pages and studies of comparisons, and what whole comparisons find."""

from dataclasses import asdict, replace
from itertools import product
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from recorded import compare as recorded
from shapaudit.command.main import _parser as command_parser
from shapaudit.comparison import own_time, prepared, run, words
from shapaudit.comparison.comparison import Comparison
from shapaudit.comparison.drawn import DrawnRows
from shapaudit.comparison.page import write
from shapaudit.comparison.plan import Plan, best_plan, ladder, plan
from shapaudit.comparison.quantity import Quantity
from shapaudit.comparison.several import Comparisons
from shapaudit.comparison.study import StudySource, write_study
from shapaudit.datasets.mixed import TableError
from shapaudit.explanations import asking
from shapaudit.explanations.tables import typical_row
from shapaudit.games import TabularGame

QUANTITIES = [
    Quantity(*three)
    for three in product(("", "high"), ("", "price"), ("", "EUR", words.PROBABILITY))
]
MODES = {"enumeration": 0, "trees": 0, "reference": 500}
ESTIMATORS = ("auto", "leverage-shap", "antithetic-monte-carlo")


def said(function, *arguments, **settings):
    """What a function gives, or the message with which it refuses."""
    try:
        return function(*arguments, **settings)
    except TableError as error:
        return str(error)


def told(answer):
    """A plan in numbers and in words."""
    return answer if isinstance(answer, str) else [str(answer), *asdict(answer).values()]


def comparison(truth="enumeration", spread=0.4, rows=12, resolution=0.0, **parts):
    """A comparison whose errors are made up."""
    rng, lines = np.random.default_rng(3), []
    for factor, name in enumerate(ESTIMATORS, 1):
        for budget, row, once in product((10, 20, 40), range(rows), range(2)):
            error = 0.3 * factor / budget * np.exp(spread * rng.standard_normal())
            lines.append((name, budget, row, once, budget, error, 1.0 + row / 9, error / 2, 0.25))
    columns = "estimator budget row run evaluations error scale per_player seconds"
    values = pd.DataFrame(rng.normal(size=(rows, 4)), columns=list("abcd"))
    planned = Plan(truth, MODES[truth], rows, (10, 20, 40), 2, 5000, 100.0, 3, 7.0)
    errors = pd.DataFrame(lines, columns=columns.split())
    return Comparison(errors, values, planned, 3, 4000, resolution, **parts)


def several():
    """The comparison of two outputs."""
    outputs = {
        name: comparison("reference", spread, resolution=0.01, quantity=Quantity(name, "y"))
        for name, spread in (("low", 0.1), ("high", 1.5))
    }
    return Comparisons(outputs)


def test_plans():
    plans = {}
    for players, allowed, trees in product((3, 9, 19, 20, 21, 40), (0.01, 1, 600), (False, True)):
        same = {"players": players, "estimators": 4, "allowed": allowed, "trees": trees}
        made = []
        for speed, outputs in ((1e-6, 1), (1e-3, 1), (1e-3, 3)):
            settings = same | {"row_seconds": speed, "outputs": outputs}
            for rows in ((20, 20), (1, 10), (1, 1)):
                chosen = said(plan, background=rows[0], explicands=rows[1], **settings)
                made.append(told(chosen))
            made.append(told(said(best_plan, [(20, 20), (5, 10), (1, 10)], **settings)))
        plans[f"plan {players} {allowed} {trees}"] = made
    chosen = comparison("reference").plan
    plans["fewer rows"] = [told(chosen.of_rows(count)) for count in (1, 5, 12)]
    plans["ladders"] = [ladder(d, most) for d in (1, 4, 9) for most in (3, 4, 20, 21, 400.5)]
    recorded("comparison", plans)


def test_plans_whose_estimators_are_slow(monkeypatch):
    asked = []

    def measured(estimator, game, budget):
        asked.append([estimator.id, game.n_players, budget])
        return 1e-4 * budget

    monkeypatch.setattr(own_time, "_measured", measured)
    estimators = {name: run.create(name) for name in ESTIMATORS}
    plans = {}
    for truth, allowed in product(MODES, (1e-3, 30.0, 1e9)):
        budgets = ladder(12, 20_000)
        whole = replace(comparison(truth).plan, budgets=budgets, reference=40 * MODES[truth])
        cut = own_time.within(whole, estimators, 12, 2, allowed)
        plans[f"within {truth} {allowed}"] = told(cut)
    plans["measured"] = asked
    game = own_time._Interactions(5)
    plans["interactions"] = game(np.tri(6, 5, -1, dtype=bool))
    recorded("comparison", plans)


@pytest.mark.parametrize("each", [1e-7, 1e-4, 2e-2, 1.0])
@pytest.mark.parametrize("call", [0.0, 1e-3, 0.3])
def test_how_fast_a_model_is(monkeypatch, each, call):
    clock, asked = [0.0], []

    def predict(table):
        asked.append(len(table))
        clock[0] += (3.0 if len(asked) == 1 else 1.0) * (call + each * len(table))
        return table.to_numpy().sum(axis=1, keepdims=True)

    times = SimpleNamespace(perf_counter=lambda: clock[0], monotonic=lambda: clock[0])
    monkeypatch.setattr(asking, "time", times)
    rows = pd.DataFrame(np.arange(8.0).reshape(4, 2))
    trial = asking.SpeedTrial(predict, rows)
    speeds = [trial.row_seconds, *trial.outputs.ravel()]
    trial.measure_again()
    model = asking.Asked(predict, trial.row_seconds)
    model.begin(2, 7, 50, 1)
    model(rows)
    speeds += [trial.row_seconds, *asked, model.batch, model.rows, model._far(10.0)]
    recorded("comparison", {f"speed {each} {call}": speeds})


def test_how_busy_a_machine_is(monkeypatch):
    answers = []
    for processors, waiting in product((None, 1, 2, 4), (1.5, 1.6, 3.0, 3.01, 9.4)):
        monkeypatch.setattr(asking.os, "cpu_count", lambda processors=processors: processors)
        monkeypatch.setattr(asking.os, "getloadavg", lambda waiting=waiting: (waiting, 70, 0))
        answers.append(asking.busy())
    recorded("comparison", {"busy": answers})


def test_words():
    texts = {f"quantity {k}": [str(q), q.label, q.units] for k, q in enumerate(QUANTITIES)}
    texts |= {f"amount {k}": q.amount(0.012345) for k, q in enumerate(QUANTITIES)}
    for truth, spread, rows in product(MODES, (0.01, 0.4, 2.0), (5, 12)):
        single = comparison(truth, spread, rows, 0.02 * (truth == "reference"))
        text = [words.told(single), *words.answer(single), words.price(single), single.best()]
        key = f"words {truth} {spread} {rows}"
        texts[key] = [*text, single.ratios(), single.table().to_dict(), single.needed().to_dict()]
    both = several()
    texts["words several"] = [words.told(both), words.named(both), *words.overall(both)]
    texts["words few"] = words.few_players(comparison())
    recorded("comparison", texts)


def test_pages(tmp_path):
    pages = {}
    for name, compared in (("one", comparison()), ("several", several())):
        write(compared, tmp_path / name)
        for path in sorted((tmp_path / name).iterdir()):
            if path.name != "page.html":
                lines = path.read_text(encoding="utf-8").splitlines()
                pages[f"{name}/{path.name}"] = [lines[0], len(lines), lines[-1].split(",")[0]]
        page = (tmp_path / name / "page.html").read_text(encoding="utf-8")
        pages[f"{name}/page.html"] = [part.partition("<svg")[0] for part in page.split("</svg>")]
        drawn = [part.partition("<svg")[2] for part in page.split("</svg>")]
        pages[f"{name}/figures"] = [part.count("<use") for part in drawn]
    recorded("comparison", pages)


def test_studies(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Snakefile").touch()
    sources = {
        "booster": StudySource("flats.csv", "m.json", numbers=True),
        "function": StudySource(
            "flats.csv", "own.py:predict", "y", ["z"], {"g": ["a", "b"]}, ["low"]
        ),
    }
    studies = {}
    for (name, source), truth in product(sources.items(), MODES):
        for wide, rows in ((4, 12), (30, 5)):
            compared = comparison(truth, rows=rows)
            compared = replace(compared, values=pd.DataFrame(np.ones((rows, wide))))
            write_study(compared, tmp_path / "s", source, estimators=ESTIMATORS, seed=4)
            text = (tmp_path / "s").read_text(encoding="utf-8").replace(str(tmp_path), "")
            studies[f"study {name} {truth} {wide}"] = text.splitlines()
    write_study(several(), tmp_path / "s", sources["function"], estimators=ESTIMATORS, seed=4)
    text = (tmp_path / "s").read_text(encoding="utf-8").replace(str(tmp_path), "")
    studies["study several"] = text.splitlines()
    recorded("comparison", studies)


def test_rows_that_are_drawn():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.normal(size=60), "b": list("xyzzy") * 12, "c": rng.random(60)})
    draws = {"typical": typical_row(table).to_dict()}
    for size, background, explicands in product((3, 12, 60), (None, 1, 4), (None, 2, 70)):
        drawn = said(DrawnRows, table[:size], background, explicands, 5)
        parts = drawn
        if not isinstance(drawn, str):
            parts = [drawn.choices(), drawn.places, drawn.known.to_dict(), drawn.codes]
            parts += [drawn.sources(k, 1) for k, _ in drawn.choices()]
        draws[f"drawn {size} {background} {explicands}"] = parts
    draws["drawn nothing"] = [said(DrawnRows, table, *two, 5) for two in ((0, None), (None, 0))]
    recorded("comparison", draws)


class Steady(asking.SpeedTrial):
    """A trial whose speed is the same on every machine; a wide table makes the model slow."""

    def __init__(self, predict, table):
        super().__init__(predict, table)
        self.row_seconds = 1e-6 if table.shape[1] < 8 else 8e-3


@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("columns", [5, 8])
def test_whole_comparisons(monkeypatch, outputs, columns):
    weights = np.random.default_rng(1).normal(size=(columns, outputs))

    def model(table):
        z = table @ weights
        return (np.tanh(z) + z**2)[:, 0] if outputs == 1 else np.tanh(z) + z**2

    monkeypatch.setattr(prepared, "SpeedTrial", Steady)
    monkeypatch.setattr(prepared, "within", lambda planned, *others: planned)
    rows = np.random.default_rng(2).normal(size=(40, columns))
    settings = {"background": 4, "explicands": 10, "minutes": 1.0, "seed": 3, "target": "y"}
    compared = run.compare(model, rows, **settings, unit="m", estimators=ESTIMATORS)
    table = compared.errors.drop(columns="seconds")
    key = f"compare {outputs} {columns}"
    parts = {
        f"{key} errors": {name: table[name].tolist() for name in table},
        f"{key} values": compared.values.to_numpy(),
        f"{key} plan": told(compared.plan),
        f"{key} others": [compared.rows, *(str(part.quantity) for part in compared.parts)],
        f"{key} noise": [part.resolution for part in compared.parts],
    }
    recorded("comparison", parts)


@pytest.mark.parametrize("truth", ["trees", "enumeration"])
def test_exact_values_have_no_standard_errors(truth):
    values = np.array([[1.0, 2.0, 0.5], [3.0, -1.0, 0.25]])
    trees = [
        SimpleNamespace(
            values=lambda sources, k=k: values[k], outputs=lambda sources: np.array([1.0, 3.0, 5.0])
        )
        for k in range(2)
    ]
    game = TabularGame(np.array([0.0, 1.0, 2.0, 3.0, 0.5, 1.5, 2.5, 3.5]))
    others = dict.fromkeys(("players", "estimators", "seed", "drawn", "asked", "known"))
    work = run._Work(comparison(truth).plan, trees=trees, outputs=2, **others)
    for k in range(2):
        computed = work.truth(SimpleNamespace(sources=None), game, k, 0)
        exact = values[k] if truth == "trees" else values[0]
        np.testing.assert_allclose(computed.values, exact)
        assert computed.noise == 0.0
        assert computed.ends == ((2.0, 5.0) if truth == "trees" else (0.0, 3.5))


def test_what_the_command_tells_of_its_options():
    parser = command_parser()
    (commands,) = (action.choices for action in parser._actions if isinstance(action.choices, dict))
    texts = {
        f"options of {name}": [
            [
                action.option_strings,
                action.help,
                str(action.default),
                str(action.choices),
                str(action.nargs),
            ]
            for action in commands[name]._actions
        ]
        for name in ("compare", "explain")
    }
    options = parser.parse_args(["compare", "--data", "d", "--model", "m"])
    texts["options"] = {key: str(value) for key, value in vars(options).items() if key != "run"}
    recorded("comparison", texts)
