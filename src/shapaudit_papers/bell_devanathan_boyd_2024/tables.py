"""Tables, numbers and words on LS-SPA (Bell, Devanathan & Boyd 2024)."""

import numpy as np

from shapaudit.estimators.risk import LEVEL
from shapaudit.statistics.limits import Limit
from shapaudit.statistics.simultaneous import Ratio
from shapaudit.truth import shapley_from_table
from shapaudit_audit.report.latex import (
    DASH,
    DIRECTIONS,
    NOT_RUN,
    escape,
    fixed,
    listing,
    number,
    percent,
    ratio_cell,
    ratio_with_limits,
    tabular,
)
from shapaudit_audit.report.sources import ResultSource
from shapaudit_papers.theory import regression_costs as costs

from .evidence.risk import BARS
from .findings import MONTE_CARLO, Attribution, BellReplication, Chains, load

SIZES = (10, 100, 1000)
GAMES = {"bdb-medium": "medium", "bdb-large": "large"}  # of which the text speaks
WORDS = {"smaller": "smaller", "larger": "larger", **DIRECTIONS}
CHAIN_VALUES = (
    "players",
    "rows",
    "condition",
    "r2",
    "chains",
    "truth-error",
    "best",
    "best-error",
    "first-error",
    "runs",
    "compared",
    "compared-chains",
    "compared-runs",
    "leaders",
)


def tables(replication: BellReplication) -> dict[str, str]:
    """All tables by file name without suffix."""
    return {
        "ls_spa_toy": toy_table(replication),
        "ls_spa_errors": errors_table(replication),
        "ls_spa_coverage": coverage_table(replication),
        "ls_spa_costs": costs_table(),
    }


def toy_table(replication: BellReplication) -> str:
    """Printed values of the toy example, those of the authors' data, and whether they agree."""
    rows = [
        [
            escape(row.what),
            fixed(row.printed, 2),
            fixed(row.found, 4),
            "yes" if row.agrees else "no",
        ]
        for row in replication.toy_rows.itertuples()
        if not row.what.startswith("lift")
    ]
    return tabular("@{}lrrl@{}", [["", "printed", "authors' data", "rounds to it"]], [rows])


def errors_table(replication: BellReplication) -> str:
    """Mean errors by sampler and number of chains; ratios to Monte Carlo where runs are enough."""
    groups = []
    columns = sorted({c for panel in replication.chains.values() for c in panel.errors.columns})
    for panel in replication.chains.values():
        at = "" if panel.compared is None else f"at {number(panel.compared)}"
        counts = [number(int(panel.counts[c])) if c in panel.counts else "" for c in columns]
        group = [
            [rf"\emph{{{escape(panel.label)}}}", *[""] * len(columns), at],
            [r"\quad runs", *counts, ""],
        ]
        for name, errors in panel.errors.iterrows():
            cells = [number(float(errors.get(c, np.nan)), 2) for c in columns]
            group.append([escape(panel.labels[name]), *cells, _ratio_cell(panel, name)])
        groups.append(group)
    header = [["chains", *(number(c) for c in columns), "over Monte Carlo"]]
    return tabular("@{}l" + "r" * len(columns) + "c@{}", header, groups)


def _ratio_cell(panel: Chains, name: str) -> str:
    """Ratio to Monte Carlo."""
    ratio = panel.ratios.get((name, MONTE_CARLO))
    return DASH if ratio is None else ratio_cell(ratio.estimate, ratio.low, ratio.high)


def coverage_table(replication: BellReplication) -> str:
    """What 95 % limits of the error's norm cover, by permutations and what counts as a unit."""
    groups: dict[str, list[list[str]]] = {}
    ratios = replication.risk.groupby("sampler")["ratio"].mean()
    for name, bar in BARS.items():
        limit = replication.coverage[name]
        row = [bar.permutations, bar.units, bar.law, fixed(100 * limit.estimate, 1)]
        row += [_interval(limit), _coverage_word(limit), fixed(float(ratios[name]), 2)]
        groups.setdefault(bar.permutations, []).append(row)
    header = ["permutations", "unit", "law", r"covered, \%", "limits", "", "estimate / quantile"]
    return tabular("@{}lllrllr@{}", [header], list(groups.values()))


def _interval(limit: Limit) -> str:
    return f"[{fixed(100 * limit.low, 1)}, {fixed(100 * limit.high, 1)}]"


def _coverage_word(limit: Limit) -> str:
    """Where the limits of a coverage lie."""
    if limit.high < LEVEL:
        return "fewer than 95"
    return "more than 95" if limit.low > LEVEL else "95 is within the limits"


def costs_table() -> str:
    """Multiplications per chain and per subset."""
    rows = [
        [
            number(p),
            number(float(costs.naive_chain(p * p, p * p, p)), 2),
            number(float(costs.chain(p)), 2),
            number(float(costs.shift(p)), 2),
            number(costs.all_subsets(p) / 2**p, 2) if p <= 25 else DASH,
        ]
        for p in SIZES
    ]
    header = [["$p$", "naive, $N=M=p^2$", "factorised", "shifted", "per subset"]]
    return tabular("@{}rrrrr@{}", header, [rows])


