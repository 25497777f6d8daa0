"""Evidence on claim 5: the variance bound of SVARM."""

from collections.abc import Callable
from fractions import Fraction
from math import comb, factorial

from shapaudit.audit.context import Context
from shapaudit.audit.evidence import Case, Evidence
from shapaudit.theory.pairing import predecessor_weights

EVALUATIONS = (2, 4, 10, 40, 100)  # after the warm-up, by player where there are that many


def size_law(n_players: int) -> list[Fraction]:
    """Probability of the sizes 1, ..., d of a coalition that serves its members: 1 / (s H_d)."""
    harmonic = sum(Fraction(1, size) for size in range(1, n_players + 1))
    return [1 / (size * harmonic) for size in range(1, n_players + 1)]


def mean_reciprocal(draws: int, chance: Fraction) -> Fraction:
    """E[1 / (1 + B)] for B binomial: (1 - (1 - p)^(m + 1)) / ((m + 1) p)."""
    return (1 - (1 - chance) ** (draws + 1)) / ((draws + 1) * chance)


def summed_reciprocal(draws: int, chance: Fraction) -> Fraction:
    """The same from the probabilities of the counts."""
    return sum(
        Fraction(comb(draws, k), k + 1) * chance**k * (1 - chance) ** (draws - k)
        for k in range(draws + 1)
    )


def gather_bound(context: Context, law: Callable[[int], list[Fraction]] = size_law) -> Evidence:
    """Laws of a served coalition; exact factors of the variance beside the bound's 2 H_d / T."""
    cases, rows = [], []
    settings = context.settings
    for d in range(2, settings.max_exact_dimension + 1):
        sizes = law(d)
        harmonic = sum(Fraction(1, size) for size in range(1, d + 1))
        chance = sum(p * Fraction(size, d) for size, p in enumerate(sizes, start=1))
        cases.append(Case(f"d = {d}, chance to be served", chance, 1 / harmonic))
        for size, p in enumerate(sizes, start=1):
            # Given that a player is served, its coalition's others are a set before the player.
            found = p * Fraction(size, d) / chance / comb(d - 1, size - 1)
            wanted = Fraction(factorial(size - 1) * factorial(d - size), factorial(d))
            cases.append(Case(f"d = {d}, size {size}", found, wanted))
        rows += [_row(d, d * n, chance, harmonic) for n in EVALUATIONS]
    for d in range(2, settings.brute_force_dimension + 1):
        total = predecessor_weights(d).sum()
        cases.append(Case(f"d = {d}, all sets before a player", total, Fraction(1)))
        for draws in range(1, 2 * d):
            sides = (
                summed_reciprocal(draws, 1 / Fraction(d)),
                mean_reciprocal(draws, Fraction(1, d)),
            )
            cases.append(Case(f"d = {d}, mean of 1/(1 + B), {draws} draws", *sides))
    return {"cases": cases, "rows": rows}


def _row(d, evaluations, chance, harmonic):
    """T evaluations after the warm-up: T/2 coalitions for their members, T/2 for the others."""
    exact = mean_reciprocal(evaluations // 2, chance)
    bound = 2 * harmonic / evaluations
    return {
        "players": d,
        "evaluations": evaluations,
        "exact": float(exact),
        "bound": float(bound),
        "share": float(exact / bound),
        "holds": exact <= bound,
    }
