"""The pages, from their templates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from jinja2 import Environment, PackageLoader, StrictUndefined

from ...audit.verdict import CONSEQUENCES, STATUSES
from ...conformance.record import Record
from ...study.blocks.study import Study
from ..advice import KINDS, Advice
from ..overhead import Seconds
from ..palette import CONSEQUENCES as COLOURS
from ..removals import RemovalStudy
from ..saved import evaluations_saved
from ..situation_table import HEADS, SituationLine, filled, situation_rows
from ..surveys import Survey
from ..tasks import MARGIN, TaskComparison
from . import comparison, conformance, content, home
from .curves import curves
from .pages import SHARED, TABLE, Page, pages_of
from .removals import choice_rows, equal_rows, error_rows, refusal_rows
from .rows import digits, rows, table
from .text import mathematics

HERO = "evaluations"  # name of the figure that stands first, where a study draws it


@dataclass(frozen=True, eq=False)
class Contents:
    """Everything that a site shows.

    Attributes
    ----------
    study, provenance : the configuration, and where the results come from
    compared : the comparison of estimators over the tasks
    earlier : the comparison over the games of earlier papers, None for a user's study
    audit : the claims with their verdicts, None for a user's study
    papers, figures, models : of `content.papers`, `content.figures` and `models.scored`
    originals : of `content.originals`
    advice : recommendations that need no comparison
    situations : the lines of the table of advice
    removals : studies of removals
    surveys : tables of methods that papers print, audited
    conformance : what packages gave for cases with exact values, None where it is not on record
    overhead : seconds beside the game of a recorded run, empty where it is not of the study
    documents : addresses, from the site, of the "report" and the "supplement" where there are any
    """

    study: Study
    provenance: Mapping
    compared: TaskComparison
    earlier: TaskComparison | None = None
    audit: Mapping | None = None
    papers: Sequence[Mapping] = ()
    figures: Sequence[Mapping] = ()
    models: Sequence[Mapping] = ()
    originals: Mapping[str, Sequence[Mapping]] = field(default_factory=dict)
    advice: Sequence[Advice] = ()
    situations: Sequence[SituationLine] = ()
    removals: Sequence[RemovalStudy] = ()
    surveys: Sequence[Survey] = ()
    conformance: Record | None = None
    overhead: Seconds = field(default_factory=dict)
    documents: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def comparisons(self) -> list[TaskComparison]:
        """The comparisons, without the one that is None."""
        return [self.compared, *([self.earlier] if self.earlier else [])]


def templates() -> Environment:
    """The templates of the pages."""
    environment = Environment(
        loader=PackageLoader("shapaudit_audit.report.site"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"mathematics": mathematics, "digits": digits}
    return environment


def render(contents: Contents) -> dict[str, str]:
    """The text of every file of the site but its figures, by name."""
    environment = templates()
    reported, packages = contents.audit is not None, contents.conformance is not None
    pages = pages_of(reported, bool(contents.removals), packages)
    lines = rows(contents.comparisons)
    shown = {
        **{"study": contents.study, "provenance": contents.provenance, "pages": pages},
        **{"papers": contents.papers, "figures": contents.figures, "models": contents.models},
        **{"documents": contents.documents, "rows": lines, "table": TABLE},
        **{"consequences": CONSEQUENCES, "statuses": STATUSES, "colours": COLOURS},
        **{"kinds": KINDS, "margin": MARGIN},
        **_compared(contents),
        **(_audited(contents, contents.audit) if contents.audit is not None else {}),
        **(_removed(contents) if contents.removals else {}),
        **(conformance.tables(contents.conformance) if contents.conformance is not None else {}),
    }
    files = {
        page.file: environment.get_template(page.file).render(shown, page=page) for page in pages
    }
    files |= {name: environment.get_template(name).render(shown) for name in SHARED}
    of_paper = environment.get_template("paper.html")
    for paper in contents.papers:
        page = Page(paper["file"], paper["name"], of_claims=True)
        rows_of = [claim for claim in paper["claims"] if claim["table"]]
        files[page.file] = of_paper.render(shown, page=page, paper=paper, evidence=rows_of)
    return files | {TABLE: table(lines)}


def _compared(contents: Contents) -> dict:
    """Contents of the pages on the comparisons."""
    several = contents.comparisons
    saved = evaluations_saved(several)
    titles = {claim["id"]: claim["title"] for paper in contents.papers for claim in paper["claims"]}
    return {
        "answer": home.answer(several[0], saved, several[1:]),
        "map": home.regret_map(several),
        "curves": curves(several, contents.overhead),
        "reached": home.reached(several),
        "rests": home.rests(several),
        "hero": next((one for one in contents.figures if one["name"] == HERO), None),
        "helper": home.helper(several, saved, contents.advice, titles),
        "tasks": [task for compared in several for task in comparison.tasks(compared)],
        "estimators": comparison.estimators(several),
        "choices": [row for compared in several for row in comparison.choices(compared)],
        "reference": comparison.reference(contents.compared),
    }


def _removed(contents: Contents) -> dict:
    """Contents of the page on the studies of removals."""
    alpha = contents.study.claims.alpha
    return {
        "removal_choices": choice_rows(contents.removals, alpha),
        "removal_errors": error_rows(contents.removals),
        "removal_equal_rows": equal_rows(contents.removals, alpha),
        "removal_refusals": refusal_rows(contents.removals),
    }


def _audited(contents: Contents, audit: Mapping) -> dict:
    """Contents of the pages on the claims, beside the papers."""
    shown: dict[str, list[Mapping]] = {
        claim["id"]: [] for paper in contents.papers for claim in paper["claims"]
    }
    for figure in contents.figures:
        for key in figure["claims"]:
            if key in shown:
                shown[key].append(figure)
    words = filled(contents.compared, contents.removals, contents.study.claims.alpha)
    claims = {claim["id"]: claim for claim in audit["claims"]}
    about = {paper["key"]: _about(paper, contents.figures) for paper in contents.papers}
    placed = {figure["file"] for own in about.values() for figure in own}
    apart = [figure for figure in contents.figures if figure["notebook"] not in about]
    return {
        "figures_about": about,
        "figures_apart": [figure for figure in apart if figure["file"] not in placed],
        "verdicts": home.verdicts(audit),
        "situation_heads": list(HEADS.values()),
        "situations": situation_rows(contents.situations, words, claims),
        "crossed": content.crossed(audit),
        "figures_of": shown,
        "originals": {key: contents.originals.get(key, ()) for key in about},
        "further": {key: _further(contents, key) for key in about},
        "surveys": contents.surveys,
        "by_consequence": content.by_consequence(contents.papers),
        "codes": {
            claim["id"]: claim["code"] for paper in contents.papers for claim in paper["claims"]
        },
        "titles": {key: claim["title"] for key, claim in claims.items()},
    }


def _further(contents: Contents, key: str) -> list[Mapping]:
    """Figures of a paper's notebook that stand beside nothing that the paper prints."""
    beside = {
        (figure["notebook"], figure["name"])
        for own in contents.originals.values()
        for original in own
        for figure in original["figures"]
    }
    return [
        figure
        for figure in contents.figures
        if figure["notebook"] == key and (figure["notebook"], figure["name"]) not in beside
    ]


def _about(paper: Mapping, figures: Sequence[Mapping]) -> list[Mapping]:
    """Figures of another notebook than the paper's that show claims of it."""
    own = {claim["id"] for claim in paper["claims"]}
    return [
        figure
        for figure in figures
        if figure["notebook"] != paper["key"] and own & {*figure["claims"]}
    ]
