"""Laws of draws: sizes, grids and second stages of Chen et al. 2023, and fits of few players."""

from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np

from .chen import PAPER, games, labels_of
from .definitions import entries, shapley, solve
from .grah_steps import importance
from .registry import rederives


@rederives(f"{PAPER}descent.gather_sizes", None)
def sizes(piece, _):
    """Chances of the smallest and the largest coalitions by the kernel and by importance."""
    rows = []
    for d in (3, 10, 79, 280):
        weights = np.array([1 / (s * (d - s)) for s in range(1, d)])
        kernel = weights / weights.sum()
        for name, ratio in (("D = C", 1.0), ("D = C sqrt(d)", d**0.5)):
            law = importance(d, ratio)
            row = {"players": d, "ratio": name, "one_by_kernel": float(kernel[0])}
            row |= {"one": float(law[0]), "all_but_one": float(law[-1])}
            rows.append(row | {"distance": float(abs(law - kernel).sum()) / 2})
    return {"rows": rows}


def levels_of(name, count):
    """Levels of q and their weights."""
    even, each = np.linspace(0, 1, count), np.full(count, 1 / count)
    if name == "trapezoid":
        each = np.full(count, 1 / (count - 1))
        each[[0, -1]] /= 2
    if name == "midpoint":
        even = (np.arange(count) + 0.5) / count
    if name == "gauss-legendre":
        nodes, weights = np.polynomial.legendre.leggauss(count)
        even, each = (nodes + 1) / 2, weights / 2
    return even, each


