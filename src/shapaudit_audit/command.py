"""`shapaudit-audit`: the keys of a configuration, and the files that a study downloads."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from shapaudit.optional import MissingPackage, needed

PROGRAM = "shapaudit-audit"
PACKAGES = ("msgspec", "pyarrow", "yaml")  # what `subcommands` imports of the extra


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns 0; 1 if files are missing; 2 with a message if the input is invalid, or a package of the
    extra `audit` is not installed.
    """
    options = _parser().parse_args(arguments)
    try:
        for package in PACKAGES:
            needed(package, "this command", "audit")
    except MissingPackage as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return 2
    return import_module(".subcommands", __package__).run(options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(PROGRAM, description=__doc__)
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


if __name__ == "__main__":
    sys.exit(main())
