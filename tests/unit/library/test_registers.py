"""Functions that are found by their decorators, in the text of a package's modules."""

import sys

import pytest

from shapaudit import datasets, models, truth
from shapaudit.registers import Register

INNER = (
    "from shapaudit.registers import loader\n\n\n"
    '@loader("second", generated=True)\ndef two():\n    return 2\n\n\n'
    '@loader("first")\ndef one():\n    return 1\n'
)


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Folder of a package with two loaders in a package below it."""
    folder = tmp_path / "some_loaders"
    (folder / "inner").mkdir(parents=True)
    (folder / "__init__.py").write_text("", encoding="utf-8")
    (folder / "inner" / "__init__.py").write_text("", encoding="utf-8")
    (folder / "inner" / "code.py").write_text(INNER, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for name in [name for name in sys.modules if name.startswith("some_loaders")]:
        del sys.modules[name]


def test_functions_are_found_by_name_and_imported_when_asked_for(package):
    register = Register("some_loaders", "loader")
    assert list(register) == ["first", "second"]
    assert len(register) == 2
    assert "first" in register
    assert "third" not in register
    assert "some_loaders.inner.code" not in sys.modules
    assert [register[name]() for name in register] == [1, 2]
    assert register.places["second"].facts == {"generated": True}
    assert register.places["first"].facts == {}


def test_other_decorators_are_passed_over(package):
    assert list(Register("some_loaders", "reader")) == []


def test_what_is_not_there_is_a_key_error(package):
    with pytest.raises(KeyError):
        Register("some_loaders", "loader")["third"]


def test_a_name_of_two_functions_is_an_error(package):
    (package / "again.py").write_text(INNER.replace("second", "third"), encoding="utf-8")
    with pytest.raises(ValueError, match=r"again and .*inner\.code both define 'first'"):
        len(Register("some_loaders", "loader"))


@pytest.mark.parametrize(
    "register", [datasets.LOADERS, models.TRAINERS, models.READERS, truth.METHODS]
)
def test_every_function_of_the_library_can_be_had(register):
    assert len(register) > 10
    for name, function in register.items():
        assert callable(function), name
        assert function.__doc__, name
