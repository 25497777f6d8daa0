"""The figures of the paper, beside ours."""

from functools import partial

from shapaudit_audit.report.findings import Findings
from shapaudit_audit.report.originals import Original, Rows, interval

from .findings import load


def readings(findings: Findings, experiments: tuple[str, ...]) -> Rows:
    """Readings of the published curves beside our mean errors, of experiments by name."""
    own = findings.once(load).experiments
    return [
        {
            "task": own[name].label,
            "estimator": own[name].label_of(row.method),
            "evaluations": int(row.evaluations),
            "published (read off)": float(row.error),
            "here": float(row.mean),
            "95 % limits": interval(row.low, row.high),
        }
        for name in experiments
        if name in own
        for row in own[name].published.itertuples()
    ]


ORIGINALS = (
    Original(
        item="Figure 2",
        shows="Mean error over 50 explicands against the number of evaluations, for 16 players, "
        "one panel for classification and one for regression. Curves: classical and optimised "
        "Monte Carlo, projected stochastic gradients with a constant step and with a "
        "decreasing one.",
        read="All proposed methods have a smaller error than classical Monte Carlo. The axis is "
        "the norm of the error although its label speaks of squares, and the classical curve is "
        "the optimised one drawn at twice its evaluations; here plain Monte Carlo is run.",
        figures=("grah_thouvenot_2020/dimension16",),
        compare=partial(readings, experiments=("classification", "regression")),
    ),
    Original(
        item="Figure 3",
        shows="The same for classification with 300 players, on a linear and on a logarithmic axis "
        "of evaluations. The true values are a run of optimised Monte Carlo with 5,000 "
        "permutations.",
        read="With few evaluations the gradients have the smaller error; with many, the methods "
        "converge to similar errors.",
        figures=("grah_thouvenot_2020/dimension16",),
        compare=partial(readings, experiments=("classification-large",)),
    ),
)
