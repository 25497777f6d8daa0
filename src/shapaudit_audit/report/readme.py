"""What README.md and docs/findings.md say of the default study, from its record."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..audit.base import Claim
from ..audit.paper import OURS, Paper
from ..audit.tally import FALLEN, NARROWER, UPHELD, by_source, consequences, printed
from ..audit.verdict import CONSEQUENCES
from .record import Summary

START = "<!-- findings: written by `make readme` from docs/findings.json; do not edit by hand -->"
END = "<!-- end of findings -->"


@dataclass(frozen=True)
class Pages:
    """The texts that follow from a record.

    Attributes
    ----------
    papers : by key
    registry : claims by id
    summaries : what the packages of the papers have to say
    """

    papers: Mapping[str, Paper]
    registry: Mapping[str, Claim]
    summaries: Sequence[Summary]

    def verdict_table(self, found: Mapping) -> str:
        """Markdown: per source, how many of its claims have which consequence; ours at the end."""
        lines = []
        for prefix, claims in by_source(self._claims(found)).items():
            name = "Ours (consequences and corrections)"
            if prefix != OURS:
                name = self.papers[claims[0]["paper"]].name
            counts = consequences(claims).values()
            lines.append(f"| {name} | {' | '.join(str(count or '') for count in counts)} |")
        heads = CONSEQUENCES.values()
        head = f"| Claims of | {' | '.join(heads)} |\n{'|---' * (len(heads) + 1)}|"
        return "\n".join([head, *lines])

    def _claims(self, found: Mapping) -> list[dict]:
        """The claims of a record, each with what the registry and the record say of it."""
        return [vars(self.registry[name]) | verdict for name, verdict in found["claims"].items()]

    def _audited(self) -> list[str]:
        """Keys of the papers that make claims, in the order of these."""
        return list(dict.fromkeys(claim.paper for claim in self.registry.values()))

    def block(self, found: Mapping, more: Sequence[str] = ()) -> str:
        """What stands between the markers of README.md; ``more`` are paragraphs at the end."""
        parts = [(summary, found[summary.key]) for summary in self.summaries]
        headlines = [summary.headline(part) for summary, part in parts]
        return "\n\n".join(
            [
                START,
                *filter(None, headlines),
                *(text for summary, part in parts for text in summary.overview(part)),
                self._counted(found),
                *more,
                END,
            ]
        )

    def _counted(self, found: Mapping) -> str:
        """A sentence on how many published claims have which consequence."""
        claims = self._claims(found)
        own = printed(claims)
        counts = consequences(own)
        upheld = sum(counts[key] for key in UPHELD)
        return (
            f"**Theorems and statements.** Of {len(own)} published claims, {upheld} hold "
            f"({counts[NARROWER]} of them only in the setting of their paper), {counts['slip']} "
            f"contain a slip that leaves the argument intact, {counts['hypothesis']} lack a "
            f"hypothesis, {counts['wrong']} are wrong and {counts['undecided']} are undecided. We "
            f"added {len(claims) - len(own)} further claims: consequences of what is printed, or "
            "corrections of it."
        )

    def page(self, found: Mapping) -> str:
        """docs/findings.md."""
        parts = [
            "# What the default study found",
            START,
            f"One run of the study `{found['study']}`, from [its record](findings.json). The "
            "report discusses these findings and the site contains the evidence; `make reproduce` "
            "builds both.",
            "## Claims",
            self.verdict_table(found),
            "The following published claims do not hold as printed, or only in their setting.",
            *(self._fallen(paper, found) for paper in self._audited()),
            *(text for one in self.summaries for text in one.section(found[one.key])),
        ]
        return "\n\n".join(parts) + "\n"

    def _fallen(self, paper: str, found: Mapping) -> str:
        """Markdown: the claims of a paper that do not stand, or not beyond its setting."""
        lines = [
            f"| {claim['id']} | {claim['title']} | {claim['where']} | {verdicts(claim)} "
            f"| {CONSEQUENCES[claim['consequence']]} |"
            for claim in self._claims(found)
            if claim["paper"] == paper
            and claim["source"] != OURS
            and claim["consequence"] in (*FALLEN, NARROWER)
        ]
        head = (
            f"### {self.papers[paper].name}",
            "",
            "| Id | Claim | Where | In its setting; in general | Consequence |",
            "|---|---|---|---|---|",
        )
        return "\n".join([*head, *lines])

    def write(self, root: Path, found: Mapping, more: Sequence[str] = ()) -> None:
        """The record and the texts made from it, below a folder; ``more`` is that of `block`."""
        text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
        (root / "docs" / "findings.json").write_text(text, encoding="utf-8")
        (root / "docs" / "findings.md").write_text(self.page(found), encoding="utf-8")
        readme = root / "README.md"
        changed = replace_findings(readme.read_text(encoding="utf-8"), self.block(found, more))
        readme.write_text(changed, encoding="utf-8")


def verdicts(claim: Mapping) -> str:
    """Both verdicts of a claim of a record, that in its setting first where it has one."""
    return "; ".join(filter(None, (claim["setting"], claim["general"])))


def replace_findings(text: str, block: str) -> str:
    """Put a block in the place of the one in the text; raise ValueError without the markers."""
    before, found, rest = text.partition(START)
    _, closed, after = rest.partition(END)
    if not (found and closed):
        raise ValueError(f"README.md lacks the markers {START!r} and {END!r}.")
    return before + block + after
