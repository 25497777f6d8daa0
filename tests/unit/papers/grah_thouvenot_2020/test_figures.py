"""Figures of groups of claims: what is drawn follows from the rows and from the theory."""

from fractions import Fraction

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

from shapaudit.statistics.limits import clopper_pearson
from shapaudit_audit.audit import reading
from shapaudit_audit.study.blocks.games import GameBlock, TruthBlock
from shapaudit_papers.grah_thouvenot_2020.claims.algorithms import dykstra
from shapaudit_papers.grah_thouvenot_2020.claims.experiments import outperformance
from shapaudit_papers.grah_thouvenot_2020.evidence.quadratic import (
    strong_convexity as strong_convexity_evidence,
)
from shapaudit_papers.grah_thouvenot_2020.figures import (
    curvature,
    exact_curve,
    exceedance,
    projection,
)
from shapaudit_papers.grah_thouvenot_2020.figures import outperformance as figures
from shapaudit_papers.theory import bounds, constants
from shapaudit_papers.theory.least_squares import LeastSquaresProblem, second_differences

CLAIMS = {
    curvature.curvature_figure: ("gt20-09a",),
    exceedance.exceedance_figure: ("gt20-10a", "gt20-10b", "gt20-11d", "gt20-11a"),
    projection.projection_figure: ("gt20-14b",),
    figures.outperformance_figure: ("gt20-18a", "gt20-18b", "gt20-19a"),
}


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def markers(ax, *shapes):
    """Position, face and colour of the single markers of some shapes, in the order drawn."""
    return [
        (line.get_xdata()[0], line.get_ydata()[0], line.get_markerfacecolor(), line.get_color())
        for line in ax.lines
        if line.get_marker() in shapes and len(line.get_xdata()) == 1
    ]


def curve(ax, colour):
    """The longest line of a colour."""
    lines = [line for line in ax.lines if to_hex(line.get_color()) == to_hex(colour)]
    return max(lines, key=lambda line: len(line.get_xdata())).get_xydata().T


def segments(ax):
    """(low, high) of the horizontal lines between two points, by height."""
    lines = [line.get_xydata() for line in ax.lines if len(line.get_xdata()) == 2]
    return {xy[0, 1]: tuple(xy[:, 0]) for xy in lines if xy[0, 1] == xy[1, 1]}


# Curvature

AT_ZERO = {"case": "d = 2, v(M) = 1 and 0 elsewhere, y = 0", "left": "1/2", "right": -1}


def test_eigenvalues_are_those_of_the_hessian_and_twice_the_printed_one():
    ax = curvature.curvature_figure([]).axes[0]
    drawn = {name: curve(ax, getattr(curvature, name)) for name in ("HYPERPLANE", "ONES")}
    printed = curve(ax, curvature.PRINTED["color"])
    assert np.allclose(drawn["HYPERPLANE"][1], 2 * printed[1])
    for d in (2, 3, 5):
        hessian = second_differences(LeastSquaresProblem([0] * (1 << d)).objective, d).astype(float)
        eigenvalues = np.linalg.eigvalsh(hessian)
        assert np.allclose(drawn["HYPERPLANE"][1][d - 2], eigenvalues[:-1])
        assert np.allclose(drawn["ONES"][1][d - 2], eigenvalues[-1])


def test_the_printed_bound_holds_on_the_hyperplane_and_fails_off_it():
    ax = curvature.curvature_figure([AT_ZERO]).axes[1]
    on, off = curve(ax, curvature.HYPERPLANE), curve(ax, curvature.ONES)
    bound = curve(ax, curvature.PRINTED["color"])
    assert (on[1] >= bound[1]).all()
    assert (off[1] < bound[1]).any()
    ((x, y, *_),) = markers(ax, "o")
    assert y < 0
    assert np.interp(x, *off) == pytest.approx(y, abs=1e-3)
    assert "y = 0" in {text.get_text() for text in ax.texts}


def test_the_game_is_that_of_the_claim():
    assert curvature.AND_GAME == strong_convexity_evidence.AND_GAME
    problem = LeastSquaresProblem(curvature.AND_GAME)
    gap = problem.objective(np.array([0, 0])) - problem.objective(np.array([Fraction(1, 2)] * 2))
    assert 2 / constants.strong_convexity(2) * float(gap) == AT_ZERO["right"]


