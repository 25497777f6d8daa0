"""Grah and Thouvenot 2020: the least-squares problem, its curvature, counts and constants."""

import re
from fractions import Fraction
from math import comb, factorial

import numpy as np

from .definitions import entries, kernel, numbered, shapley, solve, squared
from .registry import rederives

PAPER = "grah_thouvenot_2020/"
AND_GAME = [Fraction(x) for x in (0, 0, 0, 1)]
AND_LABEL = "d = 2, v(M) = 1 and 0 elsewhere"


def gram(d):
    """Diagonal a and the rest c of X'WX: kernel weights summed over the coalitions."""
    a = sum((comb(d - 1, s - 1) * kernel(d, s) for s in range(1, d)), Fraction(0))
    return a, sum((comb(d - 2, s - 2) * kernel(d, s) for s in range(2, d)), Fraction(0))


def objective(values, phi):
    """F: the weighted squares of sum_S phi - (v(S) - v(empty)) over proper coalitions."""
    d = len(phi)
    total = Fraction(0)
    for members in range(1, (1 << d) - 1):
        inside = sum((phi[j] for j in range(d) if members >> j & 1), Fraction(0))
        total += kernel(d, members.bit_count()) * (inside - values[members] + values[0]) ** 2
    return total


def gradient(values, phi):
    """From F at phi and one step along each axis: exact, as F is quadratic with known curvature."""
    a, _ = gram(len(phi))
    steps = ([x + (i == j) for j, x in enumerate(phi)] for i in range(len(phi)))
    return [objective(values, step) - objective(values, phi) - a for step in steps]


def minimiser(values):
    """Where F is least among vectors that sum to v(M) - v(empty)."""
    d = len(values).bit_length() - 1
    a, c = gram(d)
    at_zero = gradient(values, [Fraction(0)] * d)
    rows = [[2 * (a if i == j else c) for j in range(d)] + [1] for i in range(d)]
    return solve([*rows, [1] * d + [0]], [*(-x for x in at_zero), values[-1] - values[0]])[:d]


def games(draws, name, cases):
    """Label, d and values of the random games that cases are about."""
    for d, number in numbered([case[0] for case in cases]):
        yield f"d = {d}, game {number}", d, draws.game(name, players=d, number=number)


def largest_of(cases):
    """The most players that cases are about."""
    return max(d for d, _ in numbered([case[0] for case in cases]))


def points(draws, name, label, values, on_hyperplane):
    """The three random points of a game, with sums v(M) - v(empty) where they are to have them."""
    d = len(values).bit_length() - 1
    for k in range(3):
        point = draws.integers(name, label, k, count=d)
        if on_hyperplane:
            point[-1] += values[-1] - values[0] - sum(point)
        yield f"{label}, point {k + 1}", point


@rederives(f"{PAPER}quadratic.hessian.gather_hessian")
def hessian(piece, draws):
    """Second differences of F against X'WX."""
    cases = []
    for label, d, values in games(draws, "gt20-02", piece["cases"]):
        zero = [Fraction(0)] * d
        unit = [[Fraction(i == j) for j in range(d)] for i in range(d)]
        at = [objective(values, e) for e in unit]
        second = [
            objective(values, [x + y for x, y in zip(unit[i], unit[j], strict=True)])
            - at[i]
            - at[j]
            + objective(values, zero)
            for i in range(d)
            for j in range(d)
        ]
        a, c = gram(d)
        cases += entries(label, second, [a if i == j else c for i in range(d) for j in range(d)])
    return {"cases": cases, "brute_force_dimension": largest_of(piece["cases"])}


def _eigenvectors(made):
    pairs = [*made["cases"], *made["constants"]]
    return all(left == right for _, left, right in pairs) and all(gap >= 0 for gap in made["gaps"])


@rederives(f"{PAPER}quadratic.hessian.gather_spectrum", _eigenvectors)
def spectrum(piece, draws):
    """X'WX applied to e_1 - e_j and to the ones, and the eigenvalues times these."""
    cases = []
    for label, d, _ in games(draws, "gt20-02", piece["cases"]):
        a, c = gram(d)
        for j in range(1, d):
            vector = [Fraction((k == 0) - (k == j)) for k in range(d)]
            applied = [a * x + c * (sum(vector) - x) for x in vector]
            name = f"{label}, e1 - e{j + 1}"
            cases += entries(name, applied, [(1 - Fraction(1, d)) * x for x in vector])
        cases += entries(f"{label}, ones", [a + (d - 1) * c] * d, [a - c + c * d] * d)
    top = piece["max_dimension"]
    constants = [
        (f"d = {d}", gram(d)[0] - gram(d)[1], 1 - Fraction(1, d)) for d in range(2, top + 1)
    ]
    gaps = [gram(d)[1] * d for d in range(2, top + 1)]
    return {"cases": cases, "constants": constants, "gaps": gaps, "max_dimension": top}


def _solved(made):
    pairs = [*made["stationarity"], *made["solutions"]]
    return all(left == right for _, left, right in pairs) and min(made["curvatures"]) > 0


