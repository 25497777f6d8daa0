"""What README.md and docs/findings.md say of the default study, from its record."""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from ..audit.base import STATUSES
from ..papers import PAPERS, registry

START = "<!-- findings: written by `make readme` from docs/findings.json; do not edit by hand -->"
END = "<!-- end of findings -->"
STEADIEST = 3  # places of the list of estimators that are near the best, ties included
NOT_STANDING = ("refuted", "inconsistent", "vacuous")
PAPER, OURS = "paper", "Ours, on what they imply"


def verdict_table(found: Mapping) -> str:
    """Markdown: per source, how many of the claims it makes got which verdict; ours at the end."""
    counts: dict[str, Counter] = {PAPERS[paper].name: Counter() for paper in _papers()}
    counts[OURS] = Counter()
    for name, status in found["claims"].items():
        claim = registry()[name]
        counts[PAPERS[claim.paper].name if claim.source == PAPER else OURS][status] += 1
    lines = [
        f"| {source} | {' | '.join(str(count[status] or '') for status in STATUSES)} |"
        for source, count in counts.items()
    ]
    head = f"| Claims of | {' | '.join(STATUSES)} |\n{'|---' * (len(STATUSES) + 1)}|"
    return "\n".join([head, *lines])


def _papers() -> list[str]:
    return list(dict.fromkeys(claim.paper for claim in registry().values()))


def best_table(found: Mapping) -> str:
    """Markdown: the smallest mean error of each task at its last budget, and its rivals.

    Limits hold for all ratios of the benchmark together.
    """
    compared = found["benchmark"]
    lines = [
        f"| {one['task']} | {one['evaluations']:,} | {one['estimator']} | {_with_limits(one)} "
        f"| {one['others']} |"
        for one in compared["best"]
    ]
    head = (
        f"| Task | Evaluations | Smallest mean error | Over that of {compared['reference']}, "
        "with joint limits | Others that may be as good |\n|---|---|---|---|---|"
    )
    return "\n".join([head, *lines])


def _with_limits(found: Mapping) -> str:
    if found["low"] is None:
        return f"{found['ratio']:#.3g} (no limits)"
    return f"{found['ratio']:#.3g} ({found['low']:#.3g} to {found['high']:#.3g})"


def steadiest(found: Mapping) -> str:
    """A sentence: who is best or not distinguished from the best most often, ties included."""
    compared = found["benchmark"]
    near = sorted(compared["near"].items(), key=lambda item: (-item[1], item[0]))
    least = near[min(STEADIEST, len(near)) - 1][1]
    named = [(label, n) for label, n in near if n >= least or label == compared["reference"]]
    return (
        f"Best, or not distinguished from the best, in so many of {compared['cells']} cells of "
        f"task and budget: {', '.join(f'{label} {n}' for label, n in named)}."
    )


def error_table(found: Mapping) -> str:
    """Markdown: mean errors with 95 % limits at the last budget of each experiment."""
    shown = found["errors"]["experiments"]
    lines = [
        "| Mean error | " + " | ".join(one["label"] for one in shown) + " |",
        "|---" * (len(shown) + 1) + "|",
        "| evaluations | " + " | ".join(f"{one['evaluations']:,}" for one in shown) + " |",
        "| pairs | " + " | ".join(str(one["pairs"]) for one in shown) + " |",
    ]
    for label, cells in found["errors"]["cells"].items():
        texts = [f"{mean:#.3g} ({low:#.3g} to {high:#.3g})" for mean, low, high in cells]
        lines.append(f"| {label} | " + " | ".join(texts) + " |")
    return "\n".join(lines)


def readme_block(found: Mapping) -> str:
    """The block between the markers of README.md."""
    compared = found["benchmark"]
    printed = sum(registry()[name].source == PAPER for name in found["claims"])
    return "\n\n".join(
        [
            START,
            f"**{len(found['claims'])} claims audited, {printed} of the sources and "
            f"{len(found['claims']) - printed} of ours**, {compared['estimators']} estimators "
            f"compared. {compared['agreeing']} of {compared['published']} errors that Chen et al. "
            "print for the diabetes data agree with ours, with the ten trees of their code instead "
            "of the hundred of their caption.",
            verdict_table(found),
            best_table(found),
            steadiest(found),
            END,
        ]
    )


def findings_page(found: Mapping) -> str:
    """docs/findings.md."""
    parts = [
        "# What the default study found",
        START,
        f"One run of the study `{found['study']}`, from [its record](findings.json). The report is "
        "the whole story and the site has the evidence; `make reproduce` makes both.",
        "## Claims",
        verdict_table(found),
        "What does not stand as printed follows. Some are slips of the pen, conventions or missing "
        "hypotheses; the report says which.",
        *(_fallen(paper, found) for paper in _papers()),
        "## Which estimator",
        "![Mean error over that of paired KernelSHAP, by task](figures/many_pairs.svg)",
        best_table(found),
        steadiest(found),
        "## Errors at equal counted evaluations",
        "Mean Euclidean error over pairs of explicand and baseline, several seeds each, with 95 % "
        "bootstrap limits over pairs.",
        "![Mean error against evaluations, d = 16](figures/dimension16.svg)",
        error_table(found),
    ]
    return "\n\n".join(parts) + "\n"


def _fallen(paper: str, found: Mapping) -> str:
    """Markdown: the claims of a paper that do not stand as printed."""
    lines = [
        f"| {name} | {claim.title} | {claim.where} | {found['claims'][name]} |"
        for name, claim in registry().items()
        if claim.paper == paper
        and claim.source == PAPER
        and found["claims"].get(name) in NOT_STANDING
    ]
    head = (
        f"### {PAPERS[paper].name}",
        "",
        "| Id | Claim | Where | Verdict |",
        "|---|---|---|---|",
    )
    return "\n".join([*head, *lines])


def replace_findings(text: str, block: str) -> str:
    """Put a block in the place of the one in the text; raise ValueError without the markers."""
    before, found, rest = text.partition(START)
    _, closed, after = rest.partition(END)
    if not (found and closed):
        raise ValueError(f"README.md lacks the markers {START!r} and {END!r}.")
    return before + block + after


def write(root: Path, found: Mapping) -> None:
    """The record and the texts made from it, below the project's folder."""
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    (root / "docs" / "findings.json").write_text(text, encoding="utf-8")
    (root / "docs" / "findings.md").write_text(findings_page(found), encoding="utf-8")
    readme = root / "README.md"
    block = replace_findings(readme.read_text(encoding="utf-8"), readme_block(found))
    readme.write_text(block, encoding="utf-8")
