"""The texts of README.md and docs/findings.md on the default study, written from its record."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..audit.base import Claim
from ..audit.paper import OURS, Paper
from ..audit.tally import (
    FALLEN,
    MISLEADING,
    NARROWER,
    UPHELD,
    by_source,
    consequences,
    printed,
    with_consequences,
)
from ..audit.verdict import CONSEQUENCES
from .headlines import claims_told
from .record import Summary

START = "<!-- findings: written by `make readme` from docs/findings.json; do not edit by hand -->"
CHANGING = "claims-that-change-what-a-reader-would-do"  # the anchor of their heading
END = "<!-- end of findings -->"


@dataclass(frozen=True)
class Pages:
    """The texts that follow from a record.

    Attributes
    ----------
    papers : by key
    registry : claims by id
    summaries : of the papers' packages
    """

    papers: Mapping[str, Paper]
    registry: Mapping[str, Claim]
    summaries: Sequence[Summary]

    def verdict_table(self, record: Mapping) -> str:
        """Markdown: per source, how many of its claims have which consequence; ours at the end."""
        lines = []
        for prefix, claims in by_source(self._claims(record)).items():
            name = "Ours (consequences and corrections)"
            if prefix != OURS:
                name = self.papers[claims[0]["paper"]].name
            counts = consequences(claims).values()
            lines.append(f"| {name} | {' | '.join(str(count or '') for count in counts)} |")
        heads = CONSEQUENCES.values()
        head = f"| Claims of | {' | '.join(heads)} |\n{'|---' * (len(heads) + 1)}|"
        return "\n".join([head, *lines])

    def _claims(self, record: Mapping) -> list[dict]:
        """The claims of a record, each with the fields of the registry and of the record.

        A record of an earlier run may have claims that are no more; they are left out.
        """
        return [
            vars(self.registry[name]) | verdict
            for name, verdict in record["claims"].items()
            if name in self.registry
        ]

    def verdict(self, paper: str, record: Mapping) -> str:
        """A sentence: how many of the claims that a paper prints have which consequence."""
        claims = printed(self._claims(record))
        return claims_told([claim for claim in claims if claim["paper"] == paper])

    def _audited(self) -> list[str]:
        """Keys of the papers that make claims, in the order of these."""
        return list(dict.fromkeys(claim.paper for claim in self.registry.values()))

    def block(self, record: Mapping, more: Sequence[str] = ()) -> str:
        """The text between the markers of README.md; ``more`` are paragraphs at its end."""
        parts = [(summary, record[summary.key]) for summary in self.summaries]
        headlines = [summary.headline(part) for summary, part in parts]
        return "\n\n".join(
            [
                START,
                *filter(None, headlines),
                *(text for summary, part in parts for text in summary.overview(part)),
                self._counted(record),
                *more,
                END,
            ]
        )

    def _counted(self, record: Mapping) -> str:
        """A sentence on how many published claims have which consequence."""
        claims = self._claims(record)
        own = printed(claims)
        counts = consequences(own)
        upheld = sum(counts[key] for key in UPHELD)
        return (
            f"**Theorems and statements.** Of {len(own)} published claims, {upheld} hold "
            f"({counts[NARROWER]} of them only in the setting of their paper), {counts['slip']} "
            f"contain a slip that leaves the argument intact, {counts['hypothesis']} lack a "
            f"hypothesis, {counts['wrong']} are wrong and {counts['undecided']} are undecided. The "
            "wrong ones and those that lack a hypothesis [change what a reader would do]"
            f"(docs/findings.md#{CHANGING}). We added {len(claims) - len(own)} further claims: "
            "consequences of what is printed, or corrections of it."
        )

    def page(self, record: Mapping) -> str:
        """docs/findings.md."""
        parts = [
            "# What the default study found",
            START,
            f"One run of the study `{record['study']}`, from [its record](findings.json). The "
            "report discusses these findings and the site contains the evidence; `make reproduce` "
            "builds both.",
            "## Claims",
            self.verdict_table(record),
            self._changing(record),
            "### Claims that do not hold as printed",
            "The following published claims do not hold as printed, or only in their setting.",
            *(self._fallen(paper, record) for paper in self._audited()),
            *(text for summary in self.summaries for text in summary.section(record[summary.key])),
        ]
        return "\n\n".join(parts) + "\n"

    def _changing(self, record: Mapping) -> str:
        """Markdown: the claims that mislead a reader, each with the consequence."""
        lines = [
            f"- {claim['title']} ({self.papers[claim['paper']].name}, {claim['id']}): "
            f"**{CONSEQUENCES[claim['consequence']]}**. {claim['matters']}"
            for claim in with_consequences(self._claims(record), *MISLEADING)
        ]
        return "\n".join(["### Claims that change what a reader would do", "", *lines])

    def _fallen(self, paper: str, record: Mapping) -> str:
        """Markdown: the claims of a paper that do not stand, or stand in its setting only."""
        lines = [
            f"| {claim['id']} | {claim['title']} | {claim['where']} | {verdicts(claim)} "
            f"| {CONSEQUENCES[claim['consequence']]} |"
            for claim in self._claims(record)
            if claim["paper"] == paper
            and claim["source"] != OURS
            and claim["consequence"] in (*FALLEN, NARROWER)
        ]
        head = (
            f"#### {self.papers[paper].name}",
            "",
            "| Id | Claim | Where | In its setting; in general | Consequence |",
            "|---|---|---|---|---|",
        )
        return "\n".join([*head, *lines])

    def write(self, root: Path, record: Mapping, more: Sequence[str] = ()) -> None:
        """The record and the texts made from it, below a folder; ``more`` is that of `block`."""
        text = json.dumps(record, indent=1, ensure_ascii=False) + "\n"
        (root / "docs" / "findings.json").write_text(text, encoding="utf-8")
        (root / "docs" / "findings.md").write_text(self.page(record), encoding="utf-8")
        readme = root / "README.md"
        changed = replace_findings(readme.read_text(encoding="utf-8"), self.block(record, more))
        readme.write_text(changed, encoding="utf-8")


def verdicts(claim: Mapping) -> str:
    """The verdict in the setting of a recorded claim, where it has one, and the general one."""
    return "; ".join(filter(None, (claim["setting"], claim["general"])))


def replace_findings(text: str, block: str) -> str:
    """Put a block in the place of the one in the text; raise ValueError without the markers."""
    before, opened, rest = text.partition(START)
    _, closed, after = rest.partition(END)
    if not (opened and closed):
        raise ValueError(f"README.md lacks the markers {START!r} and {END!r}.")
    return before + block + after
