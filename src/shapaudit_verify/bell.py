"""Bell, Devanathan and Boyd 2024: lifts of regressions, merged moments, ridge, costs."""

import re
from fractions import Fraction
from itertools import permutations, product

from .definitions import entries, numbered, shapley, solve
from .registry import equal_sides, rederives

PAPER = "bell_devanathan_boyd_2024/"
PROBLEM = re.compile(r"p = (\d+), problem (\d+)")
DATA = re.compile(r"data (\d+)")
WALSH = ((1, 1, 1), (-1, 1, -1), (1, -1, -1), (-1, -1, 1))


def problems(piece, draws, name):
    """Label, and training and test data, of the random regressions of a piece."""
    for p, number in numbered([label for label, *_ in piece["cases"]], PROBLEM):
        parts = []
        for part in ("train", "test"):
            count = (2 * p + 1) * (p + 1)
            drawn = draws.integers(name, part, p, number - 1, count=count)
            rows = [drawn[i : i + p + 1] for i in range(0, count, p + 1)]
            parts.append(([row[:-1] for row in rows], [row[-1] for row in rows]))
        yield f"p = {p}, problem {number}", *parts


def normal(rows, target, penalty=0):
    """X'X with a penalty on its diagonal, and X'y."""
    p = range(len(rows[0]))
    gram = [[sum(row[i] * row[j] for row in rows) + (i == j) * penalty for j in p] for i in p]
    return gram, [sum(row[i] * y for row, y in zip(rows, target, strict=True)) for i in p]


def fit(data, members):
    """Least squares with some features; the others have the parameter 0."""
    rows, target = data
    theta = [Fraction(0)] * len(rows[0])
    if members:
        solution = solve(*normal([[row[j] for j in members] for row in rows], target))
        for j, x in zip(members, solution, strict=True):
            theta[j] = x
    return theta


def predicted(rows, theta):
    """X theta."""
    return [sum(x * t for x, t in zip(row, theta, strict=True)) for row in rows]


def r_squared(data, theta):
    """1 - ||X theta - y||^2 / ||y||^2."""
    rows, target = data
    residual = sum((f - y) ** 2 for f, y in zip(predicted(rows, theta), target, strict=True))
    return 1 - residual / sum(y * y for y in target)


def lifts(train, test, order):
    """What each feature adds to R^2 along an order."""
    gains, before = [Fraction(0)] * len(order), Fraction(0)
    for k, j in enumerate(order, start=1):
        after = r_squared(test, fit(train, order[:k]))
        gains[j], before = after - before, after
    return gains


@rederives(f"{PAPER}identities.gather_efficiency")
def efficiency(piece, draws):
    """The sum of the lifts along every order, and R^2 of all features."""
    cases = []
    for label, train, test in problems(piece, draws, "bdb24-01"):
        p = len(train[0][0])
        whole = r_squared(test, fit(train, range(p)))
        for order in permutations(range(p)):
            cases.append((f"{label}, order {order}", sum(lifts(train, test, order)), whole))
    return {"cases": cases}


@rederives(f"{PAPER}identities.gather_chain")
def chain(piece, draws):
    """The parameters of the first features, which equation 8 has at once, each solved alone."""
    cases = []
    for label, train, _ in problems(piece, draws, "bdb24-02"):
        for k in range(1, len(train[0][0]) + 1):
            theta = fit(train, range(k))
            cases += entries(f"{label}, {k} features", theta, theta)
    return {"cases": cases}


@rederives(f"{PAPER}identities.gather_ridge")
def ridge(piece, draws):
    """The gradient of equation 14 where the stacked least squares are solved."""
    cases = []
    for label, (rows, target), _ in problems(piece, draws, "bdb24-04"):
        n = len(rows)
        for strength in (Fraction(1, 4), Fraction(9)):
            theta = solve(*normal(rows, target, strength * n))
            residual = [f - y for f, y in zip(predicted(rows, theta), target, strict=True)]
            slope = [
                sum(row[j] * r for row, r in zip(rows, residual, strict=True)) / n + strength * t
                for j, t in enumerate(theta)
            ]
            cases += entries(f"{label}, lambda = {strength}", slope, [Fraction(0)] * len(theta))
    return {"cases": cases}


@rederives(f"{PAPER}identities.gather_batches")
def batches(piece, draws):
    """Mean and covariance of all rows, which merging must give too."""
    cases = []
    for count, size, d in ((2, 2, 2), (3, 4, 3), (5, 3, 3)):
        drawn = draws.integers("bdb24-03", count, count=count * size * d)
        rows = [drawn[i : i + d] for i in range(0, len(drawn), d)]
        mean = [sum(column) / Fraction(len(rows)) for column in zip(*rows, strict=True)]
        spread = [
            sum((row[i] - mean[i]) * (row[j] - mean[j]) for row in rows) / Fraction(len(rows))
            for i, j in product(range(d), repeat=2)
        ]
        label = f"{count} batches of {size}"
        for vector in (mean, spread):
            cases += entries(label, vector, vector)
    return {"cases": cases}


