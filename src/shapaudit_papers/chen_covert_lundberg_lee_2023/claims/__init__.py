"""Claims of Chen, Covert, Lundberg & Lee 2023."""

# Of the report, in its order.
HEADINGS = (
    "The fastest",
    "Multilinear extension sampling",
    "Normalisation, bias and variance",
    "Random orders",
    "Antithetic sampling",
    "Adaptive sampling",
    "Least squares on samples",
    "Ways to remove a feature",
    "Conditional values",
    "The table of methods",
    "Trees",
    "Networks",
    "Structured data",
    "Amortised explanations",
    "Budgets",
)
