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

    With an archived run, print what differs from it instead; 1 where anything does. It is 2 with a
    message where a folder is not what it should be, or the output cannot be written.
    """
    options = _parser().parse_args(arguments)
    try:
        return _compared(options) if options.against else _verified(options)
    except (BrokenFile, OSError) as error:
        print(f"shapaudit-verify: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
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
    return parser


def _compared(options: argparse.Namespace) -> int:
    found = compare(options.results, options.against)
    print("\n".join(told(found)))
    _write(found, options.output)
    return int(differs(found))


def _verified(options: argparse.Namespace) -> int:
    report = verify(options.results)
    for record in report["claims"]:
        if record["found"] == CONTRADICTED or not options.quiet:
            print(f"{record['id']:12} {record['status']:13} {record['found']}: {record['why']}")
    counts = Counter(record["found"] for record in report["claims"])
    print(", ".join(f"{count} {name}" for name, count in counts.most_common()))
    _write(report, options.output)
    return int(bool(counts[CONTRADICTED]))


def _write(found: dict[str, Any], output: Path | None) -> None:
    """Write what was found; raises OSError naming the file where that fails."""
    if output is None:
        return
    text = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OSError(
            f"{output} cannot be written ({error.strerror}); name another file for --output."
        ) from error


if __name__ == "__main__":
    sys.exit(main())
