"""What the documentation site makes of docstrings, cards and formulae."""

import ast
from types import SimpleNamespace

import pytest
from places import ROOT

from shapaudit.comparison import compare
from shapaudit.estimators import REGISTRY, create

DOCS = ROOT / "docs"


@pytest.fixture
def extension(monkeypatch):
    """An extension of the site by its name."""
    monkeypatch.syspath_prepend(str(DOCS / "extensions"))
    return lambda name: __import__(name)


def test_every_estimator_is_listed_with_its_card(extension):
    source = [(DOCS / "estimators.md").read_text(encoding="utf-8")]
    extension("cards").fill(None, "docs/estimators", source)
    for name, cls in REGISTRY.items():
        _, _, rest = source[0].partition(f"\n### {name}\n")
        card = rest.partition("\n### ")[0]
        said = create(name).card
        assert said.definition in card
        assert f"${said.evaluations}$" in card
        assert all(alias in card for alias in cls.names)


def test_no_other_page_gets_the_list(extension):
    source = ["<!-- estimators -->"]
    extension("cards").fill(None, "docs/tutorial", source)
    assert source == ["<!-- estimators -->"]


def test_a_card_says_what_is_promised_and_no_more(extension):
    promises = extension("cards").promises
    words = " ".join(promises(create("paired-kernel-shap")))
    assert "sum to v(D) − v(∅)" in words
    assert "sum to" not in " ".join(promises(create("plain-monte-carlo")))


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_formulae_of_cards_become_mathml(extension, name):
    convert = extension("mathml").as_mathml
    card = create(name).card
    for latex in (card.evaluations, card.cost):
        assert convert(latex).startswith("<math")


def test_formulae_are_written_in_place_of_their_source(extension):
    mathml = extension("mathml")
    translator = SimpleNamespace(body=[])
    for write, display in ((mathml.inline, "inline"), (mathml.block, "block")):
        with pytest.raises(mathml.nodes.SkipNode):
            write(translator, mathml.nodes.math("", "x^2"))
        assert f'display="{display}"' in translator.body[-1]


def processed(extension, text, what="function"):
    lines = text.split("\n")
    extension("docstrings").rewrite(None, what, "", None, None, lines)
    return lines


def test_an_argument_is_described_below_its_name(extension):
    text = "Do.\n\nParameters\n----------\na : one,\n    of many\nb, c : others\n\nRaises KeyError."
    assert processed(extension, text)[4:] == [
        *("a", "    one,", "    of many", "b, c", "    others"),
        *("", "", "Raises KeyError."),
    ]


def test_words_before_a_colon_are_no_type(extension):
    assert processed(extension, "Budget : of all.") == ["Budget : of all."]
    assert processed(extension, "All: none.", "property") == ["", "All: none."]


def test_signs_are_no_marks(extension):
    (line,) = processed(extension, "the sum of |S| and a*b, `x*y` and **bold**")
    assert line.startswith(r"the sum of \|S\| and a\*b")
    assert "**bold**" in line


def test_all_arguments_of_compare_are_told(extension):
    lines = processed(extension, compare.__doc__)
    assert "    model" in lines
    told = "        a function of a table (m, p) that gives numbers (m,), or (m, k) for k outputs"
    assert told in " ".join(lines)


def test_the_interface_is_of_what_is_there():
    code = "".join(path.read_text(encoding="utf-8") for path in (DOCS / "api").glob("*.rst"))
    named = [line.split(":: ")[1] for line in code.splitlines() if line.startswith(".. automodule")]
    assert {"shapaudit.comparison", "shapaudit.games", "shapaudit.truth"} < set(named)
    for name in named:
        path = ROOT / "src" / name.replace(".", "/")
        source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        assert ast.get_docstring(ast.parse(source.read_text(encoding="utf-8"))), name
