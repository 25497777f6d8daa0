"""Numbers and words on the experiments and claims of this paper for the report's prose, by key.

Where a sentence depends on the direction of a result, its words are made here, so that the prose
stays true whatever the numbers.
"""

from collections.abc import Mapping, Sequence

import pandas as pd

from shapaudit.statistics.comparisons import evaluations_to_reach
from shapaudit_audit.audit.reading import find_claim
from shapaudit_audit.report.latex import (
    DIRECTIONS,
    NOT_RUN,
    by_case,
    escape,
    fixed,
    listing,
    number,
    percent,
    ratio_in_line,
    with_limits,
)

from ..findings import CONTRASTS, VARIANT_CONTRASTS, Experiment, GrahReplication
from ..usefulness import PRECISION, first_useful_dimension, iterations_needed


def values(replication: GrahReplication) -> dict[str, str]:
    """Text of each value on the experiments."""
    texts = comparison_values(replication.comparisons, list(replication.experiments))
    texts |= walk_values(texts) | where_values(texts, replication.experiments)
    for experiment in replication.experiments.values():
        texts |= experiment_values(experiment)
    return texts | collapsed_values(replication.collapsed) | size_values(replication.experiments)


def size_values(experiments: Mapping[str, Experiment]) -> dict[str, str]:
    """How many estimators, runs and evaluations the experiments have."""
    estimators = {name for e in experiments.values() for name in e.settings}
    runs = sum(len(e.settings) * e.explicands * e.repetitions for e in experiments.values())
    counted = sum(
        int(e.frame.groupby(["estimator", "explicand", "repetition"])["evaluations"].max().sum())
        for e in experiments.values()
    )
    enumerated = [
        e.players for e in experiments.values() if (e.truth["certificate"] == "exact").all()
    ]
    return {
        "study.enumerated": number(max(enumerated, default=0)),
        "study.estimators": number(len(estimators)),
        "study.runs": number(runs),
        "study.evaluations": number(float(counted)),
    }


def experiment_values(experiment: Experiment) -> dict[str, str]:
    """Sizes, truth, best estimator, reference points of one experiment."""
    e, d = experiment, experiment.players
    best, last = e.last.index[0], e.last
    worse = [e.label_of(name) for name in last.index[last["mean"] > e.start]]
    values = {
        "label": escape(e.label),
        "players": number(d),
        "coalitions": number(2**d if d < 30 else 2.0**d, 2),
        "explicands": number(e.explicands),
        "seeds": number(e.repetitions),
        "tuning-explicands": number(e.tuning_explicands),
        "budget": number(e.budget),
        "budget-share": number(e.budget / 2.0**d, 2),
        "start": number(e.start, 2),
        "best": escape(e.label_of(best)),
        "worse-than-start": escape(listing(worse, "no estimator")),
        **truth_told(str(e.truth["certificate"].iloc[0])),
        "truth-error": number(e.precision["error"], 2),
        "truth-share": percent(e.precision["share"]),
        "truth-difference": number(float(e.truth["difference"].max()), 1),
        "between-share": percent(e.components.loc[e.compared, "share"].median()),
    }
    for name in ("optimised-mc", "paired-kernel-shap", "psgd-constant", "psgd-sqrt"):
        values[f"beats-start.{name}"] = _beats_start(e, name)
    for name in ("psgd-constant", "psgd-sqrt"):
        scale = e.settings[name]["params"]["scale"] if name in e.settings else None
        values[f"step.{name}"] = NOT_RUN if scale is None else number(scale, 1)
        values[f"public-step.{name}"] = NOT_RUN if scale is None else number(2 * scale, 1)
    inverse = (
        number(last.loc["psgd-inverse", "mean"], 2) if "psgd-inverse" in last.index else NOT_RUN
    )
    values["error.psgd-inverse"] = inverse
    return {f"{e.name}.{key}": value for key, value in values.items()} | coverage_values(e)


def truth_told(certificate: str) -> dict[str, str]:
    """How the truth was found and what its error is, up to the number, by certificate."""
    return {
        "truth-made": {
            "exact": "It is exact up to round-off: its error",
            "bounded": "It is found by inversion of characteristic functions, within a proved "
            "bound: the largest bound of any explicand",
            "reference": "It is the mean over permutations walked in all their cyclic shifts: its "
            "standard error",
        }[certificate],
        "truth-known": {
            "exact": "exact values, whose error",
            "bounded": "values within a proved bound, which",
            "reference": "an estimated reference, whose standard error",
        }[certificate],
    }


def _beats_start(experiment: Experiment, name: str) -> str:
    """Evaluations at which the mean error falls below that of the equal split."""
    if name not in experiment.last.index:
        return NOT_RUN
    rows = experiment.curves[experiment.curves["estimator"] == name].sort_values("budget")
    counted = rows["evaluations"].to_numpy()
    needed = evaluations_to_reach(counted, rows["mean"].to_numpy(), experiment.start)
    if not needed > 0:
        return f"more than {number(int(counted[-1]))}"
    if needed <= counted[0]:
        return f"at most {number(int(counted[0]))}"
    return f"about {number(float(f'{needed:.1e}'), 2)}"


def coverage_values(experiment: Experiment) -> dict[str, str]:
    """Coverage of optimised Monte Carlo's intervals at its first and last budget."""
    rows = experiment.coverage
    rows = rows[rows["estimator"] == "optimised-mc"].sort_values("budget")
    first = last = words = NOT_RUN
    if len(rows):
        first, last = (
            _interval(100 * row["mean"], 100 * row["low"], 100 * row["high"], unit=r"\,\%")
            for row in (rows.iloc[0], rows.iloc[-1])
        )
        words = _against(rows.iloc[-1]["low"], rows.iloc[-1]["high"], 0.95)
    prefix = f"{experiment.name}.coverage"
    return {f"{prefix}.first": first, f"{prefix}.last": last, f"{prefix}.words": words}


