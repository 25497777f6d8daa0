"""Digests of what a job runs change with the files that it follows, and with no others."""

import ast
import json
import shutil

import pytest
from followed import forget, settle
from places import ROOT

from shapaudit_audit import houses
from shapaudit_audit.houses import SOURCE
from shapaudit_audit.jobs.sources import sources_of
from shapaudit_audit.papers import PAPERS, folder_of
from shapaudit_audit.study import dependencies
from shapaudit_audit.study.blocks.games import RemovalBlock
from shapaudit_audit.study.blocks.runs import EstimatorBlock
from shapaudit_audit.study.dependencies import DIGITS, code_of, forget_stale_kernels
from shapaudit_audit.study.own_estimators import estimator_files

SCRIPTS = ROOT / "workflow" / "scripts"


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Folder of a copy of the source that can be edited."""
    copy = tmp_path / "src"
    for name, folder in houses.houses().items():
        shutil.copytree(folder, copy / name, ignore=shutil.ignore_patterns("*.pyc", "*.nb[ci]"))
    settle(monkeypatch, copy, houses.houses())
    yield copy
    forget()


def changed_by_editing(file, *code):
    """Whether the digest of a script and its sources is another one after an edit."""
    before = code_of(*code)
    with file.open("a", encoding="utf-8") as stream:
        stream.write("# edited\n")
    dependencies._file_digest.cache_clear()
    code_of.cache_clear()
    return code_of(*code) != before


@pytest.fixture
def digest(tmp_path, monkeypatch):
    """Digest of a script that imports `package.used`, and of folders, with modules by path."""
    package = tmp_path / "package"
    settle(monkeypatch, tmp_path, ["package", "papers"])
    script = tmp_path / "script.py"
    script.write_text("from package.used import x\n", encoding="utf-8")

    def digest(modules, *folders):
        for path, text in ({"__init__": "", "used": ""} | modules).items():
            file = (package if path.count("/") == 0 else tmp_path) / f"{path}.py"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        forget()
        return code_of(script, *folders)

    return digest


def test_the_digest_follows_what_is_run_and_nothing_else(digest):
    before = digest({"unused": ""})
    assert digest({"unused": "x = 1\n"}) == before
    for edited, module in (("used", "package.used"), ("__init__", "package")):
        after = digest({edited: "x = 1\n"})
        assert {name for name in after if after[name] != before[name]} == {module}


def test_digests_are_named_by_modules_and_by_paths_of_other_files(digest, tmp_path):
    (tmp_path / "weights.txt").write_text("1", encoding="utf-8")
    named = digest({}, str(tmp_path / "weights.txt"))
    assert set(named) == {"package", "package.used", f"{tmp_path.name}/weights.txt"}
    assert {len(own) for own in named.values()} == {DIGITS}


def test_files_are_parsed_once_per_content_and_version(digest, monkeypatch):
    before = digest({"used": "from package import unused\n", "unused": ""})
    with monkeypatch.context() as patch:
        patch.setattr(dependencies.ast, "parse", None)  # another process knows them already
        assert digest({}) != before  # without the import
        assert digest({"used": "from package import unused\n"}) == before
        with pytest.raises(TypeError):
            digest({"used": "x = 1\n"})
        patch.setattr(dependencies, "_keep", None)  # nothing new is written
        assert digest({"used": "from package import unused\n"}) == before
    kept = dependencies.BYTECODE / dependencies.KEPT
    content = json.loads(kept.read_text(encoding="utf-8"))
    wrong = {name: [[], []] for name in content["names"]}
    text = {"used": "from package import unused\n"}
    for found_by, same in ((content["found_by"], False), ("another version", True)):
        kept.write_text(json.dumps({"found_by": found_by, "names": wrong}), encoding="utf-8")
        assert (digest(text) == before) == same
    kept.write_text("{", encoding="utf-8")  # cut off
    assert digest(text) == before


MODULES = {
    "helper": "",
    "papers/__init__": "",
    "papers/one/__init__": "",
    "papers/one/evidence/__init__": "",
    "papers/one/evidence/piece": "from package.helper import x\n",
    "papers/one/evidence/deeper/__init__": "",
    "papers/one/evidence/deeper/piece": "",
    "papers/one/claims/__init__": "",
    "papers/one/claims/piece": "from ..evidence.piece import x\nWORDS = 'so they say'\n",
    "papers/two/__init__": "",
    "papers/two/evidence/__init__": "",
    "papers/two/evidence/piece": "",
}


@pytest.mark.parametrize(
    ("module", "followed"),
    [
        ("papers/one/evidence/piece", True),
        ("papers/one/evidence/deeper/piece", True),
        ("papers/one/evidence/added", True),
        ("papers/one/__init__", True),
        ("helper", True),
        ("papers/one/claims/piece", False),
        ("papers/one/claims/added", False),
        ("papers/two/evidence/piece", False),
    ],
)
def test_the_modules_of_a_folder_are_followed_without_being_named(digest, module, followed):
    before = digest(MODULES, "papers/one/evidence")
    edited = digest(MODULES | {module: "x = 2\n"}, "papers/one/evidence")
    assert (edited != before) == followed


def test_claims_are_judged_anew_when_they_or_their_evidence_change(digest):
    before = digest(MODULES, "papers/one/claims")
    for module in ("papers/one/claims/piece", "papers/one/evidence/piece", "helper"):
        assert (
            digest(MODULES | {module: MODULES[module] + "x = 2\n"}, "papers/one/claims") != before
        )
    other = {"papers/two/evidence/piece": "x = 2\n"}
    assert digest(MODULES | other, "papers/one/claims") == before


@pytest.mark.parametrize("script", ["run_estimators.py", "keep_estimates.py", "run_paths.py"])
@pytest.mark.parametrize(
    ("estimator", "own", "others"),
    [
        ("plain-monte-carlo", ["monte_carlo"], ["kernel", "sgd", "strata"]),
        ("paired-kernel-shap", ["kernel", "sandwich"], ["monte_carlo", "sgd"]),
        ("Leverage SHAP", ["least_squares", "kernel"], ["monte_carlo", "polynomial"]),
        ("normalised", ["normalised", "monte_carlo"], ["kernel"]),
    ],
)
def test_a_batch_depends_on_its_own_estimators_alone(package, script, estimator, own, others):
    code = (SCRIPTS / script, *estimator_files({"one": EstimatorBlock(estimator=estimator)}))
    assert changed_by_editing(package / "shapaudit" / "discovery.py", *code)
    for module in (*own, "base", *others):
        file = package / "shapaudit" / "estimators" / f"{module}.py"
        assert changed_by_editing(file, *code) == (module not in others), module


@pytest.mark.parametrize("script", ["fit_removal.py", "build_games.py", "run_estimators.py"])
@pytest.mark.parametrize(
    ("removal", "own", "others"),
    [
        ("marginal", ["marginal", "completed"], ["gaussian", "surrogate"]),
        ("copula", ["copula", "gaussian"], ["kernel", "matching"]),
        ("surrogate", ["surrogate", "masked_nets"], ["mixture", "matching"]),
    ],
)
def test_games_depend_on_their_own_removal_alone(package, script, removal, own, others):
    code = (SCRIPTS / script, *sources_of([RemovalBlock(removal=removal)]))
    for module in (*own, "base", *others):
        file = package / "shapaudit" / "removals" / f"{module}.py"
        assert changed_by_editing(file, *code) == (module not in others), module


def test_an_estimator_of_ones_own_brings_what_it_imports(package, tmp_path, monkeypatch):
    own = tmp_path / "own_batch.py"
    lines = (
        "from dataclasses import dataclass",
        "from shapaudit.estimators import KernelSHAP",
        "@dataclass(frozen=True)",
        "class Mine(KernelSHAP): ...",
    )
    own.write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    (path,) = estimator_files({"mine": EstimatorBlock(estimator="own_batch.Mine")})
    assert (SOURCE / path).resolve() == own
    code = (SCRIPTS / "run_estimators.py", str(own))
    assert changed_by_editing(package / "shapaudit" / "estimators" / "kernel.py", *code)
    assert not changed_by_editing(package / "shapaudit" / "estimators" / "sgd.py", *code)


def test_evidence_depends_on_the_estimators_that_it_imports_by_class(package):
    folder = package / "shapaudit_papers" / "bell_devanathan_boyd_2024" / "evidence"
    texts = [file.read_text(encoding="utf-8") for file in folder.rglob("*.py")]
    assert any("from shapaudit.estimators import RandomOrder" in text for text in texts)
    code = (SCRIPTS / "gather_evidence.py", "shapaudit_papers/bell_devanathan_boyd_2024/evidence")
    assert changed_by_editing(package / "shapaudit" / "estimators" / "random_order.py", *code)
    assert not changed_by_editing(package / "shapaudit" / "estimators" / "kernel.py", *code)


@pytest.mark.parametrize("paper", PAPERS)
def test_papers_import_what_they_make_as_no_digest_follows_an_id(paper):
    calls = [
        f"{file.name}: {ast.unparse(node)}"
        for file in folder_of(paper).rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", getattr(node.func, "id", "")) in ("create", "resolve")
        and any(isinstance(given, ast.Constant) for given in node.args)
    ]
    assert calls == []


def test_caches_go_when_a_kernel_changes_that_another_file_calls(tmp_path):
    package = tmp_path / "package"
    caches = package / "part" / "__pycache__"
    caches.mkdir(parents=True)
    (package / "part" / "inner.py").write_text("@njit\ndef inner(x): return x\n", "utf-8")
    (package / "plain.py").write_text("x = 1\n", "utf-8")
    kept = caches / "outer.1.nbi"

    def survives():
        kept.write_bytes(b"compiled")
        forget_stale_kernels([package], package)
        return kept.exists()

    assert not survives()  # nobody knows what it was compiled from
    assert survives()
    (package / "plain.py").write_text("x = 'njit'\n", "utf-8")  # named, but none is defined
    assert survives()
    (package / "part" / "inner.py").write_text("@njit\ndef inner(x): return -x\n", "utf-8")
    assert not survives()
