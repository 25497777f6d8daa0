"""Colours of figures, tables and the site, without what draws."""

from shapaudit.estimators import create

from ..study.blocks.runs import EstimatorBlock

# Colours of Okabe & Ito (2008), told apart with every common colour vision.
FAMILIES = {
    "Monte Carlo": "#0072B2",
    "PSGD": "#D55E00",
    "KernelSHAP": "#007A5A",
    "Other": "#AA4499",
}
ACCENT, QUIET = "#0072B2", "#767676"  # what is ours, and all else, in figures of few words
OF_CARDS = {
    "random order": "Monte Carlo",
    "stochastic gradient": "PSGD",
    "least squares": "KernelSHAP",
}
CONSEQUENCES = {
    "stands": "#0072B2",
    "loosely": "#56B4E9",
    "setting": "#009E73",
    "slip": "#F0E442",
    "hypothesis": "#E69F00",
    "wrong": "#D55E00",
    "undecided": "#7F7F7F",
}


def family_of(spec: EstimatorBlock) -> str:
    """Family in which figures show an estimator, given with its block, by that of its card."""
    card = create(spec.estimator, spec.params).card
    return OF_CARDS.get(card.family, "Other") if card else "Other"
