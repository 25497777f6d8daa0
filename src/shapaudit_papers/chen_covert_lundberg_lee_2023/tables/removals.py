"""Tables and values of the report on how removals err."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from shapaudit_audit.report.latex import (
    DASH,
    NOT_RUN,
    escape,
    fixed,
    listing,
    number,
    percent,
    tabular,
)
from shapaudit_audit.report.removals import RemovalStudy, agreement, at_equal_rows, choices

LIMITS = 0.05  # error rate of the limits of one total
TRAINED = ("surrogate", "missingness")  # compared with the marginal removal
KEYS = (
    *("laws", "players", "rows", "fits", "explicands", "runs", "budgets", "cells", "conditional"),
    *("chosen", "regret", "worst", "rank", "misfit"),
    *("limits", "compared", "leads", "compared-all", "leads-all", "changed", "refused"),
    *(f"{name}-{when}" for name in TRAINED for when in ("few", "many")),
)


def values(studies: Sequence[RemovalStudy], alpha: float) -> dict[str, str]:
    """Texts of the section by key, which begins with ``removals.``; words where nothing ran."""
    if not studies:
        return {f"removals.{key}": NOT_RUN for key in KEYS}
    chosen = choices(studies, alpha)
    agreed = [row for study in studies for row in agreement(study).to_dict("records")]
    blocks = [study.block for study in studies]
    texts = {
        "laws": number(len(studies)),
        "fits": _range(block.fits for block in blocks),
        "explicands": _range(block.explicands for block in blocks),
        "runs": _range(block.runs for block in blocks),
        "players": _range(study.players for study in studies),
        "rows": _listed({count for block in blocks for count in block.rows}),
        "budgets": _listed({count for block in blocks for count in block.budgets}),
        "cells": number(len(chosen)),
        "chosen": number(sum(row["chosen"] == row["best"] for row in agreed)),
        "regret": fixed(float(np.median([row["regret"] for row in agreed])), 2),
        "worst": fixed(max(row["regret"] for row in agreed), 2),
        "rank": fixed(float(np.median([row["rank_shapley"] for row in agreed])), 2),
        "conditional": number(_conditional(studies, chosen)),
        "misfit": _misfit(studies),
    }
    texts |= _within(studies, alpha)
    for name in TRAINED:
        texts |= {
            f"{name}-few": _ahead(studies, name, 0),
            f"{name}-many": _ahead(studies, name, -1),
        }
    return {f"removals.{key}": texts[key] for key in KEYS}


def _ahead(studies: Sequence[RemovalStudy], name: str, place: int) -> str:
    """Under how many laws a removal errs less than the marginal one, at a place of the rows."""
    errors = [study.curves.iloc[:, place] for study in studies]
    return number(sum(bool(e.get(name, np.nan) < e.get("marginal", np.nan)) for e in errors))


def _within(studies: Sequence[RemovalStudy], alpha: float) -> dict[str, str]:
    """Cells of equal rows, how many of them have a significant lead, and in how many cells the
    removal ahead depends on whether rows of its own models count."""
    table = at_equal_rows(studies, alpha)
    several = table[table["entered"] > 1]
    ahead = several["others"].str.len() == 0
    best = table.pivot(index=["study", "rows", "limit"], columns="counted", values="best")
    both = best.dropna() if {"model", "all"} <= set(best) else best.iloc[:0]
    of_model = several["counted"] == "model"
    return {
        "limits": _listed({limit for study in studies for limit in study.block.row_limits}),
        "compared": number(int(of_model.sum())),
        "leads": number(int((ahead & of_model).sum())),
        "compared-all": number(int((~of_model).sum())),
        "leads-all": number(int((ahead & ~of_model).sum())),
        "changed": number(int((both["model"] != both["all"]).sum()) if len(both) else 0),
        "refused": number(sum(int(study.refused["refused"].sum()) for study in studies)),
    }


def _range(counts) -> str:
    low, high = min(listed := list(counts)), max(listed)
    return number(low) if low == high else f"{number(low)} to {number(high)}"


def _listed(counts: set[int]) -> str:
    return listing([number(count) for count in sorted(counts)])


def _conditional(studies: Sequence[RemovalStudy], chosen) -> int:
    """Cells in which the best removal estimates conditional values."""
    cards = {(study.label, name): study.cards[name] for study in studies for name in study.removals}
    winners = (cards[row.study, row.best] for row in chosen.itertuples())
    return sum(card is not None and card.target == "conditional" for card in winners)


def _misfit(studies: Sequence[RemovalStudy]) -> str:
    """Share of squared removal bias in the error of the Gaussian, by law, at the most rows."""
    parts = []
    for study in studies:
        own = study.final(LIMITS)
        if "gaussian" in own.index:
            row = own.loc["gaussian"]
            share = max(0.0, row["removal_bias"]) / row["total"]
            parts.append(f"{percent(share)} under {escape(study.label)}")
    return "; ".join(parts) or NOT_RUN


def choice_table(studies: Sequence[RemovalStudy], alpha: float) -> str:
    """Which removal errs least, by law and number of rows, and which are not told apart from it."""
    groups: dict[str, list] = {}
    table = choices(studies, alpha)
    for row in table.itertuples():
        others = [_name(name) for name in row.others]
        told = DASH
        if row.behind:
            told = _compared(row.behind, row.behind_ratio, row.behind_low, row.behind_high)
        line = [
            number(row.players),
            number(row.rows),
            _name(row.best),
            percent(row.error),
            ", ".join(others) or "none",
            told,
        ]
        first = "" if row.study in groups else escape(row.study)
        groups.setdefault(row.study, []).append([first, *line, number(row.entered)])
    head = [
        "law",
        "d",
        "n",
        "least error",
        "",
        "not told apart from it",
        "next, its error over the least",
        "of",
    ]
    columns = "@{}lrrlrp{5.2cm}p{3.4cm}r@{}"
    return tabular(columns, [head], list(groups.values()))


def _compared(name: str, ratio: float, low: float, high: float) -> str:
    ends = f"{fixed(low, 2)}, {fixed(high, 2)}" if np.isfinite(high) else "few fits"
    return f"{_name(name)} {fixed(ratio, 2)} [{ends}]"


def equal_rows_table(lines: pd.DataFrame) -> str:
    """Who is ahead within equally many rows, by law, training rows and limit.

    ``lines`` are those of `at_equal_rows` of one way of counting.
    """
    groups: dict[str, list] = {}
    for row in lines.itertuples():
        runner_up = _compared(row.next, row.ratio, row.low, row.high) if row.next else DASH
        line = [
            number(row.rows),
            number(row.limit),
            _name(row.best),
            percent(row.error),
            runner_up,
            _significant(row),
            number(row.entered - 1 - len(row.others)),
            number(row.entered),
        ]
        first = "" if row.study in groups else escape(row.study)
        groups.setdefault(row.study, []).append([first, *line])
    top = ["", "", "", "", "", "", "lead", "significantly", ""]
    head = ["law", "n", "rows", "ahead", "error", "runner-up, its error over that", "significant",
            "behind", "of"]  # fmt: skip
    return tabular("@{}lrrlrllrr@{}", [top, head], list(groups.values()))


def _significant(row) -> str:
    if row.entered < 2:
        return DASH
    return "no" if row.others else "yes"


def refusal_table(studies: Sequence[RemovalStudy]) -> str:
    """What refused, by law and number of rows, and the first reason that it gave."""
    groups = []
    for study in studies:
        groups.append(
            [
                [
                    "" if k else escape(study.label),
                    _name(row.removal),
                    number(row.rows),
                    f"{number(row.refused)} of {number(row.fits)}",
                    escape(row.reason),
                ]
                for k, row in enumerate(study.refused.itertuples())
            ]
        )
    head = ["law", "removal", "n", "fits refused", "first reason"]
    lines = [group for group in groups if group] or [[["none", *[DASH] * 4]]]
    return tabular("@{}llrlp{9cm}@{}", [head], lines)


def error_table(studies: Sequence[RemovalStudy]) -> str:
    """Relative errors of fitted games at the fewest and the most rows, a column pair per law."""
    names = list(dict.fromkeys(name for study in studies for name in study.removals))
    ends = {study.name: (study.block.rows[0], study.block.rows[-1]) for study in studies}
    body = []
    for name in names:
        cells = []
        for study in studies:
            cells += [_error(study, name, int(n)) for n in ends[study.name]]
        body.append([_name(name), *cells])
    top = ["", *(rf"\multicolumn{{2}}{{c}}{{{escape(study.label)}}}" for study in studies)]
    head = ["n", *(number(n) for study in studies for n in ends[study.name])]
    return tabular("@{}l" + "rr" * len(studies) + "@{}", [top, head], [body])


def _error(study: RemovalStudy, name: str, count: int) -> str:
    """Relative error, or that a removal refused."""
    refused = study.refused
    if ((refused["removal"] == name) & (refused["rows"] == count)).any():
        return "refused"
    return percent(study.curves.get(count, {}).get(name, np.nan))


def split_table(studies: Sequence[RemovalStudy]) -> str:
    """The four parts of the error of estimates, at the most rows and the largest budget."""
    groups = []
    for study in studies:
        measured = study.measures
        lines: list[list[str]] = []
        for name, row in study.final(LIMITS).iterrows():
            means = measured.loc[(name, int(row["rows"]))]
            parts = (
                *("removal_bias", "removal_variance", "estimation_bias", "estimation_variance"),
                "cross",
            )
            lines.append(
                [
                    "" if lines else escape(study.label),
                    _name(name),
                    *(_part(row[part]) for part in parts),
                    fixed(row["total"], 3),
                    f"[{fixed(row['low'], 3)}, {fixed(row['high'], 3)}]",
                    number(int(means["fit_rows"])),
                    number(round(means["rows_per_value"])),
                    number(int(means["auxiliary_fit_rows"])),
                ]
            )
        groups.append(lines)
    top = [
        "",
        "",
        *map(_wide, ("removal", "estimation")),
        "",
        "",
        "",
        *map(_wide, ("rows of f",)),
        "other",
    ]
    head = ["law", "removal", "bias²", "variance", "bias²", "variance", "cross", "total",
            "95 % limits", "fit", "value", "fit"]  # fmt: skip
    head = [cell.replace("²", r"\textsuperscript{2}").replace("95 %", r"95\,\%") for cell in head]
    return tabular("@{}llrrrrrrcrrr@{}", [top, head], groups)


def _wide(text: str) -> str:
    return rf"\multicolumn{{2}}{{c}}{{{text}}}"


def measure_table(studies: Sequence[RemovalStudy]) -> str:
    """What the error from data says of the order of removals, by law and number of rows."""
    groups = []
    for study in studies:
        lines: list[list[str]] = []
        for row in agreement(study).itertuples():
            lines.append(
                [
                    "" if lines else escape(study.label),
                    number(row.rows),
                    number(row.removals),
                    fixed(row.rank_values, 2),
                    fixed(row.rank_shapley, 2),
                    _name(row.chosen),
                    _name(row.best),
                    fixed(row.regret, 2),
                ]
            )
        groups.append(lines)
    top = ["", "", "", _wide("rank correlation with"), _wide("least error"), ""]
    head = ["law", "n", "removals", "values", "Shapley", "from data", "in truth", "ratio"]
    return tabular("@{}lrrrrllr@{}", [top, head], groups)


def tables(studies: Sequence[RemovalStudy], alpha: float) -> dict[str, str]:
    """The tables by name."""
    within = at_equal_rows(studies, alpha)
    of_model = within["counted"] == "model"
    marginal = at_equal_rows(studies, alpha, "marginal", ["model"])
    return {
        "removal_choice": choice_table(studies, alpha),
        "removal_errors": error_table(studies),
        "removal_splits": split_table(studies),
        "removal_measures": measure_table(studies),
        "removal_equal_rows": equal_rows_table(within[of_model]),
        "removal_all_rows": equal_rows_table(within[~of_model]),
        "removal_marginal_rows": equal_rows_table(marginal),
        "removal_refusals": refusal_table(studies),
    }


def _name(name: str) -> str:
    return escape(name.replace("-", " "))


def _part(value: float) -> str:
    """Three decimals, without the sign of what rounds to zero."""
    return fixed(value if abs(value) >= 0.0005 else 0.0, 3)
