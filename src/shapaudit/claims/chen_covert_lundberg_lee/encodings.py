"""Claim 16: the examples of Figure 4, as far as their algebra goes."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from ...theory.least_squares import rationals, shapley_values
from ...theory.removal import baseline_game, gaussian_game
from ..base import Evidence, Verdict
from ..context import Context
from ..exact import Case, first_mismatch, random_integers, vector_cases, verdict_against
from .common import claim
from .removal import linear

PRINTED = (0, -10)  # Section 4.4: values of gender for a man, in either encoding
MALE = {"text of Section 4.4": 0, "caption of Figure 4": 1}  # value of x_3 for a man
CORRELATIONS = tuple(Fraction(k, 10) for k in (-9, -5, 0, 5, 9, 10))
HIGH = tuple(Fraction(k, 100) for k in (50, 80, 90, 95, 99))


def gather_gender(context: Context, male: Mapping[str, int] = MALE) -> Evidence:
    """Baseline values at zero of gender, for the coefficient that fits one printed value best.

    x_3' = 1 - x_3 has the coefficient -beta; of the two printed values at most one is owed to
    beta times 0.
    """
    rows = []
    for source, value in male.items():
        other = 1 - value
        beta = Fraction(PRINTED[0], value) if value else Fraction(-PRINTED[1], other)
        row = {"convention": source, "x3": value, "coefficient": beta}
        rows.append(row | {"value_x3": beta * value, "value_other": -beta * other})
    return {"rows": rows, "printed": PRINTED}


def check_gender(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when every convention gives the printed values; inconsistent when one does."""
    rows, printed = tuple(evidence["rows"]), tuple(evidence["printed"])
    fit = [row["convention"] for row in rows if (row["value_x3"], row["value_other"]) == printed]
    numbers = {"conventions": len(rows), "fitting": len(fit)}
    if len(fit) == len(rows):
        return Verdict("proved", "Every convention fits.", "sound", numbers, rows=rows)
    if not fit:
        return Verdict("refuted", "No convention fits.", "false", numbers, rows=rows)
    return Verdict(
        "inconsistent",
        f"The printed values {printed[0]} and {printed[1]} of a man follow from the convention in "
        f"the {' and '.join(fit)}, where he has 0 in the first encoding. The other has it the "
        "other way round, and no coefficient gives these values then.",
        "slip",
        numbers,
        rows=rows,
    )


def gather_encodings(context: Context, mean_in_step: bool = True) -> Evidence:
    """Attributions of a linear model before and after affine recoding of its last feature.

    z = a + b x has the coefficient beta / b and a new intercept. The mean is recoded with the
    data; zero is not.
    """
    mean_cases, zero_cases = [], []
    for k in range(context.settings.random_games):
        drawn = random_integers(context, "ccll23-16", k, count=10).tolist()
        beta, x, mean = drawn[:4], drawn[4:7], drawn[7:]
        a, b = Fraction(k + 1), Fraction(-2 - k)
        recoded = [beta[0] - beta[3] * a / b, *beta[1:3], beta[3] / b]
        point = [*x[:2], a + b * x[2]]
        moved = [*mean[:2], a + b * mean[2] if mean_in_step else mean[2]]
        zero = [Fraction(0)] * 3
        for cases, (before, after) in (
            (mean_cases, (mean, moved)),
            (zero_cases, (zero, zero)),
        ):
            sides = (
                shapley_values(baseline_game(linear(c), row, baseline))
                for c, row, baseline in ((beta, x, before), (recoded, point, after))
            )
            cases += vector_cases(f"encoding {k + 1}", *sides)
    return {"mean": mean_cases, "zero": zero_cases}


