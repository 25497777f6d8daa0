"""The faults of `make mutants`: which are drawn, and that tests which see them are told apart."""

import ast
import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

import mutants

FILES = {
    "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['src']\n",
    "src/shapaudit/__init__.py": "",  # without it another one on the path would be imported
    "src/shapaudit/small/__init__.py": "",
    "src/shapaudit/small/code.py": (
        "def double(number: int | float) -> int | float:\n"
        "    return 2 * number\n\n\n"
        "def endless(number):\n"
        "    return number - 1\n"
    ),
    "tests/unit/library/small/test_code.py": (
        "from shapaudit.small.code import double\n\n\n"
        "def test_twice():\n"
        "    assert double(3) == 6\n"
    ),
}


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A project of one package with a test for one of its two functions."""
    for name, text in FILES.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path / "project", check=True)
    monkeypatch.setattr(mutants, "ROOT", tmp_path / "project")
    copy = tmp_path / "copy"
    mutants.copy_of_project(copy)
    assert {str(path.relative_to(copy)) for path in copy.rglob("*.*")} == set(FILES)
    return copy


def test_a_sample_is_that_of_its_seed_with_one_fault_for_each_place(small):
    drawn = mutants.draw(["small"], 2, 1)
    assert drawn == mutants.draw(["small"], 2, 1)
    assert drawn[:1] == mutants.draw(["small"], 1, 1)
    assert any(drawn != mutants.draw(["small"], 2, seed) for seed in range(2, 9))
    for mutant in drawn:
        before, after = (small / mutant.path).read_text(encoding="utf-8"), mutant.text()
        ast.parse(after)
        pairs = zip(before.splitlines(), after.splitlines(), strict=True)
        changed = [k for k, (original, other) in enumerate(pairs, 1) if original != other]
        assert changed == [mutant.line]


def test_every_package_has_tests():
    packages = mutants.packages_of_project()
    assert len(packages) == len(set(packages)) > 15
    for package in packages:
        assert mutants.tests_of(package), package
        path = next(mutants.folder_of(package).rglob("*.py"))
        assert mutants.package_of(path.relative_to(ROOT)) == package


def test_tests_of_papers_are_those_of_verdicts_and_outputs_too():
    further = {file for file, places in mutants.FURTHER.items() if "shapaudit_papers/" in places}
    assert len(further) > 1
    for paper in ("field", "theory"):
        assert further < set(mutants.tests_of(paper))
    assert not set(mutants.FURTHER) & set(mutants.tests_of("games"))
    assert set(mutants.FURTHER) & set(mutants.tests_of("models"))
    assert mutants.tests_of("verify") == ["tests/unit/verify"]
    with pytest.raises(ValueError, match="no package 'unknown'"):
        mutants.folder_of("unknown")


def test_a_program_that_a_test_starts_has_the_fault(small, monkeypatch):
    monkeypatch.setattr(mutants, "LIBRARIES", [])
    program = "from shapaudit.small.code import endless; assert endless(1) == 0"
    (small / "tests/unit/library/small/test_program.py").write_text(
        "import subprocess\nimport sys\n\n\n"
        "def test_program():\n"
        f"    subprocess.run([sys.executable, '-c', {program!r}], check=True)\n",
        encoding="utf-8",
    )
    tests = mutants.tests_of("small")
    order = mutants.Soonest(set(), {})
    assert mutants.outcome(None, small, tests, order, small / "kernels")[0] == 0
    assert not [*(small / "src").rglob("*.pyc")]
    fault = next(m for m in mutants.draw(["small"], 100, 0) if m.line == 6)
    assert not mutants.survives(fault, small, tests, {})


def test_faults_that_no_test_sees_survive(small, monkeypatch):
    monkeypatch.setattr(mutants, "LIBRARIES", [])
    drawn = sorted(mutants.draw(["small"], 100, 0), key=lambda mutant: mutant.line)
    assert {mutant.line for mutant in drawn} == {2, 6}  # not the annotations
    assert mutants.words_of(drawn[0]) == {"double"}
    tests = mutants.tests_of("small")
    seen = {m.line: mutants.survives(m, small, tests, {}) for m in (drawn[0], drawn[-1])}
    assert seen == {2: False, 6: True}
    for name, text in FILES.items():
        assert (small / name).read_text(encoding="utf-8") == text


def test_a_run_names_the_faults_that_survive_and_needs_tests_that_pass(small, monkeypatch, capsys):
    monkeypatch.setattr(mutants, "LIBRARIES", [])
    drawn, tests = mutants.draw(["small"], 100, 0), {"small": mutants.tests_of("small")}
    assert {mutant.line for mutant in mutants.run(drawn, tests, small)} == {6}
    assert "small/code.py:6" in capsys.readouterr().out
    failing = small / "tests/unit/library/small/test_failing.py"
    failing.write_text("def test_fails():\n    assert False\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="tests of small fail without any fault"):
        list(mutants.run(drawn, tests, small))


def test_a_process_that_dies_has_seen_the_fault(small, monkeypatch):
    monkeypatch.setattr(mutants, "LIBRARIES", [])
    deadly = small / "tests/unit/library/small/test_deadly.py"
    deadly.write_text("import os\n\n\ndef test_dies():\n    os.kill(os.getpid(), 9)\n", "utf-8")
    order = mutants.Soonest(set(), {})
    tests = [str(deadly.relative_to(small))]
    assert mutants.outcome(None, small, tests, order, small / "kernels") == (-9, {})


@pytest.fixture
def outcome_of(small, monkeypatch):
    """The outcome of a test of these lines, within a limit of processor time."""
    monkeypatch.setattr(mutants, "LIBRARIES", [])

    def outcome(limit, *lines):
        path = small / "tests/unit/library/small/test_slow.py"
        body = "".join(f"    {line}\n" for line in lines)
        path.write_text(f"import time\n\n\ndef test_slow():\n{body}", "utf-8")
        order = mutants.Soonest(set(), {})
        return mutants.outcome(
            limit, small, [str(path.relative_to(small))], order, small / "kernels"
        )

    return outcome


def test_a_run_that_gets_little_of_the_processor_is_no_run_without_end(outcome_of, monkeypatch):
    little = itertools.count(0.0, 0.001)
    monkeypatch.setattr(mutants, "processor_seconds", lambda pid: next(little))
    code, seconds = outcome_of(1, "time.sleep(3)")
    assert code == 0
    assert max(seconds.values()) > 2


def test_a_run_without_end_has_seen_the_fault(outcome_of, monkeypatch):
    assert outcome_of(3, "while True:", "    pass") == (None, {})
    monkeypatch.setattr(mutants, "IDLE", 3)
    assert outcome_of(1000, "time.sleep(1000)") == (None, {})


def test_processor_time_counts_programs_that_were_started_and_have_ended():
    spin = "import time\nwhile time.process_time() < 0.5: pass"
    before = mutants.processor_seconds(os.getpid())
    subprocess.run([sys.executable, "-c", spin], check=True)
    assert mutants.processor_seconds(os.getpid()) > before + 0.4
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert mutants.processor_seconds(ended.pid) == 0


def test_the_durations_of_very_many_tests_arrive(small, monkeypatch):
    monkeypatch.setattr(mutants, "LIBRARIES", [])
    many = small / "tests/unit/library/small/test_many.py"
    many.write_text(
        "import pytest\n\n\n"
        "@pytest.mark.parametrize('n', range(500), ids=lambda n: f'{n:0300}')\n"
        "def test_one(n):\n    pass\n",
        encoding="utf-8",
    )
    order = mutants.Soonest(set(), {})
    tests = [str(many.relative_to(small))]
    code, seconds = mutants.outcome(60, small, tests, order, small / "kernels")
    assert (code, len(seconds)) == (0, 501)


def test_kernels_that_may_have_compiled_a_fault_in_are_left_out(tmp_path):
    cache = tmp_path / "cache" / "a_package"
    cache.mkdir(parents=True)
    for stem in ("permutations", "reference", "ridge"):
        (cache / f"{stem}.kernel-1.py311.nbi").touch()
    changed = Path("src/shapaudit/samplers/permutations.py")  # which truth/reference.py imports
    left = mutants.kernels_without(changed, tmp_path / "cache", tmp_path / "left")
    assert [path.name.split(".")[0] for path in left.rglob("*.nbi")] == ["ridge"]
