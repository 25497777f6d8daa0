"""How evidence decides, over grids of limits; numbers in words; claims and verdicts as records."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from recorded import compare
from shapaudit.statistics.limits import Limit
from shapaudit_audit.audit import (
    base,
    changes,
    checks,
    comparisons,
    evidence,
    ids,
    numbers_in_words,
    verdict,
)
from shapaudit_audit.audit.judges import by_bound, by_coverage, by_own_limits, by_ratios
from shapaudit_audit.papers import registry

ENDS = (0.5, 0.9, 0.95, 1.0, 1.05, 2.0)
LIMITS = [
    Limit("one", (low + high) / 2, low, high, 0.9) for low in ENDS for high in ENDS if low <= high
]


def said(function, *arguments, **settings):
    """What a function gives, or the message with which it refuses."""
    try:
        return function(*arguments, **settings)
    except (ValueError, verdict.ClaimError, evidence.EvidenceError) as error:
        return f"{type(error).__name__}: {error}"


def test_judges():
    verdicts = {"bounds": [by_bound([limit], [bound]) for limit in LIMITS for bound in ENDS]}
    pairs = list(product(LIMITS[::2], LIMITS[::3]))
    verdicts["two bounds"] = [by_bound(pair, [1.0, 0.9]) for pair in pairs]
    for margin, least in product((0.0, 0.02), (False, True)):
        shares = [by_coverage([limit, LIMITS[7]], 0.95, margin, least) for limit in LIMITS]
        verdicts[f"coverage {margin} {least}"] = shares
    for below, above in ((1.0, 1.0), (0.95, 1.05)):
        verdicts[f"ratios {below}"] = [by_ratios(pair, below, above) for pair in pairs]
    keys = ("low", "high", "low_alone", "high_alone")
    for bound, larger in product((1.0, 0.9), (False, True)):
        rows = [dict(zip(keys, four, strict=True)) for four in product(ENDS[1:5], repeat=4)]
        verdicts[f"own {bound} {larger}"] = [by_own_limits([row], bound, larger) for row in rows]
    empty = (by_bound, [], []), (by_coverage, [], 0.9), (by_ratios, []), (by_own_limits, [])
    verdicts["nothing"] = [said(*arguments) for arguments in empty]
    compare("audit", verdicts)


def test_numbers_in_words():
    sizes = [0.0, *(a * 10.0**k for k in range(-8, 19) for a in (1.0, 2.34567, 9.996))]
    numbers = [*sizes, *(-size for size in sizes), 7, 10**14, Fraction(2, 3), np.inf, -np.inf]
    words = {"show": [numbers_in_words.show(number) for number in numbers]}
    words["powers"] = [
        numbers_in_words.show_power(number) for number in (-400.2, -3.0, 0.0, 2.5, 9.999, 512.7)
    ]
    words["spans"] = [comparisons.span(some) for some in ([1.0, 1.001], [3, 1, 2], [0.5, 4e9])]
    words["counts"] = [comparisons.out_of(k, n) for n in (1, 2, 50) for k in (0, 1, 2, 50)]
    compare("audit", words)


def test_methods_compared():
    rng = np.random.default_rng(0)
    errors = {
        (kind, d): np.exp(rng.normal(size=(30, 3, 2))) * np.array([1.0, factor, 1.0])[:, None]
        for kind, d, factor in (("a", 4, 0.2), ("a", 8, 0.1), ("b", 4, 3.0))
    }
    given = {"errors": errors, "methods": ["equal split", "one", "1/sqrt(t), two"]}
    pairs = {"one": "1/sqrt(t), two", "1/sqrt(t), two": "equal split"}
    results = {}
    for capped in (False, True):
        rows = checks.compare_methods(given, (5, 20), pairs, 0.05, capped)
        for some in (rows, rows[:4], [row for row in rows if row["error"] == "larger"]):
            if some:
                judged = checks.judge_larger(some, 0.05)
                parts = [judged.status, judged.summary, judged.consequence, judged.numbers]
                parts += [judged.sample, [vars(limit) for limit in judged.limits], judged.rows]
                results[f"methods {capped} {len(some)}"] = parts
    compare("audit", results)


CLAIM = replace(next(claim for claim in registry().values() if claim.statistical), also=())
CHANGES = [
    {"id": "gt20"}, {"id": "gt20-1"}, {"id": "gt20-001"}, {"source": "web"}, {"stands": "well"},
    {"falls": "badly"}, {"topic": "weather"}, {"falls": "hypothesis", "lacks": ""},
    {"falls": "hypothesis", "lacks": "", "source": base.OURS}, {"gather": print},
]  # fmt: skip


@pytest.mark.parametrize("setting", [False, True])
def test_consequences(setting):
    consequences = []
    for general, there, own in product(verdict.STATUSES, verdict.STATUSES, (None, "slip")):
        ruling = verdict.Ruling(there, "There.") if setting else None
        ruled = verdict.Verdict(general, "So.", own, rows=({"a": 1},), reach="all", setting=ruling)
        named = "here" if setting else ""
        claim = replace(CLAIM, check=lambda *_, ruled=ruled: ruled, setting=named, stands="loosely")
        judged = claim.judge({}, 0.05)
        consequences.append(judged.consequence)
        record = base.verdict_record(claim, judged, 0.05)
    consequences += [*record, record["setting"], record["number"]]
    other = replace(CLAIM, check=lambda *_: ruled, setting="" if setting else "here")
    compare("audit", {f"consequences {setting}": [*consequences, said(other.judge, {}, 0.05)]})


def test_claims_and_verdicts_that_are_refused():
    refusals = [said(lambda change=change: replace(CLAIM, **change).id) for change in CHANGES]
    wrong = [
        {"status": "true"}, {"consequence": "fine"}, {"status": "proved", "shown_by": "rows"},
        {"status": "exact", "shown_by": "lem:x"}, {"rows": ()}, {"rows": ({"a": 1}, {"b": 1})},
        {"numbers": {"a": np.nan}}, {"sample": {"a": [1]}}, {"rows": ({"a": np.inf},)},
    ]  # fmt: skip
    for fault in wrong:
        settings = {"status": "refuted", "summary": "No.", "rows": ({"a": 1},)} | fault
        refusals.append(said(lambda settings=settings: verdict.Verdict(**settings).status))
    values = (True, 3, np.int64(4), Fraction(4, 2), Fraction(1, 3), 0.5, "text", None)
    refusals += [str(said(verdict.plain, value)) for value in values]
    compare("audit", {"refused": refusals})


def test_evidence_as_it_is_kept():
    values = [None, True, np.bool_(0), np.int64(3), Fraction(1, 3), 0.5, np.nan, -np.inf, "text"]
    values += [np.arange(6.0).reshape(2, 3), np.array([1.0, np.inf]), np.array([Fraction(1, 2)])]
    values += [(1, 2), [1, (2,)], {"a": 1}, {1: "b"}, {"$a": 2}, np.arange(3), np.zeros((0, 2))]
    values += [evidence.Case("a", Fraction(1), Fraction(2)), {1, 2}, np.array([1j]), np.eye(2) > 0]
    kept = [said(evidence.encode, value) for value in values]
    pieces = {"encoded": kept}
    good = [piece for piece in kept if not str(piece).startswith("EvidenceError")]
    pieces["decoded"] = [str(evidence.decode(piece)) for piece in good]
    compare("audit", pieces)


def test_verdicts_that_change():
    names = ["a20-01", "a20-02a", "b21-10", "b21-11"]

    def audit(statuses):
        parts = zip(names, statuses, strict=True)
        claims = [{"id": k, "status": s, "statistical": k != "b21-11"} for k, s in parts]
        return {"claims": claims}

    before = audit(["supported", "refuted", "inconclusive", "refuted"])
    again = {k: audit(some) for k, some in ((3, ["refuted"] * 4), (4, ["inconclusive"] * 4))}
    made = changes.changes(before, again)
    rows = [[*vars(change).values(), change.overturned, ids.short_id(change.id)] for change in made]
    rows.append(said(changes.changes, before, {5: {"claims": again[3]["claims"][1:]}}))
    rows.append({key: len(own) for key, own in ids.by_paper(before["claims"]).items()})
    gatherer = SimpleNamespace(
        __module__="shapaudit_papers.a_paper.evidence.part.inner", __name__="gather_x"
    )
    compare("audit", {"changes": [*rows, evidence.key_of(gatherer), evidence.paper_of(gatherer)]})
