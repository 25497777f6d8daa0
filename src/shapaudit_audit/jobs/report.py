"""Jobs that render notebooks, the report and the site."""

import shutil
from collections.abc import Iterable
from functools import cache
from os.path import relpath
from pathlib import Path
from typing import Any

from ..conformance.record import RECORD
from ..houses import SOURCE
from ..papers import PAPERS, file_of, folder_of, sections, sources
from ..report.artifact import MINUTES
from ..report.figures import Figure, declared_figures
from ..report.held_out import SUITE
from ..report.overhead import OVERHEAD
from ..study.blocks.study import Study, part_of
from ..study.fresh_seeds import repetition_seeds
from ..study.own import OwnBlock
from ..study.places import REMOVAL_TABLES, Places
from ..study.provenance import git_state
from .audit import PRINTED, claims, published_of
from .base import FIRST, Job

DOCUMENTS = ("report", "supplement")
RENDER = "../workflow/scripts/render_notebook.py"  # what runs a notebook, as seen from the source
TABLES = ("attributions", "claims", "deviations", "estimates", "explanations", "kept", "truth")


@cache
def figures() -> dict[str, dict[str, Figure]]:
    """Figures by notebook, one per paper and one on the audit, and by name."""
    return declared_figures()


class WriteStudy(Job):
    """Write down the configuration that the results are made with."""

    script = "write_study"

    def asked(self) -> dict[str, Any]:
        return {"study": self.plan.config}

    def runs(self) -> Iterable[OwnBlock]:
        return []


class WriteProvenance(WriteStudy):
    """Write down where the results come from."""

    script = "write_provenance"

    def asked(self) -> dict[str, Any]:
        return {**super().asked(), "git": git_state(self.plan.root)}


class _OfReport(Job):
    """A job that reads the results of the study itself.

    Its code has the cards of estimators and removals, which say what the report tells of them.
    """

    tables = (*TABLES, *(f"removal_{table}" for table in REMOVAL_TABLES))

    def reads(self) -> Iterable[OwnBlock]:
        return []

    def runs(self) -> Iterable[OwnBlock]:
        return [*self.study.estimators.values(), *self.study.removals.values()]

    def inputs(self) -> dict[str, Any]:
        return {"study": self.places.study, **super().inputs()}

    def seen_by(self, notebook: str) -> list[str]:
        """What a notebook reads beside the configuration."""
        if notebook not in PAPERS:
            return [self.places.claims]
        paper = PAPERS[notebook]
        printed = published_of((notebook,) if paper.published else ())
        verdicts = [self.places.claims] if "verdicts" in paper.findings_from else []
        return [*self.made_for(notebook), *printed, *verdicts]

    def seen_by_all(self) -> list[str]:
        """What the notebooks read."""
        return [path for notebook in figures() for path in self.seen_by(notebook)]

    def made_for(self, paper: str) -> list[str]:
        """Everything that the study makes for the experiments of a paper, but its verdicts."""
        study, places = self.study, self.places
        experiments = part_of(study.experiments, paper)
        games = list(dict.fromkeys(block.game for block in experiments.values()))
        models = study.models_of(experiments)
        return [
            *places.all_estimates(experiments),
            *places.all_settings(experiments),
            *map(places.truth, games),
            *(places.kept(name) for name, block in experiments.items() if block.keep),
            *map(places.path, part_of(study.paths, paper)),
            *places.all_removals(part_of(study.removal_studies, paper)),
            *map(places.architecture, part_of(study.architectures, paper)),
            *places.all_explanations(part_of(study.explanation_studies, paper)),
            *map(places.games, games),
            *map(places.model, models),
            *map(places.score, models),
            *map(places.dataset, dict.fromkeys(study.models[name].dataset for name in models)),
        ]


class RenderNotebook(_OfReport):
    """Run a notebook, named by the key of its paper or by that of the audit; draw its figures."""

    def __init__(self, *planned: Any):
        super().__init__(*planned)
        self.notebook = self.names["notebook"]
        self.of_paper = self.notebook in PAPERS

    def file(self) -> str:
        """The project's file, or that in a paper's package."""
        path = f"notebooks/{self.notebook}.ipynb"
        return str(file_of(self.notebook, path)) if self.of_paper else path

    def inputs(self) -> dict[str, Any]:
        return {"notebook": self.file(), **super().inputs(), "seen": self.seen_by(self.notebook)}

    def asked(self) -> dict[str, Any]:
        results = self.study.results
        folders = {
            "results": results,
            "published": PRINTED,
            "output": f"{results}/figures/{self.notebook}",
        }
        captions = [figure.caption for figure in figures()[self.notebook].values()]
        return {"captions": captions, "notebook": folders}

    def sources(self) -> list[str]:
        papers = (sources(paper, "__init__.py") for paper in PAPERS)
        return [RENDER, *(super().sources() if self.of_paper else papers)]

    def priority(self) -> int:
        """How early it is run: long ones first."""
        return len(figures()[self.notebook]) if self.of_paper else FIRST


