"""Claim 85: bias and variance of the 24 methods of Table 1, measured on one small law."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from shapaudit.statistics.error_split import split_limits
from shapaudit.statistics.limits import Limit
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.measured import gather_methods
from .common import claim

MARGIN = 0.01  # squared bias over squared size of the values below which there is none to speak of
PART_ROUNDING = 1e-12
CONVENTIONS = ("own", "population")
MEASURES = tuple(f"{name} {part}" for name in CONVENTIONS for part in ("bias", "variance"))


class ErrorParts(NamedTuple):
    """Limits of squared biases and variances over the squared norm of the population's values."""

    own_bias: Limit
    own_variance: Limit
    population_bias: Limit
    population_variance: Limit


def parts_of(evidence: Evidence, alpha: float) -> ErrorParts:
    """Return the parts of a method's error, each limit of confidence 1 - alpha.

    The first two compare an estimate, given the rows, with the method's own games; the others
    compare an estimate from randomly drawn rows with the population's values.
    """
    truth, exact, estimates = evidence["truth"], evidence["exact"], evidence["estimates"]
    own = split_limits(truth, exact, estimates, alpha)
    means = split_limits(truth, estimates.mean(axis=1), estimates, alpha)
    single = split_limits(truth, estimates[:, 0], estimates, alpha)
    size = np.square(truth).sum(axis=-1).mean()
    chosen = (
        own["estimation_bias"],
        own["estimation_variance"],
        means["removal_bias"],
        single["removal_variance"],
    )
    return ErrorParts(*(_relative(limit, size) for limit in chosen))


def _relative(limit: Limit, size: float) -> Limit:
    ends = (x / size for x in (limit.estimate, limit.low, limit.high))
    estimate, low, high = (0.0 if abs(x) < PART_ROUNDING else x for x in ends)
    return Limit(limit.name, estimate, low, high, limit.level)


def word_of_bias(limit: Limit) -> str:
    """Return "yes" for a bias, "no" for one below the margin, "open" where limits do not decide."""
    return "yes" if limit.low > 0 else "no" if limit.high < MARGIN else "open"


def word_of_variance(limit: Limit) -> str:
    """Return "yes" for a variance, "no" where all runs are alike, "open" otherwise."""
    return "yes" if limit.low > 0 else "no" if limit.high <= 0 else "open"


def _row(name: str, evidence: Evidence, parts: ErrorParts) -> Evidence:
    row = {"method": name, "model": evidence["model"], "target": evidence["target"]}
    for key, limit in zip(ErrorParts._fields, parts, strict=True):
        row |= {key: limit.estimate, f"{key}_low": limit.low, f"{key}_high": limit.high}
        judge = word_of_bias if key.endswith("bias") else word_of_variance
        row[f"{key}_there"] = judge(limit)
    unbiased, settled = evidence["printed"]
    row |= {"bias_free": unbiased, "variance_free": settled}
    return row | {key: evidence[key] for key in ("data_rows", "fit_rows", "rows")}


def otherwise(row: Evidence, convention: str) -> list[str]:
    """Return the columns in which Table 1 differs from the decided words of a method."""
    printed = {"bias": row["bias_free"], "variance": row["variance_free"]}
    contrary = {"Yes": "yes", "No": "no"}
    return [
        part
        for part, cell in printed.items()
        if row[f"{convention}_{part}_there"] == contrary[cell]
    ]


def decided(row: Evidence, convention: str) -> bool:
    """Return whether both bias and variance are decided."""
    return all(row[f"{convention}_{part}_there"] != "open" for part in ("bias", "variance"))


def check_methods(evidence: Evidence, alpha: float) -> Verdict:
    """Supported if decided cells contradict Table 1 under every convention.

    Refuted if no cell contradicts it under a convention for which all cells are decided. The
    limits hold together.
    """
    measured = evidence["methods"]
    share = alpha / (len(measured) * len(MEASURES))
    parts = {name: parts_of(method, share) for name, method in measured.items()}
    rows = [_row(name, method, parts[name]) for name, method in measured.items()]
    off = {name: [row for row in rows if otherwise(row, name)] for name in CONVENTIONS}
    one_fits = [
        name for name in CONVENTIONS if not off[name] and all(decided(row, name) for row in rows)
    ]
    status = "supported" if all(off.values()) else "refuted" if one_fits else "inconclusive"
    told = {
        name: ", ".join(f"{row['method']} ({' and '.join(otherwise(row, name))})" for row in own)
        for name, own in off.items()
    }
    fits = len(next(iter(measured.values()))["exact"])
    return tell(
        status,
        {
            "supported": f"With simultaneous limits for all {len(parts) * len(MEASURES)} numbers, "
            "the printed cells differ from our measurements in the following cases: for given "
            f"rows, for {told['own']}; for drawn rows and the values of the population, for "
            f"{told['population']}.",
            "refuted": "All cells agree with the printed ones under the convention "
            f"{' and '.join(one_fits)}.",
            "inconclusive": "Too few cells are decided to exclude both conventions.",
        },
        numbers={f"otherwise.{name}": len(own) for name, own in off.items()},
        limits=[
            replace(limit, name=f"{name}, {measure}")
            for name, own in parts.items()
            for measure, limit in zip(MEASURES, own, strict=True)
        ],
        sample={
            "fits": fits,
            "methods": len(rows),
            "evaluations": evidence["budget"],
            "features": evidence["features"],
            "coalitions": 2 ** evidence["features"],
            "rows": max(row["data_rows"] for row in rows),
        },
        rows=tuple(rows),
    )


CLAIMS = (
    claim(
        id="ccll23-85",
        title="Bias and variance of the 24 methods, measured",
        heading="The table of methods",
        topic="convergence",
        where="Table 1, columns Bias-free and Variance-free, beyond what is said there",
        statement="No single convention gives both columns: for given rows, with bias relative to "
        "the values of each method's own game, some cells differ, and for drawn rows, with bias "
        "relative to the values of the population, others do.",
        source="this project",
        matters="Before methods are compared by these columns, it has to be stated whether the "
        "rows are given.",
        gather=gather_methods,
        check=check_methods,
        statistical=True,
    ),
)
