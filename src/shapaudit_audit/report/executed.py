"""Executed notebooks: stripped of everything that differs from run to run, and as pages."""

from copy import deepcopy
from pathlib import Path

from markupsafe import Markup
from nbconvert import HTMLExporter
from nbformat import NotebookNode
from pygments.formatters import HtmlFormatter

INJECTED = "injected-parameters"
STYLE = Path(__file__).parent / "templates" / "executed.css"
PAGE = Markup(
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width">\n<title>{}</title>\n'
    "<style>\n{}\n{}\n</style>\n</head>\n<body>\n{}\n</body>\n</html>\n"
)


def stripped(book: NotebookNode) -> NotebookNode:
    """A copy with code, results and tags alone: no times, no paths, no warnings, no random ids."""
    book = deepcopy(book)
    kernel, language = book.metadata["kernelspec"], book.metadata["language_info"]["name"]
    book.metadata = NotebookNode(kernelspec=kernel, language_info={"name": language})
    for cell in book.cells:
        tags = cell.metadata.get("tags", [])
        cell.metadata = NotebookNode(tags=tags) if tags else NotebookNode()
        if INJECTED in tags:
            cell.id = INJECTED
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    return book


def as_page(book: NotebookNode) -> str:
    """HTML that needs neither a script nor a network, its title being that of the first cell."""
    body, _ = HTMLExporter(
        template_name="basic", exclude_input_prompt=True, exclude_output_prompt=True
    ).from_notebook_node(book)
    title = book.cells[0].source.partition("\n")[0].lstrip("# ")
    colours = HtmlFormatter().get_style_defs(".highlight")
    style = STYLE.read_text(encoding="utf-8")
    return str(PAGE.format(title, Markup(style), Markup(colours), Markup(body)))
