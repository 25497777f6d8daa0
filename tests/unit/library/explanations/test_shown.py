"""What is printed of an explanation, and what a notebook shows: the largest values, legibly."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from explained_rows import made
from shapaudit.explanations.entries import entry_text, number_texts, shortened
from shapaudit.explanations.shown import BAR, as_html, as_text

SEVERAL = tuple("abcdef")
TAGS = {"div", "strong", "table", "thead", "tbody", "tr", "th", "td", "svg", "rect", "line"}
SHAPES = {
    "rows": made(),
    "no row": made()[:0],
    "one row": made()[3],
    "exact row": made(exact=True)[3],
    "outputs": made(outputs=SEVERAL),
    "one row of outputs": made(outputs=SEVERAL)[2],
}


def small(values=(0.25, -1.5), errors=(0.0, 0.0), entries=("Köln", 2.0), names=("town", "age")):
    """One row of two features."""
    rows = made(exact=True)[:1]
    return replace(
        rows,
        values=np.array([values], dtype=float),
        standard_errors=np.array([errors], dtype=float),
        base_values=np.array([0.5]),
        data=pd.DataFrame([entries], columns=list(names), index=[7]),
        feature_names=tuple(names),
        groups={},
        method="auto",
    )[0]


@pytest.mark.parametrize("shape", SHAPES)
def test_a_text_has_at_most_twelve_lines_of_moderate_width(shape):
    text = as_text(SHAPES[shape])
    lines = text.split("\n")
    assert text == repr(SHAPES[shape])
    assert len(lines) <= 12
    assert max(map(len, lines)) <= 100
    assert all(line == line.rstrip() for line in lines)


def test_a_row_shows_entries_values_and_totals():
    assert as_text(small()).split("\n") == [
        "Shapley values of row 7, unit: probability",
        "Read from the trees.",
        "  age         2     -1.500",
        "  town        Köln   0.250",
        "  base value         0.500",
        "  prediction        -0.750",
    ]


def test_estimates_have_half_widths_and_say_what_these_are():
    lines = as_text(small(errors=(0.0, 0.1))).split("\n")
    assert lines[2] == "  age         2     -1.500 ± 0.291"  # two intervals at 95 %
    assert lines[3] == "  town        Köln   0.250"
    assert lines[-1] == "±: intervals of all features together, at 95%"


def test_rows_show_the_features_of_largest_mean():
    explanation = made()
    lines = as_text(explanation).split("\n")
    assert lines[0] == "Shapley values of 30 rows and 9 features, unit: probability"
    means = np.abs(explanation.values).mean(axis=0)
    order = np.argsort(-means)
    shown = [line.split() for line in lines[3:9]]
    assert [name for name, _ in shown] == [explanation.feature_names[j] for j in order[:6]]
    np.testing.assert_allclose([float(value) for _, value in shown], means[order[:6]], atol=5e-5)
    assert lines[9] == "  and 3 features of smaller values"


def test_outputs_have_a_column_each_and_four_are_shown():
    text = as_text(made(outputs=SEVERAL))
    title, _, head, *_ = text.split("\n")
    assert title.startswith("Shapley values of 30 rows and 9 features, 6 outputs (the first 4 are")
    assert head.split() == ["mean", "|value|", *"abcd"]
    row = made(outputs=SEVERAL)[2]
    prediction = next(line for line in as_text(row).split("\n") if "prediction" in line)
    shown = [float(number) for number in prediction.split()[1:]]
    np.testing.assert_allclose(shown, row.predictions[:4], atol=1e-3)


def test_long_and_broken_names_stay_in_their_line():
    text = as_text(small(names=("a\nb", "x" * 99), entries=("1\t2", "y" * 99)))
    assert len(text.split("\n")) == 6
    assert "  a b " in text
    assert "x" * 23 + "…" in text


@pytest.mark.parametrize(
    ("largest", "numbers", "texts"),
    [
        (2.0, [2.0, -0.01234], ["2.000", "-0.012"]),
        (123456.7, [123456.7, 0.2], ["123,457", "0"]),
        (0.01234, [0.01234, 0.001], ["0.01234", "0.00100"]),
        (0.0, [0.0], ["0.000"]),
        (3e-9, [3e-9, 0.0], ["3.000e-09", "0.000e+00"]),
        (4e12, [4e12], ["4.000e+12"]),
        (np.nan, [np.nan], ["nan"]),
    ],
)
def test_a_column_has_the_decimals_of_its_largest_number(largest, numbers, texts):
    assert number_texts(np.array(numbers), largest) == texts


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        (3, "3"),
        (np.int8(3), "3"),
        (3.0, "3"),
        (0.123456, "0.1235"),
        (np.float32(0.1), "0.1"),
        (53515.1, "53515"),
        (2e-7, "2e-07"),
        (np.inf, "inf"),
        (True, "True"),
        ("Bern", "Bern"),
        (None, "missing"),
        (np.nan, "missing"),
        (pd.NA, "missing"),
        (pd.NaT, "missing"),
        (pd.Timestamp("2020-02-01"), "2020-02-01"),
        (pd.Timestamp("2020-02-01 12:30"), "2020-02-01 12:30:00"),
        ([1, 2], "[1, 2]"),
    ],
)
def test_entries_as_text(entry, text):
    assert entry_text(entry) == text


def test_shortened_texts_end_with_dots():
    assert shortened("abc", 3) == "abc"
    assert shortened("abcd", 3) == "ab…"


def parsed(explanation):
    return ElementTree.fromstring(as_html(explanation))


@pytest.mark.parametrize("shape", SHAPES)
def test_html_is_well_formed_and_loads_nothing(shape):
    html = as_html(SHAPES[shape])
    assert html == SHAPES[shape]._repr_html_()
    root = ElementTree.fromstring(html)
    assert {element.tag for element in root.iter()} <= TAGS
    assert not re.search(r"://|url\(|src=|href=|<script|<style", html)
    widths = {sum(int(cell.get("colspan", 1)) for cell in row) for row in root.iter("tr")}
    assert len(widths) == 1


def test_html_has_the_colours_of_the_page_but_for_bars():
    html = as_html(made()[3])
    assert "color:inherit" in html
    assert "currentColor" in html
    fills = {bar.get("fill") for bar in parsed(made()[3]).iter("rect")}
    assert len(fills) == 2


def test_everything_in_html_is_escaped():
    nasty = '<script>alert("x")</script>&'
    explanation = small(names=(nasty, "age"), entries=(nasty, 1))
    explanation = replace(explanation, how=nasty, unit=nasty, data=explanation.data.rename(nasty))
    html = as_html(explanation)
    assert "<script" not in html
    texts = "".join(parsed(explanation).itertext())
    assert texts.count(nasty) == 5
    outputs = replace(made(outputs=("a",)), output_names=(nasty,))
    assert "<script" not in as_html(outputs)


def test_bars_are_drawn_to_scale_from_the_middle():
    root = parsed(small(values=(0.5, -1.0)))
    bars = [(float(bar.get("x")), float(bar.get("width"))) for bar in root.iter("rect")]
    assert bars == [(0.0, BAR / 2), (BAR / 2, BAR / 4)]


def test_bars_of_means_begin_at_the_left():
    bars = list(parsed(made()).iter("rect"))
    assert {float(bar.get("x")) for bar in bars} == {0.0}
    assert max(float(bar.get("width")) for bar in bars) == BAR


def test_values_that_are_all_zero_have_no_bars():
    assert {float(bar.get("width")) for bar in parsed(small(values=(0, 0))).iter("rect")} == {0.0}
