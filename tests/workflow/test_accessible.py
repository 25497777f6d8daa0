"""What keeps readers from a page is found; the page of a comparison has none of it."""

import numpy as np
import pandas as pd
import pytest
from accessible import barriers, lost_by_keyboard
from browser import browser
from site_visit import Visit

from shapaudit.comparison import compare

SOUND = """<!doctype html><html lang="en"><head><title>A page</title></head><body>
<a href="#main">Skip</a><main id="main"><h1>One</h1><h2>Two</h2>
<form aria-label="Filters"><label>Words <input></label><output aria-live="polite"></output></form>
<button>Press</button></main></body></html>"""
FAULTS = {
    "no language": ('lang="en"', ""),
    "2 first headings": ("<h2>Two</h2>", "<h1>Two</h1>"),
    "heading of level 3 after 1": ("<h2>Two</h2>", "<h3>Two</h3>"),
    "twice the id": ("<h2>", "<h2 id='main'>"),
    "does not lead to the content": ('"#main"', '"#elsewhere"'),
    "own tab order": ("<button>", "<button tabindex='1'>"),
    "out of reach of the keyboard": ("<button>", "<button tabindex='-1'>"),
    "control without a label": ("<label>Words <input></label>", "Words <input>"),
    "form without a name": (' aria-label="Filters"', ""),
    "not announced": (' aria-live="polite"', ""),
    "a title, which no keyboard shows": ("<button>", "<button title='Why'>"),
    "picture without words": ("<button>", "<img src='data:,'><button>"),
    "drawing without words": ("<button>", "<svg></svg><button>"),
    "head of a table without a scope": ("<button>", "<table><tr><th>A</th></tr></table><button>"),
    "sorts, and is no button": ("<button>", "<span data-sort>Sort</span><button>"),
    "scrolls, but not by the keyboard": (
        "<button>",
        "<div style='overflow-x: auto; width: 5em'><p style='width: 50em'>Wide</p></div><button>",
    ),
    "contrast 2.85": ("<button>", "<p style='color: #999'>Pale</p><button>"),
}


@pytest.fixture(scope="module")
def driver():
    """A browser with the screen of a desktop."""
    with browser("desktop") as driver:
        yield driver


def looked_at(driver, folder, text):
    page = folder / "page.html"
    page.write_text(text, encoding="utf-8")
    return Visit(driver, page.as_uri())


def test_every_fault_is_found_and_a_sound_page_has_none(driver, tmp_path):
    looked_at(driver, tmp_path, SOUND)
    assert barriers(driver) == []
    for told, (part, instead) in FAULTS.items():
        assert part in SOUND
        looked_at(driver, tmp_path, SOUND.replace(part, instead, 1))
        assert any(told in line for line in barriers(driver)), told


@pytest.mark.parametrize(
    ("style", "told"),
    [
        ("", None),
        ("button:focus { outline: none }", "without an outline"),
        ("button:focus-visible { outline: 3px solid #56b4e9 }", "without an outline"),
    ],
)
def test_a_focus_that_cannot_be_seen_is_found(driver, tmp_path, style, told):
    looked_at(driver, tmp_path, SOUND.replace("<title>", f"<style>{style}</style><title>"))
    lost = lost_by_keyboard(driver)
    assert [told in line for line in lost] == [True] if told else lost == []


def test_the_page_of_a_comparison_serves_everybody(driver, tmp_path):
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(60, 5)), columns=list("abcde"))

    def predict(rows):
        return pd.DataFrame({"rent": rows.a * rows.b + rows.c, "heat": rows.d * rows.e})

    cheap = ["leverage-shap", "antithetic-monte-carlo"]
    compare(predict, table, unit="EUR", estimators=cheap).save(tmp_path / "several")
    compare(predict, table, output="heat", estimators=cheap).save(tmp_path / "one")
    for name in ("several", "one"):
        visit = Visit(driver, (tmp_path / name / "page.html").as_uri())
        assert lost_by_keyboard(driver) == []
        assert barriers(driver) == []
        assert visit.complaints() == []
    with browser("phone") as phone:
        visit = Visit(phone, (tmp_path / "several" / "page.html").as_uri())
        assert barriers(phone) == []
        assert visit.overflow() <= 0