def uncorrelated(piece, draws, train_only):
    """Lifts in every order and in the first, where columns are orthogonal."""
    most = max(int(DATA.match(label)[1]) for label, *_ in piece["cases"])
    cases = []
    for k in range(most):
        drawn = draws.integers("bdb24-05", k, count=20)
        scales = [abs(x) + 1 for x in drawn[8:12]]
        rows = [[x * s for x, s in zip(row, scales, strict=False)] for row in WALSH]
        if train_only:
            rows = [[x + move for x in row] for row, move in zip(rows, drawn[12:16], strict=True)]
        train, test = (WALSH, drawn[:4]), (rows, [y + 1 for y in drawn[4:8]])
        if any(test[1]):
            first = lifts(train, test, (0, 1, 2))
            for order in permutations(range(3)):
                cases += entries(f"data {k + 1}, order {order}", lifts(train, test, order), first)
    return {"cases": cases}


@rederives(f"{PAPER}identities.gather_uncorrelated")
def uncorrelated_in_both(piece, draws):
    """In both parts."""
    return uncorrelated(piece, draws, False)


@rederives(f"{PAPER}identities.gather_uncorrelated_in_training")
def uncorrelated_in_training(piece, draws):
    """In the training part alone."""
    return uncorrelated(piece, draws, True)


