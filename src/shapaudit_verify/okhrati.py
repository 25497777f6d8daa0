"""Okhrati and Lipani 2021: how the algorithms weigh the levels of q, and what they cost."""

from fractions import Fraction
from itertools import product

from .definitions import entries, numbered, shapley, size_law, worst
from .registry import rederives

PAPER = "okhrati_lipani_2021/"
GAPS = (2, 3, 4, 5, 8, 9)
FIXED = (1, 2, 4, 8, 16, 32)
GROWING = (4, 16, 64, 256)
OTHERS = 4  # players of the additive game


def loop(nodes, q, d, signs=None):
    """Law of sizes of a loop over nodes k / Q that divides by Q."""
    weights = [Fraction(sign, q) for sign in signs or [1] * len(nodes)]
    return size_law([Fraction(k, q) for k in nodes], weights, d)


def both(first, q):
    """Nodes up to a half, and their mirror images."""
    half = list(range(first, q // 2 + 1))
    return half + [q - k for k in half]


def plain(q, d):
    """Algorithm 1: 0, 1/Q, ..., 1."""
    return loop(range(q + 1), q, d)


def halved(q, d):
    """Algorithm 2: levels up to 1/2, each with its mirror image."""
    return loop(both(0, q), q, d)


def appendix(q, d):
    """The sum at the end of the appendix, from i = 1."""
    return loop(both(1, q), q, d)


def top_of(cases):
    """The largest d of the cases."""
    return max(int(label.split(",")[0].removeprefix("d = ")) for label, *_ in cases)


@rederives(f"{PAPER}weights.gather_weights", None)
def weights(piece, _):
    """Levels and divisors; Algorithm 2 less 1; Algorithm 1 by the trapezoid rule and its ends."""
    division = [
        {"Q": q, "levels": q + 1, "divided_by": q, "additive_game": Fraction(q + 1, q)}
        for q in GAPS
    ]
    halving, ends, largest = [], [], {}
    for d in range(2, top_of(piece["ends"]) + 1):
        for q in GAPS:
            difference = [x - y for x, y in zip(halved(q, d), plain(q, d), strict=True)]
            middle = [Fraction(0)] * d
            if q % 2 == 0:
                middle = size_law([Fraction(1, 2)], [Fraction(1, q)], d)
            halving += entries(f"d = {d}, Q = {q}", difference, middle)
        for q in FIXED:
            law = plain(q, d)
            nodes = [Fraction(k, q) for k in range(q + 1)]
            shares = [Fraction(1, q)] * (q + 1)
            shares[0] = shares[-1] = Fraction(1, 2 * q)
            smooth = size_law(nodes, shares, d)
            both_ends = [Fraction((s == 0) + (s == d - 1), 2 * q) for s in range(d)]
            closed = [x + y for x, y in zip(smooth, both_ends, strict=True)]
            ends += entries(f"d = {d}, Q = {q}", law, closed)
            largest[d, q] = worst(law)
    return {"division": division, "halving": halving, "ends": ends, "worst": largest}


@rederives(f"{PAPER}weights.gather_appendix", None)
def sums_of_the_appendix(piece, _):
    """Levels less their mirror images; the sum from i = 1 against Algorithm 2; Q + 1 levels."""
    sign = []
    for q in GAPS:
        half = q // 2 + 1
        sign.append({"Q": q, "sum": sum(loop(both(0, q), q, 4, [1] * half + [-1] * half))})
    top = piece["of"] // len(GAPS) + 1
    unequal = sum(appendix(q, d) != halved(q, d) for d in range(2, top + 1) for q in GAPS)
    draws = []
    for q in GROWING:
        coalitions = 2 * (q // 2 + 1)
        row = {"Q": q, "coalitions": coalitions, "bits": coalitions * OTHERS}
        draws.append(row | {"first": q, "second": q * OTHERS})
    outer = [{"Q": q, "sum": q + 1, "shapley": 1} for q in GROWING]
    made = {"sign": sign, "outer": outer, "draws": draws, "players": OTHERS}
    return made | {"unequal": unequal, "of": (top - 1) * len(GAPS)}


@rederives(
    f"{PAPER}weights.gather_random_numbers",
    lambda made: made["rows"][-1]["bits"] == made["rows"][-3]["bits"],
)
def random_numbers(*_):
    """Q + 1 levels of M coalitions of four bits."""
    sizes = [*((q, 2) for q in GROWING), *((GROWING[0], m) for m in (2, 4, 8))]
    return {
        "rows": [{"Q": q, "M": m, "levels": q + 1, "bits": (q + 1) * m * OTHERS} for q, m in sizes]
    }


@rederives(
    f"{PAPER}others.gather_others",
    lambda made: (
        all(a == b for _, a, b in made["kernel"]) and any(a != b for _, a, b in made["others"])
    ),
)
def others(piece, _):
    """max(0, x - 2) of sums of 3, 2 and 1: its values, and shares of the whole of 4."""
    sums = [sum(x for j, x in enumerate((3, 2, 1)) if index >> j & 1) for index in range(8)]
    exact = shapley([Fraction(max(0, total - 2)) for total in sums])
    shares = [Fraction(4 * x, 6) for x in (3, 2, 1)]
    return {
        "kernel": entries("KernelSHAP", exact, exact),
        "others": entries("share of the input", shares, exact),
    }


@rederives(f"{PAPER}convergence.gather_limit", None)
def limit(piece, _):
    """The worst bias at growing Q."""
    rows = []
    for number, law in enumerate((plain, halved), start=1):
        for d in dict.fromkeys(row["players"] for row in piece["rows"]):
            biases = {f"Q = {q}": worst(law(q, d)) for q in (4, 16, 64, 256)}
            rows.append({"algorithm": number, "players": d} | biases)
    return {"rows": rows}


@rederives(f"{PAPER}comparisons.gather_counts", None)
def counts(piece, _):
    """Walks of d after the first value; two draws of d + 1 values at each level."""
    rows = []
    for samples, d in ((12, 4), (12, 16), (12, 784), (200, 4), (200, 16)):
        row = {"samples": samples, "players": d, "castro": samples * d + 1}
        levels = samples // 2 + 1
        row |= {"owen": 2 * (d + 1) * levels, "halved": 4 * (d + 1) * ((levels + 1) // 2)}
        rows.append(row | {"halved_over_castro": row["halved"] / row["castro"]})
    return {"rows": rows}


@rederives(f"{PAPER}comparisons.gather_speed", None)
def speed(piece, _):
    """The same counts for 2000 samples of 16 players; the seconds are printed."""
    d, samples = piece["players"], 2000
    levels = samples // 2 + 1
    counts = {"castro": samples * d + 1, "owen": 2 * (d + 1) * levels}
    counts["halved"] = 4 * (d + 1) * ((levels + 1) // 2)
    return {"rows": [{"method": name, "evaluations": n} for name, n in counts.items()]}


def term(model, reading, q):
    """Expectation of one term of line 6 for the first of four players."""
    total = Fraction(0)
    for bits in product((0, 1), repeat=4):
        with_player = {
            "literal": [bits[0] + 1, *bits[1:]],
            "union": [1, *bits[1:]],
            "corrected": [1, *bits[1:]],
        }[reading]
        without = [0, *bits[1:]] if reading == "corrected" else list(bits)
        chance = q ** sum(bits) * (1 - q) ** (4 - sum(bits))
        total += chance * (model(with_player) - model(without))
    return total


@rederives(f"{PAPER}notation.gather_line", None)
def line(piece, draws):
    """Three readings of line 6 on a linear model and its square."""
    x = draws.integers("ol21-02e", "linear", count=4)
    x[0] = x[0] or Fraction(1)
    levels = [Fraction(k, 4) for k in range(4)]
    rows = []
    for name, power in (("linear", 1), ("quadratic", 2)):

        def model(multiples, power=power):
            return sum(a * b for a, b in zip(multiples, x, strict=True)) ** power

        wanted = [term(model, "corrected", q) for q in levels]
        for reading in ("literal", "union", "corrected"):
            values = [term(model, reading, q) for q in levels]
            differ = sum(a != b for a, b in zip(values, wanted, strict=True))
            row = {"model": name, "reading": reading, "levels_that_differ": differ}
            rows.append(row | {"at_1/2": values[2], "equation_3": wanted[2]})
    return {"rows": rows}


@rederives(
    f"{PAPER}integral.gather_efficiency",
    lambda made: all(total == gain for _, _, total, gain in made["cases"]),
)
def efficiency(piece, draws):
    """Sums of values, v(N), and v(N) - v(empty)."""
    cases = []
    for d, number in numbered([label for label, *_ in piece["cases"]]):
        values = draws.game("ol21-06b", players=d, number=number)
        if values[0]:
            label, gain = f"d = {d}, game {number}", values[-1] - values[0]
            cases.append((label, *map(float, (sum(shapley(values)), values[-1], gain))))
    return {"cases": cases}


@rederives(f"{PAPER}description.gather_rows", None)
def rows_of_clients(piece, _):
    """Rows that remain of the file: those left out for either reason are counted once."""
    first, other, both = piece["left_out"].values()
    return {"remaining": piece["in_file"] - first - other + both}