def check_encodings(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the mean baseline never notices the encoding and the zero baseline does."""
    noticed = sum(case.left != case.right for case in evidence["zero"])
    numbers = {"zero_differs": noticed, "entries": len(evidence["zero"])}
    if wrong := first_mismatch(evidence["mean"]):
        return verdict_against(
            wrong,
            f"With the mean baseline, {wrong.label}: {wrong.left} becomes {wrong.right}.",
            numbers=numbers,
        )
    if not noticed:
        return Verdict(
            "refuted",
            "The zero baseline never notices the encoding.",
            "false",
            numbers,
            evidence="prop:chen-encoding",
        )
    return Verdict(
        "proved",
        "Recoding a feature as a + b x moves its value at the zero baseline by beta a / b and "
        f"leaves all values at the mean baseline as they are: so in {len(evidence['mean'])} "
        "entries, and for every baseline that is recoded with the data, the model being the same "
        "function of the people it describes.",
        "sound",
        numbers,
        evidence="prop:chen-encoding",
    )


def gather_splitting(
    context: Context, correlations: Sequence[Fraction] = CORRELATIONS, game=gaussian_game
) -> Evidence:
    """Conditional values of linear models with a correlated pair, against their closed form."""
    cases, gaps = [], []
    for k in range(context.settings.random_games):
        drawn = random_integers(context, "ccll23-16c", k, count=3).tolist()
        ones = [Fraction(1)] * 3
        for rho in correlations:
            phi = shapley_values(game(drawn, ones, rho))
            kept, given = 1 - rho / 2, rho / 2
            closed = rationals(
                [
                    drawn[0],
                    drawn[1] * kept + drawn[2] * given,
                    drawn[2] * kept + drawn[1] * given,
                ]
            )
            label = f"coefficients {', '.join(map(str, drawn))}, correlation {rho}"
            cases += vector_cases(label, phi, closed)
            gaps.append(Case(label, abs(phi[1] - phi[2]), abs(drawn[1] - drawn[2])))
    return {"cases": cases, "gaps": gaps, "correlations": correlations}


def check_splitting(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the closed form holds and a positive correlation narrows the gap of the pair."""
    sample = {"entries": len(evidence["cases"])}
    if wrong := first_mismatch(evidence["cases"]):
        return verdict_against(
            wrong, f"{wrong.label}: {wrong.left}, not {wrong.right}.", sample=sample
        )
    negative = any(rho < 0 for rho in evidence["correlations"])
    remark = (
        " With a negative correlation, and the same explicand, the values are pushed apart instead."
        if negative
        else ""
    )
    return Verdict(
        "proved",
        "Each of a pair with correlation rho gives rho/2 of its credit to the other, at explicand "
        "and baseline of the figure: their difference is 1 - rho times that of the marginal "
        f"values. Exact in {sample['entries']} entries.{remark}",
        "sound",
        sample=sample,
        evidence="prop:chen-splitting",
    )


def gather_partial(
    context: Context, correlations: Sequence[Fraction] = HIGH, game=gaussian_game
) -> Evidence:
    """Conditional values of the partial model, in which the third feature is not used."""
    rows = []
    for rho in correlations:
        phi = shapley_values(game([Fraction(1), Fraction(1), Fraction(0)], [Fraction(1)] * 3, rho))
        row = {"correlation": rho, "value_2": phi[1], "value_3": phi[2]}
        rows.append(row | {"ratio": float(phi[2] / phi[1])})
    return {"rows": rows}


def check_partial(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when the unused feature's value equals the used one's at every correlation."""
    rows = tuple(evidence["rows"])
    equal = sum(row["value_2"] == row["value_3"] for row in rows)
    numbers = {"equal": equal, "cases": len(rows), "largest_ratio": rows[-1]["ratio"]}
    if equal == len(rows):
        return Verdict("proved", "The two values are equal.", "sound", numbers, rows=rows)
    if not any(row["value_3"] > 0 for row in rows):
        return Verdict("refuted", "The unused feature gets nothing.", "false", numbers, rows=rows)
    return Verdict(
        "refuted",
        "The unused feature has credit, but less: rho/(2 - rho) times that of the feature it is "
        f"correlated with, {float(rows[0]['ratio']):.2f} at a correlation of "
        f"{rows[0]['correlation']} and {float(rows[-1]['ratio']):.2f} at "
        f"{rows[-1]['correlation']}. They are equal only when the two are copies of each other.",
        "hypothesis",
        numbers,
        rows=rows,
        evidence="prop:chen-splitting",
    )


CLAIMS = (
    claim(
        id="ccll23-16a",
        title="Gender in Figure 4",
        where="Section 4.4 and the caption of Figure 4",
        statement=r"With a zero baseline a man's gender has the value $0$ as $x_3$ and $-10$ as "
        r"$x_3'=1-x_3$, where $x_3=1$ is male (caption) or female (text).",
        gather=gather_gender,
        check=check_gender,
    ),
    claim(
        id="ccll23-16b",
        title="Zero and mean baselines under recoding",
        where="Section 4.4, Figures 4a and 4b",
        statement=r"For equivalent linear models the baseline Shapley values depend on the "
        r"encoding of a feature when the baseline is zero, and do not when it is the mean.",
        gather=gather_encodings,
        check=check_encodings,
    ),
    claim(
        id="ccll23-16c",
        title="Credit split between correlated features",
        where="Section 4.4, Figure 4c",
        statement=r"Conditional Shapley values split credit between correlated features: for a "
        r"pair with correlation $\rho$, $\phi_2^c=(1-\frac\rho2)\beta_2+\frac\rho2\beta_3$.",
        gather=gather_splitting,
        check=check_splitting,
    ),
    claim(
        id="ccll23-16d",
        title="A feature that the model does not use",
        where="Section 4.4, Figure 4c, dependent partial model",
        statement=r"The conditional Shapley value of $x_3$ is as high as that of $x_2$ even though "
        r"$\beta_3=0$, the two being highly correlated.",
        gather=gather_partial,
        check=check_partial,
    ),
)
