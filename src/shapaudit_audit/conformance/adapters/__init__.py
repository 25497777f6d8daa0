"""One file per way of asking a package: `LABEL`, `PACKAGE`, `QUESTION`, `OFFERS` and `explain`.

``OFFERS`` names the libraries of models for which the package documents the question.
``explain(case)`` returns the values (m, d) of the rows of a case, and lets errors pass.
"""
