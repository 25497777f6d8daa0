"""What its functions give for arguments that fit their names."""

import importlib
import inspect
import pkgutil
from collections.abc import Iterable
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from recorded import compare, outcome
from shapaudit.samplers.quadrature import quadrature_rule
from shapaudit.truth.rational import rationals
from shapaudit_papers import theory
from shapaudit_papers.theory import removal
from shapaudit_papers.theory.grids import fixed_grid
from shapaudit_papers.theory.joint_tables import JointLaw, binary_rows
from shapaudit_papers.theory.random_order import walk_outcomes
from shapaudit_papers.theory.trees import Split

F = Fraction
GAME = rationals([0, 1, 3, -2, 2, 5, 1, 4])
MEMBERS = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0]])
ROWS = np.array([[F(1), F(2)], [F(0), F(1)], [F(3), F(-1)], [F(1, 2), F(4)]], dtype=object)
TREE_ROW = (F(1), F(2), F(-1))
BITS = binary_rows(3)
COVARIANCE = np.array([[F(3 if i == j else 1) for i in range(3)] for j in range(3)], dtype=object)
LAWS = (np.array([0.4, 0.6]), np.array([0.5, 0.5]))
TREE = Split(
    0, F(1, 2), Split(2, F(0), F(3), F(-1)), Split(1, F(3, 2), F(2), Split(0, F(2), F(5), F(7)))
)
# Values of parameters by their names: two or more where one would hide a mistake.
TYPICAL = {
    "n_players": (2, 3, 5, 9),
    "players": (2, 4),
    "p": (1, 3, 6),
    "n": (1, 4),
    "n_rows": (10,),
    "n_test": (7,),
    "k": (3,),
    "size": (1, 2),
    "ratio": (1.0, 1.7),
    "radius": (0.9, 1.7),
    "bound": (0.8, 1.0),
    "mean": (0.1, 0.45),
    "mean_bound": (0.3,),
    "spread": (0.2, 0.7),
    "total": (0.4, 1.1),
    "epsilon": (0.5, 2.0),
    "a": (0.3, 2.5),
    "mu": (0.6,),
    "kappa": (2.5,),
    "gradient_bound": (1.9,),
    "start": (0.7,),
    "noise": (0.2,),
    "objective": (0.4,),
    "multiple": (0.7, 1.5),
    "step": (0.05,),
    "count": (1, 6),
    "draws": (2, 5),
    "samples": (9, 16),
    "budget": (20, 31),
    "levels": (2, 5),
    "degree": (4,),
    "walks": (3,),
    "trials": (4,),
    "chance": (F(1, 3),),
    "probability": (F(1, 3), F(3, 4)),
    "rows": (4,),
    "gap": (F(2, 5),),
    "player": (0, 1),
    "members": (0, 5),
    "order": ((2, 0, 1),),
    "average": ("last", "uniform", "weighted"),
    "method": ("ME", "RO", "RO_ANTI", "LS", "LS_ANTI", "none"),
    "name": ("equal", "printed", "trapezoid", "midpoint"),
    "rule": (quadrature_rule("trapezoid", 4), quadrature_rule("random", 1)),
    "values": (GAME, GAME.astype(float)),
    "weights": ((F(1, 4), F(3, 4)),),
    "outputs": ((F(1), F(1, 3)),),
    "value": (F(2, 5),),
    "paired": (False, True),
    "antithetic": (False, True),
    "printed": (False, True),
}
# Where a name means something else.
OWN = {
    "coefficients": (TREE_ROW,),
    "explicand": (TREE_ROW,),
    "baseline": ((F(0), F(1), F(1, 2)),),
    "background": (((F(0), F(1), F(1)), (F(2), F(1), F(0))),),
    "correlation": (F(1, 3),),
    "row": (TREE_ROW,),
    "phi": (np.array([F(1), F(2), F(-1, 3)], dtype=object),),
    "truth": (np.array([F(1), F(1), F(-1)], dtype=object),),
    "estimates": (np.array([[F(1), F(2), F(-1, 3)], [F(0), F(2), F(1)]], dtype=object),),
    "steps": (np.array([1, 2, 7]),),
    "variances": (np.array([0.5, 0.0, 2.0]),),
    "done": (np.array([2, 1, 3]),),
    "probabilities": (np.array([0.5, 0.2, 0.3]),),
    "target": (np.array([F(1), F(0), F(2), F(1)], dtype=object),),
    "theta": (np.array([F(1, 2), F(1)], dtype=object),),
    "vector": (np.array([F(1), F(-2)], dtype=object),),
    "slopes": (np.array([1.0, 2.0]),),
    "n_features": (2,),
    "model": (removal.quadratic(range(9)), removal.linear((F(2), *TREE_ROW))),
    "tree": (TREE,),
    "law": (JointLaw(BITS, [F(k + 1, 36) for k in range(8)]), JointLaw(BITS, [F(1, 8)] * 8)),
    "outcomes": (walk_outcomes(GAME), walk_outcomes(GAME[::-1])),
    "grid": (fixed_grid("midpoint", 3), fixed_grid("trapezoid", 4)),
    "counts": (np.array([2, 1, 1, 3]),),
    "phi_star": (np.array([1.0, 0.0, 3.0]),),
    "size_probabilities": (np.array([0.3, 0.7]),),
    "squares": (np.array([1.5, 0.25]),),
    "covariance": (np.array([[F(2), F(1)], [F(1), F(3)]], dtype=object),),
}
MATRICES = {"rows": (ROWS,), "members": ((0, 1), (1,)), "matrix": (ROWS[:2],), "rhs": (ROWS[0],)}
OF_PLACE = {
    "regression": MATRICES | {"order": ((1, 0),)},
    "recovery": {"members": (MEMBERS,), "n_players": (2, 3), "draws": (2, 4)},
    "random_order": {"n_players": (3, 5, 9)},
    "allocation": {"values": (GAME,), "total": (5, 12), "budget": (20, 31), "players": (2, 3)},
    "gradients": {"values": (GAME.astype(float),), "phi": (np.array([1.0, 2.0, -0.5]),)},
    "sampled_least_squares": {"n_players": (2, 3, 4), "draws": (2, 3), "values": (GAME,)}
    | {"penalty": (F(0), F(1, 10))},
    "removal": {"mean": ((F(1, 2), F(0), F(2)),)},
    "removal.linear_shap": {"coefficients": ((F(4), *TREE_ROW),)},
    "pairing": {"values": (GAME,)},
    "joint_tables": {"explicand": (BITS[5], BITS[0]), "row": (BITS[2],)},
    "conditional": {"rows": (BITS,), "weights": ([F(k + 1, 36) for k in range(8)],)}
    | {"outputs": ([F(k * k, 3) for k in range(8)],), "explicand": (BITS[5],)},
    "conditional.separate_regressions": {"target": ([F(k * k, 3) for k in range(8)],)},
    "correlated.linear_prediction_game": {
        "coefficients": (COVARIANCE[1],),
        "mean": (COVARIANCE[2],),
        "covariance": (COVARIANCE,),
        "explicand": (np.array(TREE_ROW, dtype=object),),
    },
    "multilinear.variance": {"rule": (quadrature_rule("trapezoid", 4),)},
    "recursion.expected_squared_errors": {"values": (GAME.astype(float),)}
    | {"probabilities": (np.array([0.4, 0.6]),)},
    "trees": {"background": (BITS,), "explicand": (BITS[5], BITS[2]), "n_players": (3, 4)},
    "conditional.own_row_bias": {"rows": (4,)},
    "conditional.own_row_bias_by_counting": {"rows": (4,)},
    "conditional.agrees": {"row": (BITS[5], BITS[1])},
    "grids.worst_bias": {"law": ((F(1, 2), F(1, 3), F(1, 6)),)},
    "deviation_law": {"values": (np.array([0.5, 2.0, 1.0]),)},
    "exact_errors": {"values": (GAME.astype(float),), "grid": ("equal", "gauss-legendre")},
    "recursion": {"steps": (np.array([0.3, 0.2, 0.1]),)},
    "least_squares": {"matrix": (GAME[:4].reshape(2, 2),), "right": (GAME[4:6],)},
    "polynomial": {"values": (GAME.astype(float),), "counts": (np.arange(1, 9),), "order": (1, 2)},
}
ELSEWHERE = {  # what takes or gives a function, or a table that other tests make
    "deviation_law.excess",
    "deviation_law.level",
    "least_squares.second_differences",
    "regression.shapley",
    "removal.linear",
    "removal.quadratic",
    "joint_tables.tabulated",
}


