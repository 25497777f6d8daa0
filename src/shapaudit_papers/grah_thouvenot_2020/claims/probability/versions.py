"""Part of claim 5: the printed bounds of the two versions against each other.

All are polynomials in Sigma = sum_l d (sqrt(l) D + C) / (sqrt(l) (d - l)): what is compared are
rational coefficients, whatever D and C.
"""

from fractions import Fraction
from math import isqrt

from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import tell
from shapaudit_audit.audit.judges.identity import first_mismatch
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.probability.versions import FIELDS


def implied_kappa(bound: dict, rate: dict, by_definition: Fraction) -> Fraction:
    """The kappa, in units of Sigma, with which a bound follows from the rate of its version.

    A bound in Sigma must equal the rate, c Sigma^p = c_rate kappa^p. A bound in kappa must equal
    the rate at kappa = B / mu, c kappa^p = c_rate (B / mu)^p. Raises ValueError when that kappa is
    irrational.
    """
    ratio = Fraction(bound["coefficient"], rate["coefficient"])
    root = ratio
    if bound["power"] == 2:
        root = Fraction(isqrt(ratio.numerator), isqrt(ratio.denominator))
        if root * root != ratio:
            raise ValueError(f"{bound['printed']}: no rational kappa gives its coefficient.")
    return root if bound["symbol"] == "Sigma" else by_definition / root


def _compared(bounds, printed, true):
    """Rows of bounds, each with the kappa that it implies and its excess with the printed one."""
    rates = {(b["version"], b["step"]): b for b in bounds if b["quantity"] == "rate"}
    for bound in bounds:
        rate, power = rates[bound["version"], bound["step"]], bound["power"]
        kappa = printed if bound["symbol"] == "kappa" else 1
        yield {key: bound[key] for key in FIELDS[:5]} | {
            "implied_kappa_over_sigma": implied_kappa(bound, rate, true),
            "excess_with_printed_kappa": bound["coefficient"]
            * kappa**power
            / (rate["coefficient"] * true**power),
        }


def check_versions(evidence: Evidence, alpha: float) -> Verdict:
    """Exact when one kappa serves all bounds of both versions, and those for a constant step agree.

    That kappa has to be the printed one. A slip unless a last term of the constant step is wrong.
    """
    printed, true = evidence["kappa_printed"], evidence["kappa_by_definition"]
    table = list(_compared(evidence["bounds"], printed, true))
    dissent = [
        f"{row['version']} {row['quantity']} ({row['step']})"
        for row in table
        if row["implied_kappa_over_sigma"] != true
    ]
    worst = max(row["excess_with_printed_kappa"] for row in table)
    values = ", ".join(map(str, sorted({row["implied_kappa_over_sigma"] for row in table})))
    wrong = first_mismatch(evidence["last_terms"])
    differ = [
        key for key in ("exponents", "estimates", "steps") if len(set(evidence[key].values())) > 1
    ]
    told = (
        rf"In units of $\Sigma$, $B/\mu$ is {true} and the printed $\kappa$ is {printed}; the "
        rf"printed bounds follow from their rates with $\kappa$ equal to {values}. The following "
        rf"are inconsistent with $B/\mu$: {', '.join(dissent) or 'none'}. With the printed "
        rf"$\kappa$, the bounds are up to {worst} times what the argument gives. A weaker bound on "
        "the mean is valid; the deviation bounds fail together with the inequality of GT 11a."
    )
    return tell(
        "inconsistent" if dissent or printed != true or differ or wrong else "exact",
        {
            "exact": r"All printed bounds follow from their rates with the printed $\kappa$, and "
            "those for a constant step are the same.",
            "inconsistent": f"{told} {_told_constant(wrong, differ)}",
        },
        "wrong" if wrong else None,
        reach=f"d up to {evidence['max_dimension']}",
        numbers={
            "kappa_by_definition": true,
            "kappa_printed": printed,
            "bounds_at_odds": len(dissent),
            "largest_excess": worst,
            "differences_of_the_constant_step": len(differ),
        },
        sample={"bounds": len(table), "max_dimension": evidence["max_dimension"]},
        rows=table,
    )


def _told_constant(wrong, differ):
    """Return a sentence on the bounds for a constant step."""
    if wrong:
        return (
            f"At {wrong.label} the factor of the constant step is {wrong.left} in one version and "
            f"{wrong.right} in the other."
        )
    if not differ:
        return "The bounds for a constant step are the same."
    return (
        r"For a constant step, if the undefined $\alpha$ is the step $\gamma$, the last terms "
        r"agree "
        f"exactly; the versions differ in their {', '.join(differ)}: the arXiv appendix bounds an "
        "average after $T+1$ steps, whereas the rate of both is for the last iterate."
    )
