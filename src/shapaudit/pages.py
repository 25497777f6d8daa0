"""Pages that need no network: templates of a package, and pictures as part of the text."""

import re
from io import StringIO
from typing import TYPE_CHECKING, Any

from .optional import needed

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def rendered(package: str, template: str, what: str, **values: Any) -> str:
    """A template of a package as HTML; a value that it lacks is an error.

    Raises `MissingPackage`, which says that ``what`` needs it, without jinja2.
    """
    jinja2 = needed("jinja2", what, "plots")
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(package),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
    )
    return environment.get_template(template).render(**values)


def svg(figure: "Figure", salt: str) -> str:
    """A figure as SVG with its text as text; ``salt`` makes ids that differ within a page."""
    import matplotlib

    stream = StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": salt}):
        figure.savefig(stream, format="svg", metadata={"Date": None})
    drawn = stream.getvalue().partition("?>")[2].partition(">")[2]
    return re.sub(r'<g id="[^"]*"', "<g", drawn)  # they would be the same in all figures of a page