@rederives(f"{PAPER}quadratic.least_squares.gather_solution", _solved)
def solution(piece, draws):
    """Minimisers and Shapley values; stationarity on unanimity games of every size."""
    top = piece["max_dimension"]
    stationarity, solutions = [], []
    for d in range(2, top + 1):
        for t in range(1, d):
            inside = sum(comb(d - t, s - t) * kernel(d, s) for s in range(t, d))
            outside = sum((comb(d - t - 1, s - t - 1) * kernel(d, s) for s in range(t + 1, d)), 0)
            right = (gram(d)[0] - gram(d)[1]) / t
            label = f"d = {d}, unanimity game of {t} players"
            stationarity.append((label, inside - outside, right))
    for label, _, values in games(draws, "gt20-01", piece["solutions"]):
        solutions += entries(label, minimiser(values), shapley(values))
    return {
        "stationarity": stationarity,
        "solutions": solutions,
        "curvatures": [gram(d)[0] - gram(d)[1] for d in range(2, top + 1)],
        "brute_force_dimension": largest_of(piece["solutions"]),
        "max_dimension": top,
    }


@rederives(f"{PAPER}quadratic.least_squares.gather_identity")
def identity(piece, draws):
    """F - F* and (1 - 1/d) times the squared distance."""
    cases = []
    for label, d, values in games(draws, "gt20-03", piece["cases"]):
        star = shapley(values)
        for name, point in points(draws, "gt20-03", label, values, True):
            gap = objective(values, point) - objective(values, star)
            distance = squared(x - y for x, y in zip(point, star, strict=True))
            cases.append((name, gap, (1 - Fraction(1, d)) * distance))
    return {"cases": cases, "brute_force_dimension": largest_of(piece["cases"])}


def _bounded(made):
    return all(left <= right for _, left, right in made["cases"])


def gaps(piece, draws):
    """Squared distances and what strong convexity would bound them by."""
    places = [(f"{AND_LABEL}, y = 0", AND_GAME, [Fraction(0)] * 2)]
    for label, _, values in games(draws, "gt20-09", piece["cases"]):
        drawn = points(draws, "gt20-09", label, values, False)
        places += [(name, values, point) for name, point in drawn]
    cases = []
    for name, values, point in places:
        star = shapley(values)
        gap = objective(values, point) - objective(values, star)
        distance = squared(x - y for x, y in zip(point, star, strict=True))
        cases.append((name, distance, 2 * gap / (1 - Fraction(1, len(point)))))
    return cases


@rederives(
    f"{PAPER}quadratic.strong_convexity.gather_anywhere",
    lambda made: _bounded(made) and not any(x for _, vector in made["gradients"] for x in vector),
)
def anywhere(piece, draws):
    """At any point; the gradient of F at the Shapley values."""
    problems = [(AND_LABEL, AND_GAME)]
    problems += [(label, v) for label, _, v in games(draws, "gt20-09", piece["gradients"])]
    gradients = [(label, gradient(v, shapley(v))) for label, v in problems]
    return {"cases": gaps(piece, draws), "gradients": gradients}


@rederives(f"{PAPER}constants.kappa.gather_kappa")
def kappa(piece, _):
    """The printed 4 d, and B / mu by definition with B = 2 (1 - 1/d) d and mu = a - c."""
    top = piece["max_dimension"]
    sides = ((d, Fraction(2 * (d - 1)) / (gram(d)[0] - gram(d)[1])) for d in range(2, top + 1))
    return {"max_dimension": top, "cases": [(f"d = {d}", 4 * d, right) for d, right in sides]}


@rederives(f"{PAPER}constants.gradients.gather_largest", None)
def largest(piece, _):
    """The kernel weights."""
    top = piece["max_dimension"]
    weights = {d: [kernel(d, s) for s in range(1, d)] for d in range(2, top + 1)}
    return {"max_dimension": top, "weights": weights}


@rederives(f"{PAPER}constants.radius.gather_container", None)
def container(piece, _):
    """The largest norm over all games of 1 and -1 for few players, and a game that has it."""
    enumerated = {}
    for d, (_, game) in piece["enumerated"].items():
        signs = 1 - 2 * (np.arange(1 << ((1 << d) - 1))[:, None] >> np.arange((1 << d) - 1) & 1)
        units = [shapley([Fraction(k == s) for k in range(1 << d)]) for s in range(1, 1 << d)]
        scaled = np.array([[int(x * factorial(d)) for x in unit] for unit in units])
        most = Fraction(int(((signs @ scaled) ** 2).sum(axis=1).max()), factorial(d) ** 2)
        allowed = game[0] == 0 and set(game[1:]) <= {1, -1}
        enumerated[d] = (most, game if allowed and squared(shapley(game)) == most else None)
    single = {d: 4 - Fraction(3, d) for d in piece["one"]}
    proper = {"bound": 0, "square": squared(shapley(AND_GAME))}
    return {"enumerated": enumerated, "one": single, "proper": proper}


