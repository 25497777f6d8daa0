"""The table of what a study was made with, row by row."""

import pytest

from shapaudit_audit.report.provenance import provenance_table

RECORD = {
    "study": "s_1",
    "seed": 7,
    "configuration_sha256": "0123456789abcdef0123",
    "system": "Linux",
    "processor": "fast",
    "python": "3.12.1",
    "packages": {"numpy": "2.0", "scipy": "1.14"},
}


@pytest.mark.parametrize(
    ("commit", "dirty", "shown"),
    [
        ("abcdef0123456789", False, "abcdef012345"),
        ("abcdef0123456789", True, "abcdef012345, with uncommitted changes"),
        (None, None, "not a repository"),
    ],
)
def test_every_row_is_there(commit, dirty, shown):
    table = provenance_table(RECORD | {"git": {"commit": commit, "dirty": dirty}})
    rows = [line.rstrip("\\ ") for line in table.splitlines() if " & " in line]
    assert rows == [
        "what & value",
        r"study & s\_1",
        "base seed & 7",
        "configuration (SHA-256) & 0123456789abcdef",
        f"commit & {shown}",
        "system & Linux",
        "processor & fast",
        "Python & 3.12.1",
        "packages & numpy 2.0, scipy 1.14",
    ]