def functions() -> dict[str, Iterable]:
    """Public functions whose parameters are all known, with each combination of their values."""
    cases = {}
    for info in pkgutil.iter_modules(theory.__path__):
        module = importlib.import_module(f"{theory.__name__}.{info.name}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            own = function.__module__ == module.__name__ and not name.startswith("_")
            if not own or f"{info.name}.{name}" in ELSEWHERE:
                continue
            known = TYPICAL | OWN | OF_PLACE.get(info.name, {})
            known |= OF_PLACE.get(f"{info.name}.{name}", {})
            parameters = inspect.signature(function).parameters.values()
            names = [part.name for part in parameters if part.name in known]
            if all(part.name in known or part.default is not part.empty for part in parameters):
                cases[f"{info.name}.{name}"] = function, names, product(*(known[n] for n in names))
    return cases


FUNCTIONS = functions()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name):
    function, names, values = FUNCTIONS[name]
    outcomes = []
    for given in values:
        with np.errstate(all="ignore"):
            answer = outcome(function, **dict(zip(names, given, strict=True)))
            outcomes.append(list(answer) if inspect.isgenerator(answer) else answer)
    unfit = "TypeError", "zip()", "matmul", "operands"
    assert not any(word in str(result) for result in outcomes for word in unfit), "give others"
    compare("theory", {name: {str(k): part for k, part in enumerate(outcomes)}})
