"""Explainer of linear models of shapaudit."""

from shapaudit.explainers import create

LABEL, PACKAGE, QUESTION = "shapaudit linear", "shapaudit", "interventional"
OFFERS = ("linear",)


def explain(case):
    """Values of the chosen output."""
    explainer = create("linear", {"output": case.output})
    return explainer.fit(case.model, case.background).explain(case.rows).values
