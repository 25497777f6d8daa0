"""Claims of Okhrati & Lipani 2021."""

# Of the report, in its order.
HEADINGS = (
    "Convergence",
    "Weights of the levels",
    "Comparison with permutations",
    "Halving",
    "The integral",
    "Data and earlier work",
)
