"""`shapaudit judge`: what it takes, writes and says."""

import json

import pytest

from shapaudit.command import judge, main
from shapaudit.judging.judgement import read

OWN = '''
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from shapaudit.estimators import Estimate, Estimator


@dataclass(frozen=True)
class Equal(Estimator):
    """Every player gets as much."""

    id: ClassVar[str] = "equal"
    share: float = 1.0

    def minimum_budget(self, n_players):
        return 2

    def estimate(self, game, budget, rng):
        d = game.n_players
        low, high = game(np.array([[False] * d, [True] * d]))
        return Estimate(np.full(d, self.share * (high - low) / d), 2)
'''

ODD = """

from shapaudit.games import bank


@dataclass(frozen=True)
class Abstract(Estimator):
    class Inner(Equal):
        pass


Inner = Abstract.Inner


@dataclass(frozen=True)
class Reading(Equal):
    def __post_init__(self):
        bank.load("noise-8")
"""


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A folder with an estimator, as the present one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_equal.py").write_text(OWN, encoding="utf-8")
    return tmp_path


def test_an_estimator_of_a_file_is_judged_beside_all_others(own, capsys):
    assert main(["judge", "my_equal.py:Equal"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Equal: error over that of the best estimator")
    assert "  all: " in told
    judged = read(own / "judgement" / "Equal.json")
    assert {(len(r.errors), *r.evaluations) for r in judged.runs} == {(3, 2, 2, 2)}
    assert judged.estimator["params"] == {"share": 1.0}
    page = (own / "judgement" / "page.html").read_text(encoding="utf-8")
    assert "Equal among the estimators" in page
    assert "auto" in page


def test_parameters_and_another_name_are_taken(own):
    command = ["judge", "my_equal.py:Equal", "--params", '{"share": 2}', "--name", "Twice / 2"]
    assert main(command) == 0
    judged = read(own / "judgement" / "Twice-2.json")
    assert (judged.name, judged.estimator["params"]) == ("Twice / 2", {"share": 2})


def test_others_are_those_of_a_folder(own, capsys):
    assert main(["judge", "my_equal.py:Equal", "--to", "mine"]) == 0
    assert main(["judge", "svarm", "--others", "mine", "--to", "yours"]) == 0
    assert "of 2," in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["my_equal.py:Unequal"], "has no class 'Unequal'"),
        (["nothing.py:Equal"], "cannot load nothing.py"),
        (["my_equal.py"], "'my_equal.py' names no class; write file.py:name"),
        (["svarn"], "unknown estimator 'svarn' (did you mean 'svarm'?)"),
        (["svarm", "--params", "{"], "--params '{' is no JSON"),
        (["svarm", "--params", "[1]"], "--params must be an object"),
        (["svarm", "--params", '{"size": 1}'], "svarm takes no parameters; got size"),
        (["svarm", "--others", "broken"], "x.json is no judgement"),
        (["svarm", "--others", "nowhere"], "nowhere is no folder with judgements"),
        (
            ["my_equal.py:Equal", "--name", "auto"],
            "called 'auto' of shapaudit.estimators.auto.Auto",
        ),
        (["my_equal.py:Equal", "--name", "shapaudit"], "'shapaudit' cannot be the name of a file"),
        (["my_equal.py:Equal", "--name", "***"], "'***' cannot be the name of a file"),
        (
            ["my_equal.py:Equal", "--params", '{"share": "x"}'],
            "equal: share must be a number",
        ),
        (["my_equal.Equal"], "write my_equal.py:Equal"),
        (["my_faults.py:Leaving"], "cannot load my_faults.py (SystemExit: 0)"),
        (["my_odd.py:Abstract"], "Abstract cannot be made with the parameters {}: TypeError"),
        (["my_odd.py:Inner"], "Inner is defined inside of Abstract; define it at the top"),
        (["my_odd.py:Reading"], "my_odd.py:Reading: it opens"),
    ],
)
def test_what_is_wrong_is_told_before_the_work(own, capsys, monkeypatch, arguments, told):
    monkeypatch.setattr(judge, "judge", None)
    (own / "my_faults.py").write_text("import sys\n\nsys.exit(0)\n", encoding="utf-8")
    (own / "my_odd.py").write_text(OWN + ODD, encoding="utf-8")
    (own / "broken").mkdir()
    (own / "broken" / "x.json").write_text("[]", encoding="utf-8")
    assert main(["judge", *arguments]) == 2
    assert told in capsys.readouterr().err


def test_a_class_with_the_name_of_a_result_replaces_its_own_only(own, capsys):
    for _ in range(2):
        assert main(["judge", "my_equal.py:Equal", "--to", "mine"]) == 0
    assert main(["judge", "svarm", "--others", "mine", "--to", "mine"]) == 0
    capsys.readouterr()
    assert main(["judge", "my_equal.py:Equal", "--others", "mine", "--to", "mine"]) == 0
    assert "place 2 of 2" in capsys.readouterr().out


def test_an_estimator_that_enters_nothing_says_why(own, capsys):
    text = OWN.replace("return 2\n", "return 10_000\n")
    (own / "my_dear.py").write_text(text, encoding="utf-8")
    assert main(["judge", "my_dear.py:Equal"]) == 0
    told = capsys.readouterr().out
    assert "no game and budget was entered: the estimator needs 10000 evaluations" in told
    page = (own / "judgement" / "page.html").read_text(encoding="utf-8")
    assert "It was entered at no game and budget" in page


def test_a_page_of_ones_own_is_not_overwritten(own, capsys, monkeypatch):
    monkeypatch.setattr(judge, "judge", None)
    (own / "judgement").mkdir()
    (own / "judgement" / "page.html").write_text("mine", encoding="utf-8")
    assert main(["judge", "svarm"]) == 2
    assert "page.html was not written by shapaudit" in capsys.readouterr().err


def test_a_cheat_is_told(own, capsys):
    text = OWN.replace("(high - low) / d), 2)", "(high - low) / d), 1)")
    (own / "my_cheat.py").write_text(text, encoding="utf-8")
    assert main(["judge", "my_cheat.py:Equal"]) == 2
    assert "reports 1 evaluations; 2 were counted" in capsys.readouterr().err


def test_stopping_says_nothing_of_what_is_kept(own, capsys, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(judge, "judge", stopped)
    with pytest.raises(SystemExit):
        main(["judge", "svarm"])
    assert capsys.readouterr().err == "shapaudit: stopped.\n"


def test_the_file_is_json_with_a_format(own):
    main(["judge", "my_equal.py:Equal"])
    content = json.loads((own / "judgement" / "Equal.json").read_text(encoding="utf-8"))
    assert content["format"] == "shapaudit-judgement 1"
    assert content["estimator"]["class"] == "my_equal.Equal"
