"""Draw packages and rules into docs/architecture.md, and the keys into config/README.md.

This is part of `make readme` and needs no results. An arrow between packages is an import;
Snakemake says which rule reads what another makes. Arrows that follow from others are left out. The
drawing of the rules groups them by their file, shows those of the notebooks as one, and leaves out
`all`.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "src"))

from shapaudit_audit.study.blocks.schema import table  # noqa: E402

PAGE = ROOT / "docs" / "architecture.md"
README = ROOT / "config" / "README.md"
HOUSES = {
    "shapaudit": "library",
    "shapaudit_audit": "machinery",
    "shapaudit_papers": "papers",
    "shapaudit_verify": "checker",
    "snakemake_logger_plugin_shapaudit": "plugin",
}
RULES, PACKAGES, KEYS = "rules", "packages", "keys"  # what is drawn between markers of a page
STUDY = "config/full.yaml"  # the study that has every rule

Edge = tuple[str, str]


def rule_graph(root: Path = ROOT) -> set[Edge]:
    """Edges from a rule to one that reads what it makes, without those to `all`.

    With programs that only bear the names of LaTeX's first in the path, so that the rule of the PDF
    is there with or without LaTeX. Raises RuntimeError with what Snakemake said when it fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name in ("latexmk", "pdflatex"):
            (Path(folder) / name).touch(mode=0o755)
        path = os.pathsep.join([folder, str(Path(sys.executable).parent), os.environ["PATH"]])
        command = ["snakemake", "--rulegraph", "mermaid-js", "--configfile", STUDY]
        done = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=root,
            env=os.environ | {"PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    names = dict(re.findall(r"(id\d+)\[(\w+)\]", done.stdout))
    edges = re.findall(r"(id\d+) --> (id\d+)", done.stdout)
    return {(names[a], names[b]) for a, b in edges if names[b] != "all"}


def reachable(edges: Iterable[Edge]) -> set[Edge]:
    """All pairs of rules with a way from the first to the second."""
    edges = set(edges)
    while longer := {(a, d) for a, b in edges for c, d in edges if b == c} - edges:
        edges |= longer
    return edges


def reduced(edges: Iterable[Edge]) -> set[Edge]:
    """The edges without those that follow from others: the fewest with the same ways."""
    edges = set(edges)
    ways = reachable(edges)
    return {(a, b) for a, b in edges if not any((a, c) in ways and (c, b) in ways for _, c in ways)}


def stages(root: Path = ROOT) -> dict[str, list[str]]:
    """Rules that make files, by the name of the file of rules they stand in."""
    order = re.findall(r"workflow/rules/(\w+)\.smk", (root / "Snakefile").read_text("utf-8"))
    by_stage = {}
    for stage in order:
        text = (root / "workflow" / "rules" / f"{stage}.smk").read_text("utf-8")
        rules = re.split(r"^rule (\w+):$", text, flags=re.MULTILINE)[1:]
        making = [
            name
            for name, body in zip(rules[::2], rules[1::2], strict=True)
            if re.search(r"^ {4}output:$", body, flags=re.MULTILINE)
        ]
        # Rules that a loop makes are named after what it goes through.
        making += re.findall(r'^ +name:\n +f"(\w+)_\{', text, flags=re.MULTILINE)
        if making:
            by_stage[stage] = making
    return by_stage


def node(rule: str) -> str:
    """What stands for a rule in the drawing: the rules of the notebooks share a box."""
    return "render" if rule.startswith("render_") else rule


def drawing(edges: Iterable[Edge], groups: dict[str, list[str]]) -> str:
    """A flow chart of the rules in Mermaid, which GitHub draws."""
    lines = []
    for stage, rules in groups.items():
        boxes = [f'    {rule}["{rule}"]' for rule in rules]
        lines += [f"  subgraph {stage}", *boxes, "  end"]
    return chart("TB", lines, {(node(a), node(b)) for a, b in edges})


def chart(direction: str, lines: Iterable[str], edges: Iterable[Edge]) -> str:
    """Mermaid of some boxes, with the arrows that do not follow from others."""
    arrows = [f"  {a} --> {b}" for a, b in sorted(reduced(edges))]
    return "\n".join(["```mermaid", f"flowchart {direction}", *lines, *arrows, "```"])


def packages(source: Path = ROOT / "src") -> dict[str, list[str]]:
    """Dotted names of the packages in each house, or of the house itself where it has none."""
    by_house = {}
    for house in HOUSES:
        inside = sorted(path.parent.name for path in (source / house).glob("*/__init__.py"))
        by_house[house] = [f"{house}.{name}" for name in inside] or [house]
    return by_house


def package_graph(names: Iterable[str]) -> set[Edge]:
    """Edges between some packages of the houses, from the imported one to the importing one.

    Modules that stand beside the packages are left out.
    """
    graph, names = grimp.build_graph(*HOUSES, cache_dir=None), set(names)
    for name in names:
        graph.squash_module(name)
    imported = {name: graph.find_modules_directly_imported_by(name) & names for name in names}
    return {(a, b) for b in names for a in imported[b] - {b}}


def package_drawing(edges: Iterable[Edge], groups: dict[str, list[str]]) -> str:
    """A flow chart of the packages in Mermaid, those of a house in a frame."""
    lines = []
    for house, names in groups.items():
        boxes = [f'    {_box(name)}["{name.rpartition(".")[2]}"]' for name in names]
        lines += [f'  subgraph {HOUSES[house]}["{house}: {HOUSES[house]}"]', *boxes, "  end"]
    return chart("LR", lines, {(_box(a), _box(b)) for a, b in edges})


def _box(name: str) -> str:
    """Identifier of a package in Mermaid, without dots."""
    return name.replace(".", "_")


def replace(text: str, block: str, what: str = RULES) -> str:
    """Put a block between the markers of what it draws; raise ValueError without them."""
    start = f"<!-- {what}: drawn by `make readme`; do not edit by hand -->"
    end = f"<!-- end of {what} -->"
    before, opened, rest = text.partition(start)
    _, closed, after = rest.partition(end)
    if not (opened and closed):
        raise ValueError(f"the page lacks the markers {start!r} and {end!r}.")
    return f"{before}{start}\n\n{block}\n\n{end}{after}"


def drawn(text: str, root: Path = ROOT) -> str:
    """The page with both drawings as the project is now."""
    groups = packages(root / "src")
    edges = package_graph(name for names in groups.values() for name in names)
    text = replace(text, package_drawing(edges, groups), PACKAGES)
    return replace(text, drawing(rule_graph(root), stages(root)))


def with_keys(text: str) -> str:
    """The README of the configuration with the table of all keys."""
    return replace(text, table().rstrip("\n"), KEYS)


if __name__ == "__main__":
    README.write_text(with_keys(README.read_text(encoding="utf-8")), encoding="utf-8")
    PAGE.write_text(drawn(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
