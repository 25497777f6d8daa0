"""What a job imports before its work: no more than it needs."""

import subprocess
import sys

import pytest
from places import ROOT

COMPILER = "numba"  # a sixth of a second in each of some thirty jobs of a small study


@pytest.mark.parametrize("script", ["load_dataset", "train_model"])
def test_data_are_loaded_and_models_trained_without_the_compiler(script):
    text = (ROOT / "workflow" / "scripts" / f"{script}.py").read_text(encoding="utf-8")
    imports = [line for line in text.splitlines() if line.startswith(("import ", "from "))]
    lines = [*imports, "import sys", f"print({COMPILER!r} in sys.modules, 'numpy' in sys.modules)"]
    command = [sys.executable, "-c", "\n".join(lines)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