def _interval(value: float, low: float, high: float, unit: str = "") -> str:
    shown, interval = with_limits(value, low, high)
    return f"{shown}{unit} {interval}"


def _against(low: float, high: float, level: float) -> str:
    if high < level:
        return "below"
    return "above" if low > level else "consistent with"


def comparison_values(comparisons: pd.DataFrame, names: Sequence[str]) -> dict[str, str]:
    """Ratio, its words and those of the speed-up for every contrast in every experiment."""
    cells = comparisons.set_index(["experiment", "a", "b"])
    values = {"comparisons.count": number(len(comparisons))}
    for experiment in names:
        for a, b in (*CONTRASTS, *VARIANT_CONTRASTS):
            key = f"{experiment}.compare.{a}.{b}"
            ran = (experiment, a, b) in cells.index
            parts = _contrast_values(cells.loc[(experiment, a, b)]) if ran else {}
            for part in ("ratio", "words", "speed-two"):
                values[f"{key}.{part}"] = parts.get(part, NOT_RUN)
    return values


PAIR = ("classification", "regression")  # the games of 16 players


def walk_values(values: Mapping[str, str]) -> dict[str, str]:
    """The walk against plain Monte Carlo on both games of 16 players, said once where it is one."""
    of_walk = "compare.optimised-mc.plain-mc"
    return {
        f"walks.{part}": _on_both(
            *(_ended(values[f"{game}.{of_walk}.{part}"], end) for game in PAIR)
        )
        for part, end in (("words", ""), ("speed-two", " two"))
    }


def _ended(said: str, end: str) -> str:
    return said if said == NOT_RUN else said + end


def _on_both(first: str, second: str) -> str:
    return by_case([(first, PAIR[0]), (second, PAIR[1])])


# Contrasts of which the text says how they turn out on the simulated games.
SAID = (
    ("kernel-shap", "psgd-sqrt-tuned"),
    ("psgd-constant", "optimised-mc"),
    ("psgd-free", "psgd-sqrt-tuned"),
    ("paired-kernel-shap", "psgd-free"),
)
LARGE = "classification-large"


def where_values(
    values: Mapping[str, str], experiments: Mapping[str, Experiment]
) -> dict[str, str]:
    """In which simulated games the errors of a contrast are smaller, and in which larger."""
    places = {name: name for name in PAIR if name in experiments}
    if LARGE in experiments:
        size = number(experiments[LARGE].players)
        places[LARGE] = rf"classification with \ensuremath{{d={size}}}"
    texts = {}
    for a, b in SAID:
        said = {name: values[f"{name}.compare.{a}.{b}.words"] for name in places}
        cases = [(words, places[name]) for name, words in said.items() if words != NOT_RUN]
        texts[f"where.{a}.{b}"] = by_case(cases)
    return texts


def _contrast_values(row: pd.Series) -> dict[str, str]:
    return {
        "ratio": ratio_in_line(row["ratio"], row["low"], row["high"]),
        "words": DIRECTIONS.get(row["verdict"], row["verdict"]),
        "speed-two": _against(row["speed_low"], row["speed_high"], 2.0),
    }


def published_values(experiments: Mapping[str, Experiment]) -> dict[str, str]:
    """A sentence on how far the published readings are from this study."""
    rows = pd.concat([e.published for e in experiments.values()])
    monte_carlo = rows["method"] == "plain-mc"
    return {
        "published.sentence": _agreement(rows[~monte_carlo]),
        "published.plain-sentence": _agreement(rows[monte_carlo]),
    }


def _agreement(rows: pd.DataFrame) -> str:
    if rows.empty:
        return "no reading has the dimension and the budgets of this study"
    inside = ((rows["low"] <= rows["error"]) & (rows["error"] <= rows["high"])).sum()
    return (
        f"over {number(len(rows))} readings the ratio of our error to the reading lies between "
        f"{fixed(rows['ratio'].min(), 2)} and {fixed(rows['ratio'].max(), 2)}, and "
        f"{number(int(inside))} of the readings lie within our limits"
    )


def bound_values(players: int) -> dict[str, str]:
    """What the bound on the expected squared error asks for, with so many players."""
    return {
        "audit.precision": f"{PRECISION:g}",
        "audit.iterations": number(iterations_needed(players), 2),
        "audit.crossing": number(first_useful_dimension()),
    }


def collapsed_values(experiment: Experiment) -> dict[str, str]:
    """Size and best estimator of the experiment whose values collapse."""
    best = experiment.relative.iloc[0]
    values = {
        "players": number(experiment.players),
        "explicands": number(experiment.explicands),
        "budget": number(experiment.budget),
        "start": number(experiment.start, 1),
        "best": escape(experiment.label_of(experiment.relative.index[0])),
        "best-relative": _interval(*best[["median", "low", "high"]]),
    }
    return {f"{experiment.name}.{key}": value for key, value in values.items()}


def derived_values(audit: Mapping) -> dict[str, str]:
    """What the text says of verdicts beyond their own numbers: claims 6e and 8d."""
    decades = find_claim(audit, "gt20-08d")["numbers"]["decades_apart"]
    return {
        "curve.explicands": number(find_claim(audit, "gt20-06e")["rows"][0]["explicands"]),
        "unhelpful.factor": number(10.0**decades, 2),
    }
