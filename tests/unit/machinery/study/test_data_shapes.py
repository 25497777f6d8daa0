"""The size that is known of data before they are loaded."""

import numpy as np
import pytest

from shapaudit import datasets
from shapaudit_audit.study.blocks.games import DatasetBlock
from shapaudit_audit.study.data_shapes import UNKNOWN, shape_of


@pytest.mark.parametrize(
    ("loader", "params"),
    [
        ("digits", {}),
        ("diabetes", {"zero_features": 3}),
        ("breast-cancer", {}),
        ("breast-cancer", {"n_features": 30}),
        ("discrete-law", {"n_rows": 40}),
        ("chain-law", {"n_rows": 50, "n_features": 5}),
    ],
    ids=str,
)
def test_data_have_the_size_that_is_known_of_them(loader, params):
    data = datasets.load(loader, params, np.random.default_rng(0))
    assert shape_of(DatasetBlock(loader=loader, params=params)) == (data.n_rows, data.n_features)


def test_the_size_of_a_file_is_that_of_its_lines(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("a,b,c,y\n1,2,3,4\n5,6,7,8\n", encoding="utf-8")
    assert shape_of(DatasetBlock(loader="csv", params={"path": str(path)})) == (2, 3)
    missing = {"path": str(tmp_path / "none.csv")}
    assert shape_of(DatasetBlock(loader="csv", params=missing)) == UNKNOWN
