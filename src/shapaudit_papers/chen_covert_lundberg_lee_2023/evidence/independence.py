"""Evidence on claims 27 and 28: what removals assume of the features, and ranges of data."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from shapaudit.truth.rational import shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_papers.theory.joint_tables import (
    Game,
    JointLaw,
    binary_rows,
    conditional,
    factorised,
    independent_parts,
    is_product,
    marginal,
    product_of_marginals,
    tabulated,
)

from .laws import worlds

ZERO, ONE = Fraction(0), Fraction(1)
SAMPLES = (2, 10, 100, 1000)  # rows, of which the ranges are taken


def laws(context: Context) -> list[tuple[str, JointLaw]]:
    """Yield random laws, their independent counterparts, and two laws with partial independence."""
    named_laws = []
    for world in worlds(context, "ccll23-27"):
        named_laws += [(f"{world.label}, dependent", world.law)]
        named_laws += [(f"{world.label}, independent", factorised(world.law))]
    rows = binary_rows(3)
    pair = [Fraction(2 if row[0] == row[1] else 1) for row in rows]
    even = [Fraction(2 if sum(row) % 2 else 1) for row in rows]
    named_laws.append(("only the first two dependent", JointLaw(rows, pair)))
    named_laws.append(("every two independent, not all three", JointLaw(rows, even)))
    return named_laws


def gather_assumptions(context: Context) -> Evidence:
    """Return for how many coalitions present and absent features are independent, by law.

    Beside it is whether all features are independent. The empty and the grand coalition do not
    count.
    """
    rows = []
    for label, law in laws(context):
        d = len(law.rows[0])
        held = [independent_parts(law, members) for members in range(1, (1 << d) - 1)]
        rows.append(
            {
                "law": label,
                "coalitions": len(held),
                "independent": sum(held),
                "product": is_product(law),
            }
        )
    return {"rows": rows}


def gather_agreement(context: Context, game: Game = marginal) -> Evidence:
    """Return whether games equal the conditional game for all models, and whether laws factorise.

    A basis of all models suffices. ``distances`` are sums of squared differences from the
    conditional game over this basis and all explicands, under laws of dependent features.
    ``values`` are those of x1 x2 at (1, 1) where both features are copies of each other:
    marginal, by the product of marginals, and conditional.
    """
    cases, distances = [], []
    for label, law in laws(context):
        product = is_product(law)
        apart = [_distance(played, law) for played in (game, product_of_marginals)]
        cases += [
            Case(f"{label}, {name}", Fraction(not off), Fraction(product))
            for name, off in zip(("marginal", "product of marginals"), apart, strict=True)
        ]
        if not product:
            distances.append({"law": label, "marginal": apart[0], "product": apart[1]})
    copies = JointLaw([(ZERO, ZERO), (ONE, ONE)], [ONE, ONE])
    x = (ONE, ONE)
    values = [
        shapley_values(played(lambda row: row[0] * row[1], x, copies))[0]
        for played in (game, product_of_marginals, conditional)
    ]
    return {"cases": cases, "distances": distances, "values": values}


def _distance(game: Game, law: JointLaw) -> Fraction:
    """Return the sum of squared differences from the conditional game, over a basis of models."""
    units = np.eye(len(law.rows), dtype=int).tolist()
    off = (
        game(model, x, law) - conditional(model, x, law)
        for model in (tabulated(law.rows, unit) for unit in units)
        for x in law.rows
    )
    return sum(((part**2).sum() for part in off), ZERO)


def uniform_square(rows: int) -> Fraction:
    """Return E of the mean of x^2 over the range of so many uniform rows on [0, 1].

    It is (a^2 + a b + b^2) / 3 for the range [a, b], and 1/3 over all of [0, 1].
    """
    n = rows
    smallest, both, largest = Fraction(2, (n + 1) * (n + 2)), Fraction(1, n + 2), Fraction(n, n + 2)
    return (smallest + both + largest) / 3


def exponential_square(rows: int) -> Fraction:
    """Return the same for the exponential law with mean 1, which has no largest value.

    The smallest row is exponential with mean 1/n, and the range is a sum of independent
    exponentials with means 1, ..., 1/(n - 1).
    """
    n = rows
    steps = [Fraction(1, k) for k in range(1, n)]
    mean, variance = sum(steps, ZERO), sum((step**2 for step in steps), ZERO)
    smallest, spread = Fraction(2, n * n), mean**2 + variance
    return smallest + Fraction(1, n) * mean + spread / 3


def gather_ranges(context: Context, samples: Sequence[int] = SAMPLES) -> Evidence:
    """Return the expected value of the empty coalition for f(x) = x^2, uniform over the range.

    The range is that of n rows. Beside it is the expectation of the marginal and the product
    approach, which is that of the law.
    """
    rows = [
        {
            "rows": n,
            "bounded": float(uniform_square(n)),
            "unbounded": float(exponential_square(n)),
        }
        for n in samples
    ]
    smallest = {n: (uniform_square(n), exponential_square(n)) for n in (2, 3)}
    return {"rows": rows, "exact": list(smallest.values()), "limit": Fraction(1, 3)}