@rederives(f"{PAPER}probability.versions.gather_versions", None)
def versions(piece, _):
    """Kappa in units of Sigma; (2 (d - 1))^2 / mu against 4 d (d - 1)."""
    top = piece["max_dimension"]
    kappas = {Fraction(2 * (d - 1), d) / (gram(d)[0] - gram(d)[1]) for d in range(2, 9)}
    last_terms = [
        (f"d = {d}", Fraction(4 * (d - 1) ** 2) / (gram(d)[0] - gram(d)[1]), 4 * d * (d - 1))
        for d in range(2, top + 1)
    ]
    made = {"kappa_by_definition": kappas.pop(), "kappa_printed": Fraction(4)}
    return made | {"last_terms": last_terms, "max_dimension": top}


@rederives(f"{PAPER}algorithms.counts.gather_counts", None)
def counts(piece, _):
    """Two evaluations per contribution; one per step of a walk, and the values they start from."""
    rows = []
    for d, t in ((2, 1), (2, 7), (5, 3), (10, 20)):
        row = {"players": d, "iterations": t, "plain": 2 * d * t, "walk": d * t + 1}
        rows.append(row | {"sgd": d * t + 2, "walk_as_printed": (d + 1) * t})
    return {"rows": rows}


def variance(terms):
    """The unbiased variance."""
    mean = sum(terms) / Fraction(len(terms))
    return squared(x - mean for x in terms) / (len(terms) - 1)


def online(terms):
    """The update of Algorithm 1, variance before mean."""
    spread, mean = Fraction(0), terms[0]
    for t, x in enumerate(terms[1:], start=2):
        spread = Fraction(t - 2, t - 1) * spread + (x - mean) ** 2 / t
        mean += (x - mean) / t
    return spread


def _updated(made):
    return all(left == right for _, left, right in [*made["sequences"], *made["induction"]])


@rederives(f"{PAPER}algorithms.online_variance.gather_variance", _updated)
def online_variance(piece, draws):
    """Online and ordinary variances of random sequences; the step from t - 1 terms to t."""
    pattern = re.compile(r"(\d+) terms, sequence (\d+)")
    sequences = []
    most = max(int(pattern.match(label)[2]) for label, *_ in piece["sequences"])
    for length in (2, 3, 5, 10, 30):
        for k in range(most):
            terms = draws.integers("gt20-15", length, k, count=length)
            label = f"{length} terms, sequence {k + 1}"
            sequences.append((label, online(terms), variance(terms)))
    induction = []
    for t in range(3, 21):
        for s, q, x in ((s, q, x) for s in (-1, 0, 1) for q in (-1, 0, 1) for x in (-1, 0, 1)):
            before = (q - Fraction(s * s, t - 1)) / (t - 2)
            left = Fraction(t - 2, t - 1) * before + (x - Fraction(s, t - 1)) ** 2 / t
            right = (q + x * x - Fraction((s + x) ** 2, t)) / (t - 1)
            induction.append((f"t = {t}, s = {s}, q = {q}, x = {x}", left, right))
    return {"sequences": sequences, "induction": induction}


@rederives(f"{PAPER}rates.square_root.gather_normalisation", None)
def normalisation(piece, _):
    """T + 1 terms over T have this for the sum of their weights."""
    return {"weights": {t: Fraction(t + 1, t) for t in (1, 10, 100, 1_000)}}


@rederives(f"{PAPER}algorithms.strata.gather_strata", lambda made: not made["unequal"])
def strata(piece, _):
    """Player j is at position (j - k) mod d in shift k; variances as means of squared distances."""
    top = piece["max_dimension"]
    unequal = [
        d
        for d in range(2, top + 1)
        if len({(j, (j - k) % d) for j in range(d) for k in range(d)}) < d * d
    ]
    rows = []
    games = (((2,), (3, 3), (-5,)), ((1,), (-6, 6), (-1,)))
    for number, sizes in enumerate(games, start=1):
        means = [Fraction(sum(own), len(own)) for own in sizes]
        mean = sum(means) / 3
        row = {"game": number}
        row["variance"] = sum(sum((x - mean) ** 2 for x in own) / (3 * len(own)) for own in sizes)
        for size, (own, middle) in enumerate(zip(sizes, means, strict=True)):
            row[f"within_size_{size}"] = sum((x - middle) ** 2 for x in own) / len(own)
        rows.append(row)
    return {"unequal": unequal, "rows": rows, "max_dimension": top}


@rederives(
    f"{PAPER}algorithms.indices.gather_indices",
    lambda made: all(row["printed"] == row["needed"] for row in made["rows"]),
)
def indices(piece, _):
    """Pass 2 reads alpha_2, and pass 1 has set alpha_1; i = 0, ..., n is one term too many."""
    n = 2 ** piece["players"] - 2
    rows = [
        {"what": "Algorithm 2", "printed": 2, "needed": 0},
        {"what": "sum", "printed": n + 1, "needed": n},
        {"what": "product", "printed": "phi", "needed": "rho"},
    ]
    return {"rows": rows, "players": piece["players"]}