# Exceedance


def exceeded(bound, count, runs=500, game="classification"):
    limit = clopper_pearson("made up", count, runs, 1e-4)
    row = {"game": game, "explicand": 1, "rule": "inverse", "bound": bound, "runs": runs}
    limits = {"exceedance_low": limit.low, "exceedance_high": limit.high}
    return row | {"exceedances": count} | limits


def run(a, high, low=0.0, verdict="open"):
    row = {"game": "classification", "explicand": 1, "rule": "inverse", "a": a}
    limits = {"exceedance_low": low, "exceedance_high": high}
    return row | limits | {"bound": bounds.deviation_probability(a), "verdict": verdict}


LAW = [
    {"a": a, "tail": bounds.two_point_law(1.0, a)[1], "bound": bounds.deviation_probability(a)}
    for a in (1.0, 3.0)
]


def exceedance_axes(ball=None, free=None, runs=None):
    figure = exceedance.exceedance_figure(
        ball or [exceeded(100.0, 3)], free or [exceeded(0.1, 3)], runs or [run(2.0, 0.01)], LAW
    )
    return figure.axes


def test_a_violating_point_is_filled_and_above_the_bound_at_its_place():
    rows = [exceeded(b, n) for b, n in ((0.01, 200), (0.1, 200), (0.1, 2), (1.0, 400), (0.1, 60))]
    ax = exceedance_axes(free=rows)[1]
    steps = segments(ax)
    drawn = markers(ax, "o")
    assert len(drawn) == len(rows)
    assert len({x for x, *_ in drawn}) == len(rows)
    for x, y, face, _ in drawn:
        (height,) = [h for h, (low, high) in steps.items() if low <= x <= high]
        (row,) = [r for r in rows if r["bound"] == height and r["exceedances"] / r["runs"] == y]
        assert (face != "white") == exceedance.violated(row)
        assert face == "white" or y > height
    assert sum(face != "white" for *_, face, _ in drawn) == 2


def test_on_the_ball_every_point_is_at_its_bound_and_those_without_exceedances_are_triangles():
    rows = [exceeded(b, n, game=g) for b, n, g in ((1e5, 500, "a"), (10.0, 0, "b"), (50.0, 9, "b"))]
    ax = exceedance_axes(ball=rows)[0]
    assert [(x, y) for x, y, *_ in markers(ax, "o")] == [(1e5, 1.0), (50.0, 9 / 500)]
    assert [(x, y) for x, y, *_ in markers(ax, "v")] == [(10.0, rows[1]["exceedance_high"])]
    shaded = ax.patches[0].get_extents().transformed(ax.transData.inverted())
    assert shaded.x0 == pytest.approx(1.0)
    assert shaded.x1 >= 1e5


def test_runs_show_their_largest_upper_limit_and_the_law_where_it_violates():
    runs = [run(2.0, 0.01), run(2.0, 0.02), run(3.0, 0.2, low=0.1, verdict="violated")]
    ax = exceedance_axes(runs=runs)[2]
    assert [(x, y) for x, y, *_ in markers(ax, "v")] == [(2.0, 0.02), (3.0, 0.2)]
    assert [(x, y) for x, y, *_ in markers(ax, "^")] == [(3.0, 0.1)]
    law = {x: face != "white" for x, _, face, _ in markers(ax, "D")}
    assert law == {1.0: False, 3.0: True}
    assert not markers(exceedance_axes()[2], "^")


# Projection


def group(name, **counts):
    row = {"group": name, "points": 1000, "ball_bites": 100, "capped": 10, "wrong": 2}
    return row | {"largest_error": 0.01} | counts


ON_PATH = [
    group("classification, public D, inverse"),
    group("classification, tight D, square root", capped=0, wrong=0, largest_error=1e-9),
    group("regression, public D, inverse"),
]
FAR = [group("spread 1 to 3 D", ball_bites=1000, wrong=300)]


