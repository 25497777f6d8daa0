"""The wheel works outside of a checkout: modules, schemas, templates, types."""

import json
import os
import re
import subprocess
import sys
import textwrap
from zipfile import ZipFile

import pytest
from places import ROOT

from shapaudit_audit.study.overlays import load_study

PACKAGES = sorted(path.parent for path in (ROOT / "src").glob("*/__init__.py"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The package as it would be published."""
    folder = tmp_path_factory.mktemp("wheel")
    build = ["hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run([sys.executable, "-m", *build], cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def run(wheel, tmp_path_factory):
    """A function that runs code with the installed wheel, in a folder that is no checkout."""
    target, elsewhere = tmp_path_factory.mktemp("installed"), tmp_path_factory.mktemp("elsewhere")
    install = ["pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile"]
    command = [sys.executable, "-m", *install, "--target", str(target), str(wheel)]
    subprocess.run(command, check=True, capture_output=True)

    def ran(code, *arguments):
        preamble = (
            f"import sys; sys.path.insert(0, {str(target)!r})\n"
            "import shapaudit; assert shapaudit.__file__.startswith(sys.path[0])\n"
        )
        done = subprocess.run(
            [sys.executable, "-I", "-c", preamble + textwrap.dedent(code), *arguments],
            cwd=elsewhere,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return ran


def test_all_files_of_the_package_are_in_the_wheel(wheel):
    files = {
        path.relative_to(package.parent).as_posix()
        for package in PACKAGES
        for path in package.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    packed = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == files
    assert "shapaudit/py.typed" in packed


def test_every_module_can_be_imported(run):
    out = run(
        """
        from importlib import import_module
        from pkgutil import walk_packages
        count = 0
        for package in map(import_module, sys.argv[1:]):
            names = [one.name for one in walk_packages(package.__path__, f"{package.__name__}.")]
            # What asks other packages runs in environments that have these.
            list(map(import_module, (n for n in names if "conformance.adapters." not in n)))
            count += 1 + len(names)
        print(count)
        """,
        *(package.name for package in PACKAGES),
    )
    modules = [path for package in PACKAGES for path in package.rglob("*.py")]
    assert int(out) == sum("faults" not in path.parts for path in modules)


def test_snakemake_finds_the_logger_plug_in(run):
    out = run(
        """
        from snakemake_interface_logger_plugins.registry import LoggerPluginRegistry
        print(LoggerPluginRegistry().get_plugin("shapaudit").log_handler.__module__)
        """
    )
    assert out == "shapaudit_audit.console.handler\n"


def test_an_estimator_estimates(run):
    out = run(
        """
        import numpy as np
        from shapaudit.estimators import create
        from shapaudit.games import TabularGame
        game = TabularGame(np.arange(8.0))
        print(create("plain-monte-carlo").estimate(game, 100, np.random.default_rng(0)).values)
        """
    )
    assert out.startswith("[")


def test_a_table_is_written_by_its_schema_and_read_back(run):
    out = run(
        """
        import numpy as np
        from shapaudit_audit.study.results import read_truths, truth_table, write_table
        from shapaudit.truth import Truth
        truth = Truth(values=np.array([1.0, 2.5]), certificate="exact", method="enumeration")
        write_table(truth_table([truth], None, [np.nan]), "truth.parquet", "truth")
        print(read_truths("truth.parquet")[0].values)
        """
    )
    assert out == "[1.  2.5]\n"


def test_a_configuration_is_validated(run):
    out = run(
        """
        from shapaudit_audit.papers import ROLES
        from shapaudit_audit.study.config import validate
        from shapaudit_audit.study.overlays import ConfigError, load_study
        study = load_study(sys.argv[1])
        validate(study, ROLES)
        print(study["study"])
        try:
            validate({**study, "seeed": 1}, ROLES)
        except ConfigError as error:
            print(error)
        """,
        str(ROOT / "config" / "smoke.yaml"),
    )
    name, _, fault = out.splitlines()
    assert name == load_study(ROOT / "config" / "smoke.yaml")["study"]
    assert "did you mean 'seed'?" in fault


LIGHT = {"llvmlite", "numba", "numpy", "pandas", "scipy", "shapaudit", "threadpoolctl"}
OF_PANDAS = {"python-dateutil", "six", "tzdata"}  # one version or another


@pytest.fixture(scope="module")
def light(wheel, tmp_path_factory):
    """Interpreter of a new environment in which nothing is but the wheel and what it needs."""
    folder = tmp_path_factory.mktemp("light") / "venv"
    uv, python = [sys.executable, "-m", "uv"], folder / "bin" / "python"
    subprocess.run([*uv, "venv", "--quiet", "--python", sys.executable, str(folder)], check=True)
    options = ["--quiet", "--python", str(python), "--constraint", str(ROOT / "requirements.lock")]
    subprocess.run([*uv, "pip", "install", *options, str(wheel)], check=True, env=uv_environment())
    return python


def uv_environment():
    """The environment, with the index that pip is told to use, which uv does not read."""
    ask = [sys.executable, "-m", "pip", "config", "list"]
    said = subprocess.run(ask, capture_output=True, text=True, check=True).stdout
    index = re.search(r"^(?::env:|global|install)\.index-url='(.*)'$", said, re.MULTILINE)
    return os.environ | ({"UV_DEFAULT_INDEX": index[1]} if index else {})


def test_the_library_alone_brings_five_packages_and_what_they_need(light):
    command = [
        sys.executable,
        "-m",
        "uv",
        "pip",
        "list",
        "--format",
        "json",
        "--python",
        str(light),
    ]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    names = {package["name"] for package in json.loads(listed)}
    assert LIGHT <= names <= LIGHT | OF_PANDAS


FRONT_DOOR = """
import sys
import shapaudit
assert not {"numpy", "numba", "pandas", "scipy"} & {*sys.modules}, "imported when asked for"
import numpy as np
import pandas as pd

model = lambda rows: rows[:, 0] * rows[:, 1] + rows[:, 2]
game = shapaudit.BaselineGame(model, np.ones(6), np.zeros(6))
exact = shapaudit.shapley_exact(game).values
np.testing.assert_allclose(exact, [0.5, 0.5, 1, 0, 0, 0], atol=1e-12)
np.testing.assert_allclose(shapaudit.create("auto").estimate(game, 64, 0).values, exact, atol=1e-9)
np.testing.assert_allclose(shapaudit.explain(game, tolerance=0.01).values, exact, atol=0.01)
assert "auto" in shapaudit.list_estimators()
assert issubclass(type(shapaudit.create("auto")), shapaudit.Estimator)
assert shapaudit.AirportGame(np.ones(3)).n_players == 3
assert {"compare", "create"} <= {*dir(shapaudit)}
table = pd.DataFrame(np.random.default_rng(0).normal(size=(40, 5)), columns=list("abcde"))
found = shapaudit.compare(lambda t: t["a"] * t["b"], table, background=2, explicands=2, minutes=0.1)
print(found)
for call in (lambda: found.save(sys.argv[1]), lambda: shapaudit.datasets.load("digits", {}, None)):
    try:
        call()
    except (ImportError, ValueError) as error:
        print("refused:", error)
"""


def test_the_front_door_of_the_library_alone(light, tmp_path):
    command = [str(light), "-I", "-c", FRONT_DOOR, str(tmp_path / "page")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    page, data = re.findall("^refused: (.*)$", done.stdout, re.MULTILINE)
    assert "pip install 'shapaudit[plots]'" in page
    assert "pip install 'shapaudit[audit]'" in data
    assert not list((tmp_path / "page").glob("*.html"))


def test_a_command_that_needs_an_extra_says_so_before_it_works(light, tmp_path):
    shapaudit = str(light.with_name("shapaudit"))
    command = [shapaudit, "compare", "--data", "none.csv", "--function", "none.py:f"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install 'shapaudit[plots]'" in done.stderr
    done = subprocess.run([shapaudit, "estimators"], capture_output=True, text=True, check=True)
    assert "paired-kernel-shap" in done.stdout


@pytest.mark.parametrize(("arguments", "status"), [(["keys"], 2), (["data"], 2), (["--help"], 0)])
def test_the_command_of_studies_names_its_extra(light, tmp_path, arguments, status):
    command = [str(light.with_name("shapaudit-audit")), *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert ("pip install 'shapaudit[audit]'" in done.stderr) == (status == 2)
    assert "Traceback" not in done.stderr
