"""Exact values of every case in two ways: enumeration in fractions, and the library's own."""

from fractions import Fraction

import numpy as np
import pytest

from shapaudit.truth.rational import shapley_values
from shapaudit_audit.conformance import exact
from shapaudit_audit.conformance.case import FOLDER, files, load, recipes
from shapaudit_audit.conformance.exact import coalitions, interaction_order
from shapaudit_audit.conformance.trees import leaf_value
from shapaudit_audit.conformance.worker import answer, known, outputs_of

RECIPES = {recipe.key: recipe for recipe in recipes()}
FAMILIES = sorted({recipe.family for recipe in RECIPES.values()})
GAMES = [recipe for recipe in RECIPES.values() if recipe.library == "game"]


@pytest.fixture(scope="module")
def made():
    """Each case with what is known of it."""
    cases = {key: recipe.make() for key, recipe in RECIPES.items()}
    return {key: (case, known(case)) for key, case in cases.items()}


def test_there_are_many_cases_of_many_kinds():
    assert len(RECIPES) > 200
    assert len(FAMILIES) == len(files("cases"))


@pytest.mark.parametrize("recipe", GAMES, ids=lambda recipe: recipe.name)
def test_games_have_the_values_of_the_definition_in_fractions(recipe, made):
    case, about = made[recipe.key]
    players = case.background.shape[1]
    worths = {members: case.worth(members) for members in coalitions(range(players))}
    by_number = [Fraction(0)] * len(worths)
    for members, worth in worths.items():
        by_number[sum(1 << player for player in members)] = Fraction(worth)
    defined = shapley_values(by_number)
    assert exact.shapley(worths, range(players)) == list(defined)
    assert about.exact["interventional"][""] == [[float(value) for value in defined]]
    assert interaction_order(case) <= players


@pytest.mark.parametrize("family", FAMILIES)
def test_values_are_those_of_this_package_and_sum_to_the_output(family, made):
    explainer, paths = (
        load(FOLDER / "adapters" / f"shapaudit_{name}.py")
        for name in ("explainer", "tree_path_dependent")
    )
    enumerated = {key: about for key, (_, about) in made.items()}
    for key, recipe in RECIPES.items():
        if recipe.family != family:
            continue
        case, about = made[key]
        line = answer(explainer, recipe, enumerated)
        assert line["verdict"] == "right", (key, line)
        if "path-dependent" in case.questions:
            line = answer(paths, recipe, enumerated)
            assert line["verdict"] == "right", (key, line)
        _efficient(case, about, key)


def _efficient(case, about, key):
    """Values sum to the change of the output, of which plain trees give all but a constant."""
    m = len(case.rows)
    outputs, base = np.array(about.outputs[:m]), np.mean(about.outputs[m:])
    size = np.abs(about.outputs).max()
    (first, *_) = about.exact["interventional"].values()
    np.testing.assert_allclose(np.sum(first, axis=1), outputs - base, atol=1e-6 * size, err_msg=key)
    if case.trees is not None:
        trees = case.trees(case.model)
        entries = exact.entries(case)
        sums = [float(sum(leaf_value(tree, row) for tree in trees)) for row in entries]
        np.testing.assert_allclose(np.ptp(outputs - sums), 0, atol=1e-6 * size, err_msg=key)


def test_wrong_values_of_a_tree_would_be_seen(made):
    """The game of another output is another one."""
    recipe = RECIPES["XGBoost, objectives/three classes"]
    adapter = load(FOLDER / "adapters" / "shapaudit_explainer.py")
    case, about = made[recipe.key]
    shifted = {
        "interventional": {"": (1.001 * np.array(about.exact["interventional"][""])).tolist()}
    }
    line = answer(adapter, recipe, {recipe.key: about._replace(exact=shifted)})
    assert line["verdict"] == "wrong"
    assert line["error"] == pytest.approx(1e-3, rel=0.01)
    assert outputs_of(case) == about.outputs
