r"""The artifact appendix: from what the article says to the command that makes it, and back.

A row stands for each sentence of the abstract with a number of the study, and for each figure and
table of the article that is made of results. Sentences, captions and places are read from the LaTeX
sources, so that the appendix follows them; the minutes are on record (`read_minutes`), because
those of the run itself would make two runs differ.
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from .latex import DASH, fixed, tabular
from .sources import ResultSource, Texts, code

MINUTES = "benchmarks/results/minutes.csv"  # written by `make readme`
NUMBERS, AUDIT, BESIDE = "results/paper/values.csv", "audit", "peers"  # targets of Snakemake
ABSTRACT = "report/abstract"
JUDGED = {"judge_claims", "verify_evidence"}
FIGURE, TABLE = r"\\includegraphics(?:\[[^]]*\])?\{(\w+)\}", r"\\input\{tables/(\w+)\}"
FLOAT = re.compile(
    r"\\begin\{(figure|table|center)\}(?:(?!\\begin\{\1\}).)*?\\end\{\1\}", flags=re.DOTALL
)


class Row(NamedTuple):
    """What is said, the targets that make it, the files it is read off, and where it stands.

    The label is "" where it stands in the abstract alone.
    """

    says: str
    targets: tuple[str, ...]
    files: tuple[str, ...]
    kind: str
    label: str


def artifact_table(
    texts: Mapping[str, Texts], sources: Sequence[ResultSource], article: Path, minutes: Path
) -> str:
    """LaTeX of the appendix.

    ``texts`` are the values by source and key; ``article`` is the LaTeX file of the article, and
    ``minutes`` that of the minutes on record.
    """
    sections = re.findall(r"\\input\{(report/\w+)\}", _text(article))
    found = {name: _text(article.parent / f"{name}.tex") for name in sections}
    spent = read_minutes(minutes)
    by_key = {key: source for source in sources for key in texts[source.name]}
    groups = [
        [_cells(row, spent) for row in rows]
        for rows in (list(_sentences(found, by_key)), list(_floats(found)))
    ]
    text = r">{\raggedright\arraybackslash}p"
    columns = rf"@{{}}{text}{{4.9cm}}{text}{{3.4cm}}r{text}{{3.4cm}}{text}{{2.2cm}}@{{}}"
    header = [["what the article says", "target of Snakemake", "minutes", "file", "place"]]
    return tabular(columns, header, groups)


def read_minutes(path: Path) -> dict[str, float]:
    """Processor minutes of all jobs that a target needs, by target."""
    with path.open(encoding="utf-8", newline="") as file:
        return {row["target"]: float(row["minutes"]) for row in csv.DictReader(file)}


def _text(path: Path) -> str:
    return re.sub(r"(?<!\\)%.*", "", path.read_text(encoding="utf-8"))


def _sentences(found: Mapping[str, str], by_key: Mapping[str, ResultSource]) -> Iterator[Row]:
    """Sentences of the abstract with numbers, each with the section that has most of these."""
    abstract = found[ABSTRACT].partition(r"\noindent")[2].partition(r"\end{abstract}")[0]
    sections = {
        re.findall(r"\\label\{(sec:[^}]*)\}", text)[0]: _keys(text)
        for name, text in found.items()
        if name != ABSTRACT
    }
    for sentence in re.split(r"(?<=[.?])\s+(?=[A-Z\\])", " ".join(abstract.split())):
        keys = _keys(sentence)
        if not keys:
            continue
        of = list(dict.fromkeys(by_key[key] for key in keys if key in by_key))
        shared = {label: len(set(keys) & set(own)) for label, own in sections.items()}
        most = max(shared, key=lambda label: shared[label])
        files = dict.fromkeys(file for source in of for file in source.files)
        targets = dict.fromkeys(_target(source) for source in of)
        yield Row(sentence, tuple(targets), tuple(files), "Section", most if shared[most] else "")


def _keys(text: str) -> list[str]:
    return list(dict.fromkeys(re.findall(r"\\val\{([^}]*)\}", text)))


def _target(source: ResultSource) -> str:
    if not source.rules:
        return BESIDE
    return AUDIT if set(source.rules) <= JUDGED else NUMBERS


def _floats(found: Mapping[str, str]) -> Iterator[Row]:
    """Figures and tables of the article that are made of results."""
    for text in found.values():
        for match in FLOAT.finditer(text):
            part = match[0]
            label = re.search(r"\\label\{((?:fig|tab):[^}]*)\}", part)
            if label is None:
                continue
            says = _first_sentence(part)
            if pictures := _pictures(part):
                targets = tuple(f"results/notebooks/{notebook}.ipynb" for notebook, _ in pictures)
                files = tuple(f"figures/{notebook}/{name}.pdf" for notebook, name in pictures)
                yield Row(says, targets, files, "Figure", label[1])
            elif made := re.search(TABLE, part):
                yield Row(says, (NUMBERS,), (f"paper/tables/{made[1]}.tex",), "Table", label[1])
            elif re.search(r"\\(val|claimcounts|onfourgames)\{", part):
                yield Row(says, (NUMBERS,), ("paper/values.csv",), "Table", label[1])


def _pictures(part: str) -> list[tuple[str, str]]:
    """Notebook and name of each picture of a figure, in their order."""
    notebooks = [name.replace(r"\_", "_") for name in re.findall(r"\\made\{([^}]*)\}", part)]
    return list(zip(notebooks, re.findall(FIGURE, part), strict=False))


def _first_sentence(part: str) -> str:
    """That of a caption, without what only captions have."""
    opening = re.search(r"\\caption(?:of\{table\})?\{", part)
    if opening is None:
        raise ValueError(f"a figure or table of the article has no caption: {part[:80]!r}")
    depth, end = 1, opening.end()
    while depth:
        depth += {"{": 1, "}": -1}.get(part[end], 0)
        end += 1
    caption = re.sub(r"\\(label|from|made)\{[^}]*\}", "", part[opening.end() : end - 1])
    return re.split(r"(?<=[.:;])\s", " ".join(caption.split()))[0].rstrip(":;")


def _cells(row: Row, minutes: Mapping[str, float]) -> list[str]:
    known = [minutes[target] for target in row.targets if target in minutes]
    place = rf"{row.kind}~\ref{{{row.label}}}, page~\pageref{{{row.label}}}"
    place = place if row.label else "Abstract"
    time = fixed(max(known), 1) if known else DASH
    return [row.says, code(row.targets), time, code(row.files), place]
