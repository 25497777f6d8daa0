"""Evidence on claim 18.

The paper's estimators against classical Monte Carlo, and against each other.
"""

import numpy as np
import pandas as pd

from shapaudit.estimators import OptimisedMonteCarlo, PlainMonteCarlo, ProjectedSGD, create
from shapaudit.samplers.gradients import DEFAULT_STEP
from shapaudit_audit.audit.context import Context, StudyEstimates
from shapaudit_audit.audit.evidence import Evidence, sampled

# 0.01 and 0.1 in the authors' public code, which descends F / 2, and a tenth of that at d = 300.
STEPS = {"PSGD, constant step": "constant", "PSGD, 1/sqrt(t)": "inverse-sqrt"}
SCALES = {"constant": 0.005, "inverse-sqrt": DEFAULT_STEP}
SCALES_300 = {"constant": 0.0005, "inverse-sqrt": 0.005}
PLAIN, WALK = "plain Monte Carlo", "optimised Monte Carlo"


def role_of(setting: dict, scales: dict[str, float]) -> str | None:
    """Return the role of an estimator in the paper's figures, from its settings, or None.

    Steps chosen by the study itself are "tuned".
    """
    estimator = create(setting["estimator"], setting["params"])
    if estimator == PlainMonteCarlo():
        return PLAIN
    if estimator == OptimisedMonteCarlo():
        return WALK
    if not isinstance(estimator, ProjectedSGD):
        return None
    tuned = setting["tuning"] is not None
    for name, step in STEPS.items():
        scale = estimator.scale if tuned else scales[step]
        if estimator == ProjectedSGD(step=step, scale=scale, average="uniform"):
            return f"{name}, tuned" if tuned else name
    return None


def errors_of(frame: pd.DataFrame) -> pd.Series:
    """Norms of the errors, the variance of the truth taken off their squares."""
    return np.sqrt((frame["squared_error"] - frame["truth_variance"]).clip(lower=0.0))


@sampled
def gather_errors(context: Context) -> Evidence:
    """Return mean errors (explicands, budgets) of the methods in the figures, by experiment."""
    experiments = {}
    for name, estimates in context.estimates.items():
        scales = SCALES_300 if name == "classification-large" else SCALES
        roles = {key: role_of(setting, scales) for key, setting in estimates.settings.items()}
        names = {role: key for key, role in roles.items() if role is not None}
        if {PLAIN, WALK} & set(names):
            experiments[name] = _experiment(estimates, names)
    return {"experiments": experiments}


def _experiment(estimates: StudyEstimates, names: dict[str, str]) -> Evidence:
    frame = estimates.frame.assign(error=errors_of(estimates.frame))
    raw = np.sqrt(frame["squared_error"])
    errors, squares = (
        frame.assign(value=value)
        .groupby(["estimator", "explicand", "budget"])["value"]
        .mean()
        .unstack("budget")
        for value in (frame["error"], frame["error"] ** 2)
    )
    chosen = {role: estimates.settings[key]["tuning"] for role, key in names.items()}
    return {
        "budgets": [int(budget) for budget in errors.columns],
        "errors": {role: errors.loc[key].to_numpy() for role, key in names.items()},
        "squares": {role: squares.loc[key].mean().to_numpy() for role, key in names.items()},
        "tuning": {
            role: tuning["evaluations"] for role, tuning in chosen.items() if tuning is not None
        },
        "truth_share": float(1 - (frame["error"] / raw.where(raw > 0)).min()),
    }
