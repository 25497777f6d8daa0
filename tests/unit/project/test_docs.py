"""The pages: their links, paths and drawing, and the code in them, run in a copy of the project."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import numpy as np
import pytest
import yaml
from places import ROOT

from recipes import blocks, changed, follow, with_cells
from shapaudit import datasets, models
from shapaudit.command import main
from shapaudit.estimators import create
from shapaudit.games import AirportGame
from shapaudit.truth import compute
from shapaudit_audit.papers import ROLES
from shapaudit_audit.study.collection import build_collection
from shapaudit_audit.study.config import validate

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
COPIED = [
    *("Snakefile", "config", "environment.yml", "notebooks", "paper", "profiles"),
    *(
        "pyproject.toml",
        "src",
        "workflow",
        "tests/conftest.py",
        "tests/explained.py",
        "tests/mixed_table.py",
        "tests/recipes.py",
        "tests/altered.py",
        "tests/recorded.py",
        "tests/rounding.py",
        "tests/contract",
    ),
    "benchmarks/results/minutes.csv",
    "benchmarks/results/overhead.csv",
    "benchmarks/results/suite.csv",
    *("tests/unit/conftest.py", "tests/unit/places.py", "tests/unit/synthetic.py"),
]
RECIPES = ("CONTRIBUTING.md", "docs/new_paper.md")
OWN = "docs/own_study.md"
FOLDERS = (
    "src",
    "tests",
    "workflow",
    "config",
    "profiles",
    "benchmarks",
    "notebooks",
    "paper",
    "docs",
)


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


@pytest.fixture
def drawer(monkeypatch):
    """The module workflow/setup/update_docs.py."""
    monkeypatch.syspath_prepend(str(ROOT / "workflow" / "setup"))
    import update_docs

    return update_docs


@pytest.fixture(scope="module")
def scratch(tmp_path_factory):
    """A copy of the project."""
    root = tmp_path_factory.mktemp("scratch")
    for part in COPIED:
        target = root / part
        target.parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy2
        copy(ROOT / part, target)
    return root


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(page):
    targets = re.findall(r"\]\((?!https?:)([^)]+)\)", page.read_text(encoding="utf-8"))
    for target in targets:
        path, _, anchor = target.partition("#")
        linked = (page.parent / path) if path else page
        assert linked.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", linked.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in [re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in headings]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_paths_that_a_page_names_exist(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    text = re.sub(r"^    .*$", "", text, flags=re.MULTILINE)
    # What `make docs` says that it builds need not be there.
    built = re.findall(r"^docs:.* ## .*: (\S+)$", (ROOT / "Makefile").read_text("utf-8"), re.M)
    named = re.findall(r"^# (\S+\.py)$", page.read_text("utf-8"), re.M)
    own = {"src/", "tests/unit", *built, *named}
    for named in re.findall(rf"`((?:{'|'.join(FOLDERS)})/[^`\s]*)`", text):
        path, _, test = named.partition("::")
        if path in own:
            continue
        matches = list(ROOT.glob(path.rstrip("/")))
        assert matches, f"{page.name} names {path}"
        assert not test or f"def {test}(" in matches[0].read_text(encoding="utf-8"), named


def test_the_readme_leads_to_every_page():
    linked = set(re.findall(r"\]\((docs/[\w-]+\.md)\)", read("README.md")))
    assert linked == {f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")}


def test_the_readme_of_the_configuration_has_a_row_for_every_key(drawer):
    page = read("config/README.md")
    assert drawer.with_keys(page) == page, "run `make readme`"
    assert drawer.with_keys(page.replace("| `seed` |", "| `other` |")) == page
    with pytest.raises(ValueError, match="lacks the markers"):
        drawer.with_keys("no table")


def test_the_drawing_is_of_the_rules(drawer, scratch):
    page = read("docs/architecture.md")
    edges = drawer.rule_graph(scratch)
    current = drawer.drawing(edges, drawer.stages())
    assert drawer.replace(page, current) == page, "run `make readme`"
    # Those of other packages and of the leaderboard are outside of `all`.
    outside = ("peers", "conformance", "leaderboard")
    apart = {ROOT / "workflow/rules" / f"{name}.smk" for name in outside}
    files = set((ROOT / "workflow/rules").glob("*.smk")) - apart
    sources = "".join(path.read_text("utf-8") for path in files)
    making = {
        rule
        for rule, body in re.findall(r"^rule (\w+):\n((?:\n|[ ]+.*\n)+)", sources, re.MULTILINE)
        if "    output:\n" in body
    }
    # One rule per notebook, made in a loop.
    making.add("render")
    assert making == {drawer.node(rule) for edge in edges for rule in edge}
    assert making <= set(re.findall(r"\w+", page))
    fewer = drawer.drawing(edges - {("load_dataset", "train_model")}, drawer.stages())
    assert drawer.replace(page, fewer) != page


def test_the_drawing_is_of_the_packages(drawer):
    page, groups = read("docs/architecture.md"), drawer.packages()
    edges = drawer.package_graph(name for names in groups.values() for name in names)
    current = drawer.package_drawing(edges, groups)
    assert drawer.replace(page, current, drawer.PACKAGES) == page, "run `make readme`"
    assert list(groups) == sorted(path.parent.name for path in (ROOT / "src").glob("*/__init__.py"))
    assert ("shapaudit.games", "shapaudit.estimators") in edges
    assert ("shapaudit.models", "shapaudit_audit.study") in edges
    assert not {edge for edge in edges if "shapaudit_verify" in edge}
    assert not {name for name, other in drawer.reachable(edges) if name == other}


def test_what_follows_from_other_arrows_is_left_out(drawer):
    edges = {("a", "b"), ("b", "c"), ("a", "c"), ("c", "d"), ("a", "d")}
    assert drawer.reduced(edges) == {("a", "b"), ("b", "c"), ("c", "d")}
    assert drawer.reachable(drawer.reduced(edges)) == drawer.reachable(edges)


def test_memory_on_the_page_of_clusters_is_that_of_the_rules():
    sources = "".join(path.read_text("utf-8") for path in (ROOT / "workflow/rules").glob("*.smk"))
    rules = re.split(r"^rule (\w+):$", sources, flags=re.MULTILINE)[1:]
    asked = {
        name: int(matched[1])
        for name, body in zip(rules[::2], rules[1::2], strict=True)
        if (matched := re.search(r"mem_mb=(\d+)", body))
    }
    rows = re.findall(r"^\| (`.*?) \| ([\d.]+) GB \|", read("docs/cluster.md"), re.MULTILINE)
    told = {
        name: 1000 * float(memory)
        for patterns, memory in rows
        for pattern in re.findall(r"`([\w*]+)`", patterns)
        for name in asked
        if fnmatch(name, pattern)
    }
    assert told == asked


def test_modules_in_the_glossary_exist():
    named = re.findall(
        r"`((?:theory|estimators|models|games|truth)\.\w+)`", read("docs/glossary.md")
    )
    assert len(named) > 5
    for name in named:
        assert list((ROOT / "src").glob(f"*/{name.replace('.', '/')}.py")), name


def run(root, *command, **variables):
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=root,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_what_the_recipes_add_passes_its_tests_and_lint(scratch):
    pages = [read(page) for page in RECIPES]
    written = [path for page in pages for path in follow(scratch, page)]
    told = "\n".join(pages)
    commands = [shlex.split(line) for line in re.findall(r"^    pytest (.*)$", told, re.MULTILINE)]
    (guest,) = (command for command in commands if "owen" in command[0])
    new = [
        command for command in commands if "test_estimators" not in command[0] and command != guest
    ]
    assert len(new) == 3
    paths = {path for command in new for path in command[: command.index("-k")]}
    tests = [path.relative_to(scratch) for path in written if path.name.startswith("test_")]
    paths |= {str(path) for path in tests if path.parts[0] == "tests"}
    words = " or ".join(command[command.index("-k") + 1] for command in new)
    told = run(
        scratch, "pytest", "-q", "-p", "no:cacheprovider", "-k", f"{words} or bankruptcy", *paths
    )
    assert int(re.search(r"(\d+) passed", told)[1]) > 20
    told = run(scratch, "pytest", "-q", *guest, PYTHONPATH=f"{scratch / 'owen'}:{scratch / 'src'}")
    assert "2 passed" in told
    modules = [str(path) for path in written if path.suffix == ".py"]
    own = [path for path in modules if "shapaudit_owen" not in Path(path).read_text("utf-8")]
    run(scratch, "ruff", "check", *own)
    run(scratch, "ruff", "format", "--check", *modules)


def files_of(page, heading=""):
    """Paths that a page, or the part of it below a heading, shows or changes."""
    text = read(page).partition(heading)[2].partition("\n## ")[0] if heading else read(page)
    return set(re.findall(r"^(?:[#%]|---) (\S+/\S+\.\w+)$", text, re.MULTILINE))


def test_a_claim_with_a_figure_is_six_files():
    assert len(files_of("CONTRIBUTING.md", "## A claim, with a figure")) == 6


def test_a_paper_from_elsewhere_changes_no_file_of_the_project():
    others = {path for path in files_of("docs/new_paper.md") if not path.startswith("owen/")}
    assert others == {"config/with_owen.yaml"}


def test_cells_are_added_to_a_notebook_that_is_there(tmp_path):
    path = tmp_path / "book.ipynb"
    text = '# %% [markdown]\n# # Title\n#\n# Words.\n# %% tags=["parameters"]\nx = 1\n'
    path.write_text(with_cells(path, text), encoding="utf-8")
    book = json.loads(with_cells(path, "# %%\nx + 1\n"))
    assert ["".join(cell["source"]) for cell in book["cells"]] == [
        "# Title\n\nWords.",
        "x = 1",
        "x + 1",
    ]
    assert [cell["metadata"]["tags"] for cell in book["cells"]] == [[], ["parameters"], []]


def test_a_change_that_does_not_fit_is_an_error():
    assert changed("a\nb\n", " a\n+c\n") == "a\nc\nb\n"
    assert changed("a\nb\n", "-a\n+c\n") == "c\nb\n"
    for text in ("b\n", "a\na\n"):
        with pytest.raises(AssertionError, match="does not fit"):
            changed(text, " a\n+c\n")


def test_the_estimator_of_the_walk_through_is_the_one_that_runs():
    text = read("CONTRIBUTING.md")
    (code,) = (block for block in blocks(text, "python") if not block.startswith("# "))
    assert code in read("src/shapaudit/estimators/monte_carlo.py")
    (block,) = blocks(text, "yaml")
    (spec,) = yaml.safe_load(block)["estimators"].values()
    assert spec in yaml.safe_load(read("config/config.yaml"))["estimators"].values()
    assert f"class {type(create(spec['estimator'])).__name__}(" in code


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Pieces of configuration of a page by the first name in them, in a folder with files."""
    pieces = {}
    for block in blocks(read(OWN), "yaml"):
        piece = yaml.safe_load(block)
        (first, *_) = next(iter(piece.values()))
        pieces[first] = piece
    rng = np.random.default_rng(0)
    (tmp_path / "data").mkdir()
    for name, columns in (("flats", "a,b,c,rent"), ("fleets", "p,q,r,s,t,u")):
        table = rng.exponential(size=(40, columns.count(",") + 1))
        path = tmp_path / "data" / f"{name}.csv"
        np.savetxt(path, table, delimiter=",", header=columns, comments="")
    for code in blocks(read(OWN), "python"):
        if heading := re.match(r"# src/(\S+\.py)\n", code):
            (tmp_path / heading[1]).write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    yield pieces
    for module in tmp_path.glob("*.py"):  # no other test is to find it
        sys.modules.pop(module.stem, None)


