"""Claim 8e: that a small learning rate does without the ball."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ...evidence.rates.small_steps import gather_small
from ..common import BOTH, claim

HARMLESS = 10.0  # times the squared error of the start, for a moment
CODE = "public code"


def check_small(evidence: Evidence, alpha: float) -> Verdict:
    """Proved when there is a positive limit for every d; the paper's steps decide its setting."""
    limits, rows = evidence["limits"], evidence["rows"]
    none = [d for d, limit in limits.items() if not limit > 0]
    first, last = min(limits), max(limits)
    return tell(
        "refuted" if none else "proved",
        {
            "refuted": lambda: f"At $d={none[0]}$ no step is small enough.",
            "proved": "Below the limit of GT 8c a constant step keeps the expected squared error "
            "bounded on every game, and so does a decreasing step once it is below the limit. The "
            rf"limit depends on $d$: with $D=C\sqrt d$ it is {show(limits[first])} at $d={first}$ "
            f"and {show(limits[last])} at $d={last}$.",
        },
        shown_by={"proved": "prop:stability"},
        numbers={"limit_at_largest": limits[last], "largest": last},
        rows=rows,
        setting=_in_the_experiments(rows),
    )


def _in_the_experiments(rows):
    code, printed = (
        max((row for row in rows if (row["reading"] == CODE) == own), key=_growth)
        for own in (True, False)
    )
    told = "; ".join(
        f"{show(row['amplification'])}-fold with the steps {word} ({row['step']}, "
        f"$d={row['players']}$, starting {show(row['first_over_limit'])} times the limit)"
        for row, word in ((code, "of the public code"), (printed, "as printed for F"))
    )
    return Ruling(
        "supported" if code["amplification"] <= HARMLESS else "refuted",
        "The largest factor by which the expected squared error can grow before it decreases: "
        f"{told}.",
    )


def _growth(row):
    return row["amplification"]


CLAIMS = (
    claim(
        id="gt20-08e",
        title="A small learning rate does without the ball",
        heading="Rates in expectation",
        topic="rates",
        where=f"Section 4.1, below the definition of K; {BOTH}",
        words="This allows to avoid large gradient norm, but it can be removed by using a small "
        "learning rate",
        statement=r"The bound $\|\phi\|\le D$ on the iterates, which avoids large gradients, can "
        r"be removed if the learning rate is small.",
        hedges="The paper does not say how small. $D$ is “required to demonstrate the theoretical "
        "performance”.",
        setting="the steps of Section 5.2, which the public code takes for $F/2$ without the ball",
        gather=gather_small,
        check=check_small,
        lacks="a ball that bounds the iterates",
        stands="loosely",
        falls="hypothesis",
        matters="A step that is small for few players is not small for many (GT 8d).",
    ),
)
