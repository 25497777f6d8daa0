"""Claims 16 and 17: cross-validation, a penalty that is chosen, other penalties."""

from functools import partial

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.extensions import gather_folds, gather_reduced, gather_selection
from ..evidence.identities import gather_ridge
from .common import V2, claim
from .identities import check_cases


def check_selection(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted if the choice gives features without effect a larger mean than each candidate."""
    fixed, chosen = evidence["fixed"], evidence["chosen"]
    apart = chosen > max(fixed)
    row = {"largest_fixed": max(fixed), "chosen": chosen}
    return tell(
        "refuted" if apart else "exact",
        {
            "exact": "The selection does not increase the mean.",
            "refuted": "The example has one feature without any effect and two test rows. Over "
            f"all signs of the responses, the mean R² is at most {show(max(fixed))} with one "
            f"fixed candidate, and {show(chosen)} with the candidate that has the smaller error "
            "on these rows.",
        },
        numbers=row,
        rows=(row,),
        reach="all signs of two responses",
    )


CLAIMS = (
    claim(
        id="bdb24-16a",
        title="Cross-validation, ridge and other regularisers",
        heading="Batches, ridge, reduction",
        topic="identities",
        where=f"Sections 4.1, 4.2 with Equations (14) and (15), and 4.5, last two sentences; {V2}",
        words="The methods above apply immediately to this situation ... transforms the "
        "regularized problem (14) into a least-squares problem in the form of (1) ... we can still "
        "reduce the complexity of the computation with the initial reduction",
        statement="With $R^2$ from the average validation error of cross-validation, the lifts are "
        r"weighted means of those of the folds. Ridge regression is least squares on the data, "
        r"divided by $\sqrt N$ and stacked on $\sqrt\lambda I$. With another convex regulariser "
        "Equation (8) no longer holds, but the reduction leaves a smaller problem with a square "
        "data matrix and the same solution.",
        gather=gather_folds,
        check=partial(check_cases, "The folds of cross-validation", "prop:bell-folds"),
        also=(
            (gather_ridge, partial(check_cases, "Ridge by stacking", "prop:bell-ridge")),
            (gather_reduced, partial(check_cases, "The reduction", "prop:bell-reduction")),
        ),
    ),
    claim(
        id="bdb24-16b",
        title="A penalty chosen on the test data",
        heading="Batches, ridge, reduction",
        topic="identities",
        where="Section 4.3",
        statement=r"If $\lambda$ is the candidate with the smallest test error, $R^2$ on the same "
        "test data is still an out-of-sample metric: if no feature has an effect, its mean is at "
        r"most that for a fixed $\lambda$.",
        gather=gather_selection,
        check=check_selection,
        falls="hypothesis",
        source="this project",
        matters="The penalty has to be chosen on rows other than those on which the features are "
        "evaluated.",
    ),
)
