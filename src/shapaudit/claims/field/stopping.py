"""Claim 20: whether a run that stops at a tolerance is within it."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb

import numpy as np
import scipy

from ...estimators import OptimisedMonteCarlo
from ...estimators.convergence import ALPHA, Convergence, estimate_until
from ...games import Game, all_coalitions
from ..base import Evidence, Limit, Verdict
from ..context import Context, StudyGame
from ..exact import show
from ..limits import clopper_pearson
from .common import COVERT, claim

LS_SPA = "Bell, Devanathan & Boyd 2024"
WALK = OptimisedMonteCarlo()
PLAYERS = 10  # of the games beside those of the study
NEEDED = 64  # walks after which a 95 % interval for one player is as wide as the tolerance
ROUNDING = 1e-12  # relative to the largest Shapley value
PILOT = 4_096  # walks that the tolerance is set by
HORIZON, BUDGET = 512, 2_048  # walks, of the usual rules and of ours
BLOCK = 75  # runs at a time
LEVEL = 1 - ALPHA
EACH, ALL = "each player", "all players"
# Players that the 95 per cent are for, and walks between two looks.
RULES = {
    f"{EACH}, every walk": (EACH, 1),
    f"{EACH}, every 32 walks": (EACH, 32),
    f"{ALL}, every walk": (ALL, 1),
    f"{ALL}, every 32 walks": (ALL, 32),
}
NEEDLE, FIRST_LOOKS = (10, 5), (32, 128, 512)  # (d, size) of the one coalition; walks

Rules = Mapping[str, tuple[str, int]]


def games(context: Context) -> dict[str, tuple[Game, np.ndarray]]:
    """The first pair of each study game, and games of few distinct contributions, with values."""
    found = {study.name: next(study.pairs(1)) for study in context.study_games()}
    for name, table in skewed_tables().items():
        found[name] = next(StudyGame.from_tables(name, table[None]).pairs())
    return found


def skewed_tables() -> dict[str, np.ndarray]:
    """Tables (2^d,): contributions of 0 and 1, and of very unequal size."""
    members = all_coalitions(PLAYERS)
    return {
        "unanimity of 4": members[:, :4].all(axis=1).astype(float),
        "majority": (2 * members.sum(axis=1) > PLAYERS).astype(float),
        "airport": (members * np.exp(np.arange(PLAYERS))).max(axis=1),
    }


@lru_cache(maxsize=1)
def gather_runs(context: Context) -> Evidence:
    """Runs stopped by the usual rules and by ours."""
    return simulate(context, RULES, estimate_until)


def simulate(context: Context, rules: Rules, stop: Callable[..., Convergence]) -> Evidence:
    """Rows by game and rule: how many runs were not stopped in error, and walks spent."""
    count = max(20, min(300, context.settings.repetitions))
    usual, ours = [], []
    for name, (game, truth) in games(context).items():
        rng = context.generator("field26-20", name)
        spread = WALK.draw(game, PILOT, rng).std(axis=0, ddof=1).max()
        if spread <= ROUNDING * np.abs(truth).max():
            continue  # every walk gives the same: there is nothing to stop
        tolerance = scipy.stats.norm.isf(ALPHA / 2) * spread / np.sqrt(NEEDED)
        runs = [_usual(rules, game, truth, tolerance, n, rng) for n in _blocks(count)]
        for rule in rules:
            wrong, walks = (sum(run[rule][k] for run in runs) for k in (0, 1))
            usual.append(_row(name, game, rule, count, wrong, walks))
        budget = WALK.fixed_cost + BUDGET * game.n_players
        stopped = [stop(WALK, game, tolerance, budget, rng) for _ in range(count)]
        wrong = sum(_in_error(one, truth, tolerance) for one in stopped)
        walks = sum((one.estimate.evaluations - 1) // game.n_players for one in stopped)
        ours.append(_row(name, game, "corrected for players and looks", count, wrong, walks))
    return {"usual": usual, "ours": ours}


def _blocks(count: int) -> list[int]:
    return [min(BLOCK, count - start) for start in range(0, count, BLOCK)]


def _row(name, game, rule, runs, wrong, walks):
    row = {"game": name, "players": game.n_players, "rule": rule, "runs": runs}
    return row | {"within": runs - int(wrong), "walks": walks / runs}


def _in_error(one: Convergence, truth: np.ndarray, tolerance: float) -> bool:
    return one.converged and bool(np.abs(one.estimate.values - truth).max() > tolerance)


def _usual(rules, game, truth, tolerance, runs, rng) -> dict[str, tuple[int, float]]:
    """By rule: runs that stopped with an error beyond the tolerance, and walks of all of them."""
    d = game.n_players
    units = WALK.draw(game, runs * HORIZON, rng).reshape(runs, HORIZON, d)
    walks = np.arange(1, HORIZON + 1)
    means = np.cumsum(units, axis=1) / walks[:, None]
    squares = np.cumsum(np.square(units), axis=1) - walks[:, None] * np.square(means)
    variances = squares.clip(min=0.0) / np.maximum(walks - 1, 1)[:, None]
    errors = np.sqrt(variances / walks[:, None]).max(axis=2)
    beyond = np.abs(means - truth).max(axis=2) > tolerance
    found = {}
    for rule, (players, step) in rules.items():
        quantile = scipy.stats.norm.isf(ALPHA / 2 / (d if players == ALL else 1))
        looks = np.arange(max(step, 2), HORIZON + 1, step) - 1
        narrow = quantile * errors[:, looks] < tolerance
        last = looks[np.where(narrow.any(axis=1), narrow.argmax(axis=1), -1)]
        wrong = narrow.any(axis=1) & beyond[np.arange(runs), last]
        found[rule] = int(wrong.sum()), float(walks[last].sum())
    return found


def _judged(rows: list[Evidence], alpha: float) -> tuple[list[Evidence], tuple[Limit, ...]]:
    """Rows with the share of runs within the tolerance, its limits for all, and its own."""
    judged, limits = [], []
    for row in rows:
        name = f"{row['game']}, {row['rule']}"
        limit = clopper_pearson(name, row["within"], row["runs"], alpha / len(rows))
        alone = clopper_pearson(name, row["within"], row["runs"], 2 * alpha)
        shares = {"share": limit.estimate, "low": limit.low, "high": limit.high}
        judged.append(row | shares | {"low_alone": alone.low})
        limits.append(limit)
    return judged, tuple(limits)


def _verdict(rows, alpha, kind, told) -> Verdict:
    """Refuted by a share surely below the level; supported when each is above by its own limit."""
    judged, limits = _judged(rows, alpha)
    below = [row for row in judged if row["high"] < LEVEL]
    shares = [row["share"] for row in judged]
    numbers = {"least_share": min(shares), "largest_share": max(shares), "below": len(below)}
    sample = {"games": len({row["game"] for row in rows}), "runs": rows[0]["runs"]}
    status, kind = ("refuted", kind) if below else ("inconclusive", "sample")
    if all(row["low_alone"] > LEVEL for row in judged):
        status, kind = "supported", "sound"
    more, summary = told(judged, below)
    return Verdict(status, summary, kind, numbers | more, limits, sample, tuple(judged))


def _lost(judged: list[Evidence], step: int) -> float:
    """Largest loss over the games between the last rule and the one ``step`` places before."""
    names = list(dict.fromkeys(row["rule"] for row in judged))
    shares = {name: [row["share"] for row in judged if row["rule"] == name] for name in names}
    last, other = names[-1], names[-1 - step] if step < len(names) else names[-1]
    return max(a - b for a, b in zip(shares[last], shares[other], strict=True))


def check_usual(evidence: Evidence, alpha: float) -> Verdict:
    """What runs stopped by the usual rules are worth."""

    def told(judged, below):
        numbers, parts = {}, []
        for rule in dict.fromkeys(row["rule"] for row in judged):
            shares = [row["share"] for row in judged if row["rule"] == rule]
            low, high = min(shares), max(shares)
            key = rule.replace(",", "").replace(" ", "_")
            numbers |= {f"{key}_least": low, f"{key}_largest": high}
            parts.append(f"{rule}, {show(100 * low)} to {show(100 * high)} per cent")
        looks, players = (_lost(judged, step) for step in (1, 2))
        numbers |= {"lost_to_looks": looks, "lost_to_players": players}
        return numbers, (
            f"Runs not stopped in error, at a stated {show(100 * LEVEL)} per cent: "
            f"{'; '.join(parts)}. Of {len(judged)} shares, {len(below)} are surely below. Looks "
            f"after every walk, from the second on, cost up to {show(100 * looks)} points, most "
            "where contributions of few distinct values have not shown their spread; leaving the "
            f"number of players out costs up to {show(100 * players)}."
        )

    return _verdict(evidence["usual"], alpha, "hypothesis", told)


def check_ours(evidence: Evidence, alpha: float) -> Verdict:
    """What runs stopped by `estimate_until` are worth, and what the correction costs."""
    rule = f"{ALL}, every 32 walks"
    usual = {row["game"]: row["walks"] for row in evidence["usual"] if row["rule"] == rule}

    def told(judged, below):
        prices = [row["walks"] / usual[row["game"]] for row in judged if row["game"] in usual]
        least = min(row["share"] for row in judged)
        price = f"{show(min(prices))} to {show(max(prices))}" if prices else "not known"
        numbers = {"least_price": min(prices), "largest_price": max(prices)} if prices else {}
        return numbers, (
            f"At least {show(100 * least)} per cent of the runs on each game were not stopped in "
            f"error. The price over the rule for all players without a correction for looks: "
            f"{price} times the walks."
        )

    return _verdict(evidence["ours"], alpha, "false", told)


def gather_needle(context: Context, needle: tuple[int, int] = NEEDLE) -> Evidence:
    """One coalition of value 1, the others 0: chance that walks miss it, and the values' size."""
    d, size = needle
    met = Fraction(1, comb(d, size))  # by one walk
    value = met / size  # of its members, the orders that end at the coalition split among them
    rows = [
        {"players": d, "size": size, "walks": n, "missed": float((1 - met) ** n)}
        for n in FIRST_LOOKS
    ]
    return {"rows": rows, "value": value, "met": met}


