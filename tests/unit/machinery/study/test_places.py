"""Paths of results: each has one place, in a study as in its repetition and in a pattern."""

import pytest
from msgspec.structs import replace
from small_site import own_study
from synthetic import study

from shapaudit_audit.study.places import REMOVAL_TABLES, Places

OF_NAMES = [
    name
    for name, method in vars(Places).items()
    if callable(method) and not name.startswith(("_", "all_"))
]
SINGLE = [name for name, part in vars(Places).items() if isinstance(part, property)]


def names_of(name):
    """Placeholders for the names that a path goes by; it takes no other number of them."""
    for count in range(1, 4):
        names = [f"<{letter}>" for letter in "abc"[:count]]
        try:
            getattr(Places("results"), name)(*names)
        except ValueError:
            continue
        return names
    raise AssertionError(name)


def given(places, name):
    """A path by placeholders for the names that it goes by."""
    return getattr(places, name)(*names_of(name))


def test_every_place_is_another():
    places = Places("results/own")
    paths = [*(given(places, name) for name in OF_NAMES), *(getattr(places, k) for k in SINGLE)]
    assert len(set(paths)) == len(paths) > 15
    assert all(path.startswith("results/own/") for path in paths)


@pytest.mark.parametrize("name", OF_NAMES)
def test_a_place_depends_on_all_names_that_it_goes_by(name):
    path = given(Places("results"), name)
    assert [path.count(each) for each in names_of(name)] == [1] * len(names_of(name))
    with pytest.raises(ValueError, match="argument"):
        getattr(Places("results"), name)(*names_of(name), "another")


@pytest.mark.parametrize("name", OF_NAMES)
def test_a_repetition_has_the_same_places_in_its_folder(name):
    again = given(Places("results/own", "repetitions/7/"), name)
    assert again == given(Places("results/own/repetitions/7"), name)
    assert given(Places("results/own", "{run}"), name).format(run="repetitions/7/") == again
    assert given(Places("results/own", "{run}"), name).format(run="") == (
        given(Places("results/own"), name)
    )


def test_tables_and_parameters_of_all_jobs_of_experiments():
    config = own_study("one", "two")
    places = Places("r")
    shared = replace(config.experiments["two"], per_job=2)
    experiments = {"one": config.experiments["one"], "two": shared}
    batches = ["one/paired-kernel-shap", "one/a", "one/b", "two/paired-kernel-shap", "two/b"]
    assert places.all_estimates(experiments) == [f"r/estimates/{name}.parquet" for name in batches]
    assert places.all_settings(experiments) == [f"r/estimates/{name}.json" for name in batches]


def test_tables_of_all_jobs_of_the_studies():
    smoke, places = study("smoke"), Places("r")
    explained = places.all_explanations(smoke.explanation_studies)
    jobs = sum(len(block.batches()) for block in smoke.explanation_studies.values())
    assert len(set(explained)) == len(explained) == 2 * jobs
    removed = places.all_removals(smoke.removal_studies)
    jobs = sum(len(block.batches()) for block in smoke.removal_studies.values())
    assert len(set(removed)) == len(removed) == len(REMOVAL_TABLES) * jobs
    assert places.removals("gaussian", "marginal", "fits") in removed
