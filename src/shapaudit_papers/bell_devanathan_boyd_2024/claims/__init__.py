"""Claims of Bell, Devanathan & Boyd 2024."""

# Of the report, in its order.
HEADINGS = (
    "Lifts and chains",
    "Batches, ridge, reduction",
    "Costs",
    "Printed numbers",
    "Permutations",
    "Risk and stopping",
)
