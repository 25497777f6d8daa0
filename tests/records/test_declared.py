"""Constants and default parameters of the modules of each package."""

from pkgutil import iter_modules

import pytest

import shapaudit
from declared import declarations
from recorded import compare

PACKAGES = [one.name for one in iter_modules(shapaudit.__path__) if one.ispkg]


@pytest.mark.parametrize("package", PACKAGES)
def test_declarations(package):
    found = declarations(package)
    named = {f"{package}: {place}": text for place, text in found.items()}
    compare("declared", named, whole=f"{package}: ")
