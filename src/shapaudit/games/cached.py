"""A game that remembers its values, asks for new ones in batches, and may keep them in a file."""

from pathlib import Path

import numpy as np

from .base import Game, GameError, values_of

CHECKED = 4  # coalitions of a file by which a game is recognised
CLOSE = 1e-5  # of the largest of their values: what single precision may do to them


class CachedGame:
    """Each coalition is evaluated once, in batches that the model wants, and kept.

    With a ``path`` every batch is appended to a file as soon as it is evaluated; what the file
    holds is not evaluated again, so a run that was interrupted goes on where it stopped.

    The file is that of one game. It holds the ``fingerprint`` of a game that has one, such as
    `RowsGame`, whose rows are recognised by it; and `CHECKED` of the coalitions that a file holds
    are evaluated again when it is opened, by which a model is recognised.

    Parameters
    ----------
    game : the expensive one
    batch_size : coalitions per call of the game, at most; None: as many as are asked for
    path : file of the values

    Attributes
    ----------
    evaluations : coalitions that were evaluated, without those by which the game was recognised

    Raises `GameError` for a file of another game, and what the game raises: batches before that are
    kept.
    """

    def __init__(self, game: Game, batch_size: int | None = None, path: str | Path | None = None):
        if batch_size is not None and batch_size < 1:
            raise GameError(f"batch_size must be at least 1, or None; got {batch_size}.")
        self.game, self.batch_size = game, batch_size
        self.n_players = game.n_players
        self.name = getattr(game, "name", type(game).__name__)
        self.evaluations = 0
        self._octets = -(-self.n_players // 8)
        self._record = np.dtype([("members", f"V{self._octets}"), ("value", "<f8")])
        self._known: dict[bytes, float] = {}
        self._path = None if path is None else Path(path)
        if self._path is not None and self._path.exists():
            self._read(self._path)

    def __len__(self) -> int:
        """Number of coalitions that are known."""
        return len(self._known)

    def __call__(self, coalitions: np.ndarray) -> np.ndarray:
        """Values (m,) of the coalitions (m, d) bool, of which new ones are evaluated."""
        keys = self._keys(coalitions)
        new: dict[bytes, int] = {}
        for row, key in enumerate(keys):
            if key not in self._known:
                new.setdefault(key, row)
        rows = np.fromiter(new.values(), dtype=np.int64, count=len(new))
        size = self.batch_size or max(len(rows), 1)
        for start in range(0, len(rows), size):
            batch = rows[start : start + size]
            values = values_of(self.game, coalitions[batch])
            self.evaluations += len(batch)
            self._keep([keys[row] for row in batch], values)
        return np.array([self._known[key] for key in keys])

    def _keys(self, coalitions: np.ndarray) -> list[bytes]:
        return [row.tobytes() for row in np.packbits(coalitions, axis=1)]

    def _keep(self, keys: list[bytes], values: np.ndarray) -> None:
        self._known.update(zip(keys, values.tolist(), strict=True))
        if self._path is None:
            return
        records = np.empty(len(keys), dtype=self._record)
        records["members"] = keys
        records["value"] = values
        with self._path.open("ab") as file:
            file.write(self._header() if file.tell() == 0 else b"")
            file.write(records.tobytes())

    def _header(self) -> bytes:
        mark = str(getattr(self.game, "fingerprint", ""))
        return b"shapaudit %08d%s\n" % (self.n_players, f" {mark}".encode() if mark else b"")

    def _read(self, path: Path) -> None:
        content = path.read_bytes()
        if not content:
            return
        header, newline, _ = content.partition(b"\n")
        # Files of former versions have no fingerprint, nor have those of games without one.
        fields, own = header.split(b" "), self._header().rstrip().split(b" ")
        if not newline or fields[:2] != own[:2]:
            raise GameError(
                f"{path} holds no values of a game of {self.n_players} players; name another "
                "file, or delete it."
            )
        if len(fields) == len(own) and fields != own:
            raise GameError(
                f"{path} holds the values of another game: its explicand, background or players "
                "differ; name another file, or delete it."
            )
        # A batch whose writing was interrupted ends in a part of a record.
        start = len(header) + 1
        whole = (len(content) - start) // self._record.itemsize
        records = np.frombuffer(content, self._record, whole, start)
        members = [row.tobytes() for row in records["members"]]
        self._known.update(zip(members, records["value"].tolist(), strict=True))
        self._recognise(path, np.linspace(0, whole - 1, min(whole, CHECKED)).astype(int), records)
        kept = start + whole * self._record.itemsize
        if kept < len(content):
            path.write_bytes(content[:kept])

    def _recognise(self, path: Path, chosen: np.ndarray, records: np.ndarray) -> None:
        """Raise `GameError` unless the game gives some coalitions the values that are on record."""
        if not len(chosen):
            return
        octets = np.frombuffer(records["members"][chosen].tobytes(), np.uint8)
        bits = np.unpackbits(octets.reshape(len(chosen), -1), axis=1, count=self.n_players)
        kept, values = records["value"][chosen], values_of(self.game, bits.astype(bool))
        gaps = np.abs(values - kept)
        if not (gaps <= CLOSE * max(np.abs(kept).max(), np.abs(values).max())).all():
            worst = int(gaps.argmax())
            raise GameError(
                f"{path} holds the values of another game or model: a coalition was worth "
                f"{kept[worst]:.6g} and is now worth {values[worst]:.6g}; name another file, or "
                "delete it."
            )