def test_shares_are_counts_over_points_and_nothing_wrong_is_hollow():
    ax = projection.projection_figure([*ON_PATH, *FAR]).axes[0]
    wrong = projection.WRONG
    drawn = [(x, face) for x, _, face, colour in markers(ax, "o") if colour == wrong]
    rows = [*ON_PATH, *FAR]
    assert [x for x, _ in drawn] == [row["wrong"] / row["points"] for row in rows]
    assert [face == "white" for _, face in drawn] == [row["wrong"] == 0 for row in rows]


def test_rows_stand_below_each_other_with_the_cap_above_and_errors_below_the_middle():
    ax = projection.projection_figure([*ON_PATH, *FAR]).axes[0]
    assert np.allclose(ax.get_yticks(), [0, 1, 2, 3.35, 4.35, 5.7, 6.7])  # 1.35 to a new game
    rows = np.array([1, 2, 4.35, 6.7])
    assert np.allclose([y for _, y, *_ in markers(ax, "|")], rows)
    above, below = ax.get_ylim()[1], ax.get_ylim()[0]
    assert 0 - above == pytest.approx(below - 6.7)
    circles = np.array([y for _, y, *_ in markers(ax, "o")]).reshape(4, 2)
    assert np.allclose(circles, rows[:, None] + [-0.17, 0.17])


def test_limits_are_drawn_for_independent_points_only():
    ax = projection.projection_figure([*ON_PATH, *FAR]).axes[0]
    drawn = [tuple(line.get_xdata()) for line in ax.lines if len(line.get_xdata()) == 2]
    expected = [
        clopper_pearson("", FAR[0][key], 1000, 1 - projection.CONFIDENCE)
        for key in ("capped", "wrong")
    ]
    assert drawn == [pytest.approx((limit.low, limit.high)) for limit in expected]


def test_errors_beyond_the_accuracy_of_the_claim_are_filled():
    ax = projection.projection_figure([*ON_PATH, *FAR]).axes[1]
    filled = {x: face != "white" for x, _, face, _ in markers(ax, "o")}
    assert filled == {0.01: True, 1e-9: False}
    assert projection.ACCURATE == dykstra.ACCURATE
    assert projection.ACCURATE in {x for line in ax.lines for x in line.get_xdata()}


def test_groups_have_readable_labels_under_their_games():
    ax = projection.projection_figure([*ON_PATH, *FAR]).axes[0]
    labels = [tick.get_text() for tick in ax.get_yticklabels()]
    assert labels == [
        "Classification",
        "D = C√d, step 2/(μ(t+1))",
        "D just above ‖φ*‖, step 2D/(B√t)",
        "Regression",
        "D = C√d, step 2/(μ(t+1))",
        projection.FAR,
        "spread 1 to 3 D",
    ]


# Outperformance


def ratio(experiment, method, evaluations, value, width=1.2):
    row = {"experiment": experiment, "method": method, "evaluations": evaluations}
    limits = {"low": value / width, "high": value * width, "high_alone": value * width**0.8}
    return row | {"ratio": value} | limits


WALK, (CONSTANT, ROOT) = outperformance.WALK, outperformance.STEPS
PLAIN = [
    ratio(experiment, method, budget, value)
    for experiment in ("classification", "diabetes")
    for method, value in ((WALK, 0.7), (CONSTANT, 0.9), (ROOT, 2.0))
    for budget in (1000, 100)
]
OVER_WALK = [row | {"ratio": 1.1} for row in PLAIN[2:6]]
SWEEP = [
    {"kind": kind, "strength": strength}
    | {f"{rule}_{key}": value for rule in figures.RULES for key in ("estimate", "low", "high")}
    for kind, value in (("product", 2.0), ("parities of 4", 1e-12))
    for strength in (0.1, 1.0)
]
SPECS = {
    "classification": GameBlock(
        label="Classification, d = 16",
        model="m",
        reward="prediction",
        players=16,
        explicands=2,
        truth=TruthBlock(method="enumeration"),
    )
}


def outperformance_axes(plain=PLAIN, walk=OVER_WALK):
    return figures.outperformance_figure(plain, walk, SWEEP, SPECS).axes


def test_every_ratio_is_drawn_and_filled_when_its_limits_leave_out_one():
    drawn = markers(outperformance_axes()[0], *"os^")
    assert sorted(x for x, *_ in drawn) == sorted(row["ratio"] for row in PLAIN)
    for x, _, face, _ in drawn:
        decided = {row["low"] > 1 or row["high"] < 1 for row in PLAIN if row["ratio"] == x}
        assert decided == {face != "white"}


