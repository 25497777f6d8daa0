"""A function of one's own is refused, by name, unless it is a function of each row alone."""

import numpy as np
import pytest

from shapaudit import datasets, models
from shapaudit.models import ModelError

HEAD = "import numpy as np\n\ndraws = np.random.default_rng()\ncalls = []\n\n\ndef f(rows):\n"


@pytest.fixture
def trained(tmp_path, monkeypatch):
    """A function of the body of a function of rows: the model that is made of it."""
    monkeypatch.syspath_prepend(str(tmp_path))
    dataset = datasets.load("gaussian", {"n_rows": 60, "n_features": 4}, np.random.default_rng(0))

    def train(*body):
        lines = "".join(f"    {line}\n" for line in body)
        (tmp_path / f"{tmp_path.name}.py").write_text(HEAD + lines, encoding="utf-8")
        return models.train("function", dataset, {"function": f"{tmp_path.name}.f"}, 0)

    return train


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (["return rows.sum(axis=1) + draws.normal(size=len(rows))"], "f is random: asked twice"),
        (["return rows[:, 0] + 1e-6 * draws.normal()"], "f is random"),
        (["return rows.sum(axis=1) - rows.mean()"], r"f depends on the rows .* alone\. Compute"),
        (["return rows[:, 0].argsort().argsort().astype(float)"], "f depends on the rows"),
        (["return np.cumsum(rows[:, 0])"], "f depends on the rows .* in another order"),
        (["rows -= 1", "return rows.sum(axis=1)"], r"f changes the rows .*column 0\); work on a"),
        (["rows[:, 2] = 0", "return rows.sum(axis=1)"], "f changes the rows .*column 2"),
        (["return rows.sum(axis=1) + 1j"], r"f gives complex numbers, such as \["),
        (["return np.log(-(rows[:, 0] ** 2))"], "some that are not finite"),
        (["return rows[:, :1]"], r"outputs of shape \(\d+, 1\)"),
        (["return rows[:, 0].mean()"], r"outputs of shape \(\)"),
        (
            ["flat = np.frombuffer(rows.tobytes('A'))", "return flat[: len(rows)] * 1.0"],
            "f depends on the rows",
        ),
        (
            ["flat = rows.ravel('K')[: rows.size]", "return flat.reshape(rows.shape)[:, 0].copy()"],
            "same rows stored column by column",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_what_is_no_function_of_a_row_is_refused(trained, body, message):
    with pytest.raises(ModelError, match=message):
        trained(*body)


@pytest.mark.parametrize(
    "body",
    [
        ["return rows.sum(axis=1)"],
        ["return (rows[:, 0] > 0) & (rows[:, 1] > 0)"],
        ["return (rows.astype(np.float32) @ np.ones(4, np.float32)).tolist()"],
        ["assert rows.flags.c_contiguous and rows.dtype == float", "return rows[:, 0] ** 2"],
        ["return np.exp(np.sin(rows) @ np.arange(4.0))"],
        ["return np.zeros(len(rows))"],
    ],
)
def test_functions_of_a_row_are_taken(trained, body):
    assert trained(*body).predict(np.zeros((3, 4))).shape == (3,)
