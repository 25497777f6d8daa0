"""Tables and values on the experiments of Okhrati & Lipani (2021)."""

from collections.abc import Mapping

import numpy as np

from shapaudit.statistics.simultaneous import Ratio
from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.latex import (
    DASH,
    DIRECTIONS,
    NOT_RUN,
    by_case,
    escape,
    fixed,
    listing,
    number,
    percent,
    ratio_cell,
    ratio_with_limits,
    tabular,
)
from shapaudit_audit.report.sources import ResultSource, Texts

from .findings import load
from .findings.maps import MAP_ROLES, MAP_SAMPLES, Maps
from .findings.replication import CONTRASTS, OkhratiReplication
from .findings.trial import CASTRO, METHODS, TableExperiment

MICRO = 1e6
ALIKE = 1.01  # times the least exact error: up to there one error is as small as another
SHORT = dict(zip(METHODS, ("Castro", "Owen", "halved"), strict=True))


def tables(replication: OkhratiReplication) -> dict[str, str]:
    """All tables by file name without suffix."""
    return {
        "okhrati_published": published_table(replication),
        "okhrati_forms": forms_table(replication),
        "okhrati_data": data_table(replication),
        "okhrati_holds": holds_table(replication),
    }


def published_table(replication: OkhratiReplication) -> str:
    """Table I and the public code's output beside every trial; ratios with joint limits."""
    header = ["", *(SHORT[m] for m in METHODS)]
    header += [f"{SHORT[a]} / {SHORT[b]}" for a, b in CONTRASTS]
    printed = []
    for title, quantity in (("Table I", "mse"), ("public code", "mse-public-code")):
        values = replication.printed(quantity)
        cells = [number(float(values[m]) * MICRO) for m in METHODS]
        printed.append([title, *cells, *(fixed(values[a] / values[b], 2) for a, b in CONTRASTS)])
    groups = [printed]
    for name, trial in replication.trials.items():
        last = trial.budgets[-1]
        samples = {m: trial.budget_of(m, trial.samples[-1]) for m in METHODS}
        for kind, budgets in (("samples", samples), ("evaluations", dict.fromkeys(METHODS, last))):
            measured = [number(trial.errors(m, budgets[m]).mean() * MICRO) for m in METHODS]
            exact = {m: sum(trial.exact_of_method(m, budgets[m])) for m in METHODS}
            ratios = [_ratio(r) for r in replication.ratios[name, kind]]
            title = escape(trial.label) if kind == "samples" else ""
            groups.append([[f"{title}", *[""] * 6]] if title else [])
            groups[-1] += [
                [rf"\quad equal {kind}, runs", *measured, *ratios],
                [
                    r"\quad exact expectation",
                    *(number(exact[m] * MICRO) for m in METHODS),
                    *(fixed(exact[a] / exact[b], 2) for a, b in CONTRASTS),
                ],
            ]
    return tabular("@{}lcccccc@{}", [header], groups)


def forms_table(replication: OkhratiReplication) -> str:
    """Errors of all estimators of each suite at its last budget, at equal evaluations."""
    groups = []
    for name, suite in replication.suites.items():
        budget = suite.budgets[-1]
        rows = [[rf"\emph{{{escape(suite.label)}, {number(budget)} evaluations}}", *[""] * 4]]
        for key in suite.estimators:
            exact = suite.exact(key, budget)
            ratio = replication.suite_ratios[name].get(key)
            rows.append(
                [
                    escape(replication.label_of(key)),
                    number(suite.errors(key, budget).mean() * MICRO),
                    DASH if exact is None else number(sum(exact) * MICRO),
                    DASH if exact is None else _share(exact),
                    DASH if ratio is None else _ratio(ratio),
                ]
            )
        groups.append(rows)
    header = ["", "runs", "exact", "squared bias in it", "over Castro"]
    return tabular("@{}lcccc@{}", [header], groups)


def _ratio(ratio: Ratio) -> str:
    return ratio_cell(ratio.estimate, ratio.low, ratio.high)


def _share(exact: tuple[float, float]) -> str:
    bias, variance = exact
    share = bias / (bias + variance) if bias + variance else 0.0
    return "none" if share < 1e-12 else percent(share)


def data_table(replication: OkhratiReplication) -> str:
    """Which data each experiment has, with the accuracy of its perceptron on the test rows."""
    parts: list[TableExperiment | Maps] = [
        *replication.trials.values(),
        *replication.maps.values(),
    ]
    rows = [
        [escape(part.label), escape(part.provenance), number(float(part.accuracy))]
        for part in parts
    ]
    printed = [
        ["published, credit cards", "", number(float(_printed(replication, "credit")))],
        ["published, MNIST", "", number(float(_printed(replication, "mnist")))],
    ]
    columns = "@{}l>{\\raggedright\\arraybackslash}p{8cm}c@{}"
    return tabular(columns, [["", "data", "test accuracy"]], [rows, printed])


