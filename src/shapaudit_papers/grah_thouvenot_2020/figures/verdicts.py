"""What the figure of the verdicts on Grah & Thouvenot 2020 is called; `report.verdicts` draws it.

A figure is declared in the package of the paper that it is about.
"""

# By notebook and name: title, caption.
FIGURES = {
    "audit/verdicts": (
        "Verdicts on Grah & Thouvenot",
        "Consequence of each claim of Grah & Thouvenot (2020), with the verdicts behind it.",
    ),
}
