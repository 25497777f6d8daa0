"""Numbers and words, by key, that the report states and that belong to no single paper.

Where a sentence depends on the direction of a result, its words are chosen here, so that it stays
true whatever the numbers.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from shapaudit.datasets import is_generated
from shapaudit.statistics import summaries

from ..audit.changes import Change, changes
from ..audit.ids import by_paper
from ..study.blocks.study import Study
from .audit import badges, by_group, verdicts_of
from .latex import escape, listing, number, percent


def study_values(study: Study) -> dict[str, str]:
    """Name, seed and error rates of the study."""
    return {
        "study.name": escape(study.study),
        "study.seed": str(study.seed),
        "study.alpha": percent(study.claims.alpha, 1),
        "study.level": percent(1 - study.claims.alpha),
        "stats.resamples": number(summaries.RESAMPLES),
    }


def model_values(scores: Mapping[str, Mapping]) -> dict[str, str]:
    """Test scores by model; those of known functions have none."""
    values = {}
    for name, score in scores.items():
        values[f"model.{name}.test-rows"] = number(score["test_rows"])
        for metric, value in score["score"].items():
            values[f"model.{name}.{metric.replace('_', '-')}"] = number(float(value), 2)
    return values


def checker_values(verified: Mapping[str, str]) -> dict[str, str]:
    """Counts of the checker's results; ``verified`` holds them by the claim's id."""
    counts = Counter(verified.values())
    names = ("confirmed", "confirmed in part", "rests on samples", "not re-derived")
    return {f"checker.{name.replace(' ', '-')}": number(counts[name]) for name in names}


def on_fixed_data(study: Study) -> set[str]:
    """Games of a study whose data are the same whatever the seed."""
    drawn = {name for name, block in study.datasets.items() if is_generated(block.loader)}
    models = {name for name, block in study.models.items() if block.dataset not in drawn}
    return {name for name, block in study.games.items() if block.model in models}


def repetition_values(
    audit: Mapping, repetitions: Mapping[int, Mapping], fixed: Collection[str] = ()
) -> dict[str, str]:
    """A sentence on the verdicts of the repetitions from other base seeds.

    ``fixed`` are games on data that a repetition does not draw anew.
    """
    if not repetitions:
        return {"repetition.sentence": "The study was not repeated from another base seed."}
    moved = changes(audit, repetitions)
    firm = sum(change.overturned for change in moved)
    sampled = [claim for claim in audit["claims"] if claim["statistical"]]
    shared = sum(_looks_at(claim, fixed) for claim in sampled)
    total = len(sampled) * len(repetitions)
    seeds = listing([str(seed) for seed in repetitions])
    parts = [
        f"The verdicts on {number(len(sampled))} of {number(len(audit['claims']))} claims rest on "
        f"samples. We repeated them from base seed {seeds} with new explicands and runs: "
        f"{number(len(sampled) - shared)} on newly generated data, and {number(shared)} partly on "
        "fixed data, for which only explicands, models and runs are new. Of the "
        f"{number(total)} verdicts, {number(total - len(moved))} were unchanged"
    ]
    if moved:
        parts.append(f"; {_moves(moved)}")
    parts.append(". ")
    if firm:
        parts.append(f"The decision differs in {number(firm)} of these changes.")
    elif moved:
        parts.append("All changes are to or from inconclusive.")
    else:
        parts.append("No verdict changed.")
    return {"repetition.sentence": "".join(parts)}


def _looks_at(claim: Mapping, games: Collection[str]) -> bool:
    """Whether a row of the verdict names one of these games."""
    return any(value in games for row in claim["rows"] for value in row.values())


def _moves(moved: Sequence[Change]) -> str:
    return listing(
        [rf"\cl{{{change.id}}} went from {change.before} to {change.after}" for change in moved]
    )


def claim_values(audit: Mapping) -> dict[str, str]:
    """Consequence, verdicts and numbers of every claim, and the consequences under each heading.

    The number ``violated`` of the verdict on gt20-10a is the value ``gt20-10a.violated``, the size
    ``explicands`` of what it looked at ``gt20-10a.sample.explicands``.
    """
    claims = audit["claims"]
    values = {"claims.alpha": percent(audit["alpha"], 1)}
    for key, own in by_paper(claims).items():
        for group, members in by_group(own).items():
            slug = group.lower().replace(",", "").replace(" ", "-")
            values[f"group.{key}.{slug}"] = badges(members)
    for claim in claims:
        values[f"consequence.{claim['id']}"] = claim["consequence"]
        values[f"claim.{claim['id']}"] = verdicts_of(claim)
        values |= _own_numbers(claim["id"], claim["numbers"])
        values |= _own_numbers(f"{claim['id']}.sample", claim["sample"])
    return values


def _own_numbers(name: str, numbers: Mapping) -> dict[str, str]:
    return {f"{name}.{key.replace('_', '-')}": number(value) for key, value in numbers.items()}
