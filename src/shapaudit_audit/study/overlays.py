"""Configuration files, and studies that say only how they differ from another one.

A file that says ``extends: other.yaml``, relative to itself, is laid over that file:

- blocks are merged key by key; lists and single values take the place of those below;
- ``null`` removes an entry of what is extended;
- entries keep the order they have there, new ones follow.

The extended file may extend another one in turn.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import yaml

EXTENDS = "extends"
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class ConfigError(ValueError):
    """One or more faults in a configuration; the message lists them all."""


def load_study(path: str | Path) -> dict:
    """Configuration of a study from its file, laid over what it extends.

    Raises `ConfigError` where a file extends itself or one that is not there, or removes an entry
    that is not there.
    """
    *overlays, study = chain(path).values()
    for overlay in reversed(overlays):
        study = merged(study, overlay)
    return {key: value for key, value in study.items() if key != EXTENDS}


def resolve(config: dict, files: Iterable[str | Path]) -> None:
    """Lay a configuration over what it extends, in place.

    ``files`` are those that it was read from, the later over the earlier. Its ``extends`` is
    relative to the last one that says it, or to the working directory where none does: it was
    given on the command line. Raises `ConfigError` as `load_study` does.
    """
    if EXTENDS not in config:
        return
    said = [Path(file) for file in files if _read(Path(file)).get(EXTENDS) == config[EXTENDS]]
    origin = said[-1] if said else Path("the command line")
    study = merged(load_study(_extended(origin, config[EXTENDS])), config)
    config.clear()
    config.update((key, value) for key, value in study.items() if key != EXTENDS)


def chain(path: str | Path) -> dict[Path, dict]:
    """Contents of a file, of the one that it extends, and so on, by their paths.

    Raises `ConfigError` where one is not there, cannot be read, or extends itself.
    """
    file = Path(path)
    contents = {file: _read(file)}
    while other := contents[file].get(EXTENDS):
        below = _extended(file, other)
        if below.resolve() in [file.resolve() for file in contents]:
            files = " -> ".join(map(str, [*contents, below]))
            raise ConfigError(f"a study cannot extend itself: {files}")
        contents[below] = _read(below)
        file = below
    return contents


def merged(below: Mapping, above: Mapping, where: str = "") -> dict:
    """One block laid over another; ``where`` is its place in the study, for messages."""
    block = dict(below)
    for key, value in above.items():
        if value is None and key not in below:
            raise ConfigError(f"{where}{key}: null removes an entry, and there is none to remove")
        if value is None:
            del block[key]
        elif isinstance(value, Mapping) and isinstance(below.get(key), Mapping):
            block[key] = merged(below[key], value, f"{where}{key}.")
        else:
            block[key] = value
    return block


def _extended(file: Path, other: str) -> Path:
    """Path of what a file extends; raises `ConfigError` where it is not there."""
    if not isinstance(other, str):
        raise ConfigError(f"{file} extends {other!r}; name a file")
    path = file.parent / other
    if not path.is_file():
        raise ConfigError(f"{file} extends {other!r}, and there is no file {path}")
    return path


def _read(file: Path) -> dict:
    """Content of a file of YAML, or of JSON, which Snakemake takes as well."""
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ConfigError(
            f"{file} is not in UTF-8 (byte {error.start} is {error.object[error.start]:#x}); save "
            "it in that encoding"
        ) from error
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from error
    try:
        content = json.loads(text)  # before YAML, which allows no tabs
    except ValueError:
        try:
            content = yaml.load(text, Loader=LOADER)
        except yaml.YAMLError as error:
            raise ConfigError(f"{file} cannot be read: {error}") from error
    if not isinstance(content, dict):
        raise ConfigError(f"{file} holds no configuration")
    return content
