"""The page of the estimators, written from the registry when the site is built."""

from dataclasses import fields

from shapaudit.discovery import definitions
from shapaudit.estimators import Estimator, create
from shapaudit.estimators.base import FAMILIES

PAGE = "docs/estimators"
MARK = "<!-- estimators -->"


def listed() -> str:
    """All registered estimators in Markdown, by family, each with its card."""
    found = [create(one.id) for one in definitions("shapaudit.estimators")]
    parts = []
    for family in FAMILIES:
        members = sorted((one for one in found if one.card.family == family), key=lambda e: e.id)
        parts += [f"## {family.capitalize()}", *map(card, members)]
    return "\n\n".join(parts)


def card(estimator: Estimator) -> str:
    """A heading, a sentence and a list of guarantees."""
    said = estimator.card
    names = ", ".join(sorted(type(estimator).names)) or "none other"
    lines = [
        ("Called in the literature", names),
        ("Evaluations", f"${said.evaluations}$"),
        ("Arithmetic per evaluation", f"${said.cost}$" if said.cost else "not stated"),
        ("Smallest budget for 10 players", f"{estimator.minimum_budget(10):,}"),
        ("Bias", "none at any budget" if said.unbiased else said.bias),
        ("Guarantees", ", ".join(promises(estimator)) or "none"),
        ("Parameters and their defaults", parameters(estimator)),
        ("Source", said.source),
        ("In the code", f"`{type(estimator).__module__}.{type(estimator).__name__}`"),
    ]
    items = "\n".join(f"- {what}: {text}" for what, text in lines)
    return f"### {estimator.id}\n\n{said.definition}\n\n{items}"


def promises(estimator: Estimator) -> list[str]:
    """Which of the properties of a card hold, in words."""
    said = estimator.card
    words = {
        "values sum to v(D) − v(∅)": said.efficient,
        "exact on additive games": said.additive,
        "converges to the Shapley values": said.consistent,
    }
    exact = estimator.exact_budget(10)
    found = [text for text, holds in words.items() if holds]
    return found + ([f"exact from {exact:,} evaluations for 10 players"] if exact else [])


def parameters(estimator: Estimator) -> str:
    """Names of the parameters with their defaults."""
    told = [f"`{field.name} = {getattr(estimator, field.name)!r}`" for field in fields(estimator)]
    return ", ".join(told) or "none"


def fill(app, name: str, source: list[str]) -> None:
    """Handler of `source-read`: the estimators take the place of the mark on their page."""
    if name == PAGE:
        source[0] = source[0].replace(MARK, listed())


def setup(app) -> dict[str, bool]:
    """Register the handler."""
    app.connect("source-read", fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
