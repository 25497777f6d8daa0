"""Chen, Covert, Lundberg and Lee 2023, continued: explainers of networks, and Table 1."""

from fractions import Fraction
from itertools import combinations, product
from math import erf, exp, pi, prod, sqrt

from .definitions import entries, game_of, shapley
from .registry import rederives

PAPER = "chen_covert_lundberg_lee_2023/"
DECIMALS = 9


def relu(z):
    """The positive part."""
    return max(z, 0)


def rate(after, before):
    """Change of ReLU over that of what enters it; where there is none the derivative from left."""
    step = after - before
    return Fraction(relu(after) - relu(before)) / step if step else Fraction(after > 0)


def rescaled_largest(order, x, r):
    """Rescale on the largest of three numbers, b + relu(a - b) twice over."""
    a, b, c = order
    inner = rate(Fraction(x[a] - x[b]), Fraction(r[a] - r[b]))
    outer = rate(Fraction(max(x[a], x[b]) - x[c]), Fraction(max(r[a], r[b]) - r[c]))
    shares = {a: outer * inner, b: outer * (1 - inner), c: 1 - outer}
    return [shares[j] * (x[j] - r[j]) for j in range(3)]


def normal_relu(mean, variance):
    """Mean and variance of the positive part of a normal variable."""
    if variance <= 0:
        return relu(mean), 0.0
    spread = sqrt(variance)
    above = (1 + erf(mean / spread / sqrt(2))) / 2
    bell = spread * exp(-((mean / spread) ** 2) / 2) / sqrt(2 * pi)
    first = mean * above + bell
    return first, max((mean**2 + variance) * above + mean * bell - first**2, 0.0)


def dasp(layers, x, r):
    """DASP of a network of ReLU, its layers as weights by unit and biases, size by size."""
    d, values = len(x), []
    (first, shift), *later = layers
    parts = [[row[j] * (x[j] - r[j]) for j in range(d)] for row in first]
    start = [b + sum(w * y for w, y in zip(row, r, strict=True))
             for row, b in zip(first, shift, strict=True)]  # fmt: skip
    for i in range(d):
        total = 0.0
        for k in range(d):
            for sign, own in ((1, True), (-1, False)):
                entering = []
                for part, begin in zip(parts, start, strict=True):
                    others = [float(part[j]) for j in range(d) if j != i]
                    mean = sum(others) / (d - 1)
                    spread = sum(c * c for c in others) / (d - 1) - mean**2
                    factor = k * (d - 1 - k) / (d - 2)
                    entering.append(
                        (float(begin) + k * mean + own * float(part[i]), factor * max(spread, 0.0))
                    )
                total += sign * expected(entering, later)
        values.append(round(total / d, DECIMALS))
    return values


def expected(entering, later):
    """Mean output, from means and variances of what enters the first units."""
    for weights, biases in later:
        activated = [normal_relu(*moments) for moments in entering]
        entering = [
            (
                float(bias) + sum(float(w) * m for w, (m, _) in zip(row, activated, strict=True)),
                sum(float(w) ** 2 * s for w, (_, s) in zip(row, activated, strict=True)),
            )
            for row, bias in zip(weights, biases, strict=True)
        ]
    return entering[0][0]


def largest_layers(order):
    """The network of the largest of three numbers."""
    a, b, c = order

    def signs(**by):
        return [by.get(f"x{j}", 0) for j in range(3)]

    first = [signs(**{f"x{a}": 1, f"x{b}": -1})]
    first += [signs(**{f"x{j}": sign}) for j in (b, c) for sign in (1, -1)]
    second = [[1, 1, -1, -1, 1], [0, 0, 0, 1, -1], [0, 0, 0, -1, 1]]
    return [(first, [0] * 5), (second, [0] * 3), ([[1, 1, -1]], [0])]


def path_values(root):
    """Path-dependent values of a b at 1 and 1, on the rows 11, 10 and 00."""
    rows = ((1, 1), (1, 0), (0, 0))
    other = 1 - root
    reaching = [row for row in rows if row[root] == 1]
    shares = {
        root: Fraction(len(reaching), len(rows)),
        other: Fraction(sum(row[other] for row in reaching), len(reaching)),
    }
    return shapley([prod(1 if s >> j & 1 else shares[j] for j in (0, 1)) for s in range(4)])


def _apart(made):
    names = {row["method"] for row in made["rows"] if row["first"] != row["second"]}
    return len(names) == 5 and all(made["outside"].values())


