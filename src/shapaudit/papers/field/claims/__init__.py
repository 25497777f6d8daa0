"""Claims that recur in the literature."""

# Of the report, in its order.
HEADINGS = (
    "Sampling in pairs",
    "What an estimator is worth",
    "Additive games",
    "When to stop",
)