@rederives(f"{PAPER}grid_bias.gather_rules", None)
def rules(piece, _):
    """Largest bias of each rule with half as many levels as players."""
    rows = []
    for d in range(3, 3 + len(piece["rows"])):
        row = {"players": d, "levels": (d + 1) // 2}
        for name in ("equal", "trapezoid", "midpoint", "gauss-legendre"):
            q, weights = levels_of(name, row["levels"])
            law = [
                comb(d - 1, s) * float(weights @ (q**s * (1 - q) ** (d - 1 - s))) for s in range(d)
            ]
            row[name] = sum(abs(p - 1 / d) for p in law)
        rows.append(row)
    return {"rows": rows}


@rederives(f"{PAPER}kernel_draws.gather_unbiased")
def unbiased(piece, draws):
    """Mean over all coalitions of one draw, alone or with its complement, less the equal split."""
    cases = []
    for label, d, values in games(draws, "ccll23-10c", labels_of(piece)):
        truth, share = shapley(values), (values[-1] - values[0]) / d
        for paired in (False, True):
            mean = [Fraction(0)] * d
            for members in range(1, (1 << d) - 1):
                s = members.bit_count()
                gain = values[members] - values[0]
                if paired:
                    gain = (values[members] - values[-1 - members]) / 2
                # Chance over the chance of the size, times what the expected Gram matrix asks for.
                scale = gain / comb(d, s) / (s * (d - s)) * d
                for j in range(d):
                    mean[j] += scale * ((members >> j & 1) - Fraction(s, d))
            name = f"{label}, {'pairs' if paired else 'single draws'}"
            cases += entries(name, mean, [x - share for x in truth])
    return {"cases": cases}


@rederives(f"{PAPER}allocation.gather_gain", None)
def gain(piece, draws):
    """2 a / (1 + d a) over the shares of equal and of random variances; two stages on unanimity."""
    generator, gains, trials = draws.generator("ccll23-05a"), [], 5
    for d in range(2, 2 + len(piece["exact"]) // (trials + 1)):
        for k in range(trials + 1):
            drawn = generator.integers(1, 100, d).tolist() if k else [1] * d
            shares = [Fraction(x, sum(drawn)) for x in drawn]
            gains.append(sum(2 * a / (1 + d * a) for a in shares))
    kept = ("players", "evaluations", "over_equal")
    estimated = [{key: row[key] for key in kept} for row in unanimity_rows()]
    return {"exact": gains, "estimated": estimated}


def split(variances, total):
    """Whole numbers in proportion to variances; what is left goes to the largest remainders.

    Remainders that are equal but for rounding are told apart by it, as in a program that runs.
    """
    weights = variances / variances.max() if variances.any() else np.ones(len(variances))
    wanted = total * (weights / weights.sum())
    given = np.floor(wanted).astype(int)
    given[np.argsort(given - wanted, kind="stable")[: total - given.sum()]] += 1
    return given.tolist()


@rederives(
    f"{PAPER}allocation.gather_bias",
    lambda made: not any(row["relative_bias"] for row in made["rows"]),
)
def second_stage(piece, _):
    """Bias and error of the second stage."""
    return {"rows": unanimity_rows()}


def unanimity_rows():
    """Unanimity of four players: half of the draws equal, half by the variances that they show."""
    rows, d, p = [], 4, Fraction(1, 4)
    for budget in (32, 64, 96):
        each = budget // 2 // (2 * d)
        left = budget // 2 - each * d
        bias = square = Fraction(0)
        for ones in product(range(each + 1), repeat=d):
            chance = Fraction(1)
            for x in ones:
                chance *= comb(each, x) * p**x * (1 - p) ** (each - x)
            means = np.array(ones) / each
            more = split(means * (1 - means) * each / (each - 1), left)
            for x, extra in zip(ones, more, strict=True):
                off, n = x - each * p, each + extra
                bias += chance * off / n / d
                square += chance * (off**2 + extra * p * (1 - p)) / n**2 / d
        row = {"players": d, "evaluations": budget, "relative_bias": float(bias / p)}
        equal = p * (1 - p) * d / (budget // 2)
        rows.append(row | {"share": float(bias**2 / square), "over_equal": float(square / equal)})
    return rows


def two_stages(variances):
    """Sum of variances with half of the draws equal, half by them, over that of equal draws."""
    each, d = 1 << 20, len(variances)
    counts = each + np.array(split(variances, d * each))
    return float((variances / counts).sum() / (variances.sum() / (2 * each)))


def least(variances):
    """The same with the best second half: max(1, c s) draws for standard deviations s."""
    d, deviations = len(variances), np.sqrt(variances)
    low, high = 0.0, 2 * d / deviations.max()
    for _ in range(200):
        c = (low + high) / 2
        low, high = (c, high) if np.maximum(1, c * deviations).sum() < 2 * d else (low, c)
    return float((variances / np.maximum(1, low * deviations)).sum() / (variances.sum() / 2))


@rederives(f"{PAPER}allocation.gather_best", None)
def best(piece, _):
    """Some noisy players among quieter ones: draws by the variance against the best draws."""
    rows = []
    for d in (10, 79, 280):
        for noisy in sorted({1, 2, d // 4, d // 2, d - 1}):
            for quiet in (0.0, 0.01, 0.1, 0.3, 0.5):
                variances = np.where(np.arange(d) < noisy, 1.0, quiet**2)
                row = {"players": d, "noisy": noisy, "quiet_deviation": quiet}
                row["factor"] = two_stages(variances)
                rows.append(row | {"over_best": row["factor"] / least(variances)})
    return {"rows": rows}


@rederives(f"{PAPER}variants.gather_variants", None)
def star(piece, _):
    """The first player's gain is uniform on 0 to d - 1, the others' are 0 or 1.

    Each gain and that in the reversed order have a fixed sum: pairs leave no variance.
    """
    rows = []
    for d in (4, 8, 12, 16):
        variances = np.array([(d * d - 1) / 12, *[0.25] * (d - 1)])
        rows.append({"players": d, "antithetic": 0.0, "adaptive": two_stages(variances)})
    return {"rows": rows}


def fit(values, counts, order):
    """Shapley values of the weighted fit by interactions of up to ``order`` players."""
    d = len(values).bit_length() - 1
    sets = [sum(1 << j for j in c) for k in range(1, order + 1) for c in combinations(range(d), k)]
    size = len(sets)
    normal = [[Fraction(0)] * (size + 1) for _ in range(size + 1)]
    right = [Fraction(0)] * size + [values[-1] - values[0]]
    for members in range(1, (1 << d) - 1):
        s = members.bit_count()
        weight = Fraction(counts[members], s * (d - s) * comb(d, s))
        inside = [i for i, term in enumerate(sets) if members & term == term] if weight else []
        for i in inside:
            right[i] += weight * (values[members] - values[0])
            for j in inside:
                normal[i][j] += weight
    for i in range(size):
        normal[i][size] = normal[size][i] = Fraction(1)
    effects = solve(normal, right)[:size]
    return [
        sum((c / term.bit_count() for c, term in zip(effects, sets, strict=True) if term >> j & 1))
        for j in range(d)
    ]


@rederives("field/polynomial.gather_orders")
def orders(piece, draws):
    """Fits of an even order and of the odd one below it, on counts that complements share."""
    cases, seen = [], 0
    per_size = len(
        {
            label.split(", entry")[0]
            for label, *_ in piece["cases"]
            if label.startswith("order 2, d = 4")
        }
    )
    for order, players in ((2, (4, 5)), (4, (5,))):
        for d in players:
            generator = draws.generator("field26-07", "sample", order, d)
            for k in range(per_size if order == 2 else 1):
                values = draws.integers("field26-07", "game", order, d, k, count=1 << d)
                counts = generator.integers(1, 4, size=1 << d)
                if order == 2:
                    counts = counts * (generator.random(1 << d) < 0.9)
                both = (counts + counts[::-1]).tolist()
                sides = (fit(values, both, degree) for degree in (order, order - 1))
                cases += entries(f"order {order}, d = {d}, game {k + 1}", *sides)
                seen += 1
    return {"cases": cases, "games": seen}
