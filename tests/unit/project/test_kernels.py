"""Set-up compiles every kernel, so that no study has to."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from numba import njit
from numba.core.dispatcher import Dispatcher
from places import ROOT

# In a process of its own: other tests call kernels as well.
SCRIPT = """
import json
from test_kernels import kernels_of, uncalled
from shapaudit_audit.kernels import compile_all

kernels = {}
for house in ("shapaudit", "shapaudit_audit", "shapaudit_papers"):
    kernels |= kernels_of(house)
before = uncalled(kernels)
compile_all()
lost = sorted(name for name, kernel in kernels.items() if not kernel.stats.cache_path)
fast = sorted(name for name, kernel in kernels.items() if kernel.targetoptions.get("fastmath"))
print(json.dumps([sorted(kernels), before, uncalled(kernels), lost, fast]))
"""


def kernels_of(package):
    """The kernels of a package's modules by dotted name, all of its modules imported."""
    root = import_module(package)
    names = [package, *(m.name for m in walk_packages(root.__path__, f"{package}."))]
    # Those that ask other packages run in environments that have these.
    own = [name for name in names if not name.startswith("shapaudit_audit.conformance.")]
    modules = [(name, vars(import_module(name)).values()) for name in own]
    return {
        f"{name}.{value.py_func.__name__}": value
        for name, values in modules
        for value in values
        if isinstance(value, Dispatcher) and value.py_func.__module__ == name
    }


def uncalled(kernels):
    """Names of the kernels without a compiled signature that no kernel with one uses.

    A kernel that is read from the cache brings those it uses along, but not their signatures.
    """
    waiting = [kernel for kernel in kernels.values() if kernel.signatures]
    called = set()
    while waiting:
        kernel = waiting.pop()
        if kernel in called:
            continue
        called.add(kernel)
        function = kernel.py_func
        used = (function.__globals__.get(name) for name in function.__code__.co_names)
        waiting += [value for value in used if isinstance(value, Dispatcher)]
    return sorted(name for name, kernel in kernels.items() if kernel not in called)


@njit
def inner(x):
    return x + 1


@njit
def outer(x):
    return inner(x)


@njit
def another(x):
    return x


def test_a_kernel_that_nothing_calls_is_named():
    kernels = {"inner": inner, "outer": outer, "another": another}
    assert uncalled(kernels) == ["another", "inner", "outer"]
    outer(1)
    assert uncalled(kernels) == ["another"]


def test_all_kernels_are_compiled_and_kept():
    here = Path(__file__).parent
    path = [str(here), str(here.parent), str(ROOT / "src")]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {path}\n{SCRIPT}"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    kernels, before, after, lost, fast = json.loads(done.stdout.splitlines()[-1])
    assert before == kernels, "importing the package compiles nothing"
    assert after == [], "compile_all() does not call these kernels"
    assert lost == [], "these kernels lack cache=True"
    assert fast == [], "the last bits of fastmath differ: see shapaudit.sums"
