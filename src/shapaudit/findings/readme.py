"""The part of README.md that a run writes: errors, verdicts and the figure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from .benchmark import PROTOCOL, REFERENCE, Benchmark
from ..claims import STATUSES
from .reporting import Experiment
from .verdicts import by_paper, paper_name

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


def verdict_table(audit: Mapping) -> str:
    """Markdown: per paper, how many claims got which verdict, and the titles of those that fall."""
    counts = [
        f"| {paper_name(claims[0]['paper'])} | {_counts(claims)} |"
        for claims in by_paper(audit["claims"]).values()
    ]
    fallen = [_fallen(claims) for claims in by_paper(audit["claims"]).values()]
    return "\n".join(
        [
            f"{len(audit['claims'])} claims audited. The report says why, in full and with "
            "equation numbers, and what a verdict is owed to: some are slips of "
            "the pen or conventions.",
            "",
            f"| Claims of | {' | '.join(STATUSES)} |",
            "|---" * (len(STATUSES) + 1) + "|",
            *counts,
            "",
            "<details><summary>Those that do not stand as printed</summary>",
            "",
            *fallen,
            "",
            "</details>",
        ]
    )


def _counts(claims: Sequence[Mapping]) -> str:
    counts = Counter(claim["status"] for claim in claims)
    return " | ".join(str(counts[status] or "") for status in STATUSES)


def _fallen(claims: Sequence[Mapping]) -> str:
    titles = [
        f"{claim['title']} ({claim['status']})"
        for claim in claims
        if claim["source"] == "paper" and claim["status"] in NOT_STANDING
    ]
    return f"- {paper_name(claims[0]['paper'])}: {'; '.join(titles)}."


def benchmark_summary(benchmark: Benchmark) -> str:
    """Markdown: agreement with the published tables, and who is best over tasks and budgets."""
    cells = benchmark.protocols[PROTOCOL].comparison
    near, count = benchmark.near, len(benchmark.choices)
    everywhere = [name for name in near.index if name in benchmark.ranking.index]
    shares = "; ".join(
        f"{benchmark.label_of(name)} {near.get(name, 0)}"
        for name in dict.fromkeys([*everywhere[:3], REFERENCE])
    )
    best = "\n".join(
        f"| {benchmark.tasks[row.task].label} | {row.budget:,} | {benchmark.label_of(row.best)} "
        f"| {row.ratio:.2g} |"
        for row in benchmark.choices.groupby("task", sort=False).tail(1).itertuples()
    )
    return (
        "Benchmark of Chen, Covert, Lundberg & Lee (2023), repeated: "
        f"{int(cells['agrees'].sum())} of {len(cells)} printed errors on the diabetes data agree "
        f"with ours. Widened to {sum(map(len, benchmark.estimators.values()))} estimators and many "
        f"pairs: cells of task and budget, of {count}, in which an estimator is best or not "
        f"distinguished from the best: {shares}.\n\n"
        "| Task | Evaluations | Smallest mean error | Over that of paired KernelSHAP |\n"
        f"|---|---|---|---|\n{best}"
    )


def findings(experiments: Mapping[str, Experiment], audit: Mapping, benchmark: Benchmark) -> str:
    """The block between the markers of README.md."""
    shown = [experiments[name] for name in experiments]
    pairs = " and ".join(sorted({str(e.pairs) for e in shown}))
    return "\n\n".join(
        [
            START,
            f"Mean Euclidean error over {pairs} pairs of explicand and baseline, several seeds "
            "each, with 95 % bootstrap limits over pairs, all at the same counted evaluations:",
            error_table(shown),
            benchmark_summary(benchmark),
            verdict_table(audit),
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


def update_readme(
    path: str | Path,
    experiments: Mapping[str, Experiment],
    audit: Mapping,
    benchmark: Benchmark,
) -> None:
    """Rewrite the block of the README at ``path``."""
    path = Path(path)
    block = findings(experiments, audit, benchmark)
    text = replace_findings(path.read_text(encoding="utf-8"), block)
    path.write_text(text, encoding="utf-8")