class WriteNumbers(_OfReport):
    """Write the values and tables of the report."""

    script = "write_numbers"

    def inputs(self) -> dict[str, Any]:
        runs = ["", *repetitions(self.study)]
        return {
            **super().inputs(),
            "seen": self.seen_by_all(),
            "scores": [*map(self.places.score, self.study.models)],
            "claims": [Places(self.study.results, run).claims for run in runs],
            "verified": self.places.verified,
            "provenance": self.places.provenance,
            "held_out": SUITE,
            "article": ["paper/report.tex", *sorted(map(str, Path("paper").glob("report/*.tex")))],
            "minutes": MINUTES,
        }

    def asked(self) -> dict[str, Any]:
        return {"results": self.study.results, "published": PRINTED, "guests": [*sections()]}

    def sources(self) -> list[str]:
        return [*(sources(paper, "") for paper in PAPERS), *super().sources()]


class CompileReport(Job):
    """Compile the report and its supplement."""

    script = "compile_report"

    def inputs(self) -> dict[str, Any]:
        guests, results = sections().values(), self.study.results
        return {
            "documents": [f"paper/{document}.tex" for document in DOCUMENTS],
            "preamble": "paper/preamble.tex",
            "sources": sorted(map(str, Path("paper").glob("*/*.tex"))),
            "bibliography": "paper/references.bib",
            "guests": [str(path) for f in guests for path in f.parent.glob(f"{f.stem}.*")],
            "figures": all_figures(results, "pdf"),
            "generated": [
                f"{results}/paper/{name}" for name in ("numbers.tex", "values.csv", "tables")
            ],
        }

    def asked(self) -> dict[str, Any]:
        drawn = [f"{self.study.results}/figures/{notebook}" for notebook in figures()]
        return {"folders": [*drawn, *(str(file.parent) for file in sections().values())]}

    def runs(self) -> Iterable[OwnBlock]:
        return []


class BuildSite(_OfReport):
    """Build the site; that of a study without a report has neither claims nor figures."""

    script = "build_site"

    def inputs(self) -> dict[str, Any]:
        study, places = self.study, self.places
        compared = study.compared() | study.on_games_of_papers()
        games = dict.fromkeys(block.game for block in compared.values())
        of_report = {
            "claims": [places.claims],
            "verified": [places.verified],
            "seen": self.seen_by_all(),  # printed numbers stand beside ours on a page
            "figures": all_figures(study.results, "svg"),
            "captions": all_figures(study.results, "rst"),
            "overhead": OVERHEAD,
        }
        return {
            **super().inputs(),
            **(of_report if study.reported else dict.fromkeys(of_report, ())),
            "provenance": places.provenance,
            "estimates": places.all_estimates(compared),
            "truths": [*map(places.truth, games)],
            "removals": places.all_removals(study.removal_studies),
            "scores": [*map(places.score, study.models_of(compared))],
        }

    def asked(self) -> dict[str, Any]:
        declared = {
            notebook: {name: tuple(figure) for name, figure in own.items()}
            for notebook, own in figures().items()
        }
        documents = DOCUMENTS if self.study.reported and has_latex() else ()
        return {
            "results": self.study.results,
            "published": PRINTED,
            "declared": declared,
            "documents": {name: f"../paper/{name}.pdf" for name in documents},
        }

    def sources(self) -> list[str]:
        papers = [sources(paper, "") for paper in PAPERS]
        own = [*papers, *record_files()] if self.study.reported else advice()
        return [*own, *claims(), *super().sources()]


def advice() -> list[str]:
    """Where papers say what needs no comparison, and have a table of methods."""
    return [
        sources(paper, f"{part}.py")
        for paper in PAPERS
        for part in ("advice", "survey")
        if (folder_of(paper) / f"{part}.py").exists()
    ]


def record_files() -> list[str]:
    """Files of what packages gave for cases with exact values, where these are on record.

    As seen from the source: as inputs they would bring the rules that write them into every study.
    """
    files = [path for path in (RECORD, RECORD.with_suffix(".json")) if path.exists()]
    return [relpath(path, SOURCE) for path in files]


def repetitions(study: Study) -> list[str]:
    """The runs of a study's repetitions, as they are in paths."""
    return [f"repetitions/{seed}/" for seed in repetition_seeds(study)]


def figures_of(results: str, notebook: str, suffix: str) -> list[str]:
    """Files of the figures of a notebook."""
    return [f"{results}/figures/{notebook}/{name}.{suffix}" for name in figures()[notebook]]


def all_figures(results: str, suffix: str) -> list[str]:
    """Files of all figures."""
    return [path for name in figures() for path in figures_of(results, name, suffix)]


def has_latex() -> bool:
    """Whether the report can be compiled here."""
    return all(shutil.which(program) is not None for program in ("latexmk", "pdflatex"))
