"""Evidence on claims 6b and 8a: the rates with projection on K, by simulation."""

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence, sampled

from .runs import printed_bound, runs_of

# What is compared. By the identity of claim 3 the bound on F asks for half of 4 kappa^2/T.
SHARE = {"inverse": 0.5, "constant": 1.0}


def runs_on_ball(context: Context, rule: str) -> Evidence:
    """Squared errors of simulated runs on K, with the tighter printed bound at each time."""
    series = [
        {
            "name": f"{run_series['game']}, explicand {run_series['explicand']}",
            "game": run_series["game"],
            "explicand": run_series["explicand"],
            "time": t,
            "errors": run_series["errors"][:, k],
            "ceiling": run_series["setting"].ceiling,
            "bound": SHARE[rule] * printed_bound(rule, run_series["setting"], t),
        }
        for run_series in runs_of(context, (rule,), "intersection")
        for k, t in enumerate(run_series["times"])
    ]
    return {"series": series, "rule": rule}


@sampled
def gather_inverse(context: Context) -> Evidence:
    """`runs_on_ball` with the step 2/(mu (t + 1))."""
    return runs_on_ball(context, "inverse")


@sampled
def gather_constant(context: Context) -> Evidence:
    """`runs_on_ball` with the constant step."""
    return runs_on_ball(context, "constant")
