"""Draw packages and rules into docs/architecture.md, part of `make readme`.

An arrow between packages is an import; Snakemake says which rule reads what another makes. No
results are needed. Arrows that follow from others are left out. The drawing of the rules groups
them by their file, shows those of the notebooks as one, and leaves out `all`.
"""

import ast
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
PACKAGE = ROOT / "src" / "shapaudit"
RULES, PACKAGES = "rules", "packages"  # what is drawn between markers of the page
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
    found = {}
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
            found[stage] = making
    return found


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


def package_graph(package: Path = PACKAGE) -> set[Edge]:
    """Edges between the packages of a package, from the one that is imported to the importing one.

    Modules that stand beside the packages are left out.
    """
    names = {path.parent.name for path in package.glob("*/__init__.py")}
    edges = set()
    for path in package.rglob("*.py"):
        own = path.relative_to(package).parts
        for tree in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(tree, ast.ImportFrom):
                edges |= {(name, own[0]) for name in _imported(tree, own, package.name)}
    return {(a, b) for a, b in edges if a != b and {a, b} <= names}


def _imported(node: ast.ImportFrom, own: tuple[str, ...], root: str) -> set[str]:
    """Packages below ``root`` that an import of the module ``own`` (its path's parts) names."""
    base = [root, *own[:-1]][: len(own) - node.level + 1] if node.level else []
    parts = base + (node.module.split(".") if node.module else [])
    if parts[:1] != [root]:
        return set()
    return {parts[1]} if len(parts) > 1 else {alias.name for alias in node.names}


def replace(text: str, block: str, what: str = RULES) -> str:
    """Put a block between the markers of what it draws; raise ValueError without them."""
    start = f"<!-- {what}: drawn by `make readme`; do not edit by hand -->"
    end = f"<!-- end of {what} -->"
    before, found, rest = text.partition(start)
    _, closed, after = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"{PAGE.name} lacks the markers {start!r} and {end!r}.")
    return f"{before}{start}\n\n{block}\n\n{end}{after}"


def drawn(text: str, root: Path = ROOT) -> str:
    """The page with both drawings as the project is now."""
    text = replace(text, chart("LR", [], package_graph(root / "src" / "shapaudit")), PACKAGES)
    return replace(text, drawing(rule_graph(root), stages(root)))


if __name__ == "__main__":
    PAGE.write_text(drawn(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