@rederives(f"{PAPER}forms.gather_forms", _apart)
def forms(piece, _):
    """Values of one function in two forms, and what models of a kind cannot have."""
    x, r, both = (0, 0, 0), (1, 0, 1), ((0, 1, 2), (1, 2, 0))
    deeplift = [rescaled_largest(order, x, r) for order in both]
    half = Fraction(1, 2)
    ramp = shapley([Fraction(relu(a)) for a in (-1, 2 - 1, 1, 3)])
    handed = shapley([Fraction(relu(a)) for a in (0, 2, -1, 1)])
    whole = shapley([Fraction(3 * relu(a + b) + relu(a) - relu(b)) / 2
                     for a, b in ((0, 0), (2, 0), (0, -1), (2, -1))])  # fmt: skip
    values = {
        "Interventional TreeSHAP": [[half, half]] * 2,
        "Path-dependent TreeSHAP": [path_values(root) for root in (0, 1)],
        "DeepLIFT": deeplift,
        "DeepSHAP": [[value / 2 for value in row] for row in deeplift],
        "DASP": [dasp(largest_layers(order), x, r) for order in both],
        "Shallow ShapNet": [ramp, ramp],
        "Deep ShapNet": [[2 * handed[0], handed[1]], whole],
    }
    rows = [
        {"method": method, "feature": j + 1, "first": a, "second": b}
        for method, (form, other) in values.items()
        for j, (a, b) in enumerate(zip(form, other, strict=True))
    ]
    tops = [Fraction(max(row)) for row in product((0, 1, 2), repeat=3)]
    cases = entries("network", tops, tops)
    ands = [Fraction(a * b) for a, b in product((0, 1), repeat=2)]
    cases += entries("tree", ands, ands)
    sums = [
        Fraction(3 * relu(a + b) + relu(a) - relu(b)) / 2
        for a, b in product(range(-2, 3), repeat=2)
    ]
    cases += entries("deep ShapNet", sums, sums)
    outside = dict.fromkeys(("LinearSHAP", "Correlated LinearSHAP", "Interventional TreeSHAP",
                             "Shallow ShapNet"), Fraction(1))  # fmt: skip
    exact = shapley([Fraction(max(x[j] if s >> j & 1 else r[j] for j in range(3)))
                     for s in range(8)])  # fmt: skip
    return {"cases": cases, "rows": rows, "outside": outside, "largest_of_three": exact}


def tree_of_two(row):
    """-1 below 0 of the first feature, else 2 below 1 of the second, else 5."""
    return Fraction(-1 if row[0] < 0 else 2 if row[1] < 1 else 5)


@rederives(f"{PAPER}table_one.gather_conventions", None)
def conventions(piece, _):
    """Variances over all samples of two baselines of three, and the bias of means over matches."""
    x, population = [Fraction(2), Fraction(1)], [(0, 0), (3, 1), (-1, 2)]

    def unit(row, r):
        parts = [a - b for a, b in zip(row, r, strict=True)]
        slope = rate(Fraction(sum(row) - 1), Fraction(sum(r) - 1))
        return [slope * part for part in parts]

    values = {
        "LinearSHAP": lambda r: [b * (a - y) for b, a, y in zip((2, -3), x, r, strict=True)],
        "Interventional TreeSHAP": lambda r: shapley(game_of(tree_of_two, x, [r])),
        "Path-dependent TreeSHAP": lambda r: [1 - Fraction(-1 if r[0] < 0 else 1), Fraction(0)],
        "DeepSHAP": lambda r: unit(x, r),
    }
    # One of 0, 1 and 2 other rows matches as well, with chances 1/4, 1/2 and 1/4.
    rows = [{"method": "CES", "off": Fraction(1, 4) + Fraction(1, 2) / 2 + Fraction(1, 4) / 3}]
    for method, of_one in values.items():
        single = [of_one(list(map(Fraction, r))) for r in population]
        means = [sum(column) / Fraction(len(single)) for column in zip(*single, strict=True)]
        squares = [sum(v * v for v in column) / len(single) for column in zip(*single, strict=True)]
        spread = sum(s - m * m for s, m in zip(squares, means, strict=True))
        rows.append({"method": method, "off": spread / 2})
    return {"rows": rows}


@rederives(f"{PAPER}deep_rules.gather_deepshap", lambda made: True)
def deep_shap(piece, _):
    """DeepSHAP of max(0, a + b - 1) at 2 and 1 against the rows 00 and 11, by either rule."""
    x, rows = (2, 1), []
    for rule in ("rescale", "reveal-cancel"):  # no part is negative, so that they are the same
        values, exact = [Fraction(0)] * 2, [Fraction(0)] * 2
        for r in ((0, 0), (1, 1)):
            slope = rate(Fraction(2), Fraction(sum(r) - 1))
            game = [Fraction(relu(a + b - 1)) for b in (r[1], x[1]) for a in (r[0], x[0])]
            for j, value in enumerate(shapley(game)):
                values[j] += slope * (x[j] - r[j]) / 2
                exact[j] += value / 2
        for j in (0, 1):
            row = {"rule": rule, "feature": j + 1, "deepshap": values[j], "exact": exact[j]}
            rows.append(row)
    return {"rows": rows}


@rederives(
    f"{PAPER}deep_rules.gather_softmax",
    lambda made: all(row["exact"] for row in made["rows"] if row["feature"] == 2),
)
def softmax(piece, _):
    """The probability of the first of two classes whose odds are those of the features."""
    rows = []
    for odds, other in ((1, 2), (2, 4)):
        game = [Fraction(a, a + b) for b in (1, other) for a in (1, odds)]
        whole = game[-1] - game[0] if odds > 1 else Fraction(0)
        for j, (value, exact) in enumerate(zip((whole, Fraction(0)), shapley(game), strict=True)):
            row = {"odds": f"{odds} and {other}", "feature": j + 1}
            rows.append(row | {"rescale": value, "exact": exact})
    return {"rows": rows}


@rederives(
    f"{PAPER}shapnets.gather_parity",
    lambda made: (
        not any(
            row["best_share"]
            for row in made["rows"]
            if row["features_of_a_module"] < row["parity_of"]
        )
    ),
)
def parity(piece, _):
    """A product of signs against all products of some of them, over all rows."""
    rows = []
    for k in range(2, 7):
        signs = list(product((-1, 1), repeat=k))
        for h in range(1, k + 1):
            chosen = (some for size in range(h + 1) for some in combinations(range(k), size))
            means = (
                Fraction(sum(prod(row) * prod(row[j] for j in some) for row in signs), len(signs))
                for some in chosen
            )
            row = {"parity_of": k, "features_of_a_module": h}
            rows.append(row | {"best_share": sum(mean * mean for mean in means)})
    return {"rows": rows}
