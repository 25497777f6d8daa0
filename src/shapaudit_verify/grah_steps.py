"""Grah and Thouvenot 2020: steps, their stability, and the iterations that bounds ask for."""

import re
from fractions import Fraction
from math import ceil, comb, exp, log, log1p, sqrt

import numpy as np

from .counterexamples import projected
from .definitions import shapley
from .grah import AND_GAME, PAPER, games, objective
from .registry import rederives

PLAIN = re.compile(r"0\.\d+")
SIZES = {
    "uniform over sizes": lambda d, s: 1,
    "uniform over coalitions": comb,
    "proportional to 1/(d - l)": lambda d, s: Fraction(1, d - s),
}


def terms(d, radius):
    """(sqrt(l) D + 1) / (sqrt(l) (d - l)) for each size l, which B and the law of sizes share."""
    root = np.sqrt(np.arange(1.0, d))
    return (root * radius + 1) / (root * np.arange(d - 1, 0, -1))


def gradient_bound(d, radius):
    """B with C = 1."""
    return 2 * (d - 1) * float(terms(d, radius).sum())


def importance(d, radius):
    """Law of the sizes, in proportion to their Lipschitz constants."""
    return terms(d, radius) / terms(d, radius).sum()


def growth(d, law):
    """What one draw makes of a squared distance, over the squared step."""
    return 4 * (d - 1) / d**2 * float((1 / law).sum())


def factors(d, law, steps):
    """Factors of the expected squared distance, but for noise: 1 - 4 mu gamma + growth gamma^2."""
    return 1 - 4 * (1 - 1 / d) * steps + growth(d, law) * steps**2


def limit_of(d, law):
    """The step at which that factor is 1."""
    return 4 * (1 - 1 / d) / growth(d, law)


@rederives(f"{PAPER}rates.stability.gather_limit")
def stability(piece, _):
    """E[c^2 ||Px||^2 Px(Px)'] over all coalitions, and the growth times P; the limits by step."""
    cases = []
    for d in range(2, piece["max_dimension"] + 1):
        for name, weight in SIZES.items():
            weights = [Fraction(weight(d, s)) for s in range(1, d)]
            law = [w / sum(weights) for w in weights]
            scale = Fraction(4 * (d - 1), d * d) * sum(1 / q for q in law)
            moment = [[Fraction(0)] * d for _ in range(d)]
            for members in range(1, (1 << d) - 1):
                s = members.bit_count()
                q = law[s - 1]
                px = [Fraction(members >> j & 1) - Fraction(s, d) for j in range(d)]
                c = Fraction(2 * (d - 1)) / (s * (d - s) * q)
                part = q / comb(d, s) * c * c * sum(x * x for x in px)
                for i in range(d):
                    for j in range(d):
                        moment[i][j] += part * px[i] * px[j]
            for i in range(d):
                for j in range(d):
                    label = f"d = {d}, {name}, entry ({i + 1}, {j + 1})"
                    cases.append((label, moment[i][j], scale * ((i == j) - Fraction(1, d))))
    rows = [_step_row(row["players"], row["step"]) for row in piece["rows"]]
    return {"cases": cases, "max_dimension": piece["max_dimension"], "rows": rows}


def _step_row(d, name, horizon=100_000):
    t = np.arange(1.0, horizon + 1)
    law = importance(d, sqrt(d))
    if name == "2/(mu (t + 1))":
        steps = 2 / ((1 - 1 / d) * (t + 1))
    elif name == "2 D/(B sqrt(t))":
        steps = 2 * sqrt(d) / gradient_bound(d, sqrt(d)) / np.sqrt(t)
    else:
        steps = float(PLAIN.match(name)[0]) / (np.sqrt(t) if "sqrt" in name else np.ones(horizon))
    limit = limit_of(d, law)
    counts = np.array([comb(d, s) for s in range(1, d)], dtype=float) / (2.0**d - 2)
    return {
        "players": d,
        "step": name,
        "first_over_limit": float(steps[0] / limit),
        "steps_above_limit": int((steps > limit).sum()),
        "log10_amplification": max(0.0, float(np.cumsum(np.log10(factors(d, law, steps))).max())),
        "limit": limit,
        "limit_uniform_sizes": d / (d - 1) ** 2,
        "limit_uniform_coalitions": limit_of(d, counts),
    }


@rederives(f"{PAPER}rates.small_steps.gather_small", None)
def small_steps(piece, _):
    """The steps of both experiments over the limit, and the most that they amplify."""
    rows = []
    for d, count, constant, root in ((16, 32_000, 0.01, 0.1), (300, 60_000, 0.001, 0.01)):
        law = importance(d, sqrt(d))
        t = np.arange(1.0, count + 1)
        for reading, share in (("as printed", 1.0), ("public code", 0.5)):
            for name, steps in (("constant", constant + 0 * t), ("1/sqrt(t)", root / np.sqrt(t))):
                logs = np.cumsum(np.log(factors(d, law, share * steps)))
                row = {"players": d, "step": name, "reading": reading}
                row["first_over_limit"] = share * float(steps[0]) / limit_of(d, law)
                rows.append(row | {"amplification": exp(max(0.0, float(logs.max())))})
    limits = {d: limit_of(d, importance(d, sqrt(d))) for d in (2, 3, 10, 16, 100, 300)}
    return {"rows": rows, "limits": limits}


