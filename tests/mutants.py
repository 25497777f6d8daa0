"""Faults put into one package, and how many of them its tests see: `make mutants`.

Cosmic Ray's operators make the mutants: a number, an operator or a comparison replaced, a condition
negated, a loop left out. A seeded sample of places is drawn, with one mutant for each, and the
tests of the package run until the first that fails: those in the folder of the same name, its
contract, and its values and declarations on record; for a paper also the verdicts of all claims,
and tables and figures on record. All happens in a copy of the project. Each mutant has a process of
its own, forked from one that holds the libraries, and a cache of kernels without those that may
have compiled it in.

The package "all" stands for all of them: places are drawn from the whole of their code, so that a
package has as many faults as its length deserves. A larger sample of a seed begins with the smaller
one.
"""

import argparse
import ast
import difflib
import multiprocessing
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

ROOT = Path(__file__).parents[1]
LIBRARIES = ["numba", "pandas", "scipy.linalg", "scipy.stats", "hypothesis", "sklearn", "xgboost"]
# Without a decorator a kernel is slower, not wrong; a number is no other object than itself.
OUT = re.compile(
    r"RemoveDecorator|Variable|_(Eq|NotEq|Lt|LtE|Gt|GtE)_Is|_Is(Not)?_(Lt|Gt|Eq|NotEq)"
)
KEPT = ("contract", "records")
# Tests of what several packages do together: verdicts of claims, and what is shown of papers.
FURTHER = {
    "tests/contract/test_claims.py": ("shapaudit_papers/", "shapaudit_audit/audit/"),
    "tests/unit/papers/test_recorded_outputs.py": ("shapaudit_papers/",),
    "tests/unit/library/explainers/test_models_of_others.py": ("shapaudit/models/",),
}
IDLE = 120  # seconds without any processor time, after which a run waits for what never comes
# What is replaced by its like: another operator of the same kind.
KINDS = ({"Add", "Sub", "Mul", "Div", "FloorDiv", "Mod", "Pow"}, {"BitOr", "BitAnd", "BitXor"})


@dataclass(frozen=True)
class Mutant:
    """One change of one file: the ``occurrence`` of an operator of Cosmic Ray."""

    path: Path
    line: int
    operator: str
    occurrence: int

    def text(self) -> str:
        """The file with the change."""
        source = (ROOT / self.path).read_text(encoding="utf-8")
        return mutate_code(source, get_operator(self.operator)(), self.occurrence)

    def diff(self) -> str:
        """The lines that change."""
        texts = (ROOT / self.path).read_text(encoding="utf-8"), self.text()
        lines = difflib.unified_diff(*(text.splitlines() for text in texts), lineterm="", n=0)
        return "\n".join(line for line in list(lines)[2:] if not line.startswith("@@"))


