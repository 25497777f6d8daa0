"""Other rounding: the linear algebra of another processor, and games whose values are rounded anew.

OPENBLAS_CORETYPE names the processor whose kernels OpenBLAS takes. It takes its own choice where it
does not know the name, so the tests would say nothing of the other processor: they do not begin
then. SHAPAUDIT_ROUNDING is the relative size of what is added to the values of all games.
"""

import os
import sys
from importlib import import_module
from inspect import getmembers, isclass, signature
from pathlib import Path
from pkgutil import walk_packages

import numpy as np
import scipy
from threadpoolctl import threadpool_info

CORE, SIZE = "OPENBLAS_CORETYPE", "SHAPAUDIT_ROUNDING"
OTHER_NAMES = {"Katmai": "Prescott"}  # where one set of kernels is that of several processors
# Of classes that are called with coalitions.
PACKAGES = ("shapaudit.games", "shapaudit.removals", "shapaudit.comparison", "solved_games")


def set_up() -> str:
    """What the environment asks for; returns what is wrong with that, or nothing."""
    if float(os.environ.get(SIZE) or 0):
        round_games(float(os.environ[SIZE]))
    return not_used(os.environ[CORE]) if os.environ.get(CORE) else ""


def not_used(core: str) -> str:
    """Why the tests are not those of the processor ``core``, or nothing where they are."""
    scipy.linalg.inv(np.eye(2))  # which loads the library
    architectures = [
        library.get("architecture")
        for library in threadpool_info()
        if library["user_api"] == "blas"
    ]
    architectures = sorted(
        {OTHER_NAMES.get(architecture, str(architecture)) for architecture in architectures}
    )
    if [architecture.lower() for architecture in architectures] == [core.lower()]:
        return ""
    used = " and ".join(architectures) or "no OpenBLAS"
    return f"{CORE} asks for {core}, but NumPy and SciPy use {used}: name one that they have."


def round_games(size: float) -> None:
    """Let every game multiply its values by 1 + size sin(.), the same for the same coalition."""
    sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))  # of solved_games
    for package in PACKAGES:
        root = import_module(package)
        for info in walk_packages(root.__path__, f"{root.__name__}."):
            module = import_module(info.name)
            for _, kind in getmembers(module, isclass):
                own = vars(kind).get("__call__")
                if kind.__module__ == module.__name__ and own and _is_of_coalitions(own):
                    kind.__call__ = rounded(own, size)


def _is_of_coalitions(function) -> bool:
    return list(signature(function).parameters)[1:2] == ["coalitions"]


def rounded(call, size: float):
    """A method of a game, rounded anew."""

    def rounding(self, coalitions, *others):
        values = np.asarray(call(self, coalitions, *others))
        if values.dtype != np.float64 or not values.size:
            return values
        phases = 1e3 * np.asarray(coalitions) * np.sqrt(2.0 + np.arange(np.shape(coalitions)[1]))
        change = np.sin(phases.sum(axis=1)).reshape(-1, *[1] * (values.ndim - 1))
        return values * (1.0 + size * change)

    return rounding
