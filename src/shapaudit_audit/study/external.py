"""External files of a study: fetched before its first job, or listed with what depends on them."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from shapaudit.datasets.download import DATA_VARIABLE, Patience, Source
from shapaudit.datasets.inventory import Supply, files_of, supply

from .blocks.study import Study
from .overlays import ConfigError

# A study does not wait for a missing network, as a loader may.
AT_START = Patience(attempts=2, timeout=15.0)


def datasets_of(study: Study, names: Iterable[str] | None = None) -> dict[str, tuple]:
    """External files by dataset, of a study or of the named datasets, where there are any."""
    chosen = study.datasets if names is None else sorted(set(names))
    files = {name: files_of([study.datasets[name].loader]) for name in chosen}
    return {name: own for name, own in files.items() if own}


def sources_of(study: Study, names: Iterable[str] | None = None) -> list[Source]:
    """The external files of a study, or of the named datasets, each once."""
    files = datasets_of(study, names).values()
    return list(dict.fromkeys(file for own in files for file in own))


def supply_study(
    study: Study,
    names: Iterable[str] | None = None,
    *,
    directory: str | Path | None = None,
    offline: bool = False,
    patience: Patience = AT_START,
) -> list[Supply]:
    """The result of `supply` for the external files of a study, or of the named datasets."""
    return supply(sources_of(study, names), directory, offline=offline, patience=patience)


def missing(study: Study, supplies: Sequence[Supply]) -> list[str]:
    """Lines on the files without which a dataset is not available, and on what depends on them."""
    return [
        f"{file.source.filename} ({file.source.size} bytes, SHA-256 {file.source.sha256}), "
        f"of {_datasets(study, file)}: {file.fault}"
        for file in supplies
        if not file.paths and not file.source.without
    ]


def left_out(study: Study, supplies: Sequence[Supply]) -> list[str]:
    """Lines on datasets that are smaller without some files, and on what depends on them."""
    lacking: dict[str, list[Supply]] = {}
    for file in supplies:
        if not file.paths and file.source.without:
            lacking.setdefault(f"{_datasets(study, file)} is {file.source.without}", []).append(
                file
            )
    return [
        f"{what}, without {', '.join(file.source.filename for file in own)}: {own[0].fault}"
        for what, own in lacking.items()
    ]


def fetched_or_refused(study: Study, names: Iterable[str]) -> list[str]:
    """Fetch the external files of some datasets; return lines on what has to be left out.

    Raises `ConfigError` where a dataset is not available, with what depends on it.
    """
    supplies = supply_study(study, names)
    if lacking := missing(study, supplies):
        listing = "\n".join(f"  - {line}" for line in lacking)
        raise ConfigError(f"files of this study are not available:\n{listing}\nRemedy: {REMEDY}")
    return [f"Left out: {line}" for line in left_out(study, supplies)]


def account(supplies: Sequence[Supply]) -> list[tuple[str, str, str, str]]:
    """Rows of a table of the files: name, size, licence, and place or "missing"."""
    return [
        (
            file.source.filename,
            size(file.source.size),
            file.source.licence,
            ", ".join(map(str, file.paths)) + (" (fetched)" if file.fetched else "") or "missing",
        )
        for file in supplies
    ]


def size(n_bytes: int) -> str:
    """A number of bytes in MB, kB or bytes."""
    for unit, bytes_per_unit in (("MB", 1e6), ("kB", 1e3)):
        if n_bytes >= bytes_per_unit:
            return f"{n_bytes / bytes_per_unit:.1f} {unit}"
    return f"{n_bytes} bytes"


REMEDY = (
    f"put them into a folder named by {DATA_VARIABLE} (`shapaudit-audit data` fetches them where "
    "there is a network, and reports what they must be), or remove what needs them: in a "
    "configuration that extends this one, null removes an entry"
)


def _datasets(study: Study, file: Supply) -> str:
    """The datasets that a file belongs to, and the parts of the study that depend on them."""
    names = [name for name, own in datasets_of(study).items() if file.source in own]
    used = list(dict.fromkeys(_made_of(study, names)))
    waiting = f" (for {', '.join(used)})" if used else ""
    return ", ".join(names) + waiting


def _made_of(study: Study, datasets: Sequence[str]) -> Iterator[str]:
    """Names of the experiments, paths and studies that depend on some datasets."""
    models = {name for name, block in study.models.items() if block.dataset in datasets}
    games = {name for name, block in study.games.items() if block.model in models}
    rests_on = {"game": games, "model": models, "dataset": datasets}
    blocks = ("experiments", "paths", "removal_studies", "architectures", "explanation_studies")
    for block in blocks:
        for name, entry in getattr(study, block).items():
            if any(getattr(entry, key, None) in known for key, known in rests_on.items()):
                yield name
