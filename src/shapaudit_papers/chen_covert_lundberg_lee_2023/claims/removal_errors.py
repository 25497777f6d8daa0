"""Claims 60, 63 and 72: errors of removals under laws with known conditional values."""

from collections.abc import Sequence

import numpy as np

from shapaudit_audit.audit.comparisons import count_words, limits_of, span
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_own_limits
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.neighbours import gather_neighbours
from ..evidence.removal_errors import gather_errors
from .common import claim, ratio_rows


def _name(row: Evidence) -> str:
    return row["case"]


def check_neighbours(evidence: Evidence, alpha: float) -> Verdict:
    """Judge by the error with many present features over that with one."""
    few, many = evidence["present"][0], evidence["present"][-1]
    pairs = {
        f"{name}, {few} over {many} features": (errors[:, 0], errors[:, -1])
        for name, errors in evidence["errors"].items()
    }
    rows = list(ratio_rows(pairs, alpha).values())
    worlds = rows[0]["worlds"]
    missed = [
        float(np.median(errors[:, k])) for k in (0, -1) for errors in evidence["errors"].values()
    ]
    half = len(missed) // 2
    return Verdict(
        by_own_limits(rows),
        f"With {evidence['rows']} rows of equally correlated Gaussian features, and the best of "
        "four widths of the neighbourhood for each number of features, the squared error is "
        f"{span(missed[:half])} of the change caused by conditioning on {few} feature, and "
        f"{span(missed[half:])} with {many}, on a typical one of {worlds} data sets.",
        numbers=count_words(rows),
        limits=limits_of(rows, _name, alpha),
        sample={"data_sets": worlds, "ratios": len(rows)},
        rows=tuple(rows),
    )


def _contrasts(
    evidence: Evidence, contrasts: Sequence[tuple[str, str]], alpha: float
) -> dict[str, Evidence]:
    """Return rows with the errors of removals over those of others, by number of rows."""
    place = {name: k for k, name in enumerate(evidence["removals"])}
    errors = evidence["errors"]
    return ratio_rows(
        {
            f"{first} over {second}, {size} rows": (
                errors[:, i, place[first]],
                errors[:, i, place[second]],
            )
            for i, size in enumerate(evidence["rows"])
            for first, second in contrasts
        },
        alpha,
    )


def _verdict(rows: dict[str, Evidence], decisive: Sequence[str], text: str, alpha: float, **more):
    shown = list(rows.values())
    return Verdict(
        by_own_limits([rows[name] for name in decisive]),
        text,
        numbers=count_words(shown),
        limits=limits_of(shown, _name, alpha),
        sample={"worlds": shown[0]["worlds"], "ratios": len(shown)},
        rows=tuple(shown),
        **more,
    )


WORLD = "random mixtures of three normal distributions with five features and random layers of ReLU"


def check_flexible(evidence: Evidence, alpha: float) -> Verdict:
    """Judge by the generative model's error over that of one normal law, with many rows."""
    rows = _contrasts(evidence, [("generative", "Gaussian")], alpha)
    most = evidence["rows"][-1]
    wanted = f"generative over Gaussian, {most} rows"
    text = (
        f"On a typical one of {rows[wanted]['worlds']} {WORLD}, the error in $v$ of a masked "
        f"autoencoder is {span([rows[wanted]['ratio']])} times that of a normal distribution with "
        f"{most} rows, and {span([next(iter(rows.values()))['ratio']])} times with "
        f"{evidence['rows'][0]}."
    )
    return _verdict(rows, [wanted], text, alpha)


def check_surrogate(evidence: Evidence, alpha: float) -> Verdict:
    """Judge by the surrogate's error over the generative model's, with many rows."""
    rows = _contrasts(
        evidence, [("surrogate", "generative"), ("surrogate", "Gaussian mixture")], alpha
    )
    most = evidence["rows"][-1]
    wanted = f"surrogate over generative, {most} rows"
    mixture = rows[f"surrogate over Gaussian mixture, {most} rows"]
    text = (
        f"With {most} rows, networks of the same widths and at most as many epochs, the error in "
        f"$v$ of a surrogate is {span([rows[wanted]['ratio']])} times that of a masked "
        f"autoencoder on a typical one of {rows[wanted]['worlds']} {WORLD}, and "
        f"{span([mixture['ratio']])} times that of a generator of the correct form, a fitted "
        "mixture."
    )
    status = by_own_limits([rows[wanted]])
    return _verdict(rows, [wanted], text, alpha, setting=Ruling(status, text, stand_in=True))


