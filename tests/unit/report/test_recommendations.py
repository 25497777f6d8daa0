"""Claims by topic, and what the recommendations say of the tasks."""

import re

from synthetic import estimates

from shapaudit.audit.base import STATUSES, TOPICS
from shapaudit.papers import registry
from shapaudit.papers.chen_covert_lundberg_lee_2023.tables import recommendations
from shapaudit.report import topics
from shapaudit.report.latex import NOT_RUN
from shapaudit.report.tasks import Comparison, Task
from shapaudit.statistics.summaries import pair_means

NAMES = (
    "paired-kernel-shap",
    "me",
    "leverage-shap",
    "svarm",
    "optimised-mc",
    "antithetic-mc",
    "mef",
)
SPECS = {name: {"label": name.upper()} for name in NAMES}


def claim(name, status, reason, source="paper"):
    topic = registry()[name].topic
    return {"id": name, "topic": topic, "status": status, "reason": reason, "source": source}


AUDIT = {
    "claims": [
        claim("gt20-02b", "refuted", "convention"),
        claim("gt20-05", "inconsistent", "slip"),
        claim("gt20-10a", "vacuous", "loose"),
        claim("gt20-18c", "refuted", "false", "this project"),
        claim("ccll23-04c", "proved", "sound"),
        claim("ccll23-07b", "refuted", "hypothesis"),
    ]
}


def task(name, players, scales, budgets=(100, 1000)):
    frame = estimates(scales, budgets=budgets, pairs=16)
    label = f"{name}, d = {players}"
    return Task(name, label, players, 2, "paired-kernel-shap", 4.0, pair_means(frame))


def comparison(*tasks):
    return Comparison({one.name: one for one in tasks}, SPECS, 0.05)


def test_every_topic_has_claims():
    found = topics.by_topic([vars(one) for one in registry().values()])
    assert list(found) == list(TOPICS)
    assert min(map(len, found.values())) > 5


def test_fallen_claims_are_counted_by_their_reasons():
    found = topics.values(AUDIT)
    assert found["fallen.total"] == "5"
    assert [
        found[f"fallen.{key}"] for key in ("slip", "hypothesis", "false", "loose", "other")
    ] == [
        "2",
        "1",
        "1",
        "1",
        "1",
    ]
    assert (found["fallen.gt20.total"], found["fallen.ccll23.total"]) == ("4", "1")
    assert (found["printed.total"], found["printed.own"]) == ("5", "1")
    reasons = ("total", "slip", "hypothesis", "false")
    assert [found[f"printed.fallen.{key}"] for key in reasons] == ["4", "2", "1", "0"]


def test_topics_share_the_claims_among_them():
    found = topics.values(AUDIT)
    for key in ("total", *STATUSES, "fallen.total", "fallen.hypothesis"):
        shares = [int(found[f"kinds.{kind}.{key}"]) for kind in TOPICS]
        counts = [one for one in AUDIT["claims"] if key in ("total", one["status"])]
        assert sum(shares) == {"fallen.total": 5, "fallen.hypothesis": 1}.get(key, len(counts))
    assert "2b" in found["kinds.identities.gt20"]
    assert found["kinds.identities.ccll23"] == ""
    assert "4c" in found["kinds.convergence.ccll23"]
    assert "10a" in found["kinds.probability.gt20"]


def test_ties_are_all_named_and_tasks_told_apart_by_their_players():
    few = task("chen-diabetes", 10, {"paired-kernel-shap": 1.0, "me": 0.3, "svarm": 6.0})
    many = task("chen-survey", 79, {"paired-kernel-shap": 1.0, "leverage-shap": 0.3, "mef": 0.3})
    found = recommendations.values(comparison(few, many))
    assert found["recommend.few.steady"] == "ME"
    assert (found["recommend.few.most"], found["recommend.few.cells"]) == ("2", "2")
    assert found["recommend.many.steady"] == "LEVERAGE-SHAP; MEF"
    assert found["recommend.chen-diabetes.last.best"] == "ME"
    assert found["recommend.chen-diabetes.last.near"] == "none"
    assert found["recommend.chen-survey.first.budget"] == "100"
    assert found["recommend.chen-survey.last.per-player"] == "13"
    assert found["recommend.chen-counts.last.best"] == NOT_RUN


def test_long_lists_are_cut_and_say_so():
    alike = dict.fromkeys(NAMES, 1.0)
    found = recommendations.values(comparison(task("chen-zeros", 110, alike)))
    near = found["recommend.chen-zeros.last.near"]
    assert near.count(";") == recommendations.SHOWN
    assert near.endswith(f"{len(NAMES) - 1 - recommendations.SHOWN} more")
    assert found["recommend.few.steady"] == NOT_RUN
    assert found["recommend.few.cells"] == "0"


def test_the_report_uses_no_other_keys(sources):
    every = {"claims": [claim(name, "proved", "sound") for name in registry()]}
    one = task("chen-zeros", 110, {"me": 1.0, "paired-kernel-shap": 2.0})
    made = set(recommendations.values(comparison(one))) | set(topics.values(every))
    text = "\n".join(sources.values())
    used = set(re.findall(r"\\val\{((?:recommend|kinds|printed|fallen)\.[^}#]*)\}", text))
    used |= {f"kinds.{kind}.total" for kind in re.findall(r"\\kindcounts\{(\w+)\}", text)}
    used |= {f"fallen.{key}.slip" for key in re.findall(r"\\sourcecounts\{(\w+)\}", text)}
    assert used <= made
    assert len(used) > 80
