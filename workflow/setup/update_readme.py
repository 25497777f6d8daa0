"""Write what a finished study found into README.md and docs/: part of `make readme`.

The folder of results is an argument; without one it is that of the default study. Of the full study
docs/ has a record of its own, and pages of the published figures and tables beside ours.
"""

import json
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "src"))

from shapaudit_audit.jobs import Plan, minutes  # noqa: E402
from shapaudit_audit.papers import PAPERS, registry  # noqa: E402
from shapaudit_audit.report import record  # noqa: E402
from shapaudit_audit.report.artifact import MINUTES  # noqa: E402
from shapaudit_audit.report.contributions import originals, summaries  # noqa: E402
from shapaudit_audit.report.findings import Findings  # noqa: E402
from shapaudit_audit.report.full_record import FullPages  # noqa: E402
from shapaudit_audit.report.readme import Pages  # noqa: E402
from shapaudit_audit.study.blocks.study import Study  # noqa: E402
from shapaudit_audit.study.overlays import load_study  # noqa: E402
from shapaudit_audit.study.provenance import config_hash  # noqa: E402
from shapaudit_audit.study.reading import read_study  # noqa: E402

CONFIGS = {"default": "config.yaml", "full": "full.yaml"}  # by the study's name


def main(arguments: list[str]) -> None:
    """Sum up the results; refuse those of another configuration or of other claims."""
    default = _configured("default")
    results = Path(arguments[0]) if arguments else ROOT / default.results
    if not (results / "study.yaml").exists():
        sys.exit(f"{results} holds no finished study; run `make reproduce` first.")
    there = read_study(results / "study.yaml")
    name = "full" if there.study == "full" else "default"
    study = _configured(name)
    if config_hash(there) != config_hash(study):
        sys.exit(f"{results} is of another configuration; run `make reproduce` again.")
    findings = Findings(results, there, ROOT / "config" / "published")
    made = record.record(findings, summaries())
    if reasons := record.outdated({**made, "figures_sha256": {}}, study, ROOT, registry()):
        sys.exit(f"{results} is not of now: {'; '.join(reasons)}; run `make reproduce` again.")
    pages = Pages(PAPERS, registry(), summaries())
    full = FullPages(pages, originals())
    if name == "default":
        for figure in record.pictures(findings, summaries()):
            shutil.copy(figure, ROOT / "docs" / "figures")
        plan = Plan(load_study(ROOT / "config" / "config.yaml"), ROOT)
        minutes.keep(plan, ROOT / "logs" / "benchmarks", ROOT / MINUTES)
        write(pages, full, made, _kept("findings-full.json"))
    else:
        write(pages, full, _kept("findings.json"), full.keep(ROOT, findings))


def write(pages: Pages, full: FullPages, default: dict, other: dict | None) -> None:
    """All texts from the records of the default study and of the full one, where there is one."""
    pages.write(ROOT, default, [full.sentence(other, default)] if other else [])
    if other:
        full.write(ROOT, other, default, _configured("full"))


def _configured(name: str) -> Study:
    return read_study(ROOT / "config" / CONFIGS[name])


def _kept(name: str) -> dict | None:
    path = ROOT / "docs" / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


if __name__ == "__main__":
    main(sys.argv[1:])
