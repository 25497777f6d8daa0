"""Downloads with a checksum: a file is either the one that was asked for, or an error.

Every external dataset goes through `fetch`. It looks into the folder that the environment variable
SHAPAUDIT_DATA names, then into the given directory, then on the network: at the address of the
file, then at its mirrors.
"""

import hashlib
import http.client
import logging
import os
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

DATA_VARIABLE = "SHAPAUDIT_DATA"
DIRECTORY = Path("data")  # where the loaders keep what they download, in the working directory
# Software Heritage keeps the files of public repositories, and finds them by their contents.
ARCHIVE = "https://archive.softwareheritage.org/api/1/content/sha256:{sha256}/raw/"

_CHUNK = 1 << 16
_RETRIED_STATUS = {408, 425, 429, 500, 502, 503, 504}

logger = logging.getLogger(__name__)


class DownloadError(RuntimeError):
    """A file that could be had neither from disk nor from the network.

    ``faults`` are what happened, by address.
    """

    def __init__(self, message: str, faults: Mapping[str, str] | None = None):
        super().__init__(message)
        self.faults = dict(faults or {})


@dataclass(frozen=True)
class Source:
    """An external file and what it must be.

    Parameters
    ----------
    name : str
        The dataset it belongs to.
    url : str
    size : int
        Bytes.
    sha256 : str
        64 lower-case hexadecimal digits.
    filename : str
        Its name on disk, without a folder.
    licence : str
        Under which the data may be used, or "unknown".
    mirrors : tuple of str
        Other addresses of the same bytes, tried in turn where the first one fails; ``{sha256}``
        in one stands for the checksum.
    equivalents : tuple of str
        SHA-256 of other files that serve as well when they are there already: the same content,
        packed another time.
    instead : tuple of (str, str)
        Names and SHA-256 of other files that together serve as well when they are there already.
    without : str
        What the dataset is where this file cannot be had; nothing where there is none then.
    """

    name: str
    url: str
    size: int
    sha256: str
    filename: str
    licence: str = "unknown"
    mirrors: tuple[str, ...] = ()
    equivalents: tuple[str, ...] = ()
    instead: tuple[tuple[str, str], ...] = ()
    without: str = ""

    def __post_init__(self) -> None:
        for digest in (self.sha256, *self.equivalents, *(sha for _, sha in self.instead)):
            if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
                raise ValueError(f"source {self.name!r}: not a SHA-256 in lower case: {digest!r}")
        for filename in (self.filename, *(name for name, _ in self.instead)):
            if Path(filename).name != filename:
                raise ValueError(f"source {self.name!r}: filename has a folder: {filename!r}")

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where the file is looked for, in this order."""
        mirrors = (url.replace("{sha256}", self.sha256) for url in self.mirrors)
        return (self.url, *mirrors)


@dataclass(frozen=True)
class Patience:
    """How long `fetch` goes on trying.

    Parameters
    ----------
    attempts : int
        Requests before giving up on faults that may pass (no connection, a broken transfer).
    timeout : float
        Seconds without a byte before a connection counts as broken.
    backoff : callable
        Seconds to wait after the i-th failed attempt, i = 0, 1, ...
    sleep : callable
        Waits that long.
    """

    attempts: int = 4
    timeout: float = 30.0
    backoff: Callable[[int], float] = lambda failed: float(2**failed)
    sleep: Callable[[float], None] = time.sleep


class _Passing(Exception):
    """A fault that another attempt may not meet."""


class _Lasting(Exception):
    """A fault that another attempt would meet again."""


def fetch(source: Source, directory: str | Path, patience: Patience | None = None) -> Path:
    """The path of a verified copy of `source`, downloaded into `directory` if need be.

    A file of that name with another checksum is reported and passed over; one in `directory` is
    replaced, but only by a verified download. An interrupted download stays as `<filename>.part`
    and is resumed, from a mirror as well. One process at a time may fetch a file into a directory.

    Raises
    ------
    DownloadError
        Naming the dataset, the addresses, what happened and what to do.
    """
    directory = Path(directory)
    path, unusable = _on_disk(source, directory)
    if path is not None:
        return path
    directory.mkdir(parents=True, exist_ok=True)
    faults = {}
    for url in source.addresses:
        try:
            return _download(source, url, directory / source.filename, patience or Patience())
        except _Lasting as fault:
            faults[url] = str(fault)
            logger.info("%s: cannot download %s: %s", source.name, url, fault)
    told = [*(f"{url}: {fault}" for url, fault in faults.items()), *unusable]
    raise DownloadError(
        f"dataset {source.name!r}: cannot download {'; '.join(told)}. "
        f"Remedy: put {source.filename} ({source.size} bytes, SHA-256 {source.sha256}) into "
        f"{directory}, or into a folder and name that folder in {DATA_VARIABLE}",
        faults,
    )


def held(source: Source, directory: str | Path) -> tuple[Path, ...]:
    """Verified files on disk that serve as `source`: itself, those instead of it, or none."""
    path, _ = _on_disk(source, Path(directory))
    return instead_of(source, directory) if path is None else (path,)


def instead_of(source: Source, directory: str | Path) -> tuple[Path, ...]:
    """The files that serve instead of `source`, where all of them are in one folder; else none."""
    for folder in _folders(Path(directory)) if source.instead else ():
        paths = tuple(folder / name for name, _ in source.instead)
        wanted = [sha256 for _, sha256 in source.instead]
        if all(path.is_file() for path in paths) and list(map(file_sha256, paths)) == wanted:
            return paths
    return ()


def _folders(directory: Path) -> list[Path]:
    named = os.environ.get(DATA_VARIABLE)
    return [Path(named), directory] if named else [directory]


def _on_disk(source: Source, directory: Path) -> tuple[Path | None, list[str]]:
    """A verified copy, and why the files of other folders do not serve."""
    unusable: list[str] = []
    for folder in _folders(directory):
        path = folder / source.filename
        if not path.is_file():
            unusable.append(f"{path} does not exist")
        elif (checksum := file_sha256(path)) in (source.sha256, *source.equivalents):
            return path, unusable
        else:
            unusable.append(f"{path} is another file, SHA-256 {checksum}, not {source.sha256}")
            logger.warning("%s: %s; it is passed over", source.name, unusable[-1])
    return None, unusable


def file_sha256(path: str | Path) -> str:
    """Hexadecimal SHA-256 of a file."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _download(source: Source, url: str, path: Path, patience: Patience) -> Path:
    part = path.with_name(path.name + ".part")
    for attempt in range(patience.attempts):
        resumed = part.exists()
        try:
            if not resumed or part.stat().st_size != source.size:
                _transfer(source, url, part, patience.timeout)
            _verify(source, part, resumed)
        except _Passing as fault:
            if attempt + 1 == patience.attempts:
                raise _Lasting(f"{fault} (after {patience.attempts} attempts)") from fault
            wait = patience.backoff(attempt)
            logger.info("%s: %s; trying again in %g s", source.name, fault, wait)
            patience.sleep(wait)
        else:
            part.replace(path)
            logger.info("%s: %s is complete and verified", source.name, path)
            return path
    raise _Lasting("no attempt was allowed")


