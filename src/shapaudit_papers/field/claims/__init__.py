"""Claims that recur in the literature."""

# Of the report, in its order.
HEADINGS = (
    "Sampling in pairs",
    "Accuracy of estimators",
    "Additive games",
    "Groups of features",
    "When to stop",
)
