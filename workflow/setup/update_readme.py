"""Write the findings of the default study into README.md and copy its figure: `make readme`."""

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "src"))

from shapaudit.benchmark import load_benchmark  # noqa: E402
from shapaudit.readme import update_readme  # noqa: E402
from shapaudit.reporting import load_audit, load_experiments  # noqa: E402
from shapaudit.summaries import load_study  # noqa: E402

study = load_study(ROOT / "config" / "config.yaml")
results = ROOT / study["results"]
published = ROOT / "config" / "published"
experiments = load_experiments(results, study, published / "grah_thouvenot_2020.csv")
benchmark = load_benchmark(results, study, published / "chen_covert_lundberg_lee_2023.csv")
update_readme(ROOT / "README.md", experiments, load_audit(results), benchmark)
figure = results / "figures" / "grah_thouvenot_2020" / "dimension16.svg"
target = ROOT / "paper" / "figures" / "dimension16.svg"
target.parent.mkdir(exist_ok=True)
shutil.copy(figure, target)
