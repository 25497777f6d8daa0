"""The page of a study: what it says, and how it says it."""

import json
import re
from html.parser import HTMLParser

import pytest
from synthetic import ROOT, study, write_results

from shapaudit.benchmark import load_benchmark
from shapaudit.site import render
from shapaudit.site.text import mathematics, number

PUBLISHED = ROOT / "config/published/chen_covert_lundberg_lee_2023.csv"
VOID = {"meta", "input", "img"}


class Balance(HTMLParser):
    """Follows the open elements; closing another one than the last is an error."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def made_up(tmp_path_factory):
    """A study with made-up results, its audit, and its page with one figure."""
    folder = tmp_path_factory.mktemp("site")
    config = study("smoke")
    results = write_results(folder, config)
    audit = json.loads((results / "claims" / "claims.json").read_text(encoding="utf-8"))
    figure = folder / "audit" / "verdicts.svg"
    figure.parent.mkdir()
    figure.write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", encoding="utf-8")
    benchmark = load_benchmark(results, config, PUBLISHED)
    provenance = {"git": {"commit": "0123456789abcdef"}}
    page = render(config, audit, benchmark, provenance, [figure], ROOT / "workflow/report")
    return {"study": config, "audit": audit, "benchmark": benchmark, "page": page}


def test_every_claim_is_there_with_its_verdict_and_what_decided_it(made_up):
    for claim in made_up["audit"]["claims"]:
        head = rf'<details class="claim {claim["status"]}" id="{claim["id"]}"'
        assert head in made_up["page"]
    for path in re.findall(r"Decided by <code>(.*?)</code>", made_up["page"]):
        assert (ROOT / path).exists()


def test_every_comparison_of_the_benchmark_is_there(made_up):
    page, benchmark = made_up["page"], made_up["benchmark"]
    assert page.count('<tr class="ratio ') == len(benchmark.ratios)
    for task in benchmark.tasks.values():
        assert task.label in page


def test_the_page_is_balanced_and_needs_nothing_else(made_up):
    parser = Balance()
    parser.feed(made_up["page"])
    assert parser.open == []
    assert not re.search(r'(?:src|href)="(?!#|data:)', made_up["page"])
    assert "$" not in re.sub(r"<script>.*</script>", "", made_up["page"], flags=re.S)


def test_figures_and_captions_are_in_the_page(made_up):
    assert made_up["page"].count('src="data:image/svg+xml;base64,') == 1
    assert "Verdicts on the claims" in made_up["page"]


def test_formulas_become_mathematics_and_the_rest_is_escaped():
    text = mathematics(r"if $a<\frac{1}{2}$ & <b>")
    assert "<mfrac>" in text
    assert text.endswith("&amp; &lt;b&gt;")
    assert "$" not in text


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1234567, "1,234,567"),
        (0.123456, "0.123"),
        (12.0, "12"),
        (123.4, "123"),
        (5.6e-7, "5.60e-07"),
        (float("nan"), "–"),
        (None, "–"),
        ("1/3", "1/3"),
    ],
)
def test_numbers_have_few_digits(value, shown):
    assert number(value) == shown
