"""Claim 10: Markov's bounds for the three steps, against simulated runs."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from shapaudit.statistics.limits import clopper_pearson
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_bound, tell
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ...evidence.probability.markov import gather_on_ball, gather_without_ball
from ..common import NO_RUNS, claim, required

STEPS = ("inverse", "square_root", "constant")


def _table(rows, alpha):
    """Rows with their limits, and the limits."""
    limits = []
    for row in rows:
        name = f"{row['game']}, explicand {row['explicand']}, {row['rule']}, T = {row['steps']}"
        name += f", level {show(row['epsilon_over_c2'])} C squared"
        share = alpha / len(rows)
        limits.append(clopper_pearson(name, row["exceedances"], row["runs"], share))
    return [
        row | {"exceedance_low": limit.low, "exceedance_high": limit.high}
        for row, limit in zip(rows, limits, strict=True)
    ], limits


def check_on_ball(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when a lower Clopper-Pearson limit exceeds its bound; else proved, by the report."""
    verdict = check_markov(evidence, alpha)
    ruling = _in_the_experiments(evidence["experiments"])
    if verdict.status == "refuted":
        return replace(verdict, setting=ruling)
    counts: Mapping[str, Any] = verdict.numbers  # those of `check_markov`
    large = counts["comparisons"] - counts["informative"]
    text = (
        "The bounds follow from Markov's inequality and the rates, which hold on $K$. Simulated "
        f"runs contradict them in none of {counts['comparisons']} comparisons. In {large} of "
        "these the bound is at least 1, even at the largest squared error possible on $K$; the "
        f"smallest bound is {show(counts['smallest_bound'])}."
    )
    return replace(verdict, status="proved", summary=text, shown_by="prop:rates", setting=ruling)


def _in_the_experiments(experiments):
    """Vacuous when every bound on the mean exceeds what the start satisfies on any game."""
    cells = [(experiment, experiment[step]) for experiment in experiments for step in STEPS]
    saying = [bound for experiment, bound in cells if bound < experiment["start"]]
    listed = "; ".join(
        f"{' and '.join(show(experiment[step]) for step in STEPS)} $C^2$ "
        f"at $d={experiment['players']}$, "
        f"compared with {show(experiment['start'])}"
        for experiment in experiments
    )
    return Ruling(
        "supported" if saying else "vacuous",
        f"After the evaluations of the experiments, {len(saying)} of {len(cells)} bounds on the "
        "mean are below the largest squared error that the starting point, the equal split, has "
        f"on any game bounded by $C$: {listed}. A bound above that gives no information, at any "
        "level, that is not available before the first step.",
    )


def check_markov(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when a lower Clopper-Pearson limit exceeds its bound, vacuous when all bounds are at
    least 1, supported when every upper limit stays below a bound that is less.
    """
    rows, limits = _table(required(evidence["rows"], NO_RUNS), alpha)
    violated = [row for row in rows if row["exceedance_low"] > row["bound"]]
    informative = [row for row in rows if row["bound"] < 1]
    numbers = {
        "comparisons": len(rows),
        "informative": len(informative),
        "violations": len(violated),
        "undecided": sum(row["exceedance_high"] > row["bound"] for row in informative),
        "smallest_bound": min(row["bound"] for row in rows),
    }
    status = by_bound(limits, [row["bound"] for row in rows]) if informative else "vacuous"
    return tell(
        status,
        {
            "refuted": lambda: _told_refuted(violated, len(rows)),
            "vacuous": lambda: _told_vacuous(rows, numbers["smallest_bound"]),
            "inconclusive": f"In {numbers['undecided']} of {len(informative)} comparisons with a "
            "bound below 1, the upper limit of the exceedance probability is above it; more runs "
            "are needed to decide.",
            "supported": f"In all {len(informative)} of {len(rows)} comparisons with a bound "
            "below 1, the upper limit of the exceedance probability is below it.",
        },
        "loosely" if status == "vacuous" else None,
        numbers=numbers,
        limits=limits,
        sample={
            "series": len({(row["game"], row["explicand"], row["rule"]) for row in rows}),
            "runs_per_series": min(row["runs"] for row in rows),
        },
        rows=rows,
    )


def _told_refuted(violated, total):
    worst = max(violated, key=lambda row: row["exceedance_low"] / row["bound"])
    return (
        f"On {worst['game']}, explicand {worst['explicand']}, after {worst['steps']} steps "
        f"({worst['rule']}), {worst['exceedances']} of {worst['runs']} runs have a squared error "
        f"of at least {show(worst['epsilon_over_c2'])} $C^2$, which corresponds to a probability "
        f"of {show(worst['exceedance_low'])} or more; the bound is {show(worst['bound'])}. It "
        f"fails in {len(violated)} of {total} comparisons: like the bound on the mean, it "
        "requires the ball."
    )


def _told_vacuous(rows, smallest):
    times = [row["informative_from"] for row in rows if row["informative_from"] != "never"]
    return (
        f"All {len(rows)} bounds are at least 1, the smallest being {show(smallest)}, even at the "
        "largest squared error possible on $K$. At that level the first of them falls below 1 at "
        f"$T$ = {min(times, default='never')}."
    )


CLAIMS = (
    claim(
        id="gt20-10a",
        title="Markov bounds on K",
        heading="Bounds in probability",
        topic="probability",
        where="Section 4.2, High-Probability bounds; HAL version (arXiv: Section 8, other "
        "constants)",
        words="we use Markov inequality ... P(||bar phi_T - phi*||^2 >= epsilon) <= 4 "
        "kappa^2/(epsilon T), for all epsilon > 0",
        statement=r"$\mathbb P(Z\ge\epsilon)\le\frac{4\kappa^2}{\epsilon T}$, "
        r"$\frac{4D\kappa}{\epsilon\sqrt T}$ and $\frac{(1-\gamma\mu)^T}{\epsilon}"
        r"\|\phi_0-\phi^*\|^2+\frac{\gamma B^2}{\epsilon\mu}$ for the squared error $Z$ of the "
        r"three steps with projection on $K$, $\kappa=\frac B\mu$.",
        hedges="“for all” levels above 0. Both versions offer Markov's inequality and the "
        "deviation inequality, “either”; such bounds are called “essential” in Section 1.",
        setting="the numbers of evaluations and the constant steps of Section 5.2, $d=16$ and "
        r"300, with $D=C\sqrt d$ as in the public code",
        matters="The bounds are true, but too large to be informative where the paper runs the "
        "algorithm.",
        gather=gather_on_ball,
        check=check_on_ball,
        lacks="a ball that bounds the iterates",
        stands="loosely",
        falls="hypothesis",
        statistical=True,
    ),
    claim(
        id="gt20-10b",
        title="Markov bound without the ball",
        heading="Bounds in probability",
        topic="probability",
        where="left out by the paper, whose Section 4.2 has the ball; hyperplane alone in the "
        "authors' public code",
        statement=r"$\mathbb P\bigl(\|\bar\phi_T-\phi^*\|^2\ge\epsilon\bigr)\le"
        r"\frac{4\kappa^2}{\epsilon T}$ for $\gamma_t=\frac2{\mu(t+1)}$ and projection on $K_1$ "
        r"alone.",
        matters="The bound on the probability requires the ball, as the bound on the mean does.",
        gather=gather_without_ball,
        check=check_markov,
        stands="loosely",
        falls="hypothesis",
        statistical=True,
        source="this project",
    ),
)
