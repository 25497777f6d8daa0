"""What the study of the published sizes found: its record, docs/findings-full.json, and its pages.

The study takes more than an hour. So a claim that was reworded, or another setting of the
configuration, does not ask for a new run, as it does with the default study; the page says what has
changed since.
"""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..audit.verdict import CONSEQUENCES
from . import record
from .findings import Findings
from .originals import Original, table_of
from .readme import Pages, verdicts

MARK = "<!-- written by `make readme` from docs/findings-full.json; do not edit by hand -->"
PICTURES = Path("docs", "figures", "full")
REPLICATIONS = Path("docs", "replications")


@dataclass(frozen=True)
class FullPages:
    """The record of the full study and what is written from it.

    Attributes
    ----------
    pages : what writes the texts of the default study
    originals : figures and tables that papers print, by the paper's key
    """

    pages: Pages
    originals: Mapping[str, Sequence[Original]]

    def record(self, found: Findings) -> dict:
        """Everything that the pages say of the full study, as JSON holds it."""
        made = found.provenance
        run = {"commit": made["git"]["commit"], "processor": made["processor"]}
        own = {
            key: [
                {
                    "item": one.item,
                    "figures": [path.name for path in _drawn(found, one)],
                    "table": table_of(one.compare(found) if one.compare else ()),
                }
                for one in printed
            ]
            for key, printed in self.originals.items()
        }
        return record.record(found, self.pages.summaries) | {"run": run, "originals": own}

    def pictures(self, found: Findings) -> list[Path]:
        """Files of the figures that the pages show, in the results of the study."""
        own = [
            path
            for printed in self.originals.values()
            for one in printed
            for path in _drawn(found, one)
        ]
        return list(dict.fromkeys([*record.pictures(found, self.pages.summaries), *own]))

    def changed(self, full: Mapping, default: Mapping) -> list[dict]:
        """Claims on which the two studies differ, each with both verdicts.

        A claim that one of the studies has not judged is none of them.
        """
        return [
            {"claim": self.pages.registry[name], "default": default["claims"][name], "full": there}
            for name, there in full["claims"].items()
            if name in self.pages.registry
            and name in default["claims"]
            and default["claims"][name] != there
        ]

    def sentence(self, full: Mapping, default: Mapping) -> str:
        """What README.md says of the full study."""
        changed = self.changed(full, default)
        other = sum(one["full"]["consequence"] != one["default"]["consequence"] for one in changed)
        return (
            "**At the published sizes.** The [full study](docs/findings-full.md) repeats the "
            "experiments of the papers on their data and at their sizes, as far as [these could be "
            "had](docs/limitations.md#the-replication). Of "
            f"{len(full['claims'])} claims, {other} have another consequence there, and "
            f"{len(changed) - other} another verdict with the same consequence. Each published "
            f"figure and table stands beside ours, on a page per paper: {self._links('docs/')}."
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
                for one in self.pages.summaries
                for text in one.section(full[one.key])
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
                f"| {one['claim'].id} | {one['claim'].title} | {_judged(one['default'])} "
                f"| {_judged(one['full'])} |"
                for one in changed
            ),
        ]
        return ["In its setting; in general: consequence.", "\n".join(lines)]

    def replication(self, key: str, full: Mapping) -> str:
        """The page of a paper: each published figure or table, in words, beside ours."""
        paper = self.pages.papers[key]
        made = {one["item"]: one for one in full["originals"].get(key, ())}
        address = paper.pdf or paper.link
        parts = [
            f"# {paper.name}: published figures and tables, and ours",
            MARK,
            f"*{paper.title}*. The published figures are described here, not copied; see [the "
            f"paper]({address}). Ours are of the [full study](../findings-full.md).",
        ]
        for one in self.originals[key]:
            parts += [f"## {one.item}", f"Published: {one.shows}", one.read]
            there = made.get(one.item, {"figures": [], "table": None})
            parts += [
                f"![{one.item}, repeated](../figures/full/{name})" for name in there["figures"]
            ]
            if there["table"]:
                parts += ["Published numbers beside ours:", _markdown(there["table"])]
        return "\n\n".join(parts) + "\n"

    def _links(self, to: str) -> str:
        return ", ".join(
            f"[{self.pages.papers[key].name}]({to}replications/{key}.md)" for key in self.originals
        )

    def write(self, root: Path, full: Mapping, default: Mapping, study: Mapping) -> None:
        """The pages from both records, below a folder; ``study`` is the full configuration."""
        since = record.outdated(full, study, root / PICTURES, self.pages.registry)
        text = self.page(full, default, since)
        (root / "docs" / "findings-full.md").write_text(text, encoding="utf-8")
        (root / REPLICATIONS).mkdir(parents=True, exist_ok=True)
        for key in self.originals:
            page = root / REPLICATIONS / f"{key}.md"
            page.write_text(self.replication(key, full), encoding="utf-8")

    def keep(self, root: Path, found: Findings) -> dict:
        """Write the record of a finished study and copy its figures; the record."""
        made = self.record(found)
        (root / PICTURES).mkdir(parents=True, exist_ok=True)
        for figure in self.pictures(found):
            shutil.copy(figure, root / PICTURES)
        text = json.dumps(made, indent=1, ensure_ascii=False) + "\n"
        (root / "docs" / "findings-full.json").write_text(text, encoding="utf-8")
        return made


def _drawn(found: Findings, one: Original) -> list[Path]:
    """Our figures of an original that the study has drawn."""
    folder = Path(found.results) / "figures"
    return [path for name in one.figures if (path := folder / f"{name}.svg").exists()]


def _judged(verdict: Mapping) -> str:
    return f"{verdicts(verdict)}: {CONSEQUENCES[verdict['consequence']]}"


def _markdown(table: Mapping) -> str:
    lines = [table["head"], ["---"] * len(table["head"]), *table["cells"]]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
