"""Okhrati and Lipani 2021: how the algorithms weigh the levels of q, and what they cost."""

from fractions import Fraction
from itertools import product

from .definitions import entries, numbered, shapley, size_law, worst
from .registry import rederives

PAPER = "okhrati_lipani_2021/"
GAPS = (2, 3, 4, 5, 8, 9)
FIXED = (1, 2, 4, 8, 16, 32)


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


def top_of(piece):
    """The largest d of the cases."""
    return max(int(label.split(",")[0].removeprefix("d = ")) for label, *_ in piece["cases"])


@rederives(f"{PAPER}weights.gather_division", None)
def division(piece, _):
    """Q + 1 levels over Q."""
    return {
        "rows": [
            {"Q": q, "levels": q + 1, "divided_by": q, "additive_game": Fraction(q + 1, q)}
            for q in GAPS
        ]
    }


@rederives(f"{PAPER}weights.gather_halved", None)
def halving(piece, _):
    """Algorithm 2 counts the level 1/2 twice where Q is even."""
    cases = []
    for d in range(2, top_of(piece) + 1):
        for q in GAPS:
            difference = [x - y for x, y in zip(halved(q, d), plain(q, d), strict=True)]
            middle = [Fraction(0)] * d
            if q % 2 == 0:
                middle = size_law([Fraction(1, 2)], [Fraction(1, q)], d)
            cases += entries(f"d = {d}, Q = {q}", difference, middle)
    return {"cases": cases}


@rederives(f"{PAPER}weights.gather_sign", lambda made: made["rows"][0]["sum"] == 1)
def sign(piece, _):
    """Levels less their mirror images, on a game whose e(q) is constant."""
    rows = []
    for q in GAPS:
        half = q // 2 + 1
        law = loop(both(0, q), q, 4, [1] * half + [-1] * half)
        rows.append({"Q": q, "sum": sum(law), "shapley": Fraction(1)})
    return {"rows": rows}


@rederives(f"{PAPER}weights.gather_same", lambda made: made["unequal"] == 0)
def same(piece, _):
    """The appendix's sum against Algorithm 2."""
    top = piece["of"] // len(GAPS) + 1
    differ = {
        (d, q): sum(x != y for x, y in zip(appendix(q, d), halved(q, d), strict=True))
        for d in range(2, top + 1)
        for q in GAPS
    }
    rows = [
        {"Q": q, "players": d, "weights_that_differ": differ[d, q]}
        | {"of_an_additive_game": sum(appendix(q, d))}
        for d in (2, 4)
        for q in GAPS
    ]
    unequal = sum(count > 0 for count in differ.values())
    return {"rows": rows, "unequal": unequal, "of": (top - 1) * len(GAPS)}


@rederives(f"{PAPER}convergence.gather_limit", None)
def limit(piece, _):
    """The worst bias at growing Q."""
    rows = []
    for number, law in enumerate((plain, halved), start=1):
        for d in dict.fromkeys(row["players"] for row in piece["rows"]):
            biases = {f"Q = {q}": worst(law(q, d)) for q in (4, 16, 64, 256)}
            rows.append({"algorithm": number, "players": d} | biases)
    return {"rows": rows}


@rederives(f"{PAPER}convergence.gather_more_draws", lambda made: not any(made["worst"].values()))
def more_draws(piece, _):
    """The law of Algorithm 1: the trapezoid rule and the ends over Q."""
    cases, largest = [], {}
    for d in range(2, top_of(piece) + 1):
        for q in FIXED:
            law = plain(q, d)
            nodes = [Fraction(k, q) for k in range(q + 1)]
            weights = [Fraction(1, q)] * (q + 1)
            weights[0] = weights[-1] = Fraction(1, 2 * q)
            smooth = size_law(nodes, weights, d)
            ends = [Fraction((s == 0) + (s == d - 1), 2 * q) for s in range(d)]
            closed = [x + y for x, y in zip(smooth, ends, strict=True)]
            cases += entries(f"d = {d}, Q = {q}", law, closed)
            largest[d, q] = worst(law)
    return {"cases": cases, "worst": largest}


@rederives(f"{PAPER}comparisons.gather_counts", None)
def counts(piece, _):
    """Walks of d after the first value; two draws of d + 1 values at each level."""
    rows = []
    for samples, d in product((12, 200), (4, 16)):
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


GROWING = (4, 16, 64, 256)
OTHERS = 4  # players of the additive game


@rederives(f"{PAPER}appendix.gather_outer_factor", None)
def outer_factor(piece, _):
    """Q + 1 levels with contributions of 1, not divided and divided by Q."""
    return {
        "rows": [
            {"Q": q, "sum": q + 1, "sum_over_q": Fraction(q + 1, q), "shapley": 1} for q in GROWING
        ]
    }


@rederives(f"{PAPER}appendix.gather_draws", None)
def random_bits(piece, _):
    """M coalitions at each of the levels 0, 1/Q, ... up to a half."""
    rows = []
    for q in GROWING:
        coalitions = 2 * (q // 2 + 1)
        row = {"Q": q, "M": 2, "coalitions": coalitions, "bits": coalitions * OTHERS}
        rows.append(row | {"first": q, "second": q * OTHERS})
    return {"rows": rows, "players": OTHERS}


@rederives(
    f"{PAPER}appendix.gather_still_paths",
    lambda made: not any(row["error"] for row in made["rows"]),
)
def still_paths(piece, _):
    """What Algorithm 1 gives where every contribution is 1, whatever it draws."""
    rows = []
    for q in GROWING:
        estimate = sum(plain(q, OTHERS))
        rows.append({"Q": q, "estimate": estimate, "deviation": 0, "error": estimate - 1})
    return {"rows": rows}


@rederives(f"{PAPER}description.gather_rows", None)
def rows_of_clients(piece, _):
    """Rows that remain of the file: those left out for either reason are counted once."""
    first, other, both = piece["left_out"].values()
    return {"remaining": piece["in_file"] - first - other + both}