def check_needle(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when units without spread are likelier than the level allows."""
    rows = tuple(evidence["rows"])
    numbers = {"value": evidence["value"], "met": evidence["met"], "missed": rows[0]["missed"]}
    first = rows[0]
    summary = (
        f"One coalition of {first['size']} of {first['players']} players has value 1, all others "
        f"0: {first['walks']} walks miss it with probability {show(first['missed'])}, and show no "
        f"spread at all where its members have the value {evidence['value']}."
    )
    if first["missed"] <= ALPHA:
        return Verdict("inconclusive", summary, "sample", numbers, rows=rows)
    return Verdict(
        "refuted",
        f"{summary} What no unit has shown widens no interval; more units before the first look "
        "help, and so does a known range of v.",
        "hypothesis",
        numbers,
        rows=rows,
    )


CLAIMS = (
    claim(
        id="field26-20a",
        title="Stopping at a tolerance",
        where=f"{LS_SPA}, Section 3.6; {COVERT}, detection of convergence",
        statement=r"Run until the error estimated at 95 per cent, looked at after each batch, is "
        r"below the tolerance: the values are then within it, with 95 per cent confidence.",
        gather=gather_runs,
        check=check_usual,
        statistical=True,
    ),
    claim(
        id="field26-20b",
        title="Stopping, corrected for players and looks",
        where="this project, estimators/convergence.py",
        statement=r"Student's intervals at $0.05/(dK)$ for $d$ players and $K$ looks, the first "
        r"after 32 units: a run stopped at a tolerance is within it with probability at least "
        r"0.95, on the games of the study and on games of few distinct contributions.",
        gather=gather_runs,
        check=check_ours,
        statistical=True,
        source="this project",
    ),
    claim(
        id="field26-20c",
        title="Units tell when to stop",
        where="this project, estimators/convergence.py",
        statement=r"On every game, the spread of the sampled contributions tells when the values "
        r"are within a tolerance.",
        gather=gather_needle,
        check=check_needle,
        source="this project",
    ),
)
