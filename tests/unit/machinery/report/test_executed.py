"""Notebooks that were run: equal bytes from equal runs, and a page that needs no network."""

import re

import nbformat

from shapaudit_audit.report.executed import INJECTED, as_page, stripped


def executed(time, name):
    """A notebook as papermill leaves it, its times and random ids given."""
    book = nbformat.v4.new_notebook()
    book.metadata |= {
        "kernelspec": {"name": "python3", "display_name": "Python 3"},
        "language_info": {"name": "python", "version": "3.11.7"},
        "papermill": {"start_time": time, "output_path": "/somewhere/book.ipynb"},
    }
    title = nbformat.v4.new_markdown_cell("# A title & more\n\nWords.", id="title")
    given = nbformat.v4.new_code_cell("results = '..'", id=name)
    given.metadata |= {"tags": [INJECTED], "papermill": {"start_time": time}}
    told = nbformat.v4.new_code_cell("print(1)", id="told", execution_count=2)
    told.outputs = [
        nbformat.v4.new_output("stream", name="stderr", text=f"a warning at {time}"),
        nbformat.v4.new_output("stream", name="stdout", text="1\n"),
        nbformat.v4.new_output("display_data", {"image/svg+xml": "<svg></svg>"}),
    ]
    book.cells = [title, given, told]
    return book


def test_runs_differ_in_nothing_that_is_kept():
    first, second = (stripped(executed(*given)) for given in (("12:00", "a1"), ("13:00", "b2")))
    assert nbformat.writes(first) == nbformat.writes(second)
    assert as_page(first) == as_page(second)
    nbformat.validate(first)


def test_code_results_and_tags_are_kept():
    book = executed("12:00", "a1")
    kept = stripped(book)
    assert [cell.source for cell in kept.cells] == [cell.source for cell in book.cells]
    assert kept.cells[1].metadata.tags == [INJECTED]
    assert [output.output_type for output in kept.cells[2].outputs] == ["stream", "display_data"]
    assert "papermill" in book.metadata, "the notebook that was given is left as it was"


def test_the_page_has_words_code_and_pictures_and_calls_nothing_else():
    page = as_page(stripped(executed("12:00", "a1")))
    assert "<title>A title &amp; more</title>" in page
    assert "data:image/svg+xml;base64," in page
    assert "print" in page
    assert not re.search(r"<script|<link|https?://", page)