def _printed(replication: OkhratiReplication, data: str) -> float:
    return replication.printed("accuracy", data).iloc[0]


def values(replication: OkhratiReplication) -> dict[str, str]:
    """Numbers and words of the prose, by key."""
    trial, maps = list(replication.trials.values())[-1], list(replication.maps.values())[-1]
    suite = list(replication.suites.values())[-1]
    castro, owen, halved = (replication.printed("milliseconds")[m] for m in METHODS)
    rows = replication.published.query("quantity == 'mse'")
    texts = {
        "published-samples": number(int(rows["samples"].iloc[0])),
        "trial": escape(trial.label),
        "explicands": number(trial.explicands),
        "seeds": number(trial.repetitions),
        "samples": number(trial.samples[-1]),
        "first-samples": number(trial.samples[0]),
        "difference": number(max(t.difference for t in replication.trials.values()), 1),
        "time-ratio": fixed(castro / owen, 2),
        "suite": escape(suite.label),
        "suite-best": escape(replication.label_of(_best(suite))),
        "suite-grid-best": listing([escape(replication.label_of(k)) for k in _least(suite)]),
        "maps": escape(maps.label),
        "maps.provenance": escape(maps.provenance),
        "maps.samples": number(MAP_SAMPLES),
        "maps.shown": number(maps.shown),
        "maps.others": number(maps.means.shape[1] - maps.shown),
        "maps.best": escape(replication.label_of(maps.best)),
        "halved-time-ratio": fixed(castro / halved, 2),
    }
    for key, row in zip(MAP_ROLES, maps.rows, strict=True):
        texts[f"maps.{key}-error"] = number(maps.relative_error(*row), 2)
        texts[f"maps.{key}-evaluations"] = number(row[1])
    for (a, b), ratio in replication.map_ratios[maps.name].items():
        texts[f"maps.{a}-{b}.ratio"] = " ".join(_shown(ratio))
        texts[f"maps.{a}-{b}.words"] = _words(ratio)
    texts["suite-rivals"] = _rivals(replication, suite)
    for kind in ("samples", "evaluations"):
        contrasts = zip(CONTRASTS, replication.ratios[trial.name, kind], strict=True)
        for (a, b), ratio in contrasts:
            key = f"{SHORT[a].lower()}-{SHORT[b].lower()}"
            texts[f"{kind}.{key}.ratio"] = " ".join(_shown(ratio))
            texts[f"{kind}.{key}.words"] = _words(ratio)
    texts |= _first_samples(trial) | {"order.sentence": _orders(replication)}
    texts["castro.sentence"] = _of_castro(replication.ratios, trial.name)
    texts["search"] = _search(replication.searches)
    return {f"okhrati.{key}": text for key, text in texts.items()}


def _shown(ratio: Ratio) -> tuple[str, ...]:
    if not np.isfinite(ratio.low):
        return (fixed(ratio.estimate, 2),)
    return ratio_with_limits(ratio.estimate, ratio.low, ratio.high)


def _words(ratio: Ratio) -> str:
    return DIRECTIONS.get(ratio.word, ratio.word)


def _best(suite: TableExperiment) -> str:
    """Estimator with the smallest mean error at the last budget."""
    return str(suite.at_budget(suite.budgets[-1]).mean().idxmin())


def _least(suite: TableExperiment) -> list[str]:
    """Estimators whose exact error at the last budget is the least, or at most `ALIKE` times it."""
    known = {k: suite.exact(k, suite.budgets[-1]) for k in suite.estimators}
    errors = {k: sum(exact) for k, exact in known.items() if exact}
    return [k for k, error in errors.items() if error <= ALIKE * min(errors.values())]


def _rivals(replication: OkhratiReplication, suite: TableExperiment) -> str:
    """Which estimators are statistically tied with the best at the last budget, as a clause.

    An estimator is worse when its ratio to Castro sampling lies, limits and all, above that of
    another one; Castro sampling itself has the ratio 1.
    """
    ratios = replication.suite_ratios[suite.name] | {CASTRO: Ratio(1.0, 1.0, 1.0, 1.0)}
    least = min(ratio.high for ratio in ratios.values())
    best = _best(suite)
    near = [name for name, ratio in ratios.items() if name != best and not ratio.low > least]
    if not near:
        return "no other estimator is statistically tied with it"
    named = listing([escape(replication.label_of(name)) for name in near])
    return f"{named} {'is' if len(near) == 1 else 'are'} statistically tied with it"