@rederives(f"{PAPER}identities.gather_coefficients")
def coefficients(piece, draws):
    """N (X'y)_j over (X'X)_jj, and without the N, where columns are orthogonal."""
    cases = []
    for k in range(len(piece["cases"]) // 3):
        target = draws.integers("bdb24-05c", k, count=4)
        columns = [[(j + 1) * row[j] for row in WALSH] for j in range(3)]
        right = [
            sum(x * y for x, y in zip(column, target, strict=True)) / sum(x * x for x in column)
            for column in columns
        ]
        cases += entries(f"data {k + 1}", [4 * theta for theta in right], right)
    return {"cases": cases, "n_rows": 4}


def in_turn(train, test, orders):
    """Mean of the lifts over orders, and the mean of their squared distance from it."""
    walked = [lifts(train, test, order) for order in orders]
    mean = [sum(column) / Fraction(len(walked)) for column in zip(*walked, strict=True)]
    apart = sum((x - m) ** 2 for lift in walked for x, m in zip(lift, mean, strict=True))
    return mean, apart / len(walked)


@rederives(
    f"{PAPER}correlated.gather_weak",
    lambda made: (
        not any(row["relative_variance"] for row in made["rows"] if not row["correlation"])
    ),
)
def weak(piece, draws):
    """Variance of the lifts over all orders, with s times a fourth column in each of three."""
    rows = []
    for k in range(max(row["problem"] for row in piece["rows"])):
        drawn = draws.integers("bdb24-05d", k, count=16)
        targets = [[y + 1 for y in drawn[:8]], [y + 1 for y in drawn[8:]]]
        for s in (*(Fraction(1, 2**power) for power in range(9)), Fraction(0)):
            signs = [[(-1) ** (i & j).bit_count() for j in range(1, 5)] for i in range(8)]
            columns = [[x + s * row[3] for x in row[:3]] for row in signs]
            mean, spread = in_turn(*((columns, y) for y in targets), permutations(range(3)))
            row = {"problem": k + 1, "correlation": s * s / (1 + s * s)}
            rows.append(row | {"relative_variance": spread / sum(m * m for m in mean)})
    return {"rows": rows}


@rederives(f"{PAPER}elementary.gather_elementary", lambda made: not equal_sides(made))
def elementary(piece, _):
    """Values by definition of the indicators of a coalition and of what contains it, twice."""
    cases = []
    for d in range(2, max(int(label.split(",")[0][4:]) for label, *_ in piece["cases"]) + 1):
        for index in range(1, 1 << d):
            for name in ("exactly", "at_least"):
                inside = [
                    int(k == index if name == "exactly" else k & index == index)
                    for k in range(1 << d)
                ]
                values = shapley([Fraction(x) for x in inside])
                cases += entries(f"d = {d}, coalition {index}, {name}", values, values)
    return {"cases": cases}


@rederives(
    f"{PAPER}costs.gather_speed_up",
    lambda made: all(2 * row["orders"] >= row["minimum"] for row in made["rows"]),
)
def speed_up(piece, _):
    """K N p^3 over N p^2 + K p^3, where there are at least as many rows as features."""
    grid = (1, 2, 10, 100, 10_000, 100_000)
    rows = []
    for n, k, p in product(grid, grid, (1, 10, 100)):
        if n >= p:
            ratio = Fraction(k * n * p**3, n * p**2 + k * p**3)
            rows.append({"n": n, "k": k, "p": p, "minimum": min(n, k * p), "orders": ratio})
    return {"rows": rows}


@rederives(f"{PAPER}costs.gather_metrics", lambda made: made["degrees"]["reduced"] <= 2)
def metrics(piece, _):
    """p times 1 + ... + p, and the sum alone."""
    counts = [(row["p"], row["p"] * (row["p"] + 1) // 2) for row in piece["rows"]]
    rows = [{"p": p, "reduced": p * total, "per_row": total} for p, total in counts]
    return {"rows": rows, "degrees": {"reduced": 3, "per_row": 2}}


def mean_square(data, theta=None):
    """Mean square of the residuals; of the responses without parameters."""
    rows, target = data
    fitted = predicted(rows, theta) if theta is not None else [0] * len(target)
    return sum((f - y) ** 2 for f, y in zip(fitted, target, strict=True)) / Fraction(len(target))


@rederives(f"{PAPER}extensions.gather_folds")
def folds(piece, draws):
    """Lifts of one minus the ratio of summed errors of three folds, twice."""
    cases = []
    for p, number in numbered([label for label, *_ in piece["cases"]], PROBLEM):
        drawn = draws.integers("bdb24-16", p, number - 1, count=3 * (p + 2) * (p + 1))
        rows = [drawn[i : i + p + 1] for i in range(0, len(drawn), p + 1)]
        parts = [
            [([row[:-1] for row in some], [row[-1] for row in some]) for some in split]
            for split in (
                ([row for k, row in enumerate(rows) if k % 3 != m], rows[m::3]) for m in range(3)
            )
        ]
        weights = [mean_square(test) for _, test in parts]
        if not all(weights):
            continue
        for order in permutations(range(p)):
            each = [lifts(train, test, order) for train, test in parts]
            mean = [
                sum(w * lift[j] for w, lift in zip(weights, each, strict=True)) / sum(weights)
                for j in range(p)
            ]
            score = [
                sum(mean_square(test, fit(train, order[:k])) for train, test in parts)
                for k in range(p + 1)
            ]
            own = [(score[order.index(j)] - score[order.index(j) + 1]) / score[0] for j in range(p)]
            cases += entries(f"p = {p}, problem {number}, order {order}", own, mean)
    return {"cases": cases}


@rederives(f"{PAPER}extensions.gather_reduced")
def reduced(piece, draws):
    """The loss at drawn parameters, and the least loss plus the square of the change of the fit."""
    cases = []
    for label, train, _ in problems(piece, draws, "bdb24-17"):
        rows, target = train
        theta = draws.integers("bdb24-17", "parameters", label, count=len(rows[0]))
        best = fit(train, range(len(theta)))
        moved = predicted(rows, [a - b for a, b in zip(theta, best, strict=True)])
        losses = [mean_square(train, some) * len(target) for some in (theta, best)]
        cases.append((label, losses[0], losses[1] + sum(x * x for x in moved)))
    return {"cases": cases}


@rederives(f"{PAPER}extensions.gather_selection", lambda made: made["chosen"] <= max(made["fixed"]))
def selection(*_):
    """Mean R^2 over the signs of two responses, of coefficients 1/2 and 0 and of the better one."""
    table = []
    for y in product((-1, 1), repeat=2):
        data = [[1], [1]], y
        table.append([r_squared(data, [theta]) for theta in (Fraction(1, 2), Fraction(0))])
    fixed = [Fraction(sum(column), 4) for column in zip(*table, strict=True)]
    return {"fixed": fixed, "chosen": Fraction(sum(map(max, table)), 4)}


@rederives(f"{PAPER}printed.gather_toy", lambda made: all(row["agrees"] for row in made["rows"]))
def toy(piece, _):
    """Lifts and Shapley values of the R^2 of three features, and what agrees to two digits."""
    table = [0.0, *(row["found"] for row in piece["rows"][:7])]
    recomputed = table[1:]
    for order in permutations(range(3)):
        lifts, members = {}, 0
        for j in order:
            lifts[j] = table[members | 1 << j] - table[members]
            members |= 1 << j
        recomputed += [lifts[j] for j in range(3)]
    lifts = len(recomputed) - 7
    values = [sum(recomputed[7 + j :: 3]) * 3 / lifts for j in range(3)]
    # The project's rows have all orders of one feature, then those of the next.
    by_feature = [x for j in range(3) for x in recomputed[7 + j :: 3]]
    rows = [
        {"found": x, "agrees": int(abs(row["printed"] - x) <= 0.005 + 1e-12)}
        for row, x in zip(piece["rows"], [*recomputed[:7], *by_feature, *values], strict=True)
    ]
    printed = [row["printed"] for row in piece["rows"][7:-3]]
    return {"rows": rows, "means": [sum(printed[6 * j : 6 * j + 6]) / 6 for j in range(3)]}
