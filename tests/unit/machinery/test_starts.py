"""What a job imports before its work: no more than it needs."""

import subprocess
import sys

import pytest
from places import ROOT

# They take a sixth and half of a second, in jobs of one or two.
COMPILER, PLOTS = "numba", "matplotlib.pyplot"


@pytest.mark.parametrize(
    ("script", "library"),
    [
        ("load_dataset", COMPILER),
        ("train_model", COMPILER),
        ("write_numbers", PLOTS),
        ("build_site", PLOTS),
    ],
)
def test_what_only_other_jobs_need_is_not_imported(script, library):
    text = (ROOT / "workflow" / "scripts" / f"{script}.py").read_text(encoding="utf-8")
    imports = [line for line in text.splitlines() if line.startswith(("import ", "from "))]
    lines = [*imports, "import sys", f"print({library!r} in sys.modules, 'numpy' in sys.modules)"]
    command = [sys.executable, "-c", "\n".join(lines)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
