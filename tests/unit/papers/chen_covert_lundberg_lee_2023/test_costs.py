"""What the methods for particular models cost, and worlds in which they cost more."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from parts import part

from shapaudit_audit.audit.context import Context, Settings
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence import costs as evidence
from shapaudit_papers.chen_covert_lundberg_lee_2023.evidence.meter import Meter, counted
from shapaudit_papers.theory.removal import linear_shap
from shapaudit_papers.theory.trees import Split, leaf_terms

CONTEXT = Context("tiny", 3, (), Settings(brute_force_dimension=4, random_games=2))


def observe(claim_id, **world):
    claim = part(claim_id)
    return claim.judge(claim.gather(CONTEXT, **world), 0.05)


def pair_by_pair(beta, x, mean):
    return [a * b for a in beta for b in x - mean]


def rule_twice_for_later_baselines(layers, explicands, baselines):
    for k in range(len(baselines)):
        for _ in range(k + 1):
            evidence.rescale(layers, explicands, baselines[k : k + 1])


def both_ways(tree, explicand, baseline):
    """Enter both sides of a split that the rows pass together, and again for each leaf."""
    if not isinstance(tree, Split):
        return 2
    return 1 + sum(both_ways(side, explicand, baseline) for side in (tree.left, tree.right))


def cubed(tree):
    leaves, depth = evidence.size_of(tree)
    return leaves * depth**3


class Fewer:
    """DASP with the passes of another explainer."""

    def __init__(self, passes):
        self.passes = passes

    def fit(self, model, baseline):
        return self

    def explain(self, row):
        return type("Found", (), {"rows": self.passes(row.size)})


def with_passes(**named):
    changed = {name.replace("_", " "): (Fewer(f), "network") for name, f in named.items()}
    return evidence.EXPLAINERS | changed


@pytest.mark.parametrize(
    ("claim_id", "world", "status"),
    [
        ("costs.gather_linear", {}, "proved"),
        ("costs.gather_linear", {"formula": pair_by_pair}, "refuted"),
        ("gather_interventional", {}, "proved"),
        ("gather_interventional", {"count": both_ways}, "refuted"),
        ("gather_path_dependent", {}, "proved"),
        ("gather_path_dependent", {"count": cubed}, "refuted"),
        ("costs.gather_deepshap", {}, "exact"),
        ("costs.gather_deepshap", {"rule": rule_twice_for_later_baselines}, "refuted"),
        ("gather_passes", {}, "exact"),
        (
            "gather_passes",
            {"explainers": with_passes(**{"DASP,_one_size": lambda d: d // 2})},
            "refuted",
        ),
        (
            "gather_passes",
            {"explainers": with_passes(**{"DASP,_all_sizes": lambda d: d**3})},
            "refuted",
        ),
        ("gather_passes", {"explainers": with_passes(Deep_ShapNet=lambda d: d)}, "refuted"),
    ],
)
def test_verdicts_in_our_world_and_in_others(claim_id, world, status):
    assert observe(claim_id, **world).status == status


def test_dasp_takes_twice_what_is_printed_and_stands_loosely():
    verdict = observe("gather_passes")
    assert (verdict.consequence, verdict.numbers) == ("loosely", {"least": 2.0, "most": 2.0})
    as_printed = with_passes(**{"DASP,_one_size": lambda d: d})
    assert observe("gather_passes", explainers=as_printed).consequence == "stands"


def test_the_formula_that_is_counted_is_equation_10():
    beta, x, mean = (np.array([Fraction(k) for k in row]) for row in ([2, 3], [5, 1], [1, 7]))
    wanted = linear_shap([Fraction(0), *beta], x, mean)
    assert evidence.attributed(beta, x, mean).tolist() == wanted.tolist()


def test_a_meter_counts_products_and_quotients():
    meter = Meter()
    matrix, other = counted(np.array([[1.0, 2.0], [3.0, 4.0]]), meter), np.array([2.0, 5.0])
    assert [x.value for x in matrix @ other] == [12.0, 26.0]
    assert meter.count == 4
    assert ((6 / matrix[0, 1]).value, meter.count) == (3.0, 5)
    assert matrix[0, 0] - 3 < matrix[0, 0] + 1
    assert meter.count == 5


def test_visited_nodes_are_those_above_the_leaves_that_hybrids_reach():
    for _, tree, (x, r, *_) in evidence.trees(replace(CONTEXT, seed=5), "test"):
        leaves = sum(1 for _ in leaf_terms(tree, x, r))
        assert leaves <= evidence.visited(tree, x, r) <= 2 * evidence.size_of(tree)[0] - 1


def test_a_baseline_may_take_many_more_nodes_than_a_prediction():
    """Where a prediction takes one node more than the depth."""
    rows = part("gather_interventional").gather(CONTEXT)["rows"]
    deepest = [row for row in rows if row["depth"] == max(evidence.DEPTHS)]
    assert all(row["most_visited"] > 2 * (row["depth"] + 1) for row in deepest)


def test_a_stump_is_visited_whole_where_the_rows_part():
    stump = Split(0, Fraction(1), Fraction(0), Fraction(5))
    assert evidence.visited(stump, (Fraction(0),), (Fraction(2),)) == 3
    assert evidence.visited(stump, (Fraction(0),), (Fraction(0),)) == 2
    assert evidence.tabulated(stump) == 3
