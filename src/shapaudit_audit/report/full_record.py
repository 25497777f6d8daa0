"""Results of the study at the published sizes: its record, docs/findings-full.json, and its pages.

The study takes more than an hour. Unlike for the default study, a claim that was reworded or a
setting that was changed does not require a new run; the page lists what has changed since.
"""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..audit.verdict import CONSEQUENCES
from ..study.blocks.study import Study
from . import record
from .findings import Findings
from .originals import Original, table_of
from .readme import Pages, verdicts

MARK = "<!-- written by `make readme` from docs/findings-full.json; do not edit by hand -->"
PICTURES = Path("docs", "figures", "full")
REPLICATIONS = Path("docs", "replications")


@dataclass(frozen=True)
class FullPages:
    """The record of the full study and the pages that are written from it.

    Attributes
    ----------
    pages : the pages of the default study
    originals : figures and tables that papers print, by the paper's key
    """

    pages: Pages
    originals: Mapping[str, Sequence[Original]]

    def record(self, findings: Findings) -> dict:
        """All results of the full study that the pages state, as JSON holds them."""
        made = findings.provenance
        run = {"commit": made["git"]["commit"], "processor": made["processor"]}
        own = {
            key: [
                {
                    "item": original.item,
                    "figures": [path.name for path in _drawn(findings, original)],
                    "table": table_of(original.compare(findings) if original.compare else ()),
                }
                for original in printed
            ]
            for key, printed in self.originals.items()
        }
        return record.record(findings, self.pages.summaries) | {"run": run, "originals": own}

    def pictures(self, findings: Findings) -> list[Path]:
        """Files of the figures that the pages show, in the results of the study."""
        own = [
            path
            for printed in self.originals.values()
            for original in printed
            for path in _drawn(findings, original)
        ]
        return list(dict.fromkeys([*record.pictures(findings, self.pages.summaries), *own]))

    def changed(self, full: Mapping, default: Mapping) -> list[dict]:
        """Claims on which the two studies differ, each with both verdicts.

        Claims that only one of the studies has judged are left out.
        """
        return [
            {"claim": self.pages.registry[name], "default": default["claims"][name], "full": there}
            for name, there in full["claims"].items()
            if name in self.pages.registry
            and name in default["claims"]
            and default["claims"][name] != there
        ]

    def sentence(self, full: Mapping, default: Mapping) -> str:
        """The paragraph of README.md on the full study."""
        changed = self.changed(full, default)
        both = self.pages.registry.keys() & full["claims"].keys() & default["claims"].keys()
        same = full["statements_sha256"] == default["statements_sha256"]
        older = "" if same else " Some claims have been reworded since, or are judged anew."
        other = sum(
            claim["full"]["consequence"] != claim["default"]["consequence"] for claim in changed
        )
        return (
            "**At the published sizes.** The [full study](docs/findings-full.md) repeats the "
            "experiments of the papers on their data and at their sizes, as far as [these could be "
            "had](docs/limitations.md#the-replication). Of "
            f"{len(both)} claims that both have judged, {other} have another consequence there, "
            f"and {len(changed) - other} another verdict with the same consequence.{older} Each "
            "published figure and table stands beside ours, on a page per paper: "
            f"{self._links('docs/')}."
        )

    def page(self, full: Mapping, default: Mapping, since: Sequence[str]) -> str:
        """docs/findings-full.md; ``since`` is what has changed since the run, in words."""
        run = full["run"]
        parts = [
            "# What the full study found",
            MARK,
            "The results of `config/full.yaml`, which repeats the experiments of the papers on "
            "their data and at their sizes, as far as [these could be had]"
            "(limitations.md#the-replication), from [its record](findings-full.json) (commit "
            f"{(run['commit'] or 'unknown')[:7]}, {run['processor']}). "
            "[Another page](findings.md) has the findings of the default study.",
            *([f"Since this run, {'; '.join(since)}."] if since else []),
            f"Published figures and tables beside ours: {self._links('')}.",
            "## Claims",
            self.pages.verdict_table(full),
            "## Differences from the default study",
            *self._differences(full, default),
            *(
                text.replace("](figures/", "](figures/full/")
                for summary in self.pages.summaries
                for text in summary.section(full[summary.key])
            ),
        ]
        return "\n\n".join(parts) + "\n"

    def _differences(self, full: Mapping, default: Mapping) -> list[str]:
        changed = self.changed(full, default)
        if not changed:
            return ["All verdicts are the same."]
        lines = [
            "| Id | Claim | Default study | Full study |",
            "|---|---|---|---|",
            *(
                f"| {claim['claim'].id} | {claim['claim'].title} | {_judged(claim['default'])} "
                f"| {_judged(claim['full'])} |"
                for claim in changed
            ),
        ]
        return ["In its setting; in general: consequence.", "\n".join(lines)]

    def replication(self, key: str, full: Mapping) -> str:
        """The page of a paper: each published figure or table, in words, beside ours."""
        paper = self.pages.papers[key]
        made = {original["item"]: original for original in full["originals"].get(key, ())}
        address = paper.pdf or paper.link
        parts = [
            f"# {paper.name}: published figures and tables, and ours",
            MARK,
            self.pages.verdict(key, full),
            f"*{paper.title}*. The published figures are described here, not copied; see [the "
            f"paper]({address}). Ours are of the [full study](../findings-full.md).",
        ]
        for original in self.originals[key]:
            parts += [f"## {original.item}", f"Published: {original.shows}", original.read]
            there = made.get(original.item, {"figures": [], "table": None})
            parts += [
                f"![{original.item}, repeated](../figures/full/{name})" for name in there["figures"]
            ]
            if there["table"]:
                parts += ["Published numbers beside ours:", _markdown(there["table"])]
        return "\n\n".join(parts) + "\n"

    def _links(self, to: str) -> str:
        return ", ".join(
            f"[{self.pages.papers[key].name}]({to}replications/{key}.md)" for key in self.originals
        )

    def write(self, root: Path, full: Mapping, default: Mapping, study: Study) -> None:
        """The pages from both records, below a folder; ``study`` is the full configuration."""
        since = record.outdated(full, study, root / PICTURES, self.pages.registry)
        text = self.page(full, default, since)
        (root / "docs" / "findings-full.md").write_text(text, encoding="utf-8")
        (root / REPLICATIONS).mkdir(parents=True, exist_ok=True)
        for key in self.originals:
            page = root / REPLICATIONS / f"{key}.md"
            page.write_text(self.replication(key, full), encoding="utf-8")

    def keep(self, root: Path, findings: Findings) -> dict:
        """Write the record of a finished study and copy its figures; the record."""
        made = self.record(findings)
        (root / PICTURES).mkdir(parents=True, exist_ok=True)
        for figure in self.pictures(findings):
            shutil.copy(figure, root / PICTURES)
        text = json.dumps(made, indent=1, ensure_ascii=False) + "\n"
        (root / "docs" / "findings-full.json").write_text(text, encoding="utf-8")
        return made


def _drawn(findings: Findings, original: Original) -> list[Path]:
    """Our figures of an original that the study has drawn."""
    folder = Path(findings.results) / "figures"
    return [path for name in original.figures if (path := folder / f"{name}.svg").exists()]


def _judged(verdict: Mapping) -> str:
    return f"{verdicts(verdict)}: {CONSEQUENCES[verdict['consequence']]}"


def _markdown(table: Mapping) -> str:
    lines = [table["head"], ["---"] * len(table["head"]), *table["cells"]]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
