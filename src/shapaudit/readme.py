"""The part of README.md that a run writes: errors, verdicts and the figure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from .reporting import Experiment
from .verdicts import by_paper

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
    """Markdown: per paper, how many claims got which verdict, and the titles of those that fall."""
    total = len(audit["claims"])
    lines = [
        f"{total} claims audited. The report says why, in full and with equation numbers, and what "
        "a verdict is owed to: some are slips of the pen or conventions.",
    ]
    for claims in by_paper(audit["claims"]).values():
        counts = Counter(claim["status"] for claim in claims)
        shares = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
        fallen = [
            f"{claim['title']} ({claim['status']})"
            for claim in claims
            if claim["source"] == "paper" and claim["status"] in NOT_STANDING
        ]
        lines.append(
            f"**{claims[0]['paper']}**: {shares}. Not standing as printed: {'; '.join(fallen)}."
        )
    return "\n\n".join(lines)


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
