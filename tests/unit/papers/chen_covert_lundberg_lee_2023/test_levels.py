"""Ratios of printed errors on the grid, recounted from the published tables."""

import csv

import pytest
from synthetic import PUBLISHED, ROOT

from shapaudit_audit.audit.context import Context
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import levels

SAMPLES = ("500", "1000", "5000", "10000", "50000", "100000")


@pytest.fixture(scope="module")
def errors():
    """Mean squared error by data, method and samples: bias and variance of the published file."""
    path = ROOT / "config" / "published" / "chen_covert_lundberg_lee_2023.csv"
    by_cell = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["quantity"] in ("bias", "variance"):
                cell = by_cell.setdefault((row["data"], row["method"], row["samples"]), {})
                cell[row["quantity"]] = float(row["value"])
    return {cell: sum(both.values()) for cell, both in by_cell.items() if len(both) == 2}


def test_printed_ratios_are_those_of_the_published_tables(errors):
    rows = levels.printed_rows(Context("tiny", 3, (), published=PUBLISHED))
    assert [row["data"] for row in rows] == ["diabetes", "nhanes", "blog"]
    for row in rows:
        pairs = [
            (errors.get((row["data"], name, n)), errors.get((row["data"], f"{name}_RAND", n)))
            for name in ("ME", "MEF")
            for n in SAMPLES
        ]
        ratios = [grid / free for grid, free in pairs if grid is not None and free is not None]
        assert row["cells"] == len(ratios) > 0
        assert row["helped"] == sum(ratio < 1 for ratio in ratios)
        assert (row["least"], row["largest"]) == pytest.approx((min(ratios), max(ratios)))
    assert 0 < sum(row["helped"] for row in rows) < sum(row["cells"] for row in rows)