def test_a_method_and_budget_has_one_height_and_small_budgets_are_on_top():
    left, right = outperformance_axes()[:2]
    heights = figures._heights(PLAIN)
    assert len(set(heights.values())) == len(PLAIN)
    assert {y for _, y, *_ in markers(left, *"os^")} == set(heights.values())
    expected = [heights[figures._key(row)] for row in OVER_WALK]
    assert [y for _, y, *_ in markers(right, *"os^")] == expected
    assert heights["classification", WALK, 100] < heights["classification", WALK, 1000]
    labels = [tick.get_text() for tick in left.get_yticklabels()]
    assert labels == ["Classification\nd = 16", "diabetes"]


def test_the_halved_cost_is_marked_against_plain_monte_carlo_only():
    marked = [
        {line.get_xdata()[0] for line in ax.lines if len(set(line.get_xdata())) == 1}
        for ax in outperformance_axes()[:2]
    ]
    assert pytest.approx(2**-0.5) == figures.HALF_COST
    assert [figures.HALF_COST in positions for positions in marked] == [True, False]
    assert all(1 in positions for positions in marked)


def test_kinds_lie_about_the_strength_that_they_share():
    for ax in outperformance_axes()[2:4]:
        places = [line.get_xdata() for line in ax.lines if len(line.get_xdata()) == 2]
        places = [x for x in places if np.ptp(x) > 0.5][:2]
        np.testing.assert_allclose(np.sqrt(places[0] * places[1]), [0.1, 1.0])
        np.testing.assert_allclose(np.log10(places[1] / places[0]), figures.DODGE)


def test_what_did_not_run_is_said_so():
    left, right = outperformance_axes([{"missing": "regression"}], OVER_WALK)[:2]
    assert [text.get_text() for text in left.texts] == ["not run in this study"]
    assert not right.texts
    assert not markers(left, *"os^")


def test_methods_are_those_of_the_claims():
    assert set(figures.METHODS) == {WALK, *outperformance.STEPS}


@pytest.mark.parametrize("place", [2, 3])
def test_the_sweep_draws_every_kind_and_says_what_is_off_the_scale(place):
    ax = outperformance_axes()[place]
    lines = {line.get_label(): line for line in ax.lines if not line.get_label().startswith("_")}
    assert {label: list(line.get_ydata()) for label, line in lines.items()} == {
        "product": [2.0, 2.0],
        "parities of 4": [1e-12, 1e-12],
    }
    assert [text.get_text() for text in ax.texts if text.get_text()] == ["< 0.001"] * 2
    assert ax.get_ylim()[0] == figures.LOWEST


def test_the_rows_of_an_audit_are_drawn(made_up):
    specs = (made_up["study"].games,)
    for figure, names in CLAIMS.items():
        rows = [reading.find_claim(made_up["audit"], name)["rows"] for name in names]
        more = specs if figure is figures.outperformance_figure else ()
        figure(*rows, *more).draw_without_rendering()


# Radius and exact curve


def test_points_of_the_experiment_stand_on_the_exact_curve_where_they_agree():
    rows = [
        {"game": "classification", "explicands": 2, "rule": rule, "steps": t, "runs": 100}
        | {"bound": "none" if rule == "contracting" else 100.0 / t, "exact": 1.0 / t}
        | {"mean": 1.1 / t, "low": 0.9 / t, "high": 1.3 / t}
        for rule in ("constant", "contracting")
        for t in (10, 100, 1000)
    ]
    bounded, free, ratios = exact_curve.exact_curve_figure(rows, SPECS).axes
    assert np.allclose(curve(bounded, exact_curve.EXACT)[1], [0.1, 0.01, 0.001])
    assert np.allclose(curve(bounded, exact_curve.BOUND)[1], [10, 1, 0.1])
    colours = {to_hex(line.get_color()) for line in free.lines}
    assert to_hex(exact_curve.BOUND) not in colours
    drawn = [line for line in ratios.lines if line.get_marker() in ("o", "s")]
    assert np.allclose([line.get_ydata() for line in drawn], 1.1)
