"""Claims by topic, and what the recommendations say of the tasks."""

import re

from synthetic import estimates

from shapaudit.statistics.summaries import pair_means
from shapaudit_audit.audit.base import TOPICS
from shapaudit_audit.audit.verdict import CONSEQUENCES
from shapaudit_audit.papers import registry
from shapaudit_audit.report import topics
from shapaudit_audit.report.latex import NOT_RUN
from shapaudit_audit.report.tasks import Task, TaskComparison
from shapaudit_papers.chen_covert_lundberg_lee_2023.tables import recommendations

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


def claim(name, consequence, source="paper"):
    topic = registry()[name].topic
    found = {"id": name, "topic": topic, "consequence": consequence, "source": source}
    return found | {"statistical": False, "lacks": "a light tail"}


AUDIT = {
    "claims": [
        claim("gt20-02b", "slip"),
        claim("gt20-05", "slip"),
        claim("gt20-10a", "loosely"),
        claim("gt20-18c", "wrong", "this project"),
        claim("ccll23-04c", "stands"),
        claim("ccll23-07b", "hypothesis"),
    ]
}


def task(name, players, scales, budgets=(100, 1000)):
    frame = estimates(scales, budgets=budgets, pairs=16)
    label = f"{name}, d = {players}"
    return Task(name, label, players, 2, "paired-kernel-shap", 4.0, pair_means(frame))


def comparison(*tasks):
    return TaskComparison({one.name: one for one in tasks}, SPECS, 0.05)


def test_every_topic_has_claims():
    found = topics.by_topic([vars(one) for one in registry().values()])
    assert list(found) == list(TOPICS)
    assert min(map(len, found.values())) > 5


def test_printed_claims_are_counted_by_consequence_and_ours_apart():
    found = topics.values(AUDIT)
    printed = {"total": 5, "fallen": 3, "stands": 1, "loosely": 1, "slip": 2, "hypothesis": 1}
    for key, count in (printed | {"setting": 0, "wrong": 0, "undecided": 0}).items():
        assert found[f"claims.{key}"] == str(count), key
    assert (found["claims.ours.total"], found["claims.ours.wrong"]) == ("1", "1")
    assert found["claims.lacking"] == r"a light tail (\cl{ccll23-07b})"
    assert (found["claims.gt20.fallen"], found["claims.ccll23.fallen"]) == ("2", "1")
    falling = (found["claims.gt20.falling"], found["claims.ccll23.falling"])
    assert falling == ("2 do not hold as printed", "1 does not hold as printed")


def test_topics_share_the_claims_among_them():
    found = topics.values(AUDIT)
    for key in ("total", "fallen", *CONSEQUENCES, "ours.total"):
        shares = [int(found[f"claims.{topic}.{key}"]) for topic in TOPICS]
        assert sum(shares) == int(found[f"claims.{key}"])
    assert "2b" in found["claims.identities.gt20"]
    assert found["claims.identities.ccll23"] == ""
    assert "4c" in found["claims.convergence.ccll23"]
    assert "10a" in found["claims.probability.gt20"]


def test_ties_are_all_named_and_tasks_told_apart_by_their_players():
    few = task("chen-diabetes", 10, {"paired-kernel-shap": 1.0, "me": 0.3, "svarm": 6.0})
    many = task("chen-survey", 79, {"paired-kernel-shap": 1.0, "leverage-shap": 0.3, "mef": 0.3})
    found = recommendations.values(comparison(few, many))
    assert found["recommend.few.steady"] == "ME"
    assert found["recommend.few.told"].startswith(
        r"within 10\% of the best at 2 of 2 budgets of 1 task, significantly at "
    )
    assert found["recommend.few.players"] == "10"
    assert found["recommend.many.steady"] == "LEVERAGE-SHAP and MEF"
    assert found["recommend.chen-diabetes.last.best"] == "ME"
    assert found["recommend.chen-diabetes.last.near"] == "none"
    assert found["recommend.chen-survey.first.budget"] == "100"
    assert found["recommend.chen-survey.last.per-player"] == "13"
    assert found["recommend.chen-counts.last.best"] == NOT_RUN


def test_long_lists_are_cut_and_say_so():
    alike = dict.fromkeys(NAMES, 1.0)
    found = recommendations.values(comparison(task("chen-zeros", 110, alike)))
    near = found["recommend.chen-zeros.last.near"]
    assert near.count(",") == recommendations.SHOWN - 1
    assert near.endswith(f" and {len(NAMES) - 1 - recommendations.SHOWN} more")
    assert found["recommend.few.steady"] == NOT_RUN
    assert found["recommend.few.told"] == found["recommend.few.players"] == NOT_RUN


def test_the_report_uses_no_other_keys(sources):
    every = {"claims": [claim(name, "stands") for name in registry()]}
    one = task("chen-zeros", 110, {"me": 1.0, "paired-kernel-shap": 2.0})
    made = set(recommendations.values(comparison(one))) | set(topics.values(every))
    text = "\n".join(sources.values())
    used = set(re.findall(r"\\val\{((?:recommend|claims)\.[^}#]*)\}", text))
    used |= {f"claims.{key}.slip" for key in re.findall(r"\\claimcounts\{(\w+)\}", text)}
    used -= {"claims.alpha"}
    assert used <= made
    assert len(used) > 80
