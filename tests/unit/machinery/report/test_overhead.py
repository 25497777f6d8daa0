"""The record of the times beside the game that the site shows."""

from places import ROOT

from shapaudit.estimators import create
from shapaudit_audit.report.overhead import OVERHEAD, seconds_beside
from shapaudit_audit.study.reading import read_study


def test_every_estimator_of_the_default_study_has_a_time_on_every_task():
    study = read_study(ROOT / "config" / "config.yaml")
    wanted = set()
    for task, block in (study.compared() | study.on_games_of_papers()).items():
        players = study.game_of(block).players
        for name in block.estimators:
            spec = study.estimators[name]
            least = create(spec.estimator, spec.params).minimum_budget(players)
            budgets = [budget for budget in block.part(name).budgets if budget >= least]
            wanted |= {(task, players, budget, name) for budget in budgets}
    found = seconds_beside(ROOT / OVERHEAD)
    assert {*found} == wanted
    assert all(0 < seconds < 60 for seconds in found.values())
