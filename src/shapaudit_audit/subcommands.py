"""What the subcommands of `shapaudit-audit` do; it needs the packages of the extra `audit`."""

import argparse
import json
import sys
import textwrap

from shapaudit.parameters import hint

from .study import external
from .study.blocks.schema import keys, schema
from .study.overlays import ConfigError
from .study.reading import read_study


def run(options: argparse.Namespace) -> int:
    """Run the subcommand of some options.

    Returns 0; 1 if files are missing; 2 with a message if the input is invalid.
    """
    try:
        return _keys(options) if options.command == "keys" else _data(options)
    except ConfigError as error:
        print(f"shapaudit-audit: {error}", file=sys.stderr)
        return 2


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
