"""Estimators are found in their package by id, by class and by the names of the literature."""

import importlib
import re
import subprocess
import sys
from importlib.metadata import EntryPoint
from inspect import isabstract

import pytest

from shapaudit import discovery, estimators, explainers, removals
from shapaudit.command import main
from shapaudit.discovery import FUNCTIONS, by_name, definitions, find_class, find_name
from shapaudit.estimators import (
    REGISTRY,
    AmbiguousName,
    Estimator,
    FeaturewiseMultilinear,
    FeaturewiseOrder,
    MultilinearSampling,
    OptimisedMonteCarlo,
    PairedKernelSHAP,
    PolynomialLeastSquares,
    ProjectedSGD,
    RandomMultilinear,
    StratifiedLeastSquares,
    StratifiedSampling,
    UnknownEstimator,
    create,
    list_offered,
    resolve,
)
from shapaudit.estimators.sgd import default_rule
from shapaudit.removals import RemovalError

NAMES = [(name, cls) for cls in REGISTRY.values() for name in cls.names]

ESTIMATOR = '''
from dataclasses import dataclass
from typing import ClassVar
from shapaudit.estimators import Estimator


class Base(Estimator):
    """Shared by some; no estimator itself."""


@dataclass(frozen=True)
class {cls}(Base):
    """An estimator that is only looked for."""

    id: ClassVar[str] = "{id}"
    names: ClassVar[dict] = {names}
    halved: bool = False
'''


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A function that makes a package of modules, given with their texts, and returns its name."""
    name = f"package_{tmp_path.name}"
    folder = tmp_path / name
    folder.mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))

    def made(**modules):
        for module, text in {"__init__": "", **modules}.items():
            (folder / f"{module}.py").write_text(text, encoding="utf-8")
        return name

    return made


def text(cls, id, **names):
    return ESTIMATOR.format(cls=cls, id=id, names=names)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("leverage-shap", StratifiedLeastSquares()),
        ("Leverage SHAP", StratifiedLeastSquares()),
        ("LS_ANTI", PairedKernelSHAP()),
        ("Kernel_SHAP", resolve("kernel-shap")()),
        ("RO", OptimisedMonteCarlo()),
        ("me_rand", RandomMultilinear()),
        ("MEF-ADAPT", FeaturewiseMultilinear(allocation="variance")),
        ("ROF_ADAPT", FeaturewiseOrder(antithetic=False, allocation="variance")),
        ("halved Owen sampling", MultilinearSampling(halved=True)),
        ("kADD-SHAP", PolynomialLeastSquares(sizes="kernel", paired=False, ridge=0.0)),
        ("PolySHAP", PolynomialLeastSquares(ridge=0.0)),
        ("SGD-Shapley", ProjectedSGD()),
        ("LS_SGD", default_rule()),
        ("stratified sampling", StratifiedSampling()),
    ],
)
def test_a_name_makes_the_estimator_that_bears_it(name, expected):
    assert create(name) == expected
    assert resolve(name) is type(expected)


@pytest.mark.parametrize(("name", "cls"), NAMES, ids=[name for name, _ in NAMES])
def test_every_name_is_on_the_card_of_what_it_makes(name, cls):
    for spelling in (name, name.upper(), name.lower().replace("_", "-").replace(" ", "_")):
        estimator = create(spelling)
        assert type(estimator) is cls
        assert name in estimator.card.aliases


def test_other_parameters_bear_other_names_or_none():
    assert MultilinearSampling(grid="printed").card.aliases == ("Owen sampling",)
    assert MultilinearSampling(levels=3).card.aliases == ("ME", "Owen sampling")
    assert MultilinearSampling(grid="midpoint").card.aliases == ()
    assert StratifiedLeastSquares(distinct=False).card.aliases == ()
    assert RandomMultilinear(strata=2).card.aliases == ()
    assert PolynomialLeastSquares().card.aliases == ()
    assert default_rule().card.aliases == ("SGD-Shapley", "LS_SGD")
    assert ProjectedSGD(step="constant").card.aliases == ("SGD-Shapley",)
    assert ProjectedSGD(step="contracting").card.aliases == ()
    assert ProjectedSGD(sampling="projected").card.aliases == ()
    assert ProjectedSGD(paired=True).card.aliases == ()


def test_a_name_takes_the_parameters_that_it_leaves_open():
    assert create("LS", {"standard_errors": True}).standard_errors
    assert create("ME", {"levels": 3}) == MultilinearSampling(levels=3)
    assert create("ME", {"halved": False}) == MultilinearSampling()
    assert create("Owen sampling", {"grid": "printed"}) == MultilinearSampling(grid="printed")


@pytest.mark.parametrize(
    ("name", "params", "words"),
    [
        ("ME_RAND", {"halved": True}, "ME_RAND is random-multilinear with halved False, which"),
        ("Owen sampling", {"grid": "midpoint"}, "with grid 'equal' or 'printed', which grid 'mid"),
        ("LS_SGD", {"scale": 1.0}, "LS_SGD is projected-sgd with scale 0.05, which scale 1.0"),
        ("leverage-shap", {"order": 2}, "leverage-shap has no parameter order; it has distinct"),
    ],
)
def test_parameters_that_contradict_a_name_are_refused(name, params, words):
    with pytest.raises(UnknownEstimator, match=words):
        create(name, params)


@pytest.mark.parametrize(
    ("name", "close"),
    [("levrage shap", "leverage-shap"), ("MEF_ADPT", "mef-adapt"), ("kernel shp", "kernel-shap")],
)
def test_an_unknown_name_is_told_what_is_close(name, close):
    with pytest.raises(UnknownEstimator, match=rf"{name!r} \(did you mean '{close}'\?\); known: "):
        create(name)


def test_a_name_like_no_other_is_told_the_ids():
    with pytest.raises(UnknownEstimator, match="unknown estimator 'zzz'; known: antithetic-monte"):
        create("zzz")


def test_the_registry_holds_what_the_text_of_the_modules_says():
    for definition in definitions("shapaudit.estimators"):
        cls = REGISTRY[definition.id]
        assert (cls.__module__, cls.__name__) == (definition.module, definition.cls)
        assert (cls.id, cls.names) == (definition.id, definition.names)
        assert getattr(estimators, definition.cls) is cls
        assert definition.cls in dir(estimators)


def test_every_class_of_the_package_with_an_id_is_found():
    def below(cls):
        return {cls, *(descendant for child in cls.__subclasses__() for descendant in below(child))}

    made = {cls for cls in below(Estimator) if cls.__module__.startswith("shapaudit.estimators.")}
    assert set(REGISTRY.values()) == {cls for cls in made if "id" in vars(cls)}
    assert not any(map(isabstract, REGISTRY.values()))


def test_only_the_module_of_an_estimator_is_imported():
    code = (
        "import sys\n"
        "from shapaudit.estimators import create\n"
        "create('plain-monte-carlo')\n"
        "print(*sorted(name for name in sys.modules if name.startswith('shapaudit.estimators.')))"
    )
    source = next(path for path in sys.path if path.endswith("src"))
    told = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {source!r})\n{code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert [name.rpartition(".")[2] for name in told.stdout.split()] == [
        "arguments",
        "base",
        "monte_carlo",
    ]


def test_what_the_package_has_not_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Unknown'"):
        _ = estimators.Unknown
    with pytest.raises(ImportError, match="Unknown"):
        from shapaudit.estimators import Unknown  # noqa: F401


def test_a_file_is_all_that_an_estimator_takes(package):
    name = package(mine=text("Mine", "mine", MINE_2={"halved": True}), other="x = 1\n")
    (definition,) = definitions(name)
    assert (definition.id, definition.cls) == ("mine", "Mine")
    assert find_class("Mine", name) == find_name("Mine", name)[0] == definition
    assert find_name("mine 2", name) == (definition, {"halved": True})
    assert find_class("Base", name) is find_name("base", name) is None
    assert definition.load().id == "mine"


@pytest.mark.parametrize(
    ("first", "other", "words"),
    [
        (("A", "same"), ("B", "same"), "called 'same', .*one.A with defaults and .*two.B with"),
        (("A", "a", "Alias"), ("B", "b", "ALIAS"), "called 'ALIAS', .*one.A .* and .*two.B"),
        (("A", "a"), ("B", "b", "A"), "called 'A', .*one.A with defaults and .*two.B"),
        (("Same", "a"), ("Same", "b"), "class Same, .*one.Same and .*two.Same"),
    ],
    ids=["id", "name", "name and id", "class"],
)
def test_two_estimators_that_are_called_the_same_are_both_named(package, first, other, words):
    texts = {
        module: text(cls, id, **{key: {} for key in names})
        for module, (cls, id, *names) in {"one": first, "two": other}.items()
    }
    name = package(**texts)
    with pytest.raises(AmbiguousName, match=words):
        definitions(name)
    with pytest.raises(AmbiguousName, match=words):
        find_class(first[0], name) if first[0] == other[0] else find_name([*other][-1], name)


def test_a_name_that_is_the_id_with_other_parameters_is_refused(package):
    name = package(one=text("A", "a", A={"halved": True}))
    with pytest.raises(AmbiguousName, match=r"with defaults and .*with \{'halved': True\}; rename"):
        definitions(name)


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("KernelSHAP", "kernel-shap"),
        ("KernelExplainer", "stratified-least-squares"),
        ("PermutationExplainer", "antithetic-monte-carlo"),
        ("ProxySHAP", "proxy-regression"),
        ("RegressionMSR", "regression-adjusted"),
        ("PolySHAP", "polynomial-least-squares"),
        ("oddshap", "odd-fourier"),
        ("OddSHAP (trees)", "odd-fourier"),
    ],
)
def test_names_of_other_packages_are_known(name, id):
    assert create(name).id == id


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("TreeSHAP", r"an explainer, .*; shapaudit\.explainers\.create\('TreeSHAP'\) makes it\."),
        ("treeexplainer", r"shapaudit\.explainers\.create\('treeexplainer'\)"),
        ("FastSHAP", r"shapaudit\.explainers\.create"),
        ("DeepLIFT RevealCancel", r"shapaudit\.explainers\.create"),
        ("Copula", r"a removal, .*; shapaudit\.removals\.create\('Copula'\) makes it\."),
        ("LS-SPA", r"'LS-SPA' is no estimator: shapaudit\.attribute_r2\(X, y\)"),
        ("exact", r"shapaudit\.shapley_exact\(game\) evaluates all coalitions"),
        ("SHAP", r"shapaudit\.Explainer\(model, background\)\(rows\)"),
    ],
)
def test_what_is_no_estimator_is_where_the_message_says(name, message):
    with pytest.raises(UnknownEstimator, match=message):
        create(name)
    for place, attribute in re.findall(r"(shapaudit[\w.]*)\.(\w+)\(", message.replace("\\", "")):
        made = getattr(importlib.import_module(place), attribute)
        if attribute == "create":
            assert made(name)


def test_an_estimator_is_no_explainer_and_no_removal():
    for package, error in ((explainers, explainers.ExplainerError), (removals, RemovalError)):
        with pytest.raises(error, match=r"'KernelSHAP' is no .*shapaudit\.estimators\.create\("):
            package.create("KernelSHAP")
        assert not set(FUNCTIONS) & set(by_name(definitions(package.__name__)))


OFFERED = [
    EntryPoint("mine", "tests_own.module:Mine", "shapaudit.estimators"),
    EntryPoint("Auto", "tests_own.module:Other", "shapaudit.estimators"),
]


@pytest.fixture
def offered(monkeypatch):
    """What a distribution from elsewhere offers, one under a name that is taken."""
    monkeypatch.setattr(discovery, "entry_points", lambda group: OFFERED)


def test_what_others_offer_is_listed_unless_the_name_is_taken(offered, capsys):
    assert list_offered() == {"mine": "tests_own.module:Mine"}
    assert main(["estimators"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].split() == ["mine", "(tests_own.module:Mine)"]
    assert len(lines) == len(REGISTRY) + 1


def test_a_name_that_is_nearly_what_others_offer_is_told_so(offered):
    with pytest.raises(UnknownEstimator, match=r"did you mean 'mine'\?.*, mine, and their names"):
        create("minee")
