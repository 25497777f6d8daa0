"""Bell, Devanathan & Boyd 2024: Shapley attribution of a regression's R^2."""

from shapaudit_audit.audit.paper import Paper, Role

PAPER = Paper(
    key="bell_devanathan_boyd_2024",
    name="Bell, Devanathan & Boyd 2024",
    year=2024,
    prefix="bdb24",
    letter="B",
    title="Efficient Shapley Performance Attribution for Least-Squares Regression",
    link="https://arxiv.org/abs/2310.19245",
    pdf="https://arxiv.org/pdf/2310.19245",
    code="https://github.com/cvxgrp/ls-spa",
    section="sec:replication-bell",
    roles=(Role("toy", alone=True), Role("chains"), Role("attribution", alone=True)),
    reads=("bell_devanathan_boyd_2024",),
    evidence_from=("own estimates",),
    findings_from=("verdicts",),
)
