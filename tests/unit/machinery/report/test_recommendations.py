"""Claims by topic, and what the recommendations say of the tasks."""

import re

import pytest
from synthetic import estimates

from shapaudit.statistics.summaries import explicand_means
from shapaudit_audit.audit.base import TOPICS
from shapaudit_audit.audit.verdict import CONSEQUENCES
from shapaudit_audit.papers import registry
from shapaudit_audit.report import topics
from shapaudit_audit.report.latex import NOT_RUN
from shapaudit_audit.report.tasks import Task, TaskComparison
from shapaudit_audit.study.blocks.runs import EstimatorBlock
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
SPECS = {name: EstimatorBlock(label=name.upper(), estimator="auto") for name in NAMES}


def claim(name, consequence, source="paper"):
    topic = registry()[name].topic
    record = {"id": name, "topic": topic, "consequence": consequence, "source": source}
    return record | {"statistical": False, "lacks": "a light tail"}


AUDIT = {
    "claims": [
        claim("gt20-02b", "slip"),
        claim("gt20-05", "slip"),
        claim("gt20-10a", "loosely"),
        claim("gt20-18c", "wrong", "this project"),
        claim("ccll23-04a", "stands"),
        claim("ccll23-07b", "hypothesis"),
    ]
}


def task(name, players, scales, budgets=(100, 1000)):
    frame = estimates(scales, budgets=budgets, explicands=16)
    label = f"{name}, d = {players}"
    return Task(name, label, players, 2, "paired-kernel-shap", 4.0, explicand_means(frame))


def comparison(*tasks):
    return TaskComparison({each.name: each for each in tasks}, SPECS, 0.05)


def test_every_topic_has_claims():
    members = topics.by_topic([vars(entry) for entry in registry().values()])
    assert list(members) == list(TOPICS)
    assert min(map(len, members.values())) > 5


def test_printed_claims_are_counted_by_consequence_and_ours_apart():
    values = topics.values(AUDIT)
    printed = {"total": 5, "fallen": 3, "stands": 1, "loosely": 1, "slip": 2, "hypothesis": 1}
    for key, count in (printed | {"setting": 0, "wrong": 0, "undecided": 0}).items():
        assert values[f"claims.{key}"] == str(count), key
    assert (values["claims.ours.total"], values["claims.ours.wrong"]) == ("1", "1")
    assert values["claims.lacking"] == r"a light tail (\cl{ccll23-07b})"
    assert (values["claims.gt20.fallen"], values["claims.ccll23.fallen"]) == ("2", "1")


@pytest.mark.parametrize(
    ("consequences", "told"),
    [
        (["stands", "loosely"], "none fails as printed."),
        (["slip"], "1 does not hold as printed, since it contains a slip."),
        (
            ["hypothesis", "setting"],
            "1 does not hold as printed, since it lacks a hypothesis; "
            "1 holds in its setting and not beyond it.",
        ),
        (
            ["wrong", "slip", "hypothesis", "slip", "setting", "setting", "undecided"],
            "4 do not hold as printed: 2 contain a slip, 1 lacks a hypothesis and 1 is wrong; "
            "2 hold in their setting and not beyond it, and 1 remains undecided.",
        ),
    ],
)
def test_a_sentence_tells_of_what_does_not_hold(consequences, told):
    claims = [claim("gt20-02b", each) for each in consequences]
    values = topics.values({"claims": [*claims, claim("gt20-05", "wrong", "this project")]})
    sentence = f"Of {len(claims)} published claims, {told}"
    assert values["claims.told"] == values["claims.gt20.told"] == sentence


def test_topics_share_the_claims_among_them():
    values = topics.values(AUDIT)
    for key in ("total", "fallen", *CONSEQUENCES, "ours.total"):
        shares = [int(values[f"claims.{topic}.{key}"]) for topic in TOPICS]
        assert sum(shares) == int(values[f"claims.{key}"])
    assert "2b" in values["claims.identities.gt20"]
    assert values["claims.identities.ccll23"] == ""
    assert "4a" in values["claims.convergence.ccll23"]
    assert "10a" in values["claims.probability.gt20"]


def test_ties_are_all_named_and_tasks_told_apart_by_their_players():
    few = task("chen-diabetes", 10, {"paired-kernel-shap": 1.0, "me": 0.3, "svarm": 6.0})
    many = task("chen-survey", 79, {"paired-kernel-shap": 1.0, "leverage-shap": 0.3, "mef": 0.3})
    values = recommendations.values(comparison(few, many))
    assert values["recommend.few.steady"] == "ME"
    assert values["recommend.few.told"].startswith(
        r"within 10\% of the best at 2 of 2 budgets of 1 task, significantly at "
    )
    assert values["recommend.few.players"] == "10"
    assert values["recommend.many.steady"] == "LEVERAGE-SHAP and MEF"


def test_a_study_without_few_players_says_so():
    alike = dict.fromkeys(NAMES, 1.0)
    values = recommendations.values(comparison(task("chen-zeros", 110, alike)))
    assert values["recommend.few.steady"] == NOT_RUN
    assert values["recommend.few.told"] == values["recommend.few.players"] == NOT_RUN


def test_the_report_uses_no_other_keys(sources):
    every = {"claims": [claim(name, "stands") for name in registry()]}
    single = task("chen-zeros", 110, {"me": 1.0, "paired-kernel-shap": 2.0})
    made = set(recommendations.values(comparison(single))) | set(topics.values(every))
    text = "\n".join(sources.values())
    used = set(re.findall(r"\\val\{((?:recommend|claims)\.[^}#]*)\}", text))
    used |= {f"claims.{key}.slip" for key in re.findall(r"\\claimcounts\{(\w+)\}", text)}
    used -= {"claims.alpha"}
    assert used <= made
    assert len(used) > 60