def draw(packages: list[str], size: int, seed: int) -> list[Mutant]:
    """A sample of mutants in the order in which they are drawn, at most one for each place."""
    places = defaultdict(list)
    for path in sorted(path for one in packages for path in folder_of(one).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        tree, typed = get_ast(source), _annotations(source)
        for name in filter(_serves, operator_names()):
            positions = (
                place
                for node in ast_nodes(tree)
                for place in get_operator(name)().mutation_positions(node)
            )
            for occurrence, (start, end) in enumerate(positions):
                if not any(first <= start and end <= last for first, last in typed):
                    mutant = Mutant(path.relative_to(ROOT), start[0], name, occurrence)
                    places[path, start, end].append(mutant)
    rng, order = random.Random(seed), sorted(places)
    rng.shuffle(order)  # all of them, so that the first are the same whatever the size
    return [rng.choice(places[place]) for place in order[:size]]


def packages_of_project() -> list[str]:
    """Names of all packages, as they are passed to `folder_of`."""
    files = sorted((ROOT / "src").glob("shapaudit*/*/__init__.py"))
    return [path.parent.name for path in files] + ["verify"]


def package_of(path: Path) -> str:
    """The package that holds a file of a mutant."""
    house, inner, *below = path.relative_to("src").parts
    return inner if below else house.removeprefix("shapaudit_")


def folder_of(package: str) -> Path:
    """Folder of a package by its name; raises ValueError where there is none."""
    for pattern in (f"*/{package}", f"shapaudit_{package}"):
        for path in (ROOT / "src").glob(f"{pattern}/__init__.py"):
            return path.parent
    raise ValueError(f"src/ holds no package {package!r}.")


def _serves(name: str) -> bool:
    if OUT.search(name):
        return False
    pair = name.split("_")[1:]
    return "Binary" not in name or any(set(pair) <= kind for kind in KINDS)


def _annotations(source: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where types are named: nobody computes with them."""
    spans = []
    for node in ast.walk(ast.parse(source)):
        for hint in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if hint is not None:
                begin, end = (hint.lineno, hint.col_offset), (hint.end_lineno, hint.end_col_offset)
                spans.append((begin, end))
    return spans


def copy_of_project(folder: Path) -> None:
    """The files of the project as they are now, without what git ignores."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.check_output(command, cwd=ROOT, text=True)
    for name in filter(lambda name: (ROOT / name).is_file(), listed.split("\0")):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target)


def tests_of(package: str) -> list[str]:
    """Folders and files of tests that belong to a package."""
    folders = ROOT / "tests" / "unit"
    unit = [*sorted(folders.glob(f"*/{package}")), *folders.glob(package)]
    own = [str(path.relative_to(ROOT)) for path in unit]
    own += [f"tests/{kind}/test_{package}.py" for kind in KEPT]
    place = folder_of(package).relative_to(ROOT / "src").as_posix()
    if "/" in place:
        own += [f"tests/records/test_declared.py::test_declarations[{place.replace('/', '.')}]"]
    own += [path for path, places in FURTHER.items() if f"{place}/".startswith(places)]
    return [path for path in own if (ROOT / path.partition("::")[0]).exists()]


class Soonest:
    """Tests that name what has changed come first, then those of quick files."""

    def __init__(self, words: set[str], seconds: dict[str, float]):
        self.words, self.seconds = words, seconds

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        def key(item: pytest.Item) -> tuple:
            named = self.words & set(re.findall(r"\w+", item.path.read_text(encoding="utf-8")))
            file = item.nodeid.split("::")[0]
            return not named, self.seconds.get(file, 0.0), file, self.seconds.get(item.nodeid, 0.0)

        items.sort(key=key)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for key in (report.nodeid.split("::")[0], report.nodeid):
            self.seconds[key] = self.seconds.get(key, 0.0) + report.duration


def run_tests(folder: Path, tests: list[str], order: Soonest, kernels: Path, answer) -> None:
    """Run tests until one fails; ends the process with pytest's code and sends the durations."""
    import numba

    os.setsid()
    os.chdir(folder)
    # For programs that a test starts; what they compile would hide a fault of the same second.
    os.environ |= {"PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    sys.path[:] = [entry for entry in sys.path if not Path(entry).is_relative_to(ROOT / "src")]
    numba.config.CACHE_DIR = str(kernels)
    sys.dont_write_bytecode = True
    with open(folder / "tests.log", "w", encoding="utf-8") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
        code = pytest.main([*tests, "-x", "-q", "-p", "no:cacheprovider"], plugins=[order])
        answer.send(order.seconds)
        sys.stdout.flush()
        os._exit(code)


def outcome(limit: float | None, *arguments) -> tuple[int | None, dict[str, float]]:
    """pytest's code, None for a run without end, and the durations of what ran.

    A run is without end when it has spent ``limit`` seconds of processor time, or nothing at all
    for two minutes: on a busy machine it only takes longer.
    """
    context = multiprocessing.get_context("forkserver")
    answer, other = context.Pipe(duplex=False)
    process = context.Process(target=run_tests, args=(*arguments, other))
    process.start()
    other.close()
    spent, changed = 0.0, time.monotonic()
    while not answer.poll(1):
        before, spent = spent, processor_seconds(process.pid)
        changed = time.monotonic() if spent > before else changed
        if limit is not None and (spent > limit or time.monotonic() > changed + IDLE):
            os.killpg(process.pid, 9)
            process.join()
            return None, {}
    try:
        seconds = answer.recv()  # before the process is waited for: a pipe holds 64 KB
    except EOFError:  # it died, as when a kernel writes where it must not
        seconds = {}
    process.join()
    return process.exitcode, seconds


def processor_seconds(pid: int) -> float:
    """Processor time of a process and of those that it has started; 0 where it has ended."""
    seconds = 0.0
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        for one in (process, *process.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                seconds += sum(one.cpu_times()[:4])  # user, system, and of children that have ended
    return seconds


def kernels_without(path: Path, cache: Path, fresh: Path) -> Path:
    """A copy of numba's cache without the kernels of files that import this one: numba would not
    see that a kernel calls another one that has changed."""
    sys.path.insert(0, str(ROOT / "src"))
    from shapaudit_audit.study.dependencies import package_files

    source = (ROOT / "src").rglob("*.py")
    files = [file for file in source if "njit" in file.read_text(encoding="utf-8")]
    stale = [
        file.stem for file in files if file == ROOT / path or ROOT / path in package_files(file)
    ]
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.copytree(cache, fresh, ignore=shutil.ignore_patterns(*(f"{stem}.*" for stem in stale)))
    return fresh


def words_of(mutant: Mutant) -> set[str]:
    """Names of the definitions around a mutant; that of its file where there are none."""
    tree = ast.parse((ROOT / mutant.path).read_text(encoding="utf-8"))
    words = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and node.lineno <= mutant.line <= node.end_lineno
    }
    return words or {mutant.path.stem}


def survives(mutant: Mutant, folder: Path, tests: list[str], seconds: dict[str, float]) -> bool:
    """Whether no test of the package fails with this change; a run without end is a failure."""
    target, text = folder / mutant.path, (folder / mutant.path).read_text(encoding="utf-8")
    before = target.stat()
    target.write_text(mutant.text(), encoding="utf-8")
    kernels = folder / "kernels"
    if "njit" in text:
        kernels = kernels_without(mutant.path, kernels, folder / "fresh")
    limit = 3 * sum(value for key, value in seconds.items() if "::" in key) + 120
    order = Soonest(words_of(mutant), dict(seconds))
    code, _ = outcome(limit, folder, tests, order, kernels)
    target.write_text(text, encoding="utf-8")
    os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))  # its bytecode is as good as new
    return code == pytest.ExitCode.OK


