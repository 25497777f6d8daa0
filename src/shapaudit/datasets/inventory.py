"""The files that loaders download: which they are, whether they are there, and fetching them."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from . import blog, communities, credit, download, mnist, nhanes, toy
from .download import DownloadError, Patience, Source

_FILES: dict[str, Callable[[], tuple[Source, ...]]] = {
    "blog": lambda: (blog.SOURCE,),
    "communities": lambda: (communities.SOURCE,),
    "credit": lambda: (credit.SOURCE,),
    "mnist": lambda: (*mnist.TEST, *mnist.TRAINING),
    "nhanes": lambda: (nhanes.FEATURES, nhanes.OUTCOMES),
    "toy": lambda: (toy.SOURCE,),
}
DOWNLOADING = tuple(_FILES)  # loaders that need a file from elsewhere

_AT_ONCE = 4


@dataclass(frozen=True)
class Supply:
    """An external file, its copies on disk, and what went wrong where there is none."""

    source: Source
    paths: tuple[Path, ...]
    fetched: bool = False
    fault: str = ""


def files_of(loaders: Iterable[str]) -> tuple[Source, ...]:
    """External files of some loaders, each once; none of those that download nothing."""
    files = (source for key in loaders if key in _FILES for source in _FILES[key]())
    return tuple(dict.fromkeys(files))


def supply(
    sources: Iterable[Source],
    directory: str | Path | None = None,
    *,
    offline: bool = False,
    patience: Patience | None = None,
) -> list[Supply]:
    """Verified copies of some files, those that are not on disk fetched, a few at a time.

    ``offline`` looks only; ``directory`` is that of the loaders unless it is given. A file that
    cannot be had is no error: its `Supply` has no paths.
    """
    folder = Path(download.DIRECTORY if directory is None else directory)

    def supply_of(source: Source) -> Supply:
        if paths := download.held(source, folder):
            return Supply(source, paths)
        if offline:
            return Supply(source, (), fault="not on disk")
        try:
            return Supply(source, (download.fetch(source, folder, patience),), fetched=True)
        except DownloadError as error:
            return Supply(source, (), fault=_shortly(error))
        except OSError as error:
            return Supply(source, (), fault=f"{folder}: {error.strerror}")

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(supply_of, sources))


def _shortly(error: DownloadError) -> str:
    """What happened at each server."""
    faults = ((urlsplit(url).netloc or url, fault) for url, fault in error.faults.items())
    return "; ".join(f"{server}: {fault}" for server, fault in faults)
