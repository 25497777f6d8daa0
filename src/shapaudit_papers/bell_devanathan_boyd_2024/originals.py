"""The figures and tables of the paper, beside ours."""

from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.originals import Original, Rows

from .findings import load


def toy_values(findings: Findings) -> Rows:
    """Printed values of the toy example beside those of the authors' rows."""
    return [
        {
            "value": row.what,
            "published": f"{row.printed:.2f}",
            "here, from the authors' rows": f"{row.found:.4f}",
            "rounds to it": "yes" if row.agrees else "no",
        }
        for row in findings.once(load).toy_rows.itertuples()
    ]


ORIGINALS = (
    Original(
        item="Tables 1 and 2, Figure 1: the toy example",
        shows="The R² of every subset of three features, the lifts of every order, and both as a "
        "lattice with the subsets as nodes and the lifts along the edges.",
        read="The Shapley values are the means of the lifts over the orders.",
        figures=("bell_devanathan_boyd_2024/toy_lattice",),
        compare=toy_values,
    ),
    Original(
        item="Figure 2",
        shows="Norm of the error against the number of feature chains, up to 8,192, for 100 "
        "features and 100,000 rows: Monte Carlo, and quasi-Monte Carlo by the permutohedron and by "
        "argsort. No numbers are printed.",
        read="Both kinds of quasi-Monte Carlo have smaller errors than Monte Carlo. Ours adds "
        "antithetic pairs and cyclic orbits.",
        figures=("bell_devanathan_boyd_2024/feature_chains",),
    ),
    Original(
        item="Figure 3",
        shows="True error and estimated error against the number of feature chains, for argsort on "
        "the same data. No numbers are printed.",
        read="The estimate follows the true error. Ours compares the two quantiles over many "
        "regressions, for every kind of permutation.",
        figures=("bell_devanathan_boyd_2024/risk_estimates",),
    ),
)
