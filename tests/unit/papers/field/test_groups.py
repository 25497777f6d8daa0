"""Values of groups: sums of members' values only without interactions across groups."""

from shapaudit_audit.audit.context import Context, Settings
from shapaudit_papers.field.claims.groups import CLAIMS
from shapaudit_papers.field.evidence.groups import both_values

CONTEXT = Context("tiny", 3, (), Settings(random_games=2))
(CLAIM,) = CLAIMS


def observe(**world):
    return CLAIM.judge(CLAIM.gather(CONTEXT, **world), 0.05)


def test_sums_are_not_values_of_groups():
    verdict = observe()
    assert (verdict.status, verdict.consequence) == ("refuted", "hypothesis")
    assert verdict.numbers == {"off": 6, "group": 3, "sum": 4}


def test_a_world_in_which_credit_is_added_up():
    def added(values, groups):
        return (both_values(values, groups)[1],) * 2

    assert observe(sums=added).status == "exact"


def test_a_world_in_which_the_hypothesis_does_not_help():
    def doubled(values, groups):
        value, summed = both_values(values, groups)
        return value, 2 * summed

    verdict = observe(sums=doubled)
    assert verdict.status == "inconclusive"
    assert "Without interactions across groups" in verdict.summary
