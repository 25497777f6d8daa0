"""The artifact appendix: a row for each result of the article, and none for what is no result."""

import re

import pytest
from places import ROOT

from shapaudit_audit.report import artifact
from shapaudit_audit.report.sources import ResultSource

ARTICLE = {
    "report": r"\input{report/abstract}\input{report/results}\input{report/audit}",
    "report/abstract": r"""\begin{abstract}
\noindent
Values are hard. % \val{hidden}
It takes \val{need} evaluations,
or \val{fewer}. Of \val{total} claims \val{held} hold.
\val{others} games are apart. Here are \val{only}.
\end{abstract}""",
    "report/results": r"""\section{Results}\label{sec:results}
\begin{table}\caption{Static words.\label{tab:words}}\begin{tabular}{l}a\end{tabular}\end{table}
\begin{figure}\includegraphics[width=1cm]{curve}
\caption{Errors of \textbf{all $x_{1}$} methods. More. \made{a\_paper}\label{fig:curve}}\end{figure}
\begin{figure}\includegraphics[width=1cm]{left}\includegraphics[width=1cm]{right}
\caption{Two pictures. \made{a\_paper} Right: more. \made{audit}\label{fig:two}}\end{figure}
It takes \val{need}, \val{fewer}, \val{others} and \val{total}.""",
    "report/audit": r"""\section{Audit}\label{sec:audit}
\begin{center}\captionof{table}{What fell: all. \from{fallen}\label{tab:fallen}}
\input{tables/fallen}\end{center}
\begin{table}\caption{Counts\label{tab:counts}}\claimcounts{all}\end{table}
Of \val{total} claims \val{held}.""",
}


def source(name, rules, file):
    return ResultSource(name, name, rules, (file,), lambda findings: {})


SOURCES = [
    source("runs", ("run_estimators",), "estimates/"),
    source("claims", ("judge_claims",), "claims/claims.json"),
    source("apart", (), "suite.csv"),
]
TEXTS = {
    "runs": {"need": "9", "fewer": "8", "only": "7"},
    "claims": {"total": "5", "held": "4"},
    "apart": {"others": "3"},
}


@pytest.fixture
def rows(tmp_path):
    """Cells of the rows, without breaks in names."""
    (tmp_path / "report").mkdir()
    for name, text in ARTICLE.items():
        (tmp_path / f"{name}.tex").write_text(text, encoding="utf-8")
    notebook = "results/notebooks/a_paper.ipynb"
    lines = f"target,minutes\naudit,2.25\nresults/paper/values.csv,12.5\n{notebook},1.0\n"
    (tmp_path / "minutes.csv").write_text(lines, encoding="utf-8")
    table = artifact.artifact_table(
        TEXTS, SOURCES, tmp_path / "report.tex", tmp_path / "minutes.csv"
    )
    body = table.partition("\\midrule\n")[2].partition("\\bottomrule")[0]
    lines = body.replace(r"\allowbreak{}", "").replace(r"\_", "_").splitlines()
    return [line.removesuffix(r" \\").split(" & ") for line in lines if line != r"\midrule"]


def test_a_sentence_of_the_abstract_stands_where_most_of_its_numbers_do(rows):
    need, held, others, only = rows[:4]
    assert need[0] == r"It takes \val{need} evaluations, or \val{fewer}."
    values = r"\texttt{results/paper/values.csv}"
    assert need[1:4] == [values, "12.5", r"\texttt{estimates/}"]
    assert need[4] == r"Section~\ref{sec:results}, page~\pageref{sec:results}"
    assert held[1:3] == [r"\texttt{audit}", "2.2"]
    assert held[4] == r"Section~\ref{sec:audit}, page~\pageref{sec:audit}"
    assert others[1:4] == [r"\texttt{peers}", "--", r"\texttt{suite.csv}"]
    assert only[4] == "Abstract"


def test_figures_and_tables_that_are_made_of_results_have_rows_in_their_order(rows):
    figure, two, fallen, counts = rows[4:]
    assert two[1:4] == [
        r"\texttt{results/notebooks/a_paper.ipynb}, \texttt{results/notebooks/audit.ipynb}",
        "1.0",
        r"\texttt{figures/a_paper/left.pdf}, \texttt{figures/audit/right.pdf}",
    ]
    assert figure[0] == r"Errors of \textbf{all $x_{1}$} methods."
    assert figure[1:4] == [
        r"\texttt{results/notebooks/a_paper.ipynb}",
        "1.0",
        r"\texttt{figures/a_paper/curve.pdf}",
    ]
    assert figure[4] == r"Figure~\ref{fig:curve}, page~\pageref{fig:curve}"
    assert (fallen[0], fallen[3]) == ("What fell", r"\texttt{paper/tables/fallen.tex}")
    assert (counts[0], counts[3]) == ("Counts", r"\texttt{paper/values.csv}")


def test_the_article_has_a_row_for_each_of_its_labels_and_all_minutes_are_on_record():
    found = {
        path.stem: path.read_text(encoding="utf-8")
        for path in (ROOT / "paper/report").glob("*.tex")
    }
    rows = list(artifact._floats(found))
    labels = re.findall(r"\\label\{((?:fig|tab):[^}]*)\}", "".join(found.values()))
    assert sorted(row.label for row in rows) == sorted({*labels} - {"tab:families"})
    on_record = artifact.read_minutes(ROOT / artifact.MINUTES)
    assert all(target in on_record for row in rows for target in row.targets)
