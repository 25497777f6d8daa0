"""Chen, Covert, Lundberg and Lee 2023: credit under removals, from populations of listed rows.

A law with whole weights is the population in which each row stands as often as its weight says.
"""

import re
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from .definitions import entries, game_of, numbered, shapley
from .registry import equal_sides, rederives

PAPER = "chen_covert_lundberg_lee_2023/"
LAW = re.compile(r"d = (\d+), law (\d+)")
ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)


class BinaryPopulation(NamedTuple):
    """A population of binary rows and the outputs of a model, by row."""

    label: str
    population: list
    outputs: dict

    @property
    def rows(self):
        """All combinations, in order."""
        return list(self.outputs)

    def model(self, row):
        """The output at a row."""
        return self.outputs[tuple(row)]

    def blunt(self, row):
        """The model without its last feature."""
        return self.outputs[(*row[:-1], ZERO)]


def worlds(labels, draws, name):
    """The random laws and models that some labels name."""
    for d, number in numbered(labels, LAW):
        rows = list(product((ZERO, ONE), repeat=d))
        drawn = draws.integers(name, d, number - 1, count=2 * len(rows))
        counts, outputs = drawn[: len(rows)], drawn[len(rows) :]
        population = [
            row for row, c in zip(rows, counts, strict=True) for _ in range(abs(int(c)) + 1)
        ]
        yield BinaryPopulation(
            f"d = {d}, law {number}", population, dict(zip(rows, outputs, strict=True))
        )


def names(cases):
    """Labels of cases."""
    return [label for label, *_ in cases]


def agree(row, x, members):
    """Whether two rows are equal on a coalition."""
    return all(row[j] == x[j] for j in range(len(x)) if members >> j & 1)


def mean(values):
    """The mean of some numbers."""
    values = list(values)
    return sum(values, ZERO) / len(values)


def conditional(model, x, population):
    """Mean output over the part of a population that agrees with x, by coalition."""
    return [
        mean(model(row) for row in population if agree(row, x, members))
        for members in range(1 << len(x))
    ]


def margins(population):
    """Share of ones in each column."""
    return [mean(column) for column in zip(*population, strict=True)]


def independent(model, x, shares):
    """Mean output with absent bits independent, with these shares of ones, by coalition."""
    d, values = len(x), []
    for members in range(1 << d):
        total = ZERO
        for row in product((ZERO, ONE), repeat=d):
            chance = ONE
            for j, bit in enumerate(row):
                if members >> j & 1:
                    chance *= bit == x[j]
                else:
                    chance *= shares[j] if bit else 1 - shares[j]
            total += chance * model(row) if chance else 0
        values.append(total)
    return values


def played(model, x, population):
    """Games of all removals by name."""
    return {
        "baseline": game_of(model, x, [min(population)]),
        "uniform": independent(model, x, [HALF] * len(x)),
        "product of marginals": independent(model, x, margins(population)),
        "marginal": game_of(model, x, population),
        "conditional": conditional(model, x, population),
    }


def spread(values):
    """Mean of squares less the squared mean."""
    values = list(values)
    return mean(v * v for v in values) - mean(values) ** 2


@rederives(f"{PAPER}unused.gather_baselines")
def baselines(piece, draws):
    """Variances of means over one of the two rows, and what is left by the explicand."""
    cases, shares = [], []
    for world in worlds(names(piece["cases"]), draws, "ccll23-25"):
        values = {
            (x, b): shapley(game_of(world.model, x, [b])) for x, b in product(world.rows, repeat=2)
        }
        for i in range(len(world.rows[0])):
            own = {pair: value[i] for pair, value in values.items()}
            by_b = spread(mean(own[x, b] for x in world.population) for b in world.population)
            by_x = spread(mean(own[x, b] for b in world.population) for x in world.population)
            whole = spread(own[pair] for pair in product(world.population, repeat=2))
            cases.append((f"{world.label}, feature {i + 1}", by_b, by_x))
            shares += [(whole - by_x) / whole] if whole else []
    return {"cases": cases, "shares": shares}


def _follows(made):
    told = all(row["tells"] == (row["credit"] != 0) for row in made["rows"])
    return told and made["covariance"] != 0 and not any(made["orthogonal"])


