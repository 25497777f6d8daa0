"""Universal Binary JSON, draft 12 (ubjson.org): the format of XGBoost's ``.ubj`` files, read.

Boosters are thus explained where XGBoost is not installed. XGBoost 3.2 reads the same values, but
ends the process at an empty file, at some that are cut off and at some with a wrong bit.
"""

from typing import Any

import numpy as np

_INTEGERS = {b"i": ">i1", b"U": ">u1", b"I": ">i2", b"l": ">i4", b"L": ">i8"}
_NUMBERS = {**_INTEGERS, b"d": ">f4", b"D": ">f8"}
_CONSTANTS = {b"Z": None, b"T": True, b"F": False}


class UBJSONError(ValueError):
    """Bytes that are no Universal Binary JSON."""


def loads(content: bytes) -> Any:
    """The value that some bytes hold, as of `json.loads`; raises `UBJSONError`."""
    reader = _Reader(content)
    try:
        value = reader.value(reader.take(1))
    except (RecursionError, UnicodeDecodeError) as error:
        raise UBJSONError(f"damaged at byte {reader.at}: {error}") from error
    if reader.at != len(content):
        raise UBJSONError(f"{len(content) - reader.at} bytes too many")
    return value


class _Reader:
    """Bytes, and how far they are read."""

    def __init__(self, content: bytes):
        self.content = content
        self.at = 0

    def take(self, count: int) -> bytes:
        """The next bytes."""
        if count < 0 or self.at + count > len(self.content):
            raise UBJSONError(f"cut off at byte {self.at}")
        self.at += count
        return self.content[self.at - count : self.at]

    def next_is(self, marker: bytes) -> bool:
        """Whether the next byte is a marker, which is then passed."""
        matches = self.content[self.at : self.at + 1] == marker
        self.at += matches
        return matches

    def value(self, marker: bytes) -> Any:
        """The value that begins after its marker."""
        if marker in _CONSTANTS:
            return _CONSTANTS[marker]
        if marker in _NUMBERS:
            return self.numbers(marker, 1)[0]
        if marker in (b"S", b"H"):
            return self.text()
        if marker == b"C":
            return self.take(1).decode("ascii")
        if marker == b"[":
            return self.array()
        if marker == b"{":
            return self.object()
        raise UBJSONError(f"unknown marker {marker!r} at byte {self.at - 1}")

    def numbers(self, marker: bytes, count: int) -> list[int | float]:
        """So many numbers of one type."""
        kind = np.dtype(_NUMBERS[marker])
        return np.frombuffer(self.take(kind.itemsize * count), dtype=kind).tolist()

    def length(self) -> int:
        """A length: a marker of an integer, and the integer."""
        marker = self.take(1)
        if marker not in _INTEGERS:
            raise UBJSONError(f"no length at byte {self.at - 1}")
        return int(self.numbers(marker, 1)[0])

    def text(self) -> str:
        """A text after its length."""
        return self.take(self.length()).decode("utf-8")

    def container(self) -> tuple[bytes | None, int | None]:
        """The type and the number of a container's values, where they are given."""
        kind = self.take(1) if self.next_is(b"$") else None
        count = self.length() if self.next_is(b"#") else None
        if kind is not None and count is None:
            raise UBJSONError(f"a type without a number of values at byte {self.at}")
        return kind, count

    def array(self) -> list[Any]:
        """Values up to the closing bracket, or as many as are told."""
        kind, count = self.container()
        if kind in _NUMBERS and count is not None:
            return list(self.numbers(kind, count))
        values: list[Any] = []
        while not self.next_is(b"]") if count is None else len(values) < count:
            values.append(self.value(kind or self.take(1)))
        return values

    def object(self) -> dict[str, Any]:
        """Names with their values, likewise."""
        kind, count = self.container()
        pairs: list[tuple[str, Any]] = []
        while not self.next_is(b"}") if count is None else len(pairs) < count:
            name = self.text()
            pairs.append((name, self.value(kind or self.take(1))))
        return dict(pairs)
