"""Claims 58 and 59: means over the rows that match an explicand."""

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_identity, tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.matches import gather_limits, gather_own_row
from .common import claim

PROOF = "prop:chen-matches"


def check_limits(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if the error persists for any number of rows where the chance of a match is 0."""
    rows = evidence["rows"]
    most = max(row["rows"] for row in rows)
    ends = [row for row in rows if row["rows"] == most]
    stuck = [row for row in ends if row["left"] == 1]
    rare = max((row for row in rows if row["chance"]), key=lambda row: row["alone"])
    falling = "; ".join(f"{show(row['left'])} at a probability of {row['chance']}" for row in ends)
    return tell(
        "refuted" if stuck else "proved",
        {
            "refuted": f"This holds for discrete features: with {most:,} other rows, the "
            f"explicand's own row leaves the following share of $f(x)-v(S)$: {falling}. For "
            "continuous features a match has probability 0, and for any number of rows the "
            "estimate is $f(x)$ or does not exist. That the explicand may be its only match, the "
            f"paper says itself: with {rare['rows']} rows the probability of that is "
            f"{show(rare['alone'])} if a match has the probability {rare['chance']}.",
            "proved": f"With {most:,} other rows the following share of $f(x)-v(S)$ remains: "
            f"{falling}; it tends to 0 with the number of rows.",
        },
        shown_by=PROOF,
        numbers={"stuck": len(stuck)},
        rows=rows,
    )


def check_own_row(evidence: Evidence, alpha: float) -> Verdict:
    """Proved if all samples have the bias of the closed form, and none without the own row."""
    own, without, unique = (evidence[key] for key in ("own", "without", "unique"))
    return by_identity(
        [*own, *without, *unique],
        f"Over all samples of {evidence['rows']} rows the bias is that of the closed form in "
        f"{len(own)} cases, and without the explicand's row there is no bias given a match. If no "
        "two rows share a value, every feature has the same value, an equal share of $f(x)$ minus "
        f"the mean output, whatever the model ({len(unique)} values).",
        sample={"cases": len(own) + len(without) + len(unique)},
        shown_by=PROOF,
    )


HEADING = "Conditional values"
WHERE = "Section 5.1.3, second paragraph"

CLAIMS = (
    claim(
        id="ccll23-58",
        title="Exact matches with many rows",
        heading=HEADING,
        topic="convergence",
        where=WHERE,
        words="this exactly estimates the conditional expectations as the number of baseline "
        "samples goes to infinity",
        statement=r"The mean prediction over the rows that match the explicand on $S$ tends to the "
        r"conditional expectation as the number of rows grows.",
        hedges="The paper adds that there may be too few matching rows with continuous features, "
        "but not that the limit is different.",
        matters="For continuous features no number of rows helps: conditional values by exact "
        "matches are then the same for every feature.",
        lacks="features with values that recur",
        falls="hypothesis",
        gather=gather_limits,
        check=check_limits,
    ),
    claim(
        id="ccll23-59b",
        title="The explicand among its matches",
        heading=HEADING,
        topic="convergence",
        where=f"{WHERE}, beyond what is said there",
        statement=r"With $n$ further rows, each of which matches with probability $p$, the mean "
        r"over matches has the bias $(f(x)-v(S))\,\frac{1-(1-p)^{n+1}}{(n+1)p}$. Without the "
        r"explicand's row it is unbiased given a match. If no two rows share a value, "
        r"$\phi_i=(f(x)-\bar f)/d$ for every feature.",
        source="this project",
        gather=gather_own_row,
        check=check_own_row,
    ),
)
