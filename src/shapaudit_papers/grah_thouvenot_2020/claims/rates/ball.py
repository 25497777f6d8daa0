"""Claim 6b: the rates with projection on K, proved and simulated."""

from shapaudit.statistics.limits import bounded_mean
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_bound, tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Verdict

from ...evidence.rates.ball import gather_constant, gather_inverse
from ...evidence.rates.runs import CONSTANT_STEP
from ...evidence.rates.square_root import gather_rate
from ..common import BOTH, NO_RUNS, claim, required
from .square_root import check_rate

WHERE = "Section 4.2, Convergence rate"
COMPARED = {
    "inverse": (
        r"For $2/(\mu(t+1))$",
        r"the bound on $F$, half of $4\kappa^2/T$ as a bound on the squared error",
    ),
    "constant": ("For a constant step", "the bound"),
}


def _limits(series, alpha):
    return [
        bounded_mean(
            f"squared error: {curve['name']}, T = {curve['time']}",
            curve["errors"],
            curve["ceiling"],
            alpha,
        )
        for curve in series
    ]


def _row(record, limit):
    return {
        "game": record["game"],
        "explicand": record["explicand"],
        "steps": record["time"],
        "mean_error": limit.estimate,
        "bound": record["bound"],
        "bound_over_error": record["bound"] / max(limit.estimate, 1e-300),
        "bound_over_upper_limit": record["bound"] / max(limit.high, 1e-300),
        "bound_over_squared_diameter": record["bound"] / record["ceiling"],
    }


def check_runs(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when a lower limit of the mean exceeds its bound; else proved, by the report.

    All limits hold together at alpha; squared errors on K lie below its squared diameter, so that
    no tail is missed.
    """
    series = required(evidence["series"], NO_RUNS)
    limits = _limits(series, alpha / len(series))
    rows = [_row(curve, limit) for curve, limit in zip(series, limits, strict=True)]
    broken = [row for row, limit in zip(rows, limits, strict=True) if limit.low > row["bound"]]
    above = sum(limit.high > curve["bound"] for curve, limit in zip(series, limits, strict=True))
    ratios = [row["bound_over_error"] for row in rows]
    beyond = sum(row["bound_over_squared_diameter"] >= 1 for row in rows)
    step, bound = COMPARED[evidence["rule"]]
    contradicted = by_bound(limits, [row["bound"] for row in rows]) == "refuted"
    return tell(
        "refuted" if contradicted else "proved",
        {
            "refuted": lambda: _told_refuted(min(broken, key=lambda row: row["bound_over_error"])),
            "proved": f"{step} proved in the report for every game and all $T$, by a different "
            f"argument. In {len(rows) - above} of {len(rows)} comparisons the upper limit of the "
            f"mean squared error of simulated runs is below {bound}, and nowhere is the lower "
            f"limit above it. The bound is {show(min(ratios))} to "
            f"{show(max(ratios))} times the mean. In {beyond} it exceeds the squared diameter of "
            "$K$, which no error on $K$ can exceed.",
        },
        shown_by={"proved": "prop:rates"},
        numbers={
            "comparisons": len(rows),
            "violations": len(broken),
            "smallest_ratio": min(ratios),
            "largest_ratio": max(ratios),
            "bounds_above_squared_diameter": beyond,
        },
        limits=limits,
        sample={
            "series": len({(row["game"], row["explicand"]) for row in rows}),
            "runs_per_series": min(len(curve["errors"]) for curve in series),
        },
        rows=rows,
    )


def _told_refuted(worst):
    return (
        f"On {worst['game']}, explicand {worst['explicand']}, after {worst['steps']} steps the "
        f"mean squared error is {show(worst['mean_error'])}, its lower limit above the bound "
        f"{show(worst['bound'])}."
    )


CLAIMS = (
    claim(
        id="gt20-06b",
        title="Rates of the three steps on K",
        heading="Rates in expectation",
        topic="rates",
        where=f"{WHERE}; {BOTH}",
        words="E[||bar phi_T - phi*||^2] <= 4B^2/(mu^2 T) = 4 kappa^2/T = O(1/T) ... <= 2DB/"
        "sqrt(T). Then E[||bar phi_T - phi*||^2] <= 4DB/(mu sqrt(T)) = 4D kappa/sqrt(T) ... <= (1 "
        "- gamma mu)^T ||phi_0 - phi*||^2 + gamma B^2/mu",
        statement=r"With projection on $K$ and $\|\phi^*\|\le D$: "
        r"$\mathbb E[F(\bar\phi_T)]-F(\phi^*)\le\frac{2B^2}{\mu T}$ and "
        r"$\mathbb E\|\bar\phi_T-\phi^*\|^2\le\frac{4\kappa^2}{T}$, $\kappa=\frac B\mu$, for "
        r"$\gamma_t=\frac{2}{\mu(t+1)}$ and the $(t+1)$-weighted average; "
        r"$\mathbb E[F(\bar\phi_T)]-F(\phi^*)\le\frac{2DB}{\sqrt T}$ and "
        r"$\mathbb E\|\bar\phi_T-\phi^*\|^2\le\frac{4D\kappa}{\sqrt T}$ for "
        r"$\gamma_t=\frac{2D}{B\sqrt t}$ and the mean of $\phi_0,\dots,\phi_T$; "
        r"$\mathbb E\|\phi_T-\phi^*\|^2\le(1-\gamma\mu)^T\|\phi_0-\phi^*\|^2+"
        r"\frac{\gamma B^2}{\mu}$ for $\gamma<\frac1\mu$.",
        hedges=r"Section 4.1 takes $D$ to be at least $\|\phi^*\|$. The bounds are credited to "
        "sources; a constant step gives “a fast convergence towards an imprecise solution”. The "
        r"expectation of $F$ and the divisor of the mean are ours (GT 24); $\kappa$ is $B/\mu$ "
        "here, as denoted, and not the sum printed beside it (GT 5). The runs take the constant "
        f"step {CONSTANT_STEP}, half of the 0.01 of Section 5.2, as the public code descends F/2.",
        matters="The bounds are true, but many times too large, and vacuous at the sizes of the "
        "paper for the first and the last step, where they exceed the largest error that the ball "
        "allows: the number of steps that they require is no guide.",
        gather=gather_inverse,
        check=check_runs,
        also=((gather_rate, check_rate), (gather_constant, check_runs)),
        stands="loosely",
        statistical=True,
    ),
)
