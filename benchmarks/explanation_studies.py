"""What the explanation studies of a finished run found: errors of explainers and estimators.

Takes a configuration and a file to write, as Markdown. The limits are those of the report: of
errors for all of a study together, of ratios for all together.
"""

import re
import sys
from pathlib import Path

from shapaudit.statistics.limits import UNBOUNDED
from shapaudit.statistics.simultaneous import Ratio
from shapaudit_audit.study.blocks.study import part_of
from shapaudit_audit.study.reading import load_attributions, load_explanations, read_study
from shapaudit_papers.chen_covert_lundberg_lee_2023 import PAPER
from shapaudit_papers.chen_covert_lundberg_lee_2023.explained import ROUNDING, Explanations, Studied

NOTE = re.compile(r"WARNING (only .*? are used)")
HEAD = [
    "| Method | Rows or passes | Error on a typical unit | Over that of paired KernelSHAP |",
    "|:--|--:|:--|:--|",
]


def loaded(path: str) -> tuple[Explanations, Path]:
    """The studies of a configuration's run, and the folder of its logs."""
    config = read_study(path)
    labels = {
        name: spec.label
        for specs in (config.explainers, config.estimators)
        for name, spec in specs.items()
    }
    results = config.results
    studies = {
        name: Studied(
            name,
            block,
            labels,
            load_explanations(results, name, block),
            load_attributions(results, name, block),
        )
        for name, block in part_of(config.explanation_studies, PAPER.key).items()
    }
    logs = Path(results.replace("results", "logs", 1)) / "study_explainers"
    return Explanations(studies, config.claims.alpha), logs


def shown(ratio: Ratio | None) -> str:
    """An estimate with its limits."""
    if ratio is None:
        return ""
    if ratio.estimate < ROUNDING:
        return "exact"
    ends = [f"{end:.2g}" if 0 < end < UNBOUNDED else "no limit" for end in (ratio.low, ratio.high)]
    return f"{ratio.estimate:.2g} ({ends[0]} to {ends[1]})"


def section(explanations: Explanations, study: Studied, logs: Path) -> list[str]:
    """Lines on one study: a table for each of its models."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((logs / study.name).glob("*.log"))]
    notes = sorted({match for text in texts for match in NOTE.findall(text)})
    lines = [
        "",
        f"## {study.block.label}",
        "",
        "; ".join([f"{study.units} units", *notes]) + ".",
    ]
    doubt = study.frame["reference_error"].median()
    if doubt > 0:
        lines[-1] += f" Standard error of the reference, relative: {doubt:.2g}."
    for model, spec in study.block.models.items():
        score = study.frame[study.frame["model"] == model].groupby("unit")["score"].first().median()
        title = f"{spec.label} (R² or accuracy on test rows {score:.2f})"
        lines += ["", title, "", *HEAD]
        for cell in study.shown([model]):
            key = study.name, tuple(cell)
            ratio = explanations.ratios.get(key)
            exact = explanations.typical[key].estimate < ROUNDING
            lines.append(
                f"| {study.labels[cell.method]} | {study.rows[tuple(cell)]:,.0f} | "
                f"{shown(explanations.typical[key])} | {'' if exact else shown(ratio)} |"
            )
    return lines


def main(config: str, target: str) -> None:
    """Write the page."""
    explanations, logs = loaded(config)
    lines = [
        "# Explainers beside estimators",
        "",
        "Relative error (norm of the difference from the Shapley values, over the norm of these) "
        "on a typical unit, with limits that hold for all errors of a study together; and how many "
        "times that of paired KernelSHAP at no fewer rows, with limits for all ratios together. A "
        "unit is a data set, drawn or split anew, and a model trained on it. Made from a finished "
        "run:",
        "",
        f"    snakemake --configfile {config} --cores 2 explanations",
        f"    python benchmarks/explanation_studies.py {config} {target}",
    ]
    for study in explanations.studies.values():
        lines += section(explanations, study, logs)
    Path(target).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
