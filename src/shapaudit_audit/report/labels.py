"""Labels of a study's games and estimators: which of them the report can print, and how."""

from collections.abc import Iterator

from msgspec.structs import replace

from ..study.blocks.base import label_of
from ..study.blocks.study import Study
from ..study.faults import refuse
from .characters import described, plain, unprinted

# Whose entries have labels.
BLOCKS = ("games", "estimators", "explainers", "explanation_studies", "removal_studies")


def check_labels(config: Study) -> None:
    """Raise `ConfigError` listing the labels that the report cannot print, where there is one.

    The site shows every script.
    """
    if not config.reported:
        return
    faults = [
        f"{where}.label: {fault}"
        for where, block in config.entries()
        for fault in _faults(where.rpartition(".")[2], label_of(block))
    ]
    refuse(faults, "the report cannot print labels of the study")


def _faults(name: str, label: str) -> Iterator[str]:
    if odd := unprinted(label):
        known = " ".join("".join(character for character in label if character not in odd).split())
        named = ", ".join(f"{character} ({described(character)})" for character in odd[:3])
        more = f" and {len(odd) - 3} others" if len(odd) > 3 else ""
        yield (
            f"{label!r} has characters that are in no font of the report, {named}{more}; write it "
            f"in Latin or Greek letters, for instance {_or(known, name)!r}"
        )
    if label.count("$") > 1:
        yield f"{label!r} has several dollar signs, which figures take for a formula; write words"


def with_plain_labels(study: Study) -> Study:
    """The study with labels that figures can show as well, where a report is about it."""
    if not study.reported:
        return study
    blocks = {
        block: {
            name: replace(entry, label=plain(entry.label))
            for name, entry in getattr(study, block).items()
        }
        for block in BLOCKS
    }
    return replace(study, **blocks)


def _or(known: str, name: str) -> str:
    """The printable part of a label, or the name of its entry where that has no letter or digit."""
    return known if any(map(str.isalnum, known)) else name
