r"""Where each number and table of the report comes from: the results that it is read off.

A value enters the text as ``\val{key}``, a link to its source's row in a table of the appendix; the
row names the rules that made the files, and the files. A table's caption has ``\from{name}``.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ..audit.changes import by_paper
from ..papers.bell_devanathan_boyd_2024 import tables as regression
from ..papers.chen_covert_lundberg_lee_2023.tables import benchmark, recommendations
from ..papers.chen_covert_lundberg_lee_2023.tables import values as benchmark_values
from ..papers.chen_covert_lundberg_lee_2023.tables.best import best_table, best_values
from ..papers.grah_thouvenot_2020 import prose
from ..papers.grah_thouvenot_2020 import tables as estimates
from ..papers.grah_thouvenot_2020.findings import CONTRASTS, VARIANT_CONTRASTS
from ..papers.okhrati_lipani_2021 import tables as replication
from . import topics as claim_kinds
from .audit import claims_table, summary_table
from .findings import Findings
from .latex import escape, tabular
from .provenance import provenance_table

Texts = dict[str, str]


class Source(NamedTuple):
    """Values by key, and tables by file name without suffix, that are made of the same results.

    ``rules`` made the ``files``, paths in the results folder.
    """

    name: str
    what: str
    rules: tuple[str, ...]
    files: tuple[str, ...]
    values: Callable[[Findings], Texts]
    tables: Callable[[Findings], Texts] = lambda found: {}


def _experiments(found: Findings) -> Texts:
    texts = prose.comparison_values(found.comparisons, list(found.experiments))
    for experiment in found.experiments.values():
        texts |= prose.experiment_values(experiment)
    return texts | prose.collapsed_values(found.collapsed)


def _experiment_tables(found: Findings) -> Texts:
    experiments, compared = found.experiments, found.comparisons
    main, variants = (
        {
            kind: estimates.comparisons_table(compared, contrasts, experiments, kind)
            for kind in ("ratio", "speed")
        }
        for contrasts in (CONTRASTS, VARIANT_CONTRASTS)
    )
    return {
        "study": estimates.study_table(experiments),
        "errors": estimates.errors_table(experiments),
        "ratios": main["ratio"],
        "speed": main["speed"],
        "variants": variants["ratio"],
        "steps": estimates.steps_table(experiments),
        "spread": estimates.spread_table(experiments),
        "coverage": estimates.coverage_latex(experiments),
        "collapsed": estimates.relative_table(found.collapsed),
    }


def _claims(found: Findings) -> Texts:
    audit = found.audit
    return {
        **prose.claim_values(audit),
        **prose.radius_values(audit),
        **prose.unhelpful_values(audit),
        **claim_kinds.values(audit),
        **replication.claim_values(audit),
    }


def _claim_tables(found: Findings) -> Texts:
    papers = by_paper(found.audit["claims"])
    return {
        (name := f"claims_{key}"): claims_table(claims, name) for key, claims in papers.items()
    } | {f"summary_{key}": summary_table(claims) for key, claims in papers.items()}


SOURCES = (
    Source(
        "study",
        "the study: seed, sizes, evaluations",
        ("write_study", "run_estimators"),
        ("study.yaml", "estimates/"),
        lambda found: prose.study_values(found.study, found.experiments),
    ),
    Source(
        "experiments",
        "experiments of Grah and Thouvenot",
        ("run_estimators", "compute_truth"),
        ("estimates/classification*/", "estimates/regression*/", "estimates/diabetes/", "truth/"),
        _experiments,
        _experiment_tables,
    ),
    Source(
        "published",
        "their published curves beside ours",
        ("run_estimators",),
        ("estimates/classification*/", "estimates/regression*/"),
        lambda found: prose.published_values(found.experiments),
        lambda found: {"published": estimates.published_table(found.experiments)},
    ),
    Source(
        "models",
        "fit of the models",
        ("train_model",),
        ("models/*.score.json",),
        lambda found: prose.model_values(found.scores),
    ),
    Source(
        "claims",
        "verdicts and their evidence",
        ("audit_claims",),
        ("claims/claims.json",),
        _claims,
        _claim_tables,
    ),
    Source(
        "repetitions",
        "verdicts from other base seeds",
        ("repeat_study",),
        ("repetitions/*/claims.json",),
        lambda found: prose.repetition_values(found.audit, found.repetitions),
    ),
    Source(
        "theory",
        "constants and bounds, computed from the number of players",
        ("write_study",),
        ("study.yaml",),
        lambda found: prose.bound_values(found.experiments["classification"].players),
    ),
    Source(
        "benchmark",
        "benchmark of estimators",
        ("run_estimators", "compute_truth"),
        ("estimates/chen-*/", "truth/chen-*.parquet"),
        lambda found: benchmark_values.values(found.benchmark),
        lambda found: benchmark.tables(found.benchmark),
    ),
    Source(
        "best",
        "the best of the suite on the simulated games",
        ("run_estimators",),
        ("estimates/best-*/",),
        lambda found: best_values(found.best),
        lambda found: {"benchmark_best": best_table(found.best)},
    ),
    Source(
        "okhrati",
        "experiments of Okhrati and Lipani",
        ("run_estimators", "keep_estimates", "run_paths", "search_architecture"),
        ("estimates/okhrati-*/", "kept/", "paths/", "architectures/"),
        lambda found: replication.values(found.replication, found.searches),
        lambda found: replication.tables(found.replication),
    ),
    Source(
        "regression",
        "experiments of Bell, Devanathan and Boyd",
        ("run_estimators", "compute_truth", "audit_claims"),
        ("estimates/bdb-*/", "truth/bdb-*.parquet", "claims/claims.json"),
        lambda found: regression.values(found.ls_spa),
        lambda found: regression.tables(found.ls_spa),
    ),
    Source(
        "recommendations",
        "what the recommendations count",
        ("run_estimators",),
        ("estimates/chen-*/",),
        lambda found: recommendations.values(found.benchmark),
    ),
    Source(
        "provenance",
        "versions and machine",
        ("write_provenance",),
        ("provenance.json",),
        lambda found: {},
        lambda found: {"provenance": provenance_table(found.provenance)},
    ),
)


def values(found: Findings, sources: Sequence[Source] = SOURCES) -> dict[str, Texts]:
    """Texts of the values by source and key; raises ValueError for a key of two sources."""
    return _apart({source.name: source.values(found) for source in sources})


def tables(found: Findings, sources: Sequence[Source] = SOURCES) -> dict[str, Texts]:
    """LaTeX of the tables by source and file name; raises ValueError for a name of two sources."""
    return _apart({source.name: source.tables(found) for source in sources})


def _apart(texts: dict[str, Texts]) -> dict[str, Texts]:
    seen: dict[str, str] = {}
    for name, own in texts.items():
        for key in own:
            if key in seen:
                raise ValueError(f"{key!r} is of two sources, {seen[key]} and {name}.")
            seen[key] = name
    return texts


def sources_table(
    texts: Mapping[str, Texts], made: Mapping[str, Texts], sources: Sequence[Source] = SOURCES
) -> str:
    """LaTeX: how many values and which tables come from where, a row to link to for each source."""
    rows = [
        [
            rf"\leavevmode\hypertarget{{source:{source.name}}}{{{escape(source.what)}}}",
            str(len(texts[source.name])) if texts[source.name] else "",
            _code(made[source.name]),
            _code(source.rules),
            _code(source.files),
        ]
        for source in sources
    ]
    text = r">{\raggedright\arraybackslash}p"
    columns = rf"@{{}}{text}{{3.2cm}}r{text}{{4.2cm}}{text}{{2.6cm}}{text}{{3.6cm}}@{{}}"
    header = [["what", "values", "tables", "made by the rules", "files in the results folder"]]
    return tabular(columns, header, [rows])


def table_sources(made: Mapping[str, Texts], sources: Sequence[Source] = SOURCES) -> str:
    r"""One ``\deftable{name}{source}{rules}`` per table, for ``\from{name}`` in the captions."""
    lines = [
        rf"\deftable{{{table}}}{{{source.name}}}{{{_code(source.rules)}}}"
        for source in sources
        for table in made[source.name]
    ]
    lines.append(rf"\deftable{{sources}}{{study}}{{{_code(['write_numbers'])}}}")
    return "\n".join([*lines, ""])


def _code(words: Sequence[str]) -> str:
    """Names that may be broken after an underscore, a hyphen or a slash."""
    broken = [re.sub(r"(\\_|[-/])", r"\1\\allowbreak{}", escape(word)) for word in words]
    return ", ".join(rf"\texttt{{{word}}}" for word in broken)
