"""Draw the rules of the workflow into docs/architecture.md, part of `make readme`.

Snakemake says which rule reads what another makes; no results are needed. The drawing groups the
rules by their file, shows those of the notebooks as one, and leaves out `all` and the arrows that
follow from others.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"
START = "<!-- rules: drawn by `make readme`; do not edit by hand -->"
END = "<!-- end of rules -->"
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
        if making:
            found[stage] = making
    return found


def node(rule: str) -> str:
    """What stands for a rule in the drawing: the rules of the notebooks share a box."""
    return "render" if rule.startswith("render_") else rule


def drawing(edges: Iterable[Edge], groups: dict[str, list[str]]) -> str:
    """A flow chart in Mermaid, which GitHub draws."""
    lines = ["flowchart TB"]
    for stage, rules in groups.items():
        boxes: dict[str, list[str]] = {}
        for rule in rules:
            boxes.setdefault(node(rule), []).append(rule)
        lines.append(f"  subgraph {stage}")
        lines += [f'    {name}["{"<br/>".join(inside)}"]' for name, inside in boxes.items()]
        lines.append("  end")
    shown = {(node(a), node(b)) for a, b in edges}
    lines += [f"  {a} --> {b}" for a, b in sorted(reduced(shown))]
    return "\n".join(["```mermaid", *lines, "```"])


def replace(text: str, block: str) -> str:
    """Put a block between the markers; raise ValueError without them."""
    before, found, rest = text.partition(START)
    _, closed, after = rest.partition(END)
    if not (found and closed):
        raise ValueError(f"{PAGE.name} lacks the markers {START!r} and {END!r}.")
    return f"{before}{START}\n\n{block}\n\n{END}{after}"


if __name__ == "__main__":
    text = replace(PAGE.read_text(encoding="utf-8"), drawing(rule_graph(), stages()))
    PAGE.write_text(text, encoding="utf-8")
