"""Values of a row while the evaluations grow."""

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt

from shapaudit.datasets.mixed import TableError
from shapaudit.explanations.plots import plot_convergence


@pytest.fixture
def frame():
    """Four features whose last values are 1, -4, 2 and 0.5, in the wrong order of evaluations."""
    last = {"a": 1.0, "b": -4.0, "c": 2.0, "d": 0.5}
    return pd.DataFrame(
        [
            {
                "evaluations": m,
                "feature": name,
                "value": value,
                "low": value - 8 / m,
                "high": value + 8 / m,
            }
            for m, shift in ((64, 0.0), (8, 3.0), (16, -3.0))
            for name, value in ((name, at + shift) for name, at in last.items())
        ]
    )


def curves(ax):
    return [line for line in ax.lines if len(line.get_xdata()) == 3]


def test_lines_have_the_values_in_the_order_of_evaluations(frame):
    ax = plot_convergence(frame)
    assert ax.get_xscale() == "log"
    assert len(curves(ax)) == 4
    largest = curves(ax)[0]
    np.testing.assert_array_equal(largest.get_xdata(), [8, 16, 64])
    np.testing.assert_array_equal(largest.get_ydata(), [-1, -7, -4])
    band = ax.collections[0].get_paths()[0].vertices
    assert band[:, 1].min() == -7.5
    assert band[:, 1].max() == 0
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("evaluations", "Shapley value")


def test_lines_differ_without_colours(frame):
    looks = {
        (line.get_marker(), str(line._dash_pattern)) for line in curves(plot_convergence(frame))
    }
    assert len(looks) == 4


def test_the_legend_is_in_the_order_of_the_last_values(frame):
    legend = plot_convergence(frame).get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["c", "a", "d", "b"]
    assert legend.get_title().get_text() == ""


def test_names_with_dollar_signs_are_not_read_as_formulas(frame):
    priced = frame.assign(feature=frame["feature"] + " in $ or a$")
    texts = plot_convergence(priced).get_legend().get_texts()
    assert not any(text.get_parse_math() for text in texts)


def test_the_largest_features_are_drawn(frame):
    ax = plot_convergence(frame, max_features=2)
    legend = ax.get_legend()
    assert len(curves(ax)) == 2
    assert [text.get_text() for text in legend.get_texts()] == ["c", "b"]
    assert legend.get_title().get_text() == "2 of 4 features"


def test_evaluations_are_written_as_numbers(frame, texts):
    ax = plot_convergence(frame.assign(evaluations=frame["evaluations"] * 1000))
    assert {"10,000", "20,000", "50,000"} <= set(texts(ax.xaxis))


def test_the_axes_given_are_used_and_returned(frame):
    _, ax = plt.subplots()
    assert plot_convergence(frame, ax) is ax
    assert len(plt.get_fignums()) == 1


def test_faults_are_named(frame):
    with pytest.raises(TableError, match="no column 'low', 'high'; it needs 'evaluations'"):
        plot_convergence(frame.drop(columns=["low", "high"]))
    with pytest.raises(TableError, match="no rows"):
        plot_convergence(frame[:0])
    with pytest.raises(TableError, match="max_features must be an integer of at least 1"):
        plot_convergence(frame, max_features=0)


def test_one_of_several_outputs_must_be_chosen(frame):
    both = pd.concat([frame.assign(output="u"), frame.assign(output="v")])
    with pytest.raises(TableError, match=r"outputs 'u', 'v'; choose one: .*'output'\] == 'u'"):
        plot_convergence(both)
    assert len(curves(plot_convergence(both[both["output"] == "v"]))) == 4
