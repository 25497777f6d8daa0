"""A checker of its own: re-derives the exact evidence of a study from definitions.

`shapaudit-verify results/` reads ``claims/claims.json`` and ``evidence/<paper>.json`` and imports
nothing of the package that wrote them: the standard library and NumPy only. A file of checks per
paper says what each piece of evidence must be; `registry` compares, `report` tells what is
confirmed, what is contradicted, and what was not re-derived.
"""
