"""Numbers, words and tables over grids; comparisons of made-up tasks; logs of typesetting."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest

from recorded import compare
from shapaudit.statistics.limits import UNBOUNDED
from shapaudit_audit.report import (
    advice,
    audit,
    characters,
    headlines,
    labels,
    latex,
    leads,
    left_out,
    originals,
    saved,
    situation_table,
    style,
    typesetting,
)
from shapaudit_audit.report.overview import overview
from shapaudit_audit.report.site import rows, text
from shapaudit_audit.report.situations import Situations
from shapaudit_audit.report.tasks import Task, TaskComparison
from shapaudit_audit.study.blocks.base import record
from shapaudit_audit.study.blocks.runs import EstimatorBlock
from shapaudit_audit.study.blocks.study import Study
from shapaudit_audit.study.overlays import ConfigError

VALUES = [a * 10.0**k for k in range(-7, 16, 2) for a in (1.0, 2.3456, 9.9951)]
VALUES += [0.0, 0.5, 1.0, math.nan, math.inf, UNBOUNDED, -UNBOUNDED, -0.02, 7, 12_345, 10**15]
SPECS = {
    "auto": EstimatorBlock(label="Auto", estimator="auto"),
    "paired-kernel-shap": EstimatorBlock(label="Reference", estimator="paired-kernel-shap"),
    "leverage-shap": EstimatorBlock(label="Leverage", estimator="leverage-shap"),
    "walks": EstimatorBlock(label="Walks", estimator="antithetic-monte-carlo"),
    "slow": EstimatorBlock(label="Slow", estimator="multilinear"),
}


def labelled(game, estimator):
    """A study with a report whose game and estimator have these labels."""
    runs = {"paper": "p", "game": "g", "budgets": [9], "repetitions": 1, "estimators": ["e"]}
    played = {"label": game, "model": "m", "reward": "prediction", "players": 3, "explicands": 2}
    content = {
        **{"study": "s", "seed": 1, "results": "results", "claims": {"alpha": 0.05}},
        **{"datasets": {}, "models": {}, "experiments": {"x": runs}},
        "games": {"g": played | {"truth": {"method": "enumeration"}}},
        "estimators": {"e": {"label": estimator, "estimator": "auto"}},
    }
    return record(Study, content)


def said(function, *arguments, **settings):
    """What a function gives, or the message with which it refuses."""
    try:
        return function(*arguments, **settings)
    except (ValueError, ConfigError) as error:
        return f"{type(error).__name__}: {error}"


def compared(spread, explicands=14, players=(6, 12, 30)):
    """A comparison of estimators on tasks of few and many players, with made-up errors."""
    rng, tasks = np.random.default_rng(4), {}
    factors = dict(zip(SPECS, (1.0, 1.3, 1.05, 4.0, 0.7), strict=True))
    for number, d in enumerate(players):
        errors = {}
        for (name, factor), budget in product(factors.items(), (16, 100, 1000)):
            own = 0.2 * factor / budget * np.exp(spread * rng.normal(size=explicands))
            errors[name, budget] = np.where(d == 6 and budget == 1000, 1e-18, own)
        frame = pd.DataFrame(errors).T.rename_axis(["estimator", "budget"])
        frame.loc[("slow", 1000)] = np.nan
        frame.loc[("walks", 100), frame.columns[:2]] = np.nan
        same = f"task-{d}", f"Task {number}", d, 2, "paired-kernel-shap", d / 2
        most = {"slow": 100} if d == 30 else {}
        tasks[f"task-{d}"] = Task(*same, frame, 1.0, most, frozenset({"walks"}))
    return TaskComparison(tasks, SPECS, 0.05)


def test_numbers_and_limits():
    texts = {"latex": [latex.number(value, k) for value in VALUES for k in (2, 3)]}
    texts["site"] = [text.number(value) for value in [*VALUES, None, "2/3"]]
    texts["fixed"] = [latex.fixed(value, k) for value in VALUES for k in (0, 2)]
    texts["percent"] = [latex.percent(value) for value in VALUES]
    triples = [
        (a, a * b, a * c)
        for a in VALUES
        if not abs(a) > 1e99
        for b, c in ((0.5, 2.0), (0.99, 1.01))
    ]
    triples += [(1.0, 0.0, UNBOUNDED), (2.0, math.nan, math.nan), (1.0, 1.0, 1.0), (3.0, 1.0, 9e9)]
    for name in ("with_limits", "ratio_with_limits", "ratio_cell"):
        texts[name] = [getattr(latex, name)(*three) for three in triples]
    texts["limits"] = [text.limits(*three[1:]) for three in triples]
    texts["interval"] = [originals.interval(*three[1:]) for three in triples]
    cells = [{"a_b": value, "c": "d"} for value in VALUES[:9]] + [{"e": 1}]
    texts["table"] = originals.table_of(cells)
    compare("report", {f"numbers {key}": part for key, part in texts.items()})


def test_words():
    texts = ["1.64e+04 of 25,000, 2560000; d = 1000, 0.12345, 3e-05", "50% of $a_1^2$ & b_c"]
    texts += [
        "√t ≤ μ → “x” – ‘y’…",
        "below 1e-06, 2.4e-410, 1e5",
        "12,345.678 and 1234,5",
        "# ~ ^ \\",
    ]
    cases = [("less", "a"), ("more", "b"), ("less", "c"), ("as much", "d")]
    words = {"prose": [latex.prose(phrase) for phrase in texts]}
    words["escape"] = [latex.escape(phrase) for phrase in texts]
    words["site"] = [
        str(text.mathematics(phrase)) for phrase in [*texts, "$x_i$ of $\\href{a}{b}$"]
    ]
    words["plain"] = [characters.plain(phrase) for phrase in texts]
    odd = "a ♞ ☃ 漢 字 \u200b"
    words["odd"] = [*characters.unprinted(odd), *map(characters.described, odd)]
    words["cases"] = [latex.by_case(cases[:k]) for k in range(5)]
    words["lists"] = [latex.listing(list("abcd")[:k]) for k in range(5)]
    config = labelled(odd, "$ and $ ♞")
    plain = labels.with_plain_labels(config)
    named = {
        "experiments": {"x": {"paper": "p"}},
        "games": {name: {"label": block.label} for name, block in plain.games.items()},
        "estimators": {name: {"label": block.label} for name, block in plain.estimators.items()},
    }
    words["labels"] = [said(labels.check_labels, config), str(named)]
    words["tables"] = [
        latex.tabular("lr", [["a", "b"], ["c", "d"]], [[["1", "2"]], [], [["3", "4"]]]),
        said(latex.tabular, "l", [["a"]], [[["b", "c"]]]),
        said(latex.definitions, {"s": {"a b": "c"}}),
        *(said(audit.place, label) for label in ("lem:a", "sec:b-1", "xx:a", "lem", "lem:a b")),
        said(advice.Advice, "weather", "a", "b", ()),
        said(situation_table.SituationLine, "nothing"),
    ]
    compare("report", {f"words {key}": part for key, part in words.items()})


def columns_of(table):
    """A table with its index, column by column."""
    table = table.reset_index()
    return {str(name): [str(entry) if isinstance(entry, tuple) else entry for entry in table[name]]
            for name in table}  # fmt: skip


@pytest.mark.parametrize(("spread", "explicands"), [(0.05, 14), (0.8, 30), (0.3, 8)])
def test_comparisons(spread, explicands):
    single = compared(spread, explicands)
    both = [single, compared(spread, 12, (9,))]
    own = {f"own {k}": replace(t, name=f"own {k}") for k, t in both[1].tasks.items()}
    both[1] = TaskComparison(own, SPECS, 0.05)
    names = ("ratios", "regrets", "choices", "near", "regret_ranking", "ranking")
    tables = {name: columns_of(getattr(single, name)) for name in names}
    headline = single.at_headlines([("auto", "walks"), ("slow", "auto")])
    tables |= {"headlines": columns_of(headline), "left out": columns_of(left_out.left_out(single))}
    tables["tasks"] = [
        [t.headline, t.complete(100), t.complete(101)] for t in single.tasks.values()
    ]
    tables["families"] = single.estimators
    tables["exact"] = [t.exact(b) for t in single.tasks.values() for b in t.budgets]
    wide = Situations([single])
    tables |= {"situations": columns_of(wide.table), "cells": columns_of(wide.cells)}
    tables["overview"] = overview(single)
    tables["sentences"] = headlines.findings(both, None)
    tables["saved"] = [str(part) for part in saved.evaluations_saved(both)]
    steady = [situation_table.steady(single, few) for few in (True, False)]
    tables["steady"] = [[*part, part.told] for part in steady]
    tables["filled"] = situation_table.filled(single, [], 0.05)
    tables["rows"] = [str(row) for row in rows.table(rows.rows([single])).splitlines()[:1]]
    shown = ("shown", "remark", "verdict", "order", "task", "budget", "name", "unbiased", "errors")
    tables["lines"] = [[row[key] for key in shown] for row in rows.rows([single])]
    compare("report", {f"compared {spread} {key}": part for key, part in tables.items()})


def test_leads():
    rng = np.random.default_rng(2)
    cells = {}
    for number, fits in enumerate((2, 3, 12)):
        lines = [
            (name, fit, factor * np.exp(0.2 * rng.normal()))
            for name, factor in (("a", 1.0), ("b", 1.1), ("c", 3.0), ("d", 1e-14))
            for fit in range(fits)
            if (name, fit) != ("b", 0) and (name != "d" or number == 1)
        ]
        cells["study", number] = pd.DataFrame(lines, columns=["removal", "fit", "error"])
    cells["study", 3] = cells["study", 2].query("removal == 'a'")
    table = leads.lead_table(("study", "rows"), cells, 0.05)
    compare("report", {f"leads {key}": part for key, part in columns_of(table).items()})


def test_logs_of_failures():
    log = "a\n! Undefined control sequence.\nl.1 b\nc\nd\nmain.tex:12: Missing $\ne"
    log += "\nLaTeX Warning: Reference `x' on page 1 undefined on input line 2.\n"
    texts = [*typesetting.error_lines(log), *typesetting.undefined_names(log)]
    compare("report", {"failures": texts})


def test_styles():
    styles = {name: str(part) for name, part in style.line_styles([*SPECS], SPECS).items()}
    with style.mpl.rc_context(style.SETTINGS):
        figure, axes = style.plt.subplots(1, 3)
        for ax, ends in zip(axes, ((0.5, 3.0), (1.0, 1e3), (1e-6, 1e8)), strict=True):
            ax.set(xscale="log", xlim=ends)
            style.label_decades(ax.xaxis)
            ticks = [tick for tick in ax.get_xticks() if ends[0] <= tick <= ends[1]]
            texts = ax.xaxis.get_major_formatter().format_ticks(ticks)
            small = ax.xaxis.get_minorticklocs()
            styles[f"decades {ends}"] = [*ticks, *texts, len(small)]
        style.plt.close(figure)
    compare("report", {f"style {name}": part for name, part in styles.items()})
