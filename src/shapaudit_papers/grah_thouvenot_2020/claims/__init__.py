"""Claims of Grah & Thouvenot 2020."""

# Of the report, in its order.
HEADINGS = (
    "Least squares and curvature",
    "Gradients and constants",
    "Rates in expectation",
    "Bounds in probability",
    "Algorithms and their cost",
    "The experiments",
)
