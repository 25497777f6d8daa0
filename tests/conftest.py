"""Settings of the whole suite: one numerical thread per process, repeatable property tests."""

import gzip
import os
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

for library in ("OMP", "OPENBLAS", "MKL", "NUMBA"):  # before they are imported
    os.environ[f"{library}_NUM_THREADS"] = "1"

sys.path.insert(0, str(Path(__file__).parent))  # for `recipes`

import numpy as np  # noqa: E402
import pytest  # noqa: E402
from hypothesis import settings  # noqa: E402

from shapaudit_audit.study.dependencies import forget_stale_kernels  # noqa: E402


def pytest_configure(config):
    """Other rounding, where that is asked for; kernels once, before workers start."""
    import rounding

    if fault := rounding.set_up():
        raise pytest.UsageError(fault)
    if not hasattr(config, "workerinput"):
        forget_stale_kernels()


def pytest_collection_modifyitems(items):
    """Files that run whole studies first: what is left at the end can be shared among workers."""
    items.sort(key=lambda item: "workflow" not in item.path.parts)


settings.register_profile("shapaudit", deadline=None, derandomize=True)
settings.load_profile("shapaudit")


@pytest.fixture
def without_screen():
    """Figures are drawn without a screen, and closed afterwards."""
    from matplotlib import pyplot as plt

    with plt.rc_context():
        plt.switch_backend("agg")
        yield
        plt.close("all")


@pytest.fixture
def small_files(tmp_path, monkeypatch):
    """A folder with a small file in the form of each one that a dataset downloads."""
    from shapaudit.datasets import blog, communities, credit, download, mnist, nhanes, toy

    rng = np.random.default_rng(0)

    def small(source):
        path = tmp_path / source.filename
        digest = download.file_sha256(path)
        size = path.stat().st_size
        own = {"mirrors": (), "equivalents": (), "instead": ()}
        return replace(source, url="", size=size, sha256=digest, **own)

    def register(module, attribute):
        monkeypatch.setattr(module, attribute, small(getattr(module, attribute)))

    def text(table):
        return "\n".join(",".join(map(str, row)) for row in table) + "\n"

    shapes = {"X_train": (9, 3), "y_train": 9, "X_test": (6, 3), "y_test": 6}
    np.savez(
        tmp_path / toy.SOURCE.filename,
        **{name: np.random.default_rng(1).normal(size=size) for name, size in shapes.items()},
    )
    register(toy, "SOURCE")

    counts = rng.poisson(0.3, size=(40, blog.N_FEATURES + 1)).astype(float)
    with zipfile.ZipFile(tmp_path / blog.SOURCE.filename, "w") as archive:
        archive.writestr("blogData_train.csv", text(counts))
        archive.writestr("__MACOSX/._blogData_train.csv", "another file")
    register(blog, "SOURCE")

    # Dead after 0 and 3 and 5 years; last seen alive after 0, 3, 5 and 20 years.
    years = ["0.0", "3.0", "5.0", "-0.0", "-3.0", "-5.0", "-20.0"] * 6
    persons = rng.normal(size=(len(years), 3)).round(3).astype(object)
    persons[0, 1] = persons[7, 1] = ""
    table = [["", "Age", "BMI", "Iron"], *([i, *row] for i, row in enumerate(persons))]
    (tmp_path / nhanes.FEATURES.filename).write_text(text(table), encoding="utf-8")
    table = [["", "y"], *enumerate(years)]
    (tmp_path / nhanes.OUTCOMES.filename).write_text(text(table), encoding="utf-8")
    register(nhanes, "FEATURES")
    register(nhanes, "OUTCOMES")

    names = ["name", "state", "county", "code", "fold", "population", "income", "police"]
    crimes = [f"crime{k}" for k in range(16)] + [communities.TARGET, "nonViolPerPop"]
    places = rng.integers(1, 100, size=(40, len(names) + len(crimes))).astype(object)
    places[:, :2] = "Springfield", "NT"
    places[3:, 7] = places[1, 6] = places[2, -2] = "?"
    table = [[*names, *crimes], *places]
    (tmp_path / communities.SOURCE.filename).write_text(text(table), encoding="utf-8")
    register(communities, "SOURCE")

    # Of four clients in a row, one has another marital status and one an unknown education.
    names = ["ID", "LIMIT_BAL", "SEX", "EDUCATION", "MARRIAGE", *(f"X{k}" for k in range(19))]
    clients = rng.integers(1, 100, size=(40, len(names) + 1)).astype(object)
    clients[:, 0] = np.arange(40)
    clients[:, 3], clients[:, 4], clients[:, -1] = [2, 1, 2, 6] * 10, [1, 2, 3, 1] * 10, [0, 1] * 20
    table = [[*names, credit.TARGET], *clients]
    (tmp_path / credit.SOURCE.filename).write_text(text(table), encoding="utf-8")
    register(credit, "SOURCE")

    def idx(array):
        header = np.array([0, 0, 8, array.ndim], dtype=np.uint8).tobytes()
        return gzip.compress(
            header + np.array(array.shape, dtype=">u4").tobytes() + array.tobytes()
        )

    for part, count in (("TEST", 12), ("TRAINING", 30)):
        images, labels = getattr(mnist, part)
        pixels = rng.integers(256, size=(count, mnist.SIDE, mnist.SIDE), dtype=np.uint8)
        (tmp_path / images.filename).write_bytes(idx(pixels))
        (tmp_path / labels.filename).write_bytes(idx(np.arange(count, dtype=np.uint8) % 10))
        monkeypatch.setattr(mnist, part, (small(images), small(labels)))

    monkeypatch.setenv(download.DATA_VARIABLE, str(tmp_path))
    return tmp_path
