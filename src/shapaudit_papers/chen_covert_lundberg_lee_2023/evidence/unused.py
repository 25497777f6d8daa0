"""Evidence on claims 25, 26, 29, 30 and 55: which features have nonzero values, and the axioms."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

import numpy as np

from shapaudit.truth.rational import shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import vector_cases
from shapaudit_papers.theory.joint_tables import (
    REMOVALS,
    Game,
    JointLaw,
    conditional,
    factorised,
    marginal,
)
from shapaudit_papers.theory.removal import Model, Row, baseline_game

from .laws import worlds

ZERO, ONE = Fraction(0), Fraction(1)
DUMMY = Fraction(7)  # what the player that is added to a game is worth alone
Values = Callable[[np.ndarray], np.ndarray]


def gather_baselines(context: Context, game: Callable = baseline_game) -> Evidence:
    """Decompose the variance of baseline values over explicands and baselines from one law.

    A case compares the variance that the baseline alone explains with the variance that the
    explicand alone explains. ``shares`` are the parts of the variance in which the baseline is
    involved.
    """
    cases, shares = [], []
    for world in worlds(context, "ccll23-25"):
        rows = world.law.rows
        values = {
            (x, b): shapley_values(game(world.model, list(x), list(b)))
            for x, b in product(rows, repeat=2)
        }
        for i in range(len(rows[0])):
            own = {pair: value[i] for pair, value in values.items()}
            by_baseline, by_explicand, whole = _parts(world.law, own)
            cases.append(Case(f"{world.label}, feature {i + 1}", by_baseline, by_explicand))
            if whole:
                shares.append(1 - by_explicand / whole)
    return {"cases": cases, "shares": shares}


def _parts(law: JointLaw, values: Mapping) -> tuple[Fraction, Fraction, Fraction]:
    """Return the variances due to the baseline and to the explicand alone, and the whole variance.

    ``values`` are the values of one feature by explicand and baseline, which are independent.
    """

    def over_explicands(baseline: Row) -> Fraction:
        return law.mean(lambda x: values[x, baseline])

    def over_baselines(explicand: Row) -> Fraction:
        return law.mean(lambda b: values[explicand, b])

    def square(explicand: Row) -> Fraction:
        return law.mean(lambda b: values[explicand, b] ** 2)

    whole = law.mean(square) - law.mean(over_baselines) ** 2
    return _variance(law, over_explicands), _variance(law, over_baselines), whole


def _variance(law: JointLaw, function: Callable[[Row], Fraction]) -> Fraction:
    return law.mean(lambda row: function(row) ** 2) - law.mean(function) ** 2


def gather_unused(context: Context, game: Game = conditional) -> Evidence:
    """Return conditional values of a feature that the model does not use, under various laws.

    ``tells`` is whether the feature changes the expected output given some of the other
    features. ``orthogonal`` are the values of a feature that is correlated with the only one in
    use.
    """
    rows = []
    for world in worlds(context, "ccll23-26"):
        model = world.ignoring_last()
        for kind, law in (("dependent", world.law), ("independent", factorised(world.law))):
            credit = max(abs(shapley_values(game(model, x, law))[-1]) for x in law.rows)
            tells = any(_tells(conditional(model, x, law)) for x in law.rows)
            rows.append({"law": f"{world.label}, {kind}", "tells": tells, "credit": credit})
    cells = {(-1, -1): 2, (-1, 1): 1, (0, -1): 1, (0, 1): 1, (1, -1): 1, (1, 1): 2}
    law = JointLaw([tuple(map(Fraction, x)) for x in cells], [Fraction(w) for w in cells.values()])
    values = [shapley_values(game(lambda row: Fraction(row[0] == 0), x, law)) for x in law.rows]
    return {
        "rows": rows,
        "covariance": law.mean(lambda x: x[0] * x[1]),
        "orthogonal": [value[1] for value in values],
    }


def _tells(values: np.ndarray) -> bool:
    """Return whether the last player changes any value of the game."""
    half = len(values) // 2
    return bool((values[half:] != values[:half]).any())


def gather_ignored(context: Context, removals: Mapping[str, Game] = REMOVALS) -> Evidence:
    """Return the values that all but conditional removals give a feature that is not used."""
    cases = []
    for world in worlds(context, "ccll23-26"):
        model = world.ignoring_last()
        for name, game in removals.items():
            if name == "conditional":
                continue
            for x in world.law.rows:
                value = shapley_values(game(model, x, world.law))[-1]
                cases.append(Case(f"{world.label}, {name}", value, ZERO))
    return {"cases": cases}


def gather_matching(context: Context, game: Callable = baseline_game) -> Evidence:
    """Return the baseline values of features that equal the baseline, and a marginal example.

    In the example f(x) = x, explicand and baseline are 0, and the background has the rows 0 and
    1: the marginal value is not 0.
    """
    cases = []
    for world in worlds(context, "ccll23-29"):
        for x, b in product(world.law.rows, repeat=2):
            values = shapley_values(game(world.model, list(x), list(b)))
            cases += [
                Case(f"{world.label}, feature {i + 1}", value, ZERO)
                for i, value in enumerate(values)
                if x[i] == b[i]
            ]
    law = JointLaw([(ZERO,), (ONE,)], [ONE, ONE])
    example = shapley_values(marginal(lambda row: row[0], (ZERO,), law))
    return {"cases": cases, "marginal": example[0]}


def gather_axioms(context: Context, values: Values = shapley_values) -> Evidence:
    """Return both sides of each axiom for the games of every removal."""
    cases: list[Case] = []
    for world in worlds(context, "ccll23-30"):
        x = world.law.rows[-1]
        for name, game in REMOVALS.items():
            table = game(world.model, x, world.law)
            other = game(world.ignoring_last(), x, world.law)
            label = f"{world.label}, {name}"
            cases += _axioms(label, table, other, values)
    return {"cases": cases, "removals": list(REMOVALS)}


def _axioms(label: str, table: np.ndarray, other: np.ndarray, values: Values) -> Iterator[Case]:
    """Yield the cases of efficiency, additivity, dummy player and symmetry, in this order."""
    own = values(table)
    yield Case(f"{label}, efficiency", Fraction(own.sum()), table[-1] - table[0])
    yield from vector_cases(f"{label}, additivity", values(table + other), own + values(other))
    joined = values(np.concatenate([table, table + DUMMY]))
    yield from vector_cases(f"{label}, dummy", joined, np.append(own, [DUMMY]))
    index = np.arange(len(table))
    swapped = (index & ~3) | (index & 1) << 1 | (index >> 1 & 1)
    alike = values(table + table[swapped])
    yield Case(f"{label}, symmetry", alike[0], alike[1])


def gather_identify(context: Context, game: Game = marginal) -> Evidence:
    """Return values of a feature that the model does not use, marginal and conditional.

    ``unused`` are its marginal values, ``spread`` counts its nonzero conditional ones.
    ``hidden`` are the marginal values of a model of both features, (x1 - x2)^2, under a law in
    which the two are equal.
    """
    unused, spread = [], []
    for world in worlds(context, "ccll23-55"):
        model = world.ignoring_last()
        for x in world.law.rows:
            value = shapley_values(game(model, x, world.law))[-1]
            unused.append(Case(f"{world.label}, the feature not in use", value, ZERO))
            spread.append(shapley_values(conditional(model, x, world.law))[-1])
    copies = JointLaw([(ZERO, ZERO), (ONE, ONE)], [ONE, ONE])
    both = [
        shapley_values(game(lambda row: (row[0] - row[1]) ** 2, x, copies)) for x in copies.rows
    ]
    hidden = [
        {"explicand": f"({x[0]}, {x[1]})", "first": value[0], "second": value[1]}
        for x, value in zip(copies.rows, both, strict=True)
    ]
    return {"unused": unused, "spread": sum(map(bool, spread)), "hidden": hidden}


def gather_dependence(context: Context, game: Game = marginal) -> Evidence:
    """Return whether a feature has a nonzero marginal value somewhere, and whether it is used.

    The laws lack some of the rows; the explicands are all combinations of values.
    """
    cases: list[Case] = []
    for world in worlds(context, "ccll23-55b"):
        kept = [k for k, weight in enumerate(world.law.weights) if k in (0, 3) or weight > 5]
        law = JointLaw([world.law.rows[k] for k in kept], [world.law.weights[k] for k in kept])
        for kind, model in (("all", world.model), ("but the last", world.ignoring_last())):
            values = np.array([shapley_values(game(model, x, law)) for x in world.law.rows])
            nonzero = [Fraction(bool(any(column))) for column in values.T]
            used = [Fraction(uses) for uses in _used(model, world.law.rows)]
            cases += vector_cases(f"{world.label}, {kind}", nonzero, used)
    return {"cases": cases}


def _used(model: Model, rows: Sequence[Row]) -> list[bool]:
    """Return, for each feature, whether changing it alone changes the output at one of the rows.

    ``rows`` are all binary rows.
    """
    return [
        any(model(row) != model([*row[:i], 1 - row[i], *row[i + 1 :]]) for row in rows)
        for i in range(len(rows[0]))
    ]
