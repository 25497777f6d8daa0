"""Runs of the paper's medium experiment in the study, by permutations and chains."""

from collections.abc import Mapping

from shapaudit_audit.audit.context import Context
from shapaudit_audit.audit.evidence import Evidence

from .costs import MEDIUM

PLAIN = {"optimised-monte-carlo": "mc", "antithetic-monte-carlo": "antithetic"}
QUASI = {"sobol": "argsort", "permutohedron": "permutohedron"}


def permutations_of(setting: Mapping) -> str | None:
    """Return the audit's name for the permutations of an estimator, or None without a name."""
    params = setting["params"]
    if setting["estimator"] == "quasi-random-order" and not params["antithetic"]:
        return QUASI.get(params["permutations"])
    return PLAIN.get(setting["estimator"])


def medium_runs(context: Context) -> list[Evidence]:
    """Return norms of the errors of runs on the paper's number of features, if there are any.

    There is a row for each kind of permutations and number of chains. Experiments on the same
    regression are put together, their runs being independent.
    """
    players = MEDIUM[0]
    errors: dict[tuple[str, int], list[float]] = {}
    for experiment in context.estimates.values():
        if experiment.players != players:
            continue
        for name, frame in experiment.frame.groupby("estimator"):
            kind = permutations_of(experiment.settings[name])
            if kind is not None:
                for budget, runs in frame.groupby("budget")["error"]:
                    key = kind, (int(budget) - 1) // players
                    errors.setdefault(key, []).extend(map(float, runs))
    return [
        {"permutations": kind, "chains": chains, "errors": norms}
        for (kind, chains), norms in sorted(errors.items())
    ]
