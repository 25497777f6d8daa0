"""Judge the estimators of the package on the bank of games, for the record that it carries.

By default all of them.
"""

import argparse

from shapaudit.estimators import create, list_estimators
from shapaudit.judging import judge
from shapaudit.judging.standing import RECORD

WRAPPERS = ("normalised",)  # estimators that say little without the one that they are put around


def main() -> None:
    """Write a judgement for each estimator."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("estimators", nargs="*", help="ids, by default all")
    chosen = parser.parse_args().estimators
    for name in chosen or list_estimators():
        if name not in WRAPPERS:
            text = judge(create(name), name=name).text()
            (RECORD / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
