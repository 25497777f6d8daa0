"""Constants and default parameters of the modules of each package."""

from importlib import import_module
from pkgutil import iter_modules

import pytest

from declared import declarations
from recorded import compare

HOUSES = ("shapaudit", "shapaudit_audit", "shapaudit_papers")
PACKAGES = [
    f"{house}.{module.name}"
    for house in HOUSES
    for module in iter_modules(import_module(house).__path__)
    if module.ispkg
]


@pytest.mark.parametrize("package", PACKAGES)
def test_declarations(package):
    stated, name = declarations(package), package.rpartition(".")[2]
    named = {f"{name}: {place}": text for place, text in stated.items()}
    compare("declared", named, whole=f"{name}: ")
