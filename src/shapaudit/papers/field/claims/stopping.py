"""Claim 20: whether a run that stops at a tolerance is within it."""

from shapaudit.audit.evidence import Evidence
from shapaudit.audit.exact import show
from shapaudit.audit.judges import by_own_limits, tell
from shapaudit.audit.verdict import Verdict
from shapaudit.estimators.convergence import ALPHA
from shapaudit.statistics.limits import Limit, clopper_pearson

from ..evidence.stopping import ALL, gather_needle, gather_runs
from .common import COVERT, claim

LS_SPA = "Bell, Devanathan & Boyd 2024"
LEVEL = 1 - ALPHA


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
    judged: list[Evidence], limits: tuple[Limit, ...], summary: str, numbers: Evidence
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
    )


def _lost(judged: list[Evidence], step: int) -> float:
    """Largest loss over the games between the last rule and the one ``step`` places before."""
    names = list(dict.fromkeys(row["rule"] for row in judged))
    shares = {name: [row["share"] for row in judged if row["rule"] == name] for name in names}
    last, other = names[-1], names[-1 - step] if step < len(names) else names[-1]
    return max(a - b for a, b in zip(shares[last], shares[other], strict=True))


def _told_rules(judged: list[Evidence]) -> tuple[dict[str, float], str]:
    """Numbers and words: the least and the largest share of each rule."""
    numbers, parts = {}, []
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
        f"Runs not stopped in error, at a stated {show(100 * LEVEL)} per cent: {rules}. Of "
        f"{len(judged)} shares, {below} are significantly below. Looks after every walk, from the "
        f"second on, cost up to {show(100 * looks)} points, most where contributions of few "
        "distinct values have not shown their spread; leaving the number of players out costs up "
        f"to {show(100 * players)}."
    )
    numbers |= {"lost_to_looks": looks, "lost_to_players": players}
    return _verdict(judged, limits, summary, numbers)


def check_ours(evidence: Evidence, alpha: float) -> Verdict:
    """What runs stopped by `estimate_until` are worth, and what the correction costs."""
    judged, limits = _judged(evidence["ours"], alpha)
    rule = f"{ALL}, every 32 walks"
    usual = {row["game"]: row["walks"] for row in evidence["usual"] if row["rule"] == rule}
    prices = [row["walks"] / usual[row["game"]] for row in judged if row["game"] in usual]
    price = f"{show(min(prices))} to {show(max(prices))}" if prices else "not known"
    summary = (
        f"At least {show(100 * min(row['share'] for row in judged))} per cent of the runs on each "
        "game were not stopped in error. The price over the rule for all players without a "
        f"correction for looks: {price} times the walks."
    )
    numbers = {"least_price": min(prices), "largest_price": max(prices)} if prices else {}
    return _verdict(judged, limits, summary, numbers)


def check_needle(evidence: Evidence, alpha: float) -> Verdict:
    """Refuted when units without spread are likelier than the level allows."""
    rows, first = evidence["rows"], evidence["rows"][0]
    found = (
        f"One coalition of {first['size']} of {first['players']} players has value 1, all others "
        f"0: {first['walks']} walks miss it with probability {show(first['missed'])}, and show no "
        f"spread at all where its members have the value {evidence['value']}."
    )
    return tell(
        "inconclusive" if first["missed"] <= ALPHA else "refuted",
        {
            "inconclusive": found,
            "refuted": f"{found} What no unit has shown widens no interval; more units before the "
            "first look help, and so does a known range of v.",
        },
        numbers={key: evidence[key] for key in ("value", "met")} | {"missed": first["missed"]},
        rows=rows,
    )


CLAIMS = (
    claim(
        id="field26-20a",
        title="Stopping at a tolerance",
        heading="When to stop",
        topic="probability",
        where=f"{LS_SPA}, Section 3.6; {COVERT}, detection of convergence",
        statement=r"Run until the error estimated at 95 per cent, looked at after each batch, is "
        r"below the tolerance: the values are then within it, with 95 per cent confidence.",
        gather=gather_runs,
        check=check_usual,
        falls="hypothesis",
        statistical=True,
    ),
    claim(
        id="field26-20b",
        title="Stopping, corrected for players and looks",
        heading="When to stop",
        topic="probability",
        where="this project, estimators/convergence.py",
        statement=r"Student's intervals at $0.05/(dK)$ for $d$ players and $K$ looks, the first "
        r"after 32 units: a run stopped at a tolerance is within it with probability at least "
        r"0.95, on the games of the study and on games of few distinct contributions.",
        gather=gather_runs,
        check=check_ours,
        statistical=True,
        source="this project",
    ),
    claim(
        id="field26-20c",
        title="Units tell when to stop",
        heading="When to stop",
        topic="probability",
        where="this project, estimators/convergence.py",
        statement=r"On every game, the spread of the sampled contributions tells when the values "
        r"are within a tolerance.",
        gather=gather_needle,
        check=check_needle,
        falls="hypothesis",
        source="this project",
    ),
)
