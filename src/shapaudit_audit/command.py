"""`shapaudit-audit`: the keys of a configuration, and the files that a study downloads."""

import argparse
import json
import sys
import textwrap
from collections.abc import Sequence

from shapaudit.parameters import hint

from .study import external
from .study.blocks.schema import keys, schema
from .study.overlays import ConfigError
from .study.reading import read_study


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns 0; 1 if files are missing; 2 with a message if the input is invalid.
    """
    options = _parser().parse_args(arguments)
    try:
        return _keys(options) if options.command == "keys" else _data(options)
    except ConfigError as error:
        print(f"shapaudit-audit: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("shapaudit-audit", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True, metavar="keys|data")
    keys = commands.add_parser(
        "keys",
        help="list what a configuration may say",
        description="List the keys of a configuration: type, default and meaning.",
    )
    keys.add_argument("block", nargs="?", default="", help="list those of a block only, as games")
    keys.add_argument("--schema", action="store_true", help="print the JSON schema, for editors")
    data = commands.add_parser(
        "data",
        help="fetch the files that a study downloads, or report which are missing",
        description="Fetch the files that a study downloads, and report where they are.",
    )
    data.add_argument("--configfile", default="config/full.yaml", help="of the study")
    data.add_argument(
        "--to", help="folder for the files; by default data/, where a run looks for them"
    )
    data.add_argument("--offline", action="store_true", help="look on disk only")
    return parser


def _keys(options: argparse.Namespace) -> int:
    if options.schema:
        print(json.dumps(schema(), indent=2))
        return 0
    block = options.block
    known = [row for row in keys() if not block or f"{row[0]}.".startswith(f"{block}.")]
    if not known:
        blocks = dict.fromkeys(key.partition(".")[0] for key, *_ in keys())
        raise ConfigError(f"a configuration has no block {block!r}{hint(block, blocks)}")
    for key, kind, default, meaning in known:
        print(f"{key}  ({kind}, {default})".replace("`", ""))
        print(textwrap.fill(meaning, 88, initial_indent="    ", subsequent_indent="    "))
    return 0


def _data(options: argparse.Namespace) -> int:
    study = read_study(options.configfile)
    supplies = external.supply_study(study, directory=options.to, offline=options.offline)
    if not supplies:
        print(f"{options.configfile} downloads nothing")
        return 0
    rows = [("file", "size", "licence", "where"), *external.account(supplies)]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip())
    for line in external.left_out(study, supplies):
        print(f"\nLeft out: {line}")
    if lacking := external.missing(study, supplies):
        print("\nMissing:\n" + "\n".join(f"  - {line}" for line in lacking))
        print(f"Remedy: {external.REMEDY}.")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