@rederives(f"{PAPER}unused.gather_unused", _follows)
def unused(piece, draws):
    """Largest conditional value of the last feature, which the model does not use."""
    rows = []
    for world in worlds([row["law"] for row in piece["rows"]], draws, "ccll23-26"):
        shares = margins(world.population)
        for kind in ("dependent", "independent"):
            tables = [
                conditional(world.blunt, x, world.population)
                if kind == "dependent"
                else independent(world.blunt, x, shares)
                for x in world.rows
            ]
            half = len(tables[0]) // 2
            row = {"law": f"{world.label}, {kind}"}
            row["tells"] = any(table[half:] != table[:half] for table in tables)
            rows.append(row | {"credit": max(abs(shapley(table)[-1]) for table in tables)})
    cells = {(-1, -1): 2, (-1, 1): 1, (0, -1): 1, (0, 1): 1, (1, -1): 1, (1, 1): 2}
    population = [x for x, count in cells.items() for _ in range(count)]
    values = [shapley(conditional(lambda r: Fraction(r[0] == 0), x, population)) for x in cells]
    covariance = mean(Fraction(a * b) for a, b in population)
    return {"rows": rows, "covariance": covariance, "orthogonal": [value[1] for value in values]}


@rederives(f"{PAPER}unused.gather_ignored")
def ignored(piece, draws):
    """Values of the last feature, which the model does not use."""
    cases = []
    for world in worlds(names(piece["cases"]), draws, "ccll23-26"):
        tables = [played(world.blunt, x, world.population) for x in world.rows]
        for name in ("baseline", "uniform", "product of marginals", "marginal"):
            cases += [
                (f"{world.label}, {name}", shapley(table[name])[-1], ZERO) for table in tables
            ]
    return {"cases": cases}


@rederives(f"{PAPER}unused.gather_matching")
def matching(piece, draws):
    """Values of features that explicand and baseline share."""
    cases = []
    for world in worlds(names(piece["cases"]), draws, "ccll23-29"):
        for x, b in product(world.rows, repeat=2):
            values = shapley(game_of(world.model, x, [b]))
            cases += [
                (f"{world.label}, feature {i + 1}", values[i], ZERO)
                for i in range(len(x))
                if x[i] == b[i]
            ]
    return {"cases": cases, "marginal": 0 - HALF}


@rederives(f"{PAPER}unused.gather_axioms")
def axioms(piece, draws):
    """Sums, sums of games, a player worth 7 that joins, and two players made alike."""
    cases = []
    for world in worlds(names(piece["cases"]), draws, "ccll23-30"):
        x = world.rows[-1]
        other = played(world.blunt, x, world.population)
        for name, table in played(world.model, x, world.population).items():
            label, own = f"{world.label}, {name}", shapley(table)
            cases.append((f"{label}, efficiency", sum(own), table[-1] - table[0]))
            added = shapley([a + b for a, b in zip(table, other[name], strict=True)])
            both = [a + b for a, b in zip(own, shapley(other[name]), strict=True)]
            cases += entries(f"{label}, additivity", added, both)
            joined = shapley([*table, *(value + 7 for value in table)])
            cases += entries(f"{label}, dummy", joined, [*own, Fraction(7)])
            swap = {0: 0, 1: 2, 2: 1, 3: 3}
            alike = [value + table[s - s % 4 + swap[s % 4]] for s, value in enumerate(table)]
            cases.append((f"{label}, symmetry", *shapley(alike)[:2]))
    return {"cases": cases}


def _not_told(made):
    return any(row["first"] or row["second"] for row in made["hidden"])


@rederives(f"{PAPER}unused.gather_identify", _not_told)
def identify(piece, draws):
    """Values of the feature not in use, and of (x1 - x2)^2 where the two are copies."""
    cases, credit = [], 0
    for world in worlds(names(piece["unused"]), draws, "ccll23-55"):
        for x in world.rows:
            games = played(world.blunt, x, world.population)
            value = shapley(games["marginal"])[-1]
            cases.append((f"{world.label}, the feature not in use", value, ZERO))
            credit += shapley(games["conditional"])[-1] != 0
    copies = [(ZERO, ZERO), (ONE, ONE)]
    hidden = []
    for x in copies:
        first, second = shapley(game_of(lambda r: (r[0] - r[1]) ** 2, x, copies))
        hidden.append({"explicand": f"({x[0]}, {x[1]})", "first": first, "second": second})
    return {"unused": cases, "spread": credit, "hidden": hidden}


@rederives(f"{PAPER}unused.gather_dependence")
def dependence(piece, draws):
    """Whether a feature has a value, and whether flipping it changes an output."""
    cases = []
    for world in worlds(names(piece["cases"]), draws, "ccll23-55b"):
        kept = [
            row
            for row in world.population
            if world.rows.index(row) in (0, 3) or world.population.count(row) > 5
        ]
        for kind, model in (("all", world.model), ("but the last", world.blunt)):
            values = [shapley(game_of(model, x, kept)) for x in world.rows]
            valued = [Fraction(any(column)) for column in zip(*values, strict=True)]
            used = [
                Fraction(any(model(x) != model(_flipped(x, i)) for x in world.rows))
                for i in range(len(valued))
            ]
            cases += entries(f"{world.label}, {kind}", valued, used)
    return {"cases": cases}


def _flipped(row, i):
    return [1 - value if i == j else value for j, value in enumerate(row)]


