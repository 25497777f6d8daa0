"""The part of README.md that a run writes: errors, verdicts and the figure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from .reporting import Experiment

START = "<!-- findings: written by `make readme` from results/; do not edit by hand -->"
END = "<!-- end of findings -->"
SHOWN = (
    "plain-mc",
    "optimised-mc",
    "psgd-constant",
    "psgd-sqrt",
    "psgd-free",
    "kernel-shap",
    "paired-kernel-shap",
)
NOT_STANDING = ("refuted", "inconsistent", "vacuous")


def error_table(experiments: Sequence[Experiment]) -> str:
    """Markdown table of mean errors with 95 % limits at the last budget of each experiment."""
    names = [name for name in SHOWN if all(name in e.last.index for e in experiments)]
    lines = [
        "| Mean error after | " + " | ".join(e.label for e in experiments) + " |",
        "|---|" + "---|" * len(experiments),
        "| evaluations | " + " | ".join(f"{e.budget:,}" for e in experiments) + " |",
    ]
    for name in names:
        rows = [e.last.loc[name] for e in experiments]
        cells = [f"{r['mean']:#.3g} ({r['low']:#.3g} to {r['high']:#.3g})" for r in rows]
        lines.append(f"| {experiments[0].label_of(name)} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def verdict_list(audit: Mapping) -> str:
    """Markdown sentences: how many claims got which verdict, and those that do not stand."""
    counts = Counter(claim["status"] for claim in audit["claims"])
    total = len(audit["claims"])
    shares = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    lines = [
        f"Of {total} claims audited: {shares}. The report says why, in full and with equation "
        "numbers; some are slips of the pen or conventions. Those that do not stand as printed:",
        "",
    ]
    for claim in audit["claims"]:
        if claim["source"] == "paper" and claim["status"] in NOT_STANDING:
            first = claim["summary"].partition(". ")[0].rstrip(".")
            lines.append(f"- *{claim['title']}*: {claim['status']}. {first}.")
    return "\n".join(lines)


def findings(experiments: Mapping[str, Experiment], audit: Mapping) -> str:
    """The block between the markers of README.md."""
    shown = [experiments[name] for name in experiments]
    pairs = " and ".join(sorted({str(e.pairs) for e in shown}))
    return "\n\n".join(
        [
            START,
            f"Mean Euclidean error over {pairs} pairs of explicand and baseline, several seeds "
            "each, with 95 % bootstrap limits over pairs, all at the same counted evaluations:",
            error_table(shown),
            verdict_list(audit),
            END,
        ]
    )


def replace_findings(text: str, block: str) -> str:
    """Put a block in the place of the one in the text; raise ValueError without the markers."""
    before, found, rest = text.partition(START)
    _, closed, after = rest.partition(END)
    if not (found and closed):
        raise ValueError(f"README.md lacks the markers {START!r} and {END!r}.")
    return before + block + after


def update_readme(path: str | Path, experiments: Mapping[str, Experiment], audit: Mapping) -> None:
    """Rewrite the block of the README at ``path``."""
    path = Path(path)
    text = replace_findings(path.read_text(encoding="utf-8"), findings(experiments, audit))
    path.write_text(text, encoding="utf-8")
