"""`shapaudit-verify results/`, also as `python -m shapaudit_verify results/`."""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

from .kept import BrokenFile
from .report import CONTRADICTED, verify


def main(arguments: list[str] | None = None) -> int:
    """Print what is confirmed; the exit code is 1 where evidence or a verdict is contradicted."""
    parser = argparse.ArgumentParser(prog="shapaudit-verify", description=__doc__)
    parser.add_argument("results", type=Path, help="folder of a finished study")
    parser.add_argument("--output", type=Path, help="JSON file for what was found")
    parser.add_argument("--quiet", action="store_true", help="print contradictions and counts only")
    options = parser.parse_args(arguments)
    try:
        report = verify(options.results)
    except (BrokenFile, FileNotFoundError) as error:
        print(error, file=sys.stderr)
        return 2
    for record in report["claims"]:
        if record["found"] == CONTRADICTED or not options.quiet:
            print(f"{record['id']:12} {record['status']:13} {record['found']}: {record['why']}")
    counts = Counter(record["found"] for record in report["claims"])
    print(", ".join(f"{count} {name}" for name, count in counts.most_common()))
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(report, indent=2, ensure_ascii=False) + "\n"
        options.output.write_text(text, encoding="utf-8")
    return int(bool(counts[CONTRADICTED]))


if __name__ == "__main__":
    sys.exit(main())
