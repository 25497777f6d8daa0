"""The figures and the table of the paper, beside ours."""

from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.originals import Original, Rows

from .findings import load
from .findings.trial import METHODS

MILLIONTHS = 1e6


def table_one(findings: Findings) -> Rows:
    """Mean squared errors in millionths: printed, recorded in the public code, and ours."""
    own = findings.once(load)
    printed, recorded = (own.printed(name) for name in ("mse", "mse-public-code"))
    rows = []
    for method in METHODS:
        row: dict[str, float | int | str] = {"algorithm": own.label_of(method)}
        row["Table I"] = float(printed[method]) * MILLIONTHS
        row["output in the public code"] = float(recorded[method]) * MILLIONTHS
        for trial in own.trials.values():
            budget = trial.budget_of(method, trial.samples[-1])
            row[f"here: {trial.label}, {trial.samples[-1]:,} samples"] = float(
                trial.errors(method, budget).mean() * MILLIONTHS
            )
        rows.append(row)
    return rows


ORIGINALS = (
    Original(
        item="Table I and Figure 1",
        shows="Mean squared error against the exact values of a perceptron on the credit card "
        "data: in the table and the box plot of 50 explicands with 2,000 samples, in the line "
        "plot against the number of samples. Algorithms: Castro, Owen and halved Owen sampling.",
        read="Halved Owen sampling has the smallest error, Castro sampling the largest, at equal "
        "numbers of samples. Equal samples are not equal evaluations; the report compares both.",
        figures=("okhrati_lipani_2021/equal_samples",),
        compare=table_one,
    ),
    Original(
        item="Figure 2",
        shows="Standard deviations of the three algorithms against the number of samples, for 50 "
        "explicands of the credit card data (left) and of MNIST (right). No numbers are printed.",
        read="The deviations decrease, those of halved Owen sampling the fastest. They are taken "
        "along one path of growing samples (lines in ours); circles are deviations over "
        "replicates.",
        figures=("okhrati_lipani_2021/deviations",),
    ),
    Original(
        item="Figure 3",
        shows="Saliency maps of ten digits of MNIST: a reference by Castro sampling with very many "
        "samples, Castro sampling, and halved Owen sampling with 12 samples. No numbers are "
        "printed.",
        read="The maps of halved Owen sampling look more like the reference. Ours give the error "
        "of each map, and add the best estimator for the same number of evaluations.",
        figures=("okhrati_lipani_2021/saliency",),
    ),
)