def check_few_rows(evidence: Evidence, alpha: float) -> Verdict:
    """Judge by the errors of one normal law over those of networks, with few rows."""
    nets = ("surrogate", "generative")
    contrasts = [(name, net) for name in ("Gaussian", "marginal") for net in nets]
    rows = _contrasts(evidence, contrasts, alpha)
    few, most = evidence["rows"]

    def told(name: str, size: int) -> str:
        return span(rows[f"{name} over {net}, {size} rows"]["ratio"] for net in nets)

    text = (
        f"With {few} rows, the error in $v$ of a normal distribution is {told('Gaussian', few)} "
        "times that of the networks, surrogate and autoencoder, on a typical one of "
        f"{len(evidence['errors'])} {WORLD}, and that of marginal values {told('marginal', few)} "
        f"times. With {most} rows the ratios are {told('Gaussian', most)} and "
        f"{told('marginal', most)}."
    )
    return _verdict(rows, [f"Gaussian over {net}, {few} rows" for net in nets], text, alpha)


HEADING = "Conditional values"
SECTION = "Section 5.1.3"

CLAIMS = (
    claim(
        id="ccll23-60",
        title="Similar rows and many features",
        heading=HEADING,
        topic="rates",
        where=f"{SECTION}, third paragraph",
        words="do not fully solve the curse of dimensionality, and conditioning on many features "
        "can still lead to inaccurate estimates",
        statement=r"With similar rows in place of matching ones, conditioning on many features "
        r"can still lead to inaccurate estimates.",
        hedges="“can still lead to”, “do not fully solve”.",
        matters="With many present features there are no similar rows; model the dependence "
        "instead.",
        gather=gather_neighbours,
        check=check_neighbours,
        statistical=True,
    ),
    claim(
        id="ccll23-63a",
        title="Generative models beside a normal distribution",
        heading=HEADING,
        topic="orderings",
        where=f"{SECTION}, generative model",
        words="more flexible than simple parametric assumptions",
        statement="Generative models are more flexible than simple parametric assumptions. (Here: "
        "with many rows they approximate conditional expectations more closely than a normal "
        "distribution, where features are not normal.)",
        hedges="“In general”. Flexible does not mean accurate: with few rows it need not be.",
        matters="With many rows a generative model can follow what a normal distribution cannot; "
        "held-out rows show whether it does.",
        gather=gather_errors,
        check=check_flexible,
        statistical=True,
    ),
    claim(
        id="ccll23-63b",
        title="Surrogates beside generative models",
        heading=HEADING,
        topic="orderings",
        where=f"{SECTION}, surrogate model",
        words="it has been shown to provide a more accurate estimate in practice",
        statement=r"A surrogate gives more accurate conditional expectations than a generative "
        r"model.",
        hedges="“in practice”, of the experiments of Frye et al.",
        setting="The data and networks of Frye et al., which were not run here.",
        matters="Which of the two is better is decided by held-out rows (C 68a).",
        gather=gather_errors,
        check=check_surrogate,
        statistical=True,
    ),
    claim(
        id="ccll23-72",
        title="Few rows",
        heading=HEADING,
        topic="orderings",
        where="Section 7, second characteristic",
        words="If the number of samples is very low, it may be better to rely on parametric "
        "assumptions or use marginal Shapley values instead",
        statement=r"With very few rows, it may be better to rely on parametric assumptions than on "
        r"flexible approaches. (Here: a normal distribution is nearer to the conditional values.)",
        hedges="“may be better”. Marginal values are proposed instead of conditional ones, not as "
        "approximations of them, and are not judged.",
        matters="With few rows, try a normal distribution among other removals, and compare their "
        "errors on rows held out.",
        gather=gather_errors,
        check=check_few_rows,
        statistical=True,
    ),
)
