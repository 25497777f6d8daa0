"""Projections against a general-purpose optimiser and each other."""

import numpy as np
import pytest
from scipy.optimize import minimize

from shapaudit.estimators.projections import (
    dykstra,
    project_ball,
    project_hyperplane,
    project_intersection,
)


def nearest(phi, total, radius):
    constraints = [
        {"type": "eq", "fun": lambda x: x.sum() - total},
        {"type": "ineq", "fun": lambda x: radius**2 - x @ x},
    ]
    start = np.full(len(phi), total / len(phi))
    return minimize(
        lambda x: (x - phi) @ (x - phi),
        start,
        jac=lambda x: 2 * (x - phi),
        constraints=constraints,
        options={"ftol": 1e-14, "maxiter": 500},
    ).x


@pytest.mark.parametrize("seed", range(10))
def test_closed_form_is_the_nearest_point(seed):
    rng = np.random.default_rng(seed)
    phi, total, radius = 3 * rng.normal(size=4), rng.normal(), 1.5
    np.testing.assert_allclose(
        project_intersection(phi, total, radius), nearest(phi, total, radius), atol=1e-5
    )


@pytest.mark.parametrize("seed", range(10))
def test_dykstra_approaches_the_closed_form(seed):
    rng = np.random.default_rng(seed)
    phi, total, radius = 3 * rng.normal(size=6), rng.normal(), 2.0
    point, passes = dykstra(phi, total, radius, 10_000, 1e-13)
    np.testing.assert_allclose(point, project_intersection(phi, total, radius), atol=1e-9)
    assert passes < 10_000


def test_dykstra_ends_on_the_hyperplane_however_small_the_last_move():
    phi = np.array([3e-7, 1e-7, -2e-7])  # nearer than the tolerance
    point, passes = dykstra(phi, 5e-7, 1.0)
    assert passes == 1
    assert point.sum() == pytest.approx(5e-7, rel=1e-12)


def test_points_inside_stay():
    phi = np.array([0.25, 0.25, 0.5])
    np.testing.assert_allclose(project_intersection(phi, 1.0, 2.0), phi)
    np.testing.assert_allclose(project_ball(phi, 2.0), phi)
    np.testing.assert_allclose(project_hyperplane(phi, 1.0), phi)


def test_each_projection_lands_on_its_set():
    phi = np.random.default_rng(0).normal(size=7) * 10
    assert project_hyperplane(phi, 2.0).sum() == pytest.approx(2.0)
    assert np.linalg.norm(project_ball(phi, 2.0)) == pytest.approx(2.0)
    both = project_intersection(phi, 2.0, 2.0)
    assert both.sum() == pytest.approx(2.0)
    assert np.linalg.norm(both) == pytest.approx(2.0)


def test_an_empty_intersection_is_an_error():
    with pytest.raises(ValueError, match="empty"):
        project_intersection(np.zeros(4), 4.1, 2.0)
    np.testing.assert_allclose(project_intersection(np.ones(4), 4.0, 2.0), np.ones(4))