@rederives(f"{PAPER}rates.inverse.gather_path", lambda made: made["gap"] <= made["bound"])
def path(piece, _):
    """The AND game with the first player drawn always, until the bound on F is left behind."""
    d, radius = 2, sqrt(2)
    lowest = objective(AND_GAME, shapley(AND_GAME))
    scale = 2 * gradient_bound(d, radius) ** 2 / (1 - 1 / d)
    phi, mean = [0.5, 0.5], [0.5, 0.5]
    t, gap = 0, Fraction(0)
    while gap <= scale / max(t, 1):
        t += 1
        step = 2 / ((1 - 1 / d) * (t + 1))
        phi = projected([phi[0] - step * 2 * phi[0], phi[1]], 1.0, radius)
        mean = [m + 2 / (t + 2) * (x - m) for m, x in zip(mean, phi, strict=True)]
        gap = objective(AND_GAME, [Fraction(x) for x in mean]) - lowest
    return {
        "players": d,
        "steps": t,
        "gap": float(gap),
        "bound": scale / t,
        "log10_probability": -t * log(2, 10),
    }


def _obeys_the_inequality(made):
    """P(Z >= A (2 + 4 a)) at most 2 exp(-a^2) at each value of Z, with A the mean."""
    outcomes = made["rare"]["outcomes"]
    mean = sum(p * z for p, z in outcomes)
    for value in {z for _, z in outcomes}:
        a = (value / mean - 2) / 4
        if a > 0 and sum(p for p, z in outcomes if z >= value) > 2 * exp(-a * a):
            return False
    return True


@rederives(f"{PAPER}probability.deviation_law.gather_laws", _obeys_the_inequality)
def one_step(piece, _):
    """One step on the game that pays 1 to one coalition of half of the players; no other game."""
    d = piece["rare"]["players"]
    law, rewarded = importance(d, sqrt(d)), (1 << d // 2) - 1
    truth = [float(x) for x in shapley([Fraction(s == rewarded) for s in range(1 << d)])]
    outcomes = []
    for members in range(1, (1 << d) - 1):
        s = members.bit_count()
        q = float(law[s - 1])
        step = 2 * (d - 1) / (s * (d - s) * q) / (1 - 1 / d) * (members == rewarded)
        moved = projected([step * (members >> j & 1) for j in range(d)], 0.0, sqrt(d))
        off = sum((2 * x / 3 - y) ** 2 for x, y in zip(moved, truth, strict=True))
        outcomes.append((q / comb(d, s), off))
    return {"rare": {"players": d, "outcomes": outcomes}}


@rederives(f"{PAPER}constants.radius.gather_solution", None)
def solution(piece, draws):
    """F is a multiple of the squared distance on the hyperplane: K's minimiser lies on the way."""
    cases, norms = [], []
    labels = [(norm["case"],) for norm in piece["norms"]]
    for label, d, values in games(draws, "gt20-04", labels):
        total, truth = values[-1] - values[0], shapley(values)
        norm = abs(float(total)) / sqrt(d)
        norms.append({"case": label, "found": norm, "expected": norm})
        if any(x != total / d for x in truth):
            for share in (0.25, 0.5, 1.0, 2.0):
                missing = max(0.0, 1 - share)
                cases.append({"case": label, "share": share, "distance": missing})
    return {"cases": cases, "norms": norms}


def _constant(d, radius, mean):
    mu, b = 1 - 1 / d, gradient_bound(d, radius)
    steps = [share / 100 * mean * mu / b**2 for share in range(1, 100)]
    return min(
        ceil(log((1 - share / 100) * mean / radius**2) / log1p(-step * mu))
        for share, step in enumerate(steps, start=1)
    )


def _sharper(d, mean):
    """T with 4 d (T + 4 k) F = mean (T + 2 k)^2 for k = d - 1 and F the bound on F(phi_0)."""
    start = (d - 1) * sum((1 + s / d) ** 2 / (s * (d - s)) for s in range(1, d))
    c = 4 * d * start / mean
    return ceil((c - 4 * (d - 1) + sqrt(c * c + 8 * (d - 1) * c)) / 2 * (1 - 1e-12))


@rederives(f"{PAPER}constants.usefulness.gather_useful", None)
def useful(piece, _):
    """Iterations after which each bound is at most 0.01, or 0.01 of that."""
    rows = []
    for row in piece["rows"]:
        d = row["players"]
        radius = sqrt(d) if row["radius"] == "public" else 1.0
        mean = 0.01 if row["guarantee"] == "mean" else 0.01 * 0.01
        kappa = gradient_bound(d, radius) / (1 - 1 / d)
        made = {key: row[key] for key in ("players", "radius", "guarantee")}
        made |= {"exact": 2.0**d - 2, "inverse": ceil(4 * kappa**2 / mean)}
        # The sum that is printed for kappa is four times the definition.
        made["inverse_printed_kappa"] = ceil(
            4 * (4 * float(terms(d, radius).sum()) * d) ** 2 / mean
        )
        made["square_root"] = ceil((4 * radius * kappa / mean) ** 2)
        made |= {"constant": _constant(d, radius, mean), "sharper": _sharper(d, mean)}
        rows.append(made | {"monte_carlo": d * ceil(4 * d / mean) + 1})
    budgets = [
        {"players": d, "evaluations": n, "squared_diameter": 4.0 * d}
        | {"bound": 4 * (gradient_bound(d, sqrt(d)) / (1 - 1 / d)) ** 2 / n}
        for d, n in ((16, 32_000), (300, 60_000))
    ]
    return {"rows": rows, "budgets": budgets}


@rederives(f"{PAPER}experiments.axis.gather_falls", None)
def falls(piece, _):
    """Slopes between the two readings of each curve."""
    return {
        "falls": [
            {"slope": log(fall["end"] / fall["start"]) / log(fall["last"] / fall["first"])}
            for fall in piece["falls"]
        ]
    }
