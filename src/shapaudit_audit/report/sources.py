r"""Where each number and table of the report comes from: the results that it is read off.

A value enters the text as ``\val{key}``, a link to its source's row in a table of the supplement;
the row names the rules that made the files, and the files. A table's caption has ``\from{name}``.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ..audit.ids import by_paper
from . import topics
from .audit import summary_table
from .consequences import consequence_tables
from .findings import Findings
from .held_out import SUITE, held_out_values
from .latex import escape, tabular
from .provenance import provenance_table
from .values import (
    checker_values,
    claim_values,
    model_values,
    on_fixed_data,
    repetition_values,
    study_values,
)

Texts = dict[str, str]


class ResultSource(NamedTuple):
    """Values by key, and tables by file name without suffix, that are made of the same results.

    ``rules`` made the ``files``, paths in the results folder.
    """

    name: str
    what: str
    rules: tuple[str, ...]
    files: tuple[str, ...]
    values: Callable[[Findings], Texts]
    tables: Callable[[Findings], Texts] = lambda findings: {}


def _claim_tables(findings: Findings) -> Texts:
    papers = by_paper(findings.audit["claims"])
    return {
        **{f"summary_{key}": summary_table(claims) for key, claims in papers.items()},
        **consequence_tables(findings.audit["claims"]),
    }


# Those of no paper; a paper's own are the ``SOURCES`` of its ``tables``.
SOURCES = (
    ResultSource(
        "study",
        "the study: seed and error rates",
        ("write_study",),
        ("study.yaml",),
        lambda findings: study_values(findings.study),
    ),
    ResultSource(
        "models",
        "fit of the models",
        ("train_model",),
        ("models/*.score.json",),
        lambda findings: model_values(findings.scores),
    ),
    ResultSource(
        "claims",
        "verdicts and their evidence",
        ("judge_claims",),
        ("claims/claims.json",),
        lambda findings: claim_values(findings.audit) | topics.values(findings.audit),
        _claim_tables,
    ),
    ResultSource(
        "checker",
        "verdicts whose evidence was re-derived",
        ("verify_evidence",),
        ("claims/verified.json",),
        lambda findings: checker_values(findings.verified),
    ),
    ResultSource(
        "repetitions",
        "verdicts from other base seeds",
        ("judge_claims",),
        ("repetitions/*/claims/claims.json",),
        lambda findings: repetition_values(
            findings.audit, findings.repetitions, on_fixed_data(findings.study)
        ),
    ),
    ResultSource(
        "held-out",
        "the benchmark on held-out games, which is kept beside the code",
        (),
        (SUITE,),
        lambda findings: held_out_values(),
    ),
    ResultSource(
        "provenance",
        "versions and machine",
        ("write_provenance",),
        ("provenance.json",),
        lambda findings: {},
        lambda findings: {"provenance": provenance_table(findings.provenance)},
    ),
)


def values(findings: Findings, sources: Sequence[ResultSource]) -> dict[str, Texts]:
    """Texts of the values by source and key; raises ValueError for a key of two sources."""
    return _apart({source.name: source.values(findings) for source in sources})


def tables(findings: Findings, sources: Sequence[ResultSource]) -> dict[str, Texts]:
    """LaTeX of the tables by source and file name; raises ValueError for a name of two sources."""
    return _apart({source.name: source.tables(findings) for source in sources})


def _apart(texts: dict[str, Texts]) -> dict[str, Texts]:
    seen: dict[str, str] = {}
    for name, own in texts.items():
        for key in own:
            if key in seen:
                raise ValueError(f"{key!r} is of two sources, {seen[key]} and {name}.")
            seen[key] = name
    return texts


def sources_table(
    texts: Mapping[str, Texts], made: Mapping[str, Texts], sources: Sequence[ResultSource]
) -> str:
    """LaTeX: how many values and which tables come from where, a row to link to for each source."""
    rows = [
        [
            rf"\leavevmode\hypertarget{{source:{source.name}}}{{{escape(source.what)}}}",
            str(len(texts[source.name])) if texts[source.name] else "",
            code(list(made[source.name])),
            code(source.rules),
            code(source.files),
        ]
        for source in sources
    ]
    text = r">{\raggedright\arraybackslash}p"
    columns = rf"@{{}}{text}{{3.2cm}}r{text}{{4.2cm}}{text}{{2.6cm}}{text}{{3.6cm}}@{{}}"
    header = [["what", "values", "tables", "made by the rules", "files in the results folder"]]
    return tabular(columns, header, [rows])


def table_sources(made: Mapping[str, Texts], sources: Sequence[ResultSource]) -> str:
    r"""One ``\deftable{name}{source}{rules}`` per table, for ``\from{name}`` in the captions."""
    lines = [
        rf"\deftable{{{table}}}{{{source.name}}}{{{code(source.rules)}}}"
        for source in sources
        for table in made[source.name]
    ]
    for table in ("sources", "artifact"):
        lines.append(rf"\deftable{{{table}}}{{study}}{{{code(['write_numbers'])}}}")
    return "\n".join([*lines, ""])


def code(words: Sequence[str]) -> str:
    """Names that may be broken after an underscore, a hyphen or a slash."""
    broken = [re.sub(r"(\\_|[-/])", r"\1\\allowbreak{}", escape(word)) for word in words]
    return ", ".join(rf"\texttt{{{word}}}" for word in broken)