def _first_samples(trial: TableExperiment) -> dict[str, str]:
    """Exact errors at the smallest number of samples, over that of Castro sampling."""
    samples = trial.samples[0]
    exact = {m: trial.exact_of_method(m, trial.budget_of(m, samples)) for m in METHODS}
    castro = sum(exact[CASTRO])
    return {
        f"first.{SHORT[m].lower()}.{key}": text
        for m in METHODS[1:]
        for key, text in {
            "over-castro": fixed(sum(exact[m]) / castro, 2),
            "bias-share": percent(exact[m][0] / sum(exact[m])),
        }.items()
    }


def _orders(replication: OkhratiReplication) -> str:
    """A sentence on who varies least: along a path, as published, and over replicates."""
    games = {name: escape(game.label) for name, game in replication.games.items()}
    said = {}
    for kind in ("path", "replicates"):
        cases = []
        for name, frame in replication.deviations.items():
            own = frame[frame["kind"] == kind]
            last = own[own["samples"] == own["samples"].max()]
            means = last.groupby("estimator")["deviation"].mean().sort_values()
            cases.append((_ordered([SHORT[m] for m in means.index]), games[name]))
        said[kind] = cases
    if not games:
        return f"The paths were {NOT_RUN}."
    return (
        f"In the order of increasing deviation the three are {by_case(said['replicates'])} over "
        f"replicates, and {by_case(said['path'])} along the path."
    )


def _ordered(names: list[str]) -> str:
    return " < ".join(names).replace("<", r"\ensuremath{<}")


def _of_castro(ratios: Mapping, name: str) -> str:
    """How the error of Castro sampling compares with those of the two forms of Owen sampling."""
    words = {"owen": "Owen sampling", "halved-owen": "halved Owen sampling"}
    parts = []
    for kind in ("samples", "evaluations"):
        contrasts = zip(CONTRASTS, ratios[name, kind], strict=True)
        said: dict[str, list[str]] = {}
        for (a, b), ratio in contrasts:
            if a == CASTRO:
                said.setdefault(_words(ratio), []).append(words[b])
        told = [
            f"{word} {'from' if word.endswith('different') else 'than'} that of {listing(names)}"
            for word, names in said.items()
        ]
        parts.append(f"{' and '.join(told)} at equal {kind}")
    return f"{parts[0]}, and {parts[1]}"


def holds_table(replication: OkhratiReplication) -> str:
    """Our ratios above one, and published ratios within our limits, by data and budget."""
    values = replication.printed("mse")
    printed = [values[a] / values[b] for a, b in CONTRASTS]
    rows = []
    for name, trial in replication.trials.items():
        cells = []
        for kind in ("samples", "evaluations"):
            ratios = replication.ratios[name, kind]
            above = sum(r.word == "larger" for r in ratios)
            inside = sum(r.low <= value <= r.high for value, r in zip(printed, ratios, strict=True))
            cells += [f"{count} of {len(ratios)}" for count in (above, inside)]
        rows.append([escape(trial.label), *cells])
    kinds = [
        "",
        r"\multicolumn{2}{c}{equal samples}",
        r"\multicolumn{2}{c}{equal evaluations}",
    ]
    heads = ["", *["ratio above one", "published ratio within limits"] * 2]
    return tabular("@{}lcccc@{}", [kinds, heads], [rows])


def _search(searches: Mapping[str, Mapping]) -> str:
    """What the random searches for an architecture found."""
    sentences = [
        f"A random search over {len(search['ranking'])} architectures selected "
        f"{_layers(search['ranking'][0]['hidden'])}, with a test accuracy of "
        f"{search['ranking'][0]['test']['accuracy']:.4f}."
        for search in searches.values()
    ]
    return escape(" ".join(sentences)) or "We did not repeat the random search for an architecture."


def _layers(hidden: list[int]) -> str:
    if not hidden:
        return "no hidden layer"
    return f"hidden layers of {' and '.join(map(str, hidden))}"


def _of(findings: Findings) -> OkhratiReplication:
    return findings.once(load)


def _values(findings: Findings) -> Texts:
    return values(_of(findings))


SOURCES = (
    ResultSource(
        "okhrati",
        "experiments of Okhrati and Lipani, and evidence on their claims",
        ("run_estimators", "keep_estimates", "run_paths", "search_architecture", "judge_claims"),
        ("estimates/okhrati-*/", "kept/", "paths/", "architectures/", "claims/claims.json"),
        _values,
        lambda findings: tables(_of(findings)),
    ),
)
