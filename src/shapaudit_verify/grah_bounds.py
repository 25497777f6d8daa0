"""Grah and Thouvenot 2020: what it prints besides, of averages, bounds, walks and their cost."""

from fractions import Fraction
from math import comb, sqrt

from .definitions import kernel, numbered, walks
from .grah import PAPER, games
from .registry import equal_sides, rederives


def improved(made):
    """Whether importance sampling has the smaller bound for every d from 3 on."""
    later = [row for row in made["rows"] if row["players"] > 2]
    return all(
        row["importance_d"] < row["uniform_d"] and row["importance_c"] < row["uniform_c"]
        for row in later
    )


@rederives(f"{PAPER}constants.improvement.gather_improvement", improved)
def improvement(piece, _):
    """2 n sqrt(d - 1)/d (sqrt(d - 1) D + C) and B, by the definition of the weights."""
    rows = []
    for d in range(2, 2 + len(piece["rows"])):
        n, shares = 2**d - 2, [comb(d, s) * kernel(d, s) for s in range(1, d)]
        rows.append(
            {
                "players": d,
                "uniform_d": Fraction(2 * n * (d - 1), d),
                "importance_d": 2 * sum(s * share for s, share in enumerate(shares, 1)),
                "uniform_c": 2 * n * sqrt(d - 1) / d,
                "importance_c": 2
                * sum(sqrt(s) * float(share) for s, share in enumerate(shares, 1)),
            }
        )
    return {"rows": rows}


@rederives(f"{PAPER}rates.online_average.gather_average")
def online_average(piece, _):
    """The weight of phi_t after T updates: rho_t times all later 1 - rho."""
    cases = []
    for last in range(1, piece["last"] + 1):
        for t in range(last + 1):
            weight = Fraction(2, t + 2)
            for later in range(t + 1, last + 1):
                weight *= Fraction(later, later + 2)
            printed = Fraction(2 * (t + 1), (last + 1) * (last + 2))
            cases.append((f"T = {last}, entry {t + 1}", weight, printed))
    return {"cases": cases, "last": piece["last"]}


@rederives(f"{PAPER}probability.printed_deviation.gather_printed", lambda made: False)
def printed_deviation(piece, _):
    """The path on which one of two players is drawn always, in two entries, and where it counts."""
    phi = [Fraction(1, 2), Fraction(1, 2)]
    iterates = [phi]
    for t in range(1, len(piece["errors"]) + 1):
        moved = [phi[0] - Fraction(4, t + 1) * 2 * phi[0], phi[1]]
        missing = (1 - sum(moved)) / 2
        phi = [x + missing for x in moved]
        iterates.append(phi)
    errors = []
    for last in range(1, len(iterates)):
        weight = Fraction(2, (last + 1) * (last + 2))
        mean = [weight * sum((t + 1) * iterates[t][j] for t in range(last + 1)) for j in (0, 1)]
        errors.append(sum((x - Fraction(1, 2)) ** 2 for x in mean))
    kappas = {"B/mu": Fraction(2 * 3, 1) / Fraction(1, 2), "as printed": Fraction(4 * 2 * 3)}
    readings = [
        {"version": version, "kappa": name, "factor": factor * kappa**2}
        for version, factor in (("HAL, Section 8.2", 4), ("arXiv, Section 4.2", 16))
        for name, kappa in kappas.items()
    ]
    experiments = []
    for d, steps, step in ((16, 32_000, 0.01), (300, 60_000, 0.001)):
        root = 2 * d * sum(1 / k for k in range(1, d))
        constant = 4 * d / (step * (d - 1) * root**2)
        row = {"players": d, "steps": steps, "inverse": steps / root**2}
        experiments.append(row | {"square_root": sqrt(steps) / root, "constant": constant})
    return {
        "errors": errors,
        "largest_square_norm": max(x * x + y * y for x, y in iterates),
        "square_radius": 4,
        "readings": [reading | {"steps": 48 * reading["factor"] ** 2} for reading in readings],
        "experiments": experiments,
    }


@rederives(f"{PAPER}algorithms.walk.gather_walk")
def walk(piece, draws):
    """Shares of permutations with each contribution, and of coalitions by their size."""
    cases, seen = [], 0
    for label, d, values in games(draws, "gt20-18f", piece["cases"]):
        seen += 1
        orders = [gains for _, gains in walks(values)]
        for j in range(d):
            walked, drawn = {}, {}
            for gains in orders:
                walked[gains[j]] = walked.get(gains[j], 0) + Fraction(1, len(orders))
            for members in range(1 << d):
                if not members >> j & 1:
                    gain = values[members | 1 << j] - values[members]
                    chance = Fraction(1, d * comb(d - 1, members.bit_count()))
                    drawn[gain] = drawn.get(gain, 0) + chance
            for gain in sorted(walked.keys() | drawn.keys()):
                name = f"{label}, player {j + 1}, contribution {gain}"
                cases.append((name, walked.get(gain, Fraction(0)), drawn.get(gain, Fraction(0))))
    top = max(d for d, _ in numbered([case[0] for case in piece["cases"]]))
    return {"cases": cases, "games": seen, "max_dimension": top}


def better_rate(made):
    """Whether the ratio of the errors, that of the draws, leaves a half, which would be a rate."""
    last = made["rows"][-1]
    ratio = Fraction(last["draws"], last["permutations"])
    return equal_sides(made) and abs(ratio - Fraction(1, 2)) >= Fraction(1, 100)


@rederives(f"{PAPER}algorithms.walk.gather_gain", better_rate)
def gain(piece, draws):
    """The shares, and the permutations and draws of equal evaluations."""
    rows = [
        {"players": d, "evaluations": b, "draws": b // (2 * d), "permutations": (b - 1) // d}
        for d, budgets in ((16, (33, 1616, 32_000)), (300, (601, 3300, 60_000)))
        for b in budgets
    ]
    return walk(piece, draws) | {"rows": rows}


@rederives(f"{PAPER}algorithms.enumeration.gather_enumeration", lambda made: False)
def enumeration(piece, _):
    """One evaluation for each coalition, two being printed."""
    rows = [
        {"players": d, "coalitions": 1 << d, "evaluations": 1 << d, "largest_difference": 0.0}
        for d in (2, 5, 10)
    ]
    return {"rows": rows, "per_coalition": 2, "printed_players": 30}
