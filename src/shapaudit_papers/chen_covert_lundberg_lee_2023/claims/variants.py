"""Claim 22: antithetic or adaptive sampling, by the number of features."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.variants import gather_variants
from .common import APPENDIX, claim


def check_variants(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if antithetic sampling gains more on some game, however many players there are."""
    rows = evidence["rows"]
    always = all(row["antithetic"] < row["adaptive"] for row in rows)
    last = rows[-1]
    return tell(
        "refuted" if always else "inconclusive",
        {
            "refuted": "The number of features alone is not decisive. If players interact in pairs "
            f"only, antithetic sampling leaves {show(last['antithetic'])} of the variance and "
            f"adaptive sampling {show(last['adaptive'])}, with {last['players']} players and with "
            "any other number: for many players as well, where adaptive sampling is said to be "
            "the more beneficial.",
            "inconclusive": "On the tested game adaptive sampling gains more for some number of "
            "players.",
        },
        shown_by={"refuted": "cor:extremes"},
        numbers={"adaptive": last["adaptive"]},
        rows=rows,
        setting=_rule(evidence["printed"]),
    )


def _rule(printed: list[Evidence]) -> Ruling:
    shares = {row["data"]: row["antithetic"] / row["cells"] for row in printed}
    told = ", ".join(f"{row['antithetic']} of {row['cells']} on {row['data']}" for row in printed)
    stands = shares["nhanes"] > 0.5 and shares["blog"] < 0.5
    return Ruling(
        "supported" if stands else "refuted",
        "Cells of the printed tables in which the antithetic variant has a smaller error than the "
        f"adaptive one: {told}.",
    )


CLAIMS = (
    claim(
        id="ccll23-22",
        title="Antithetic against adaptive sampling",
        heading="Adaptive sampling",
        topic="orderings",
        where=f"{APPENDIX}, last paragraph",
        words="antithetic sampling is more helpful than adaptive sampling ... adaptive sampling is "
        "more beneficial than antithetic sampling",
        statement=r"For NHANES, with a medium number of features, antithetic sampling is more "
        r"helpful than adaptive sampling; for blog, with a large number of features, adaptive "
        r"sampling is more beneficial.",
        hedges="Stated about these data; that the number of features is the reason is implied. The "
        "explicand of the blog data is, in the words of the public notebook, one “for which "
        "attributions are less sparse”, which the paper does not say.",
        setting="Tables 3, 4, 6 and 7: NHANES with 79 features, blog with 280, one explicand each. "
        "In general: any game with so many players.",
        gather=gather_variants,
        check=check_variants,
        lacks="the data of the paper",
        falls="hypothesis",
        matters="How players interact, and how many of them contribute nothing, decides as well as "
        "how many there are.",
    ),
)
