"""One verdict on a claim that has several parts, each decided by its own evidence."""

from collections.abc import Mapping, Sequence
from itertools import chain

from .verdict import STANDING, ClaimError, Number, Verdict

LOOSELY = "loosely"

# A claim holds as firmly as its weakest part, and falls if one of its parts has fallen.
WEAKEST_FIRST = (
    *("refuted", "inconsistent", "inconclusive", "vacuous"),
    *("supported", "exact", "proved"),
)


def joined(parts: Sequence[Verdict]) -> Verdict:
    """The conjunction of the verdicts on the parts of a claim, in their order.

    Its status is that of the weakest part. Where all parts hold, it holds loosely if one of them
    does, and its summary says which parts hold loosely and which as stated, unless all are alike.
    Otherwise its consequence is that of the first part with its status. Summaries follow each
    other. Rows have the columns of all parts, with empty cells where a part lacks one; a table that
    several parts share appears once. A number or sample whose name an earlier part has used for
    something else gets the place of its part as a suffix. It is shown by the proofs of its parts,
    where they have some.

    Raises `ClaimError` where more than one part has a ruling for a setting.
    """
    if len(parts) == 1:
        return parts[0]
    rulings = [part.setting for part in parts if part.setting]
    if len(rulings) > 1:
        raise ClaimError("only one part of a claim may have a setting.")
    weakest = min(parts, key=lambda part: WEAKEST_FIRST.index(part.status))
    proofs = dict.fromkeys(part.shown_by for part in parts if part.shown_by != "rows")
    stands = weakest.status in STANDING
    loose = [stands and part.consequence == LOOSELY for part in parts]
    reaches = dict.fromkeys(part.reach for part in parts if part.reach)
    return Verdict(
        weakest.status,
        _summary(parts, loose),
        LOOSELY if any(loose) else weakest.consequence,
        _united([part.numbers for part in parts]),
        tuple(chain.from_iterable(part.limits for part in parts)),
        _united([part.sample for part in parts]),
        _rows(parts),
        shown_by=", ".join(proofs) or "rows",
        reach="; ".join(reaches) if stands else "",
        setting=rulings[0] if rulings else None,
    )


def _summary(parts: Sequence[Verdict], loose: Sequence[bool]) -> str:
    """The summaries in order; a change between parts that hold loosely and others is announced."""
    told = [part.summary for part in parts]
    if any(loose) and not all(loose):
        before = [None, *loose]
        told = [
            text if now == last else f"{'Loosely' if now else 'As stated'}: {text}"
            for text, now, last in zip(told, loose, before, strict=False)
        ]
    return " ".join(told)


def _rows(parts: Sequence[Verdict]) -> list[dict[str, Number]]:
    columns = dict.fromkeys(name for part in parts for row in part.rows for name in row)
    tables = dict.fromkeys(tuple(tuple(row.items()) for row in part.rows) for part in parts)
    empty: dict[str, Number] = dict.fromkeys(columns, "")
    return [empty | dict(row) for row in chain.from_iterable(tables)]


def _united(parts: Sequence[Mapping[str, Number]]) -> dict[str, Number]:
    whole: dict[str, Number] = {}
    for place, numbers in enumerate(parts, start=1):
        for name, number in numbers.items():
            free = whole.get(name, number) == number
            whole[name if free else f"{name}_{place}"] = number
    return whole
