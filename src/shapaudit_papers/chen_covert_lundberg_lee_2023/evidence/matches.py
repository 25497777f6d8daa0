"""Evidence on claims 58 and 59: means over the rows that match an explicand."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod

from shapaudit.truth.rational import rationals, shapley_values
from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Case, Evidence
from shapaudit_audit.audit.exact import vector_cases
from shapaudit_papers.theory.conditional import agrees, conditional_table, own_row_bias
from shapaudit_papers.theory.joint_tables import JointLaw
from shapaudit_papers.theory.removal import Row

from .laws import BinaryWorld, worlds

CHANCES = (Fraction(1, 2), Fraction(1, 10), Fraction(1, 100), Fraction(0))
SIZES = (10, 100, 1000)
ROWS = 2  # of the samples that are enumerated


def gather_limits(context: Context, chances: Sequence[Fraction] = CHANCES) -> Evidence:
    """Return the share of f(x) - v(S) by which the mean over matching rows is biased.

    The explicand is one of the rows. The share depends on the probability of a match and on the
    number of other rows; it is 1 where no other row can match.
    """
    rows = [
        {
            "chance": chance,
            "rows": n,
            "left": float(own_row_bias(chance, n, Fraction(1)) if chance else 1),
            "alone": float((1 - chance) ** n),
        }
        for chance in chances
        for n in SIZES
    ]
    return {"rows": rows}


def mean_of_matches(rows: Sequence[tuple[Row, Fraction]], x: Row, members: int) -> Fraction | None:
    """Return the mean output of the rows that agree with x on a coalition, or None without any."""
    outputs = [output for row, output in rows if agrees(row, x, members)]
    return sum(outputs, Fraction(0)) / len(outputs) if outputs else None


def _expected(world: BinaryWorld, x: Row, members: int, own: bool) -> Fraction:
    """Return the expected mean over matching rows, over all samples of `ROWS` rows with a match.

    ``own`` adds the explicand's own row to each sample.
    """
    law, total = world.law, world.law.total
    cells = list(zip(law.rows, world.outputs, law.weights, strict=True))
    mean = chance = Fraction(0)
    for sample in product(cells, repeat=ROWS):
        weight = prod(cell[2] / total for cell in sample)
        rows = [cell[:2] for cell in sample]
        rows += [(x, world.model(x))] if own else []
        mean_output = mean_of_matches(rows, x, members)
        if mean_output is not None:
            mean, chance = mean + weight * mean_output, chance + weight
    return mean / chance


def _chance_of_match(law: JointLaw, explicand: Row, members: int) -> Fraction:
    """The probability that a row drawn from the law matches the explicand on a coalition."""
    return law.mean(lambda row: Fraction(agrees(row, explicand, members)))


def gather_own_row(context: Context, own: bool = True) -> Evidence:
    """Return the expected mean over matching rows less v(S), by all samples and in closed form.

    ``without`` compares the expectation without the explicand's row, given a match, with v(S);
    ``unique`` compares the values where no two rows share a value of any feature with equal
    parts.
    """
    with_own, without, unique = [], [], []
    for world in worlds(context, "ccll23-59"):
        x, d = world.law.rows[-1], len(world.law.rows[0])
        values = conditional_table(*world.law, list(world.outputs), x)
        for members in range(1 << d):
            label = f"{world.label}, coalition {members}"
            chance = _chance_of_match(world.law, x, members)
            gap = world.model(x) - values[members]
            off = _expected(world, x, members, own) - values[members]
            with_own.append(Case(label, off, own_row_bias(chance, ROWS, gap)))
            without.append(Case(label, _expected(world, x, members, False), values[members]))
        rows = [tuple(Fraction(k) for _ in range(d)) for k in range(len(world.outputs))]
        sample = list(zip(rows, world.outputs, strict=True))
        table = [mean_of_matches(sample, rows[0], members) for members in range(1 << d)]
        part = (world.outputs[0] - sum(world.outputs) / len(rows)) / d
        unique += vector_cases(world.label, shapley_values(table), rationals([part] * d))
    return {"own": with_own, "without": without, "unique": unique, "rows": ROWS}
