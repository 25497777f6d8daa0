"""Claims 16 and 17: cross-validation, a penalty that is chosen, other penalties."""

from functools import partial

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ..evidence.extensions import gather_folds, gather_reduced, gather_selection
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
        title="Cross-validation",
        heading="Batches, ridge, reduction",
        topic="identities",
        where=f"Section 4.1; {V2}",
        words="We use the average validation mean-square error to obtain the R^2 score. The "
        "methods above apply immediately to this situation",
        statement=r"With $R^2$ from the average validation error of cross-validation, the methods "
        r"apply immediately: the lifts are weighted means of those of the folds.",
        gather=gather_folds,
        check=partial(check_cases, "prop:bell-folds"),
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
    claim(
        id="bdb24-17a",
        title="Reduction with any regulariser",
        heading="Batches, ridge, reduction",
        topic="identities",
        where=f"Section 4.5, last two sentences; {V2}",
        words="we can still reduce the complexity of the computation with the initial reduction",
        statement="With a convex regulariser that is not quadratic, Equation (8) no longer holds, "
        "but the initial reduction leaves a smaller problem with a square data matrix and the "
        "same solution.",
        hedges="That the closed form of Section 3 “no longer holds” is stated first.",
        gather=gather_reduced,
        check=partial(check_cases, "prop:bell-reduction"),
    ),
)
