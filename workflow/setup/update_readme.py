"""Write what a finished default study found into README.md and docs/: part of `make readme`.

The folder of results is an argument; without one it is that of the study.
"""

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "src"))

from shapaudit.papers import PAPERS, registry  # noqa: E402
from shapaudit.papers.reported import summaries  # noqa: E402
from shapaudit.report import record  # noqa: E402
from shapaudit.report.findings import Findings  # noqa: E402
from shapaudit.report.readme import Pages  # noqa: E402
from shapaudit.study.reading import load_study  # noqa: E402


def main(arguments: list[str]) -> None:
    """Sum up the results; refuse those of another configuration or of other claims."""
    study = load_study(ROOT / "config" / "config.yaml")
    results = Path(arguments[0]) if arguments else ROOT / study["results"]
    if not (results / "study.yaml").exists():
        sys.exit(f"{results} holds no finished study; run `make reproduce` first.")
    if load_study(results / "study.yaml") != study:
        sys.exit(f"{results} is of another configuration; run `make reproduce` again.")
    whole = Findings(results, study, ROOT / "config" / "published")
    found = record.record(whole, summaries())
    if reasons := record.outdated({**found, "figures_sha256": {}}, study, ROOT, registry()):
        sys.exit(f"{results} is not of now: {'; '.join(reasons)}; run `make reproduce` again.")
    for figure in record.pictures(whole, summaries()):
        shutil.copy(figure, ROOT / "docs" / "figures")
    Pages(PAPERS, registry(), summaries()).write(ROOT, found)


if __name__ == "__main__":
    main(sys.argv[1:])
