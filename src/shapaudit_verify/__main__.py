"""`shapaudit-verify results/`, also as `python -m shapaudit_verify results/`."""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from .against import compare, differs, told
from .kept import BrokenFile
from .report import CONTRADICTED, verify


def main(arguments: list[str] | None = None) -> int:
    """Print what is confirmed; the exit code is 1 where evidence or a verdict is contradicted.

    With an archived run, print what differs from it instead; 1 where anything does.
    """
    parser = argparse.ArgumentParser(prog="shapaudit-verify", description=__doc__)
    parser.add_argument("results", type=Path, help="folder of a finished study")
    parser.add_argument("--output", type=Path, help="JSON file for what was found")
    parser.add_argument("--quiet", action="store_true", help="print contradictions and counts only")
    parser.add_argument(
        "--against",
        type=Path,
        metavar="CRATE",
        help="folder of an archived run: compare verdicts and numbers with it instead",
    )
    options = parser.parse_args(arguments)
    try:
        if options.against:
            found = compare(options.results, options.against)
            print("\n".join(told(found)))
            _write(found, options.output)
            return int(differs(found))
        report = verify(options.results)
    except (BrokenFile, FileNotFoundError) as error:
        print(error, file=sys.stderr)
        return 2
    for record in report["claims"]:
        if record["found"] == CONTRADICTED or not options.quiet:
            print(f"{record['id']:12} {record['status']:13} {record['found']}: {record['why']}")
    counts = Counter(record["found"] for record in report["claims"])
    print(", ".join(f"{count} {name}" for name, count in counts.most_common()))
    _write(report, options.output)
    return int(bool(counts[CONTRADICTED]))


def _write(found: dict[str, Any], output: Path | None) -> None:
    if output:
        output.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
        output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
