"""External files of a study: fetched before its first job, or named with what waits for them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from shapaudit.datasets.download import DATA_VARIABLE, Patience
from shapaudit.datasets.inventory import Supply, files_of, supply

from .overlays import ConfigError

# A study is not to wait for a network that is not there, as a loader may.
AT_START = Patience(attempts=2, timeout=15.0)


def datasets_of(study: Mapping, names: Iterable[str] | None = None) -> dict[str, tuple]:
    """External files by dataset, of all of a study or of those named; without those with none."""
    chosen = study["datasets"] if names is None else sorted(set(names))
    files = {name: files_of([study["datasets"][name]["loader"]]) for name in chosen}
    return {name: own for name, own in files.items() if own}


def supply_study(
    study: Mapping,
    names: Iterable[str] | None = None,
    *,
    directory: str | Path | None = None,
    offline: bool = False,
    patience: Patience = AT_START,
) -> list[Supply]:
    """What `supply` finds of the external files of a study, or of those datasets of it."""
    files = (file for own in datasets_of(study, names).values() for file in own)
    return supply(dict.fromkeys(files), directory, offline=offline, patience=patience)


def missing(study: Mapping, supplies: Sequence[Supply]) -> list[str]:
    """A line on each file without which a dataset cannot be had, and on what that holds up."""
    return [
        f"{one.source.filename} ({one.source.size} bytes, SHA-256 {one.source.sha256}), "
        f"of {_datasets(study, one)}: {one.fault}"
        for one in supplies
        if not one.paths and not one.source.without
    ]


def left_out(study: Mapping, supplies: Sequence[Supply]) -> list[str]:
    """A line on each dataset that is smaller without some files, and on what that concerns."""
    lacking: dict[str, list[Supply]] = {}
    for one in supplies:
        if not one.paths and one.source.without:
            lacking.setdefault(f"{_datasets(study, one)} is {one.source.without}", []).append(one)
    return [
        f"{what}, without {', '.join(one.source.filename for one in own)}: {own[0].fault}"
        for what, own in lacking.items()
    ]


def fetched_or_refused(study: Mapping, names: Iterable[str]) -> list[str]:
    """Fetch the external files of some datasets; lines on what of them has to be left out.

    Raises `ConfigError` where a dataset cannot be had, with what that would hold up.
    """
    supplies = supply_study(study, names)
    if lacking := missing(study, supplies):
        listing = "\n".join(f"  - {line}" for line in lacking)
        raise ConfigError(f"files of this study are not available:\n{listing}\nRemedy: {REMEDY}")
    return [f"Left out: {line}" for line in left_out(study, supplies)]


def account(supplies: Sequence[Supply]) -> list[tuple[str, str, str, str]]:
    """Rows of a table of the files: name, size, licence, and where it is or that it is missing."""
    return [
        (
            one.source.filename,
            size(one.source.size),
            one.source.licence,
            ", ".join(map(str, one.paths)) + (" (fetched)" if one.fetched else "") or "missing",
        )
        for one in supplies
    ]


def size(n_bytes: int) -> str:
    """Bytes in the unit in which they are read easily."""
    for unit, one in (("MB", 1e6), ("kB", 1e3)):
        if n_bytes >= one:
            return f"{n_bytes / one:.1f} {unit}"
    return f"{n_bytes} bytes"


REMEDY = (
    f"put them into a folder named by {DATA_VARIABLE} (`shapaudit-audit data` fetches them where "
    "there is a network, and reports what they must be), or remove what needs them: in a "
    "configuration that extends this one, null removes an entry"
)


def _datasets(study: Mapping, one: Supply) -> str:
    """The datasets that a file belongs to, and what of the study is made of them."""
    names = [name for name, own in datasets_of(study).items() if one.source in own]
    used = list(dict.fromkeys(_made_of(study, names)))
    waiting = f" (for {', '.join(used)})" if used else ""
    return ", ".join(names) + waiting


def _made_of(study: Mapping, datasets: Sequence[str]) -> Iterator[str]:
    """Names of the experiments, paths and studies that rest on some datasets."""
    models = {name for name, one in study["models"].items() if one["dataset"] in datasets}
    games = {name for name, one in study["games"].items() if one["model"] in models}
    rests_on = {"game": games, "model": models, "dataset": datasets}
    blocks = ("experiments", "paths", "removal_studies", "architectures", "explanation_studies")
    for block in blocks:
        for name, one in study.get(block, {}).items():
            if any(one.get(key) in known for key, known in rests_on.items()):
                yield name
