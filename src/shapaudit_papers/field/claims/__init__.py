"""Claims that recur in the literature."""

# Of the report, in its order.
HEADINGS = (
    "Sampling in pairs",
    "Accuracy of estimators",
    "Additive games",
    "When to stop",
)
