"""Claim 20: whether a run that stops at a tolerance is within it."""

from shapaudit.estimators.convergence import ALPHA
from shapaudit.statistics.limits import Limit, clopper_pearson
from shapaudit_audit.audit.comparisons import out_of
from shapaudit_audit.audit.evidence import Evidence
from shapaudit_audit.audit.judges import by_own_limits
from shapaudit_audit.audit.numbers_in_words import show
from shapaudit_audit.audit.verdict import Ruling, Verdict

from ..evidence.stopping import ALL, gather_runs
from .common import COVERT, claim

LS_SPA = "Bell, Devanathan & Boyd 2024"
LEVEL = 1 - ALPHA
BATCHED = f"{ALL}, every 32 walks"


def _judged(rows: list[Evidence], alpha: float) -> tuple[list[Evidence], tuple[Limit, ...]]:
    """Rows with the share of runs within the tolerance, its limits for all, and its own."""
    judged, limits = [], []
    for row in rows:
        name = f"{row['game']}, {row['rule']}"
        limit = clopper_pearson(name, row["within"], row["runs"], alpha / len(rows))
        alone = clopper_pearson(name, row["within"], row["runs"], 2 * alpha)
        shares = {"share": limit.estimate, "low": limit.low, "high": limit.high}
        judged.append(row | shares | {"low_alone": alone.low})
        limits.append(limit)
    return judged, tuple(limits)


def _verdict(
    judged: list[Evidence],
    limits: tuple[Limit, ...],
    summary: str,
    numbers: Evidence,
    setting: Ruling | None = None,
) -> Verdict:
    """A share significantly below the level refutes; each above by its own limit supports."""
    shares = [row["share"] for row in judged]
    below = sum(row["high"] < LEVEL for row in judged)
    return Verdict(
        by_own_limits(judged, LEVEL, larger=True),
        summary,
        numbers={"least_share": min(shares), "largest_share": max(shares), "below": below}
        | numbers,
        limits=limits,
        sample={"games": len({row["game"] for row in judged}), "runs": judged[0]["runs"]},
        rows=judged,
        setting=setting,
    )


def _lost(judged: list[Evidence], step: int) -> float:
    """Largest loss over the games between the last rule and the one ``step`` places before."""
    names = list(dict.fromkeys(row["rule"] for row in judged))
    shares = {name: [row["share"] for row in judged if row["rule"] == name] for name in names}
    last, other = names[-1], names[-1 - step] if step < len(names) else names[-1]
    return max(a - b for a, b in zip(shares[last], shares[other], strict=True))


def _told_rules(judged: list[Evidence]) -> tuple[dict[str, float], str]:
    """Numbers and words: the least and the largest share of each rule."""
    numbers: dict[str, float] = {}
    parts = []
    for rule in dict.fromkeys(row["rule"] for row in judged):
        shares = [row["share"] for row in judged if row["rule"] == rule]
        low, high = min(shares), max(shares)
        key = rule.replace(",", "").replace(" ", "_")
        numbers |= {f"{key}_least": low, f"{key}_largest": high}
        parts.append(f"{rule}, {show(100 * low)} to {show(100 * high)} per cent")
    return numbers, "; ".join(parts)


def check_usual(evidence: Evidence, alpha: float) -> Verdict:
    """What runs stopped by the usual rules are worth."""
    judged, limits = _judged(evidence["usual"], alpha)
    numbers, rules = _told_rules(judged)
    looks, players = (_lost(judged, step) for step in (1, 2))
    below = sum(row["high"] < LEVEL for row in judged)
    summary = (
        f"The share of runs that were not stopped in error should be {show(100 * LEVEL)} per "
        f"cent. The shares by rule are: {rules}. Significantly below the stated share are "
        f"{out_of(below, len(judged))}. Checking after every walk, from the second one onwards, "
        f"costs up to {show(100 * looks)} percentage points, most of all if contributions take "
        "few distinct values and have not yet shown their spread. A rule for each player "
        f"separately, used for all of them, costs up to {show(100 * players)} points."
    )
    numbers |= {"lost_to_looks": looks, "lost_to_players": players}
    return _verdict(judged, limits, summary, numbers, _in_batches(judged))


def _in_batches(judged: list[Evidence]) -> Ruling:
    """What becomes of the rule where it looks after each batch, at all players together."""
    rows = [row for row in judged if row["rule"] == BATCHED]
    if not rows:
        return Ruling("inconclusive", "No run checked after batches.")
    low, high = (show(100 * end(row["share"] for row in rows)) for end in (min, max))
    return Ruling(
        by_own_limits(rows, LEVEL, larger=True),
        f"With a check after each batch of 32 walks and one error for all players, {low} to "
        f"{high} per cent of {rows[0]['runs']} runs on each of {len(rows)} games were not stopped "
        "in error.",
    )


def check_ours(evidence: Evidence, alpha: float) -> Verdict:
    """What runs stopped by `estimate_until` are worth, and what the correction costs."""
    judged, limits = _judged(evidence["ours"], alpha)
    usual = {row["game"]: row["walks"] for row in evidence["usual"] if row["rule"] == BATCHED}
    prices = [row["walks"] / usual[row["game"]] for row in judged if row["game"] in usual]
    price = f"{show(min(prices))} to {show(max(prices))}" if prices else "not known"
    summary = (
        f"At least {show(100 * min(row['share'] for row in judged))} per cent of the runs on each "
        "game were not stopped in error. Compared with the rule for all players that is not "
        f"corrected for repeated checks, it takes {price} times the walks."
    )
    numbers = {"least_price": min(prices), "largest_price": max(prices)} if prices else {}
    return _verdict(judged, limits, summary, numbers)


CLAIMS = (
    claim(
        id="field26-20a",
        title="Stopping at a tolerance",
        heading="When to stop",
        topic="probability",
        where=f"left open by {LS_SPA}, Section 3.6, and {COVERT}, detection of convergence, which "
        "print no probability for the result of stopping",
        statement="An estimate of the error at level $q$ can be used as a stopping criterion: a "
        "run that continues until this estimate is below a tolerance ends within the tolerance "
        "with probability $q$ (here 95 per cent).",
        hedges="Both sources check after batches of samples, not after each sample, and base the "
        "estimate on the central limit theorem.",
        source="this project",
        setting="a check after each batch, here of 32 walks, and one error for all players",
        gather=gather_runs,
        check=check_usual,
        falls="hypothesis",
        matters="Checks have to be rare or corrected for: a rule that checks after every walk "
        "stops too early more often than its level allows.",
        statistical=True,
    ),
    claim(
        id="field26-20b",
        title="Stopping, corrected for players and checks",
        heading="When to stop",
        topic="probability",
        where="this project, estimators/convergence.py",
        statement="With Student's intervals at level $0.05/(dK)$ for $d$ players and $K$ checks, "
        "the first after 32 units, a run stopped at a tolerance is within it with probability at "
        "least 0.95, on the games of the study and on games of few distinct contributions.",
        gather=gather_runs,
        check=check_ours,
        statistical=True,
        source="this project",
    ),
)
