"""How faults of a configuration are told: a line each, which begins with the place in the file."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from shapaudit.parameters import check_parameters, type_faults

from .overlays import ConfigError


def refuse(faults: Iterable[str], what: str) -> None:
    """Raise `ConfigError` listing faults of ``what``, where there are any."""
    if listing := "".join(f"\n  - {fault}" for fault in faults):
        raise ConfigError(f"{what}:{listing}")


def told(error: Exception) -> str:
    """The message of an error, after its type unless it is a ValueError."""
    return str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"


def made(where: str, make: Callable, *given: object) -> Iterator[str]:
    """The fault of what cannot be made; a class of one's own may raise any error."""
    try:
        make(*given)
    except Exception as error:
        yield f"{where}: {told(error)}"


def called(where: str, what: str, function: Callable, params: Mapping) -> Iterator[str]:
    """Faults of the parameters that a function is called with."""
    try:
        check_parameters(what, function, params, ConfigError)
    except ConfigError as error:
        yield f"{where}: {error}"
        return
    yield from (f"{where}.params: {fault}" for fault in type_faults(function, params))


def registered(
    where: str, kind: str, name: str, registry: Mapping[str, Callable], params: Mapping
) -> Iterator[str]:
    """Faults of the name of a registered function, and of its parameters."""
    if name in registry:
        yield from called(where, f"{kind} {name!r}", registry[name], params)
    else:
        yield f"{where}: unknown {kind} {name!r}; known: {', '.join(sorted(registry))}"
