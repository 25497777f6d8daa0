"""Tables, numbers and words on LS-SPA (Bell, Devanathan & Boyd 2024)."""

import numpy as np

from ..findings.ls_spa import LSSPA, Chains
from ..theory import regression_costs as costs
from ..truth import shapley_from_table
from .latex import escape, fixed, number, tabular
from .prose import NOT_RUN

SIZES = (10, 100, 1000)
EXPERIMENTS = ("bdb-medium", "bdb-large")
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
)


def tables(found: LSSPA) -> dict[str, str]:
    """All tables by file name without suffix."""
    return {
        "ls_spa_toy": toy_table(found),
        "ls_spa_errors": errors_table(found),
        "ls_spa_costs": costs_table(),
    }


def toy_table(found: LSSPA) -> str:
    """Printed values of the toy example, those of the authors' data, and whether they agree."""
    rows = [
        [
            escape(row.what),
            fixed(row.printed, 2),
            fixed(row.found, 4),
            "yes" if row.agrees else "no",
        ]
        for row in found.toy_rows.itertuples()
        if not row.what.startswith("lift")
    ]
    return tabular("@{}lrrl@{}", [["", "printed", "authors' data", "rounds to it"]], [rows])


def errors_table(found: LSSPA) -> str:
    """Mean errors by sampler and number of chains."""
    groups, columns = [], sorted({c for one in found.chains.values() for c in one.errors.columns})
    for one in found.chains.values():
        group = [[rf"\emph{{{escape(one.label)}}}", *[""] * len(columns)]]
        for name, errors in one.errors.iterrows():
            cells = [number(float(errors.get(c, np.nan)), 2) for c in columns]
            group.append([escape(one.labels[name]), *cells])
        groups.append(group)
    header = [["chains", *(number(c) for c in columns)]]
    return tabular("@{}l" + "r" * len(columns) + "@{}", header, groups)


def costs_table() -> str:
    """Multiplications per chain and per subset."""
    rows = [
        [
            number(p),
            number(float(costs.naive_chain(p * p, p * p, p)), 2),
            number(float(costs.chain(p)), 2),
            number(float(costs.shift(p)), 2),
            number(costs.all_subsets(p) / 2**p, 2) if p <= 25 else "--",
        ]
        for p in SIZES
    ]
    header = [["$p$", "naive, $N=M=p^2$", "factorised", "shifted", "per subset"]]
    return tabular("@{}rrrrr@{}", header, [rows])


def values(found: LSSPA) -> dict[str, str]:
    """Text of each value by key; of experiments that did not run, words that say so."""
    own = shapley_from_table(found.toy)
    parts = {f"toy.{j + 1}": fixed(float(value), 3) for j, value in enumerate(own)}
    parts |= {
        "toy.r2": fixed(float(found.toy[-1]), 2),
        "toy.provenance": escape(found.toy_provenance),
        "diabetes.r2": fixed(found.diabetes.r_squared, 2),
        "diabetes.splits": number(found.diabetes.splits),
        **_leaders(found),
        **_risk_values(found),
    }
    for name in EXPERIMENTS:
        short = name.removeprefix("bdb-")
        told = _chain_values(found.chains[name]) if name in found.chains else {}
        parts |= {f"{short}.{key}": told.get(key, NOT_RUN) for key in CHAIN_VALUES}
    return {f"ls-spa.{key}": value for key, value in parts.items()}


def _leaders(found: LSSPA) -> dict[str, str]:
    """Features whose interval leaves 0 out, largest first, and how many do not."""
    one = found.diabetes
    clear = [j for j in np.argsort(-one.values) if abs(one.values[j]) > one.half_widths[j]]
    named = [f"{one.features[j]} ({one.values[j]:.2f})" for j in clear]
    return {
        "diabetes.clear": escape(", ".join(named)) or "none",
        "diabetes.unclear": number(len(one.values) - len(clear)),
    }


def _risk_values(found: LSSPA) -> dict[str, str]:
    values = {}
    for name, rows in found.risk.groupby("sampler"):
        key = name.replace(" ", "-")
        share = rows["covered"].sum() / rows["runs"].sum()
        values[f"risk.{key}.covered"] = rf"{number(100 * float(share))}\,\%"
        values[f"risk.{key}.ratio"] = number(float(rows["ratio"].mean()), 2)
    return values


def _chain_values(one: Chains) -> dict[str, str]:
    last = one.errors.iloc[:, -1]
    best = str(last.idxmin())
    return {
        "players": number(one.players),
        "rows": number(one.n_train),
        "condition": number(one.condition),
        "r2": fixed(one.r_squared, 2),
        "chains": number(int(one.errors.columns[-1])),
        "truth-error": number(one.truth_error, 2),
        "best": escape(one.labels[best]),
        "best-error": number(float(last[best]), 2),
        "first-error": number(float(last.iloc[0]), 2),
    }