def _transfer(source: Source, url: str, part: Path, timeout: float) -> None:
    """Bring `part` up to the full size, from its present size on where the server allows it."""
    offset = part.stat().st_size if part.exists() else 0
    headers = {"Accept-Encoding": "identity", "User-Agent": "shapaudit"}
    if offset:
        headers["Range"] = f"bytes={offset}-"
    with _open(url, headers, part, timeout) as response:
        if not _appends(response, offset):
            offset = 0
        total = _announced_total(response, offset)
        if total not in (None, source.size):
            raise _Lasting(f"the server announces {total} bytes, expected {source.size}")
        with part.open("ab" if offset else "wb") as file:
            received = offset
            for chunk in _chunks(response):
                file.write(chunk)
                _log_progress(source, received, received + len(chunk))
                received += len(chunk)
                if received > source.size:
                    break
    if received < source.size:
        raise _Passing(f"truncated: got {received} of {source.size} bytes")


def _open(
    url: str, headers: dict[str, str], part: Path, timeout: float
) -> http.client.HTTPResponse:
    try:
        request = urllib.request.Request(url, headers=headers)
        return urllib.request.urlopen(request, timeout=timeout)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == 416:
            part.unlink(missing_ok=True)
            raise _Passing("the server refused to resume (416), starting over") from error
        fault = _Passing if error.code in _RETRIED_STATUS else _Lasting
        raise fault(f"the server answered {error.code} {error.reason}") from error
    except urllib.error.URLError as error:
        raise _Passing(f"no connection: {error.reason}") from error
    except (ValueError, http.client.InvalidURL) as error:
        raise _Lasting(f"not an address: {error}") from error
    except (OSError, http.client.HTTPException) as error:
        raise _Passing(f"no connection: {error!r}") from error


def _appends(response: http.client.HTTPResponse, offset: int) -> bool:
    """Whether the answer continues the file at `offset` (a 200 sends it from its start)."""
    if response.status != 206:
        return False
    if not response.headers.get("Content-Range", "").startswith(f"bytes {offset}-"):
        raise _Lasting("the server answered 206 with another range than asked for")
    return True


def _announced_total(response: http.client.HTTPResponse, offset: int) -> int | None:
    length = response.headers.get("Content-Length")
    return offset + int(length) if length is not None and length.isdigit() else None


def _chunks(response: http.client.HTTPResponse) -> Iterator[bytes]:
    """Only faults of the connection may be tried again, so a full disk is not caught here."""
    while True:
        try:
            chunk = response.read(_CHUNK)
        except (OSError, http.client.HTTPException) as error:
            raise _Passing(f"the connection broke: {error!r}") from error
        if not chunk:
            return
        yield chunk


def _verify(source: Source, part: Path, resumed: bool) -> None:
    """Remove a complete but wrong file; a resumed one may owe that to its old beginning."""
    size, checksum = part.stat().st_size, file_sha256(part)
    if size == source.size and checksum == source.sha256:
        return
    part.unlink()
    problem = (
        f"wrong checksum: expected SHA-256 {source.sha256}, got {checksum} "
        f"({size} bytes, expected {source.size})"
    )
    raise (_Passing if resumed else _Lasting)(problem)


def _log_progress(source: Source, before: int, after: int) -> None:
    tenth = 10 * after // source.size
    if tenth > 10 * before // source.size:
        logger.info("%s: %d of %d bytes", source.name, after, source.size)