def values(replication: BellReplication) -> dict[str, str]:
    """Text of each value by key; of experiments that did not run, words that say so."""
    own = shapley_from_table(replication.toy)
    parts = {f"toy.{j + 1}": fixed(float(value), 3) for j, value in enumerate(own)}
    parts |= {
        "toy.r2": fixed(float(replication.toy[-1]), 2),
        "toy.provenance": escape(replication.toy_provenance),
        "diabetes.r2": fixed(replication.diabetes.r_squared, 2),
        "diabetes.splits": number(replication.diabetes.splits),
        **_clear(replication.diabetes),
        **_risk_values(replication),
    }
    for name, short in GAMES.items():
        told = _chain_values(replication.chains[name]) if name in replication.chains else {}
        parts |= {f"{short}.{key}": told.get(key, NOT_RUN) for key in CHAIN_VALUES}
    return {f"ls-spa.{key}": value for key, value in parts.items()}


def _clear(attribution: Attribution) -> dict[str, str]:
    """Features whose interval leaves 0 out, largest first, and how many do not."""
    texts = {}
    for key, widths in (("", attribution.half_widths), ("-jointly", attribution.joint_half_widths)):
        clear = [
            j for j in np.argsort(-attribution.values) if abs(attribution.values[j]) > widths[j]
        ]
        named = [f"{attribution.features[j]} ({attribution.values[j]:.2f})" for j in clear]
        texts[f"diabetes.clear{key}"] = escape(", ".join(named)) or "none"
        texts[f"diabetes.unclear{key}"] = number(len(attribution.values) - len(clear))
    return texts


def _risk_values(replication: BellReplication) -> dict[str, str]:
    values = {}
    for name, rows in replication.risk.groupby("sampler"):
        key, limit = name.replace(" ", "-"), replication.coverage[name]
        values[f"risk.{key}.covered"] = percent(limit.estimate, 3)
        values[f"risk.{key}.limits"] = rf"{_interval(limit)}\,\%"
        values[f"risk.{key}.covers"] = _coverage_word(limit)
        values[f"risk.{key}.ratio"] = number(float(rows["ratio"].mean()), 2)
    return values


def _chain_values(panel: Chains) -> dict[str, str]:
    last = panel.errors.iloc[:, -1]
    best = str(last.idxmin())
    return {
        "players": number(panel.players),
        "rows": number(panel.n_train),
        "condition": number(panel.condition),
        "r2": fixed(panel.r_squared, 2),
        "chains": number(int(panel.errors.columns[-1])),
        "truth-error": number(panel.truth_error, 2),
        "best": escape(panel.labels[best]),
        "best-error": number(float(last[best]), 2),
        "first-error": number(float(last.iloc[0]), 2),
        "runs": number(int(panel.counts.iloc[-1])),
        **_compared(panel),
    }


def _compared(panel: Chains) -> dict[str, str]:
    """What the runs decide between the samplers, in words that suit any outcome."""
    if panel.compared is None:
        runs = int(panel.counts.max())
        words = "one run each" if runs == 1 else f"{number(runs)} runs each"
        undecided = "not decided"
        return {
            "compared": f"{words} cannot separate the methods",
            "leaders": undecided,
        } | dict.fromkeys(("compared-chains", "compared-runs"), undecided)
    count, chains = number(int(panel.counts[panel.compared])), number(panel.compared)
    against = {a: ratio for (a, b), ratio in panel.ratios.items() if b == MONTE_CARLO}
    parts = [
        f"{words} for {listing(named)}"
        for word, words in WORDS.items()
        if (named := [_named(panel, a, r) for a, r in against.items() if r.word == word])
    ]
    leaders = listing([escape(panel.labels[name]) for name in panel.leaders])
    told = f", the error compared with that of Monte Carlo is {listing(parts)}"
    return {
        "compared": f"over {count} runs of {chains} chains"
        + (
            told if parts else f", no other method has a significantly smaller error than {leaders}"
        ),
        "compared-chains": chains,
        "compared-runs": count,
        "leaders": leaders,
    }


def _named(panel: Chains, name: str, ratio: Ratio) -> str:
    value, interval = ratio_with_limits(ratio.estimate, ratio.low, ratio.high)
    return f"{escape(panel.labels[name])} ({value} {interval})"


SOURCES = (
    ResultSource(
        "regression",
        "experiments of Bell, Devanathan and Boyd",
        ("run_estimators", "compute_truth", "judge_claims"),
        ("estimates/bdb-*/", "truth/bdb-*.parquet", "claims/claims.json"),
        lambda findings: values(findings.once(load)),
        lambda findings: tables(findings.once(load)),
    ),
)