def example(**pieces):
    """config/my_study.yaml with other blocks."""
    study = yaml.safe_load(read("config/my_study.yaml")) | pieces
    (game,) = study["games"]
    (first, *_) = study["experiments"].values()
    return study | {"experiments": {"mine": first | {"game": game}}}


QUICK = {"explain": ["--rows", "3"], "compare": ["--minutes", "0.2"]}  # of the same commands


def train(piece):
    """The dataset and the model of a piece of configuration."""
    ((_, source),) = piece["datasets"].items()
    ((_, spec),) = piece["models"].items()
    dataset = datasets.load(source["loader"], source["params"], np.random.default_rng(1))
    return dataset, models.train(spec["trainer"], dataset, spec["params"], 1)


def test_the_table_of_ones_own_is_read_and_a_model_trained_on_it(own):
    dataset, model = train(own["flats"])
    assert dataset.feature_names == ("a", "b", "c")
    assert model.predict(dataset.features).shape == (40,)


def test_the_game_of_ones_own_has_the_values_of_an_airport(own):
    piece = own["fleets"]
    validate(example(**piece), ROLES)
    dataset, model = train(piece)
    (game,) = piece["games"].values()
    rng = np.random.default_rng(2)
    built = (game["reward"], game["explicands"], 0, rng, None, game["baseline"])
    games = build_collection("airport", dataset, model, *built)
    assert (games.n_games, games.n_players) == (game["explicands"], game["players"])
    for explicand, costs in enumerate(games.explicands):
        truth = compute(game["truth"]["method"], games.game(explicand), rng)
        np.testing.assert_allclose(truth.values, AirportGame(costs).shapley_values())


def test_the_estimator_of_ones_own_can_be_named(own):
    assert create(own["equal-split"]["estimators"]["equal-split"]["estimator"]).id == "equal-split"


def test_the_library_is_used_as_the_readme_says(tmp_path, monkeypatch):
    """Its snippets run as they are printed, and so do its commands on the files that they write."""
    monkeypatch.chdir(tmp_path)
    text = read("README.md")
    names = {}
    exec("".join(blocks(text, "python")), names)
    exact, explanation = names["exact"], names["found"]
    errors = np.linalg.norm(names["estimate"].values - exact) / np.linalg.norm(exact)
    assert errors < 0.05
    assert explanation.converged
    assert np.abs(explanation.values - exact).max() < 0.5
    commands = re.findall(r"^    shapaudit (.*)$", text, re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["explain", "compare"]
    for command in commands:
        assert main([*shlex.split(command), *QUICK[command.split()[0]]]) == 0
    assert Path("explanation/page.html").exists()
    assert Path("comparison/page.html").exists()