def _laws(piece_labels, draws):
    """Populations that the claims on independence look at, by label, and shares if independent."""
    for world in worlds(piece_labels, draws, "ccll23-27"):
        yield f"{world.label}, dependent", world.population, None
        yield f"{world.label}, independent", world.rows, margins(world.population)
    rows = list(product((ZERO, ONE), repeat=3))
    for label, twice in (
        ("only the first two dependent", lambda row: row[0] == row[1]),
        ("every two independent, not all three", lambda row: sum(row) % 2 == 1),
    ):
        yield label, [row for row in rows for _ in range(2 if twice(row) else 1)], None


def _chance(population, shares, x, members):
    """P(X_S = x_S)."""
    if shares is None:
        return mean(Fraction(agree(row, x, members)) for row in population)
    chance = ONE
    for j, bit in enumerate(x):
        if members >> j & 1:
            chance *= shares[j] if bit else 1 - shares[j]
    return chance


def _is_product(population, shares):
    """Whether chances of rows are products of those of their bits."""
    if shares is not None:
        return True
    ones, d = margins(population), len(population[0])
    whole = (1 << d) - 1
    return all(
        _chance(population, None, x, whole) == _chance(population, ones, x, whole)
        for x in product((ZERO, ONE), repeat=d)
    )


def _milder(made):
    return any(0 < row["independent"] < row["coalitions"] for row in made["rows"])


@rederives(f"{PAPER}independence.gather_assumptions", _milder)
def assumptions(piece, draws):
    """Coalitions on which the features are independent of the others, by law."""
    rows = []
    for label, population, shares in _laws([row["law"] for row in piece["rows"]], draws):
        d = len(population[0])
        whole, held = (1 << d) - 1, 0
        for s in range(1, whole):
            held += all(
                _chance(population, shares, x, whole)
                == _chance(population, shares, x, s) * _chance(population, shares, x, whole ^ s)
                for x in product((ZERO, ONE), repeat=d)
            )
        row = {"law": label, "coalitions": whole - 1, "independent": held}
        rows.append(row | {"product": _is_product(population, shares)})
    return {"rows": rows}


@rederives(f"{PAPER}independence.gather_agreement", equal_sides)
def agreement(piece, draws):
    """Games of indicators of rows; the values of x1 x2 of two copies."""
    cases, distances = [], []
    for label, population, shares in _laws(names(piece["cases"]), draws):
        is_product, ones = _is_product(population, shares), margins(population)
        rows = list(product((ZERO, ONE), repeat=len(ones)))
        apart = {"marginal": ZERO, "product of marginals": ZERO}
        for x, other in product(rows, repeat=2):
            if shares is None:
                model = lambda row, other=other: Fraction(tuple(row) == other)  # noqa: E731
                games = played(model, x, population)
                for name in apart:
                    pairs = zip(games[name], games["conditional"], strict=True)
                    apart[name] += sum((a - b) ** 2 for a, b in pairs)
        for name, off in apart.items():
            cases.append((f"{label}, {name}", Fraction(not off), Fraction(is_product)))
        if not is_product:
            marginal, other = apart.values()
            distances.append({"law": label, "marginal": marginal, "product": other})
    # v of one copy is 1/2, or 1 if the other is then known; v of none is 1/2 or 1/4.
    games = ([HALF, HALF, HALF, ONE], [HALF * HALF, HALF, HALF, ONE], [HALF, ONE, ONE, ONE])
    values = [shapley(game)[0] for game in games]
    return {"cases": cases, "distances": distances, "values": values}


@rederives(f"{PAPER}independence.gather_ranges", None)
def ranges(piece, _):
    """Order statistics by counting pairs of places, and of gaps that have no memory."""
    rows, exact = [], []
    for n in [row["rows"] for row in piece["rows"]]:
        bounded, unbounded = _uniform(n), _exponential(n)
        rows.append({"rows": n, "bounded": float(bounded), "unbounded": float(unbounded)})
    exact = [(_uniform(n), _exponential(n)) for n in (2, 3)]
    return {"rows": rows, "exact": exact, "limit": Fraction(1, 3)}


def _uniform(n):
    """Moments of the k-th of n uniform numbers: E u_j u_k = j (k + 1) / ((n + 1) (n + 2))."""
    scale = (n + 1) * (n + 2)
    return Fraction(1 * 2 + 1 * (n + 1) + n * (n + 1), 3 * scale)


def _exponential(n):
    """The largest of n is a sum of waits of mean 1/n, ..., 1; the first of them is the least."""
    waits = [Fraction(1, k) for k in range(1, n + 1)]
    total, squares = sum(waits), sum(w * w for w in waits)
    largest = total**2 + squares
    both = waits[-1] * total + waits[-1] ** 2
    return (2 * waits[-1] ** 2 + both + largest) / 3