def main() -> None:
    """Draw, run and report."""
    parser = argparse.ArgumentParser(description="Faults in a package that its tests should see")
    parser.add_argument("package", help="a folder of src/shapaudit or of the other houses, or all")
    parser.add_argument("--sample", type=int, default=40, help="number of mutants")
    parser.add_argument("--seed", type=int, default=0, help="seed of the sample")
    options = parser.parse_args()
    chosen = packages_of_project() if options.package == "all" else [options.package]
    tests = {package: tests_of(package) for package in chosen}
    mutants = draw(chosen, options.sample, options.seed)
    if not all(tests.values()) or not mutants:
        parser.error(
            f"package {options.package!r} has no tests or no code; name one of src/shapaudit"
        )
    for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
    multiprocessing.set_forkserver_preload(LIBRARIES)
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        copy_of_project(Path(name))
        survivors = list(run(mutants, tests, Path(name)))
    caught = len(mutants) - len(survivors)
    share = f"{caught} of {len(mutants)} ({caught / len(mutants):.0%})"
    print(f"\n{options.package}: {share} seen, in {time.monotonic() - start:.0f} s")


def run(mutants: list[Mutant], tests: dict[str, list[str]], folder: Path) -> Iterator[Mutant]:
    """The mutants that survive, each printed; the tests of a package run once without any."""
    seconds = {}
    for number, mutant in enumerate(mutants, 1):
        package = package_of(mutant.path)
        if package not in seconds:
            seconds[package] = durations(package, tests[package], folder)
        if survives(mutant, folder, tests[package], seconds[package]):
            print(f"\n{mutant.path}:{mutant.line} {mutant.operator}\n{mutant.diff()}")
            yield mutant
        print(f"\r{number} of {len(mutants)}", end="\n" if number % 10 == 0 else "", flush=True)


def durations(package: str, tests: list[str], folder: Path) -> dict[str, float]:
    """Durations of a package's tests and their files; ends the program where one fails."""
    code, seconds = outcome(None, folder, tests, Soonest(set(), {}), folder / "kernels")
    if code != pytest.ExitCode.OK:
        log = (folder / "tests.log").read_text(encoding="utf-8")
        sys.exit(f"{log}\nThe tests of {package} fail without any fault.")
    passed = sum(value for key, value in seconds.items() if "::" in key)
    print(f"\n{package}: {len(seconds)} tests and files pass in {passed:.0f} s", flush=True)
    return seconds


if __name__ == "__main__":
    main()
