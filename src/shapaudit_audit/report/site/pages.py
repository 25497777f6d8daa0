"""The files of a site. This module imports little, because every job imports it."""

from collections.abc import Iterable
from typing import NamedTuple


class Page(NamedTuple):
    """A page: its file, which is that of its template, its name in the menu, and what it needs.

    A user's study, which has no claims, lacks the pages that are ``of_claims``. A study without
    studies of removals lacks those that are ``of_removals``, and the page of the packages
    (``of_packages``) is shown where their conformance is on record.
    """

    file: str
    name: str
    of_claims: bool = False
    of_removals: bool = False
    of_packages: bool = False


# A further page is a line here and a template of that name, which extends layout.html. The pages of
# the papers share the template paper.html.
PAGES = (
    Page("index.html", "Which estimator"),
    Page("estimators.html", "Estimators"),
    Page("removals.html", "Removing features", of_removals=True),
    Page("methods.html", "Methods", of_claims=True),
    Page("claims.html", "Claims", of_claims=True),
    Page("papers.html", "Papers", of_claims=True),
    Page("packages.html", "Packages", of_claims=True, of_packages=True),
)
TABLE = "estimators.csv"
SHARED = ("style.css", "site.js", "chart.js")  # beside every page


def pages_of(reported: bool, removals: bool, packages: bool) -> list[Page]:
    """Pages of a study, in the order of the menu.

    ``reported`` is whether a report is about it, ``removals`` whether it has studies of removals,
    ``packages`` whether the conformance of packages is on record.
    """
    return [
        page
        for page in PAGES
        if (reported or not page.of_claims)
        and (removals or not page.of_removals)
        and (packages or not page.of_packages)
    ]


def file_of_paper(prefix: str) -> str:
    """The page of a paper, which is given by the prefix of its claims."""
    return f"paper-{prefix}.html"


def files_of(
    reported: bool, removals: bool, packages: bool, prefixes: Iterable[str] = ()
) -> list[str]:
    """Names of all files of a site but its figures; ``prefixes`` are those of papers' claims.

    Only a study that a report is about has pages of papers.
    """
    papers = [file_of_paper(prefix) for prefix in prefixes] if reported else []
    menu = [page.file for page in pages_of(reported, removals, packages)]
    return [*menu, *papers, TABLE, *SHARED]
