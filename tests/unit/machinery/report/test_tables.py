"""Values and tables of the report, and the sources that they are made from."""

import re
from collections import Counter

import pytest
from places import ROOT

from shapaudit.statistics import comparisons
from shapaudit_audit.audit.ids import by_paper, prefix, short_id
from shapaudit_audit.audit.paper import OURS
from shapaudit_audit.audit.verdict import CONSEQUENCES
from shapaudit_audit.papers import PAPERS
from shapaudit_audit.report import audit, latex
from shapaudit_audit.report.contributions import sources
from shapaudit_audit.report.sources import (
    SOURCES,
    ResultSource,
    sources_table,
    table_sources,
    tables,
    values,
)
from shapaudit_audit.study.dependencies import package_files
from shapaudit_audit.study.places import Places
from shapaudit_papers.grah_thouvenot_2020.tables import experiments

# The made-up results have no kept estimates, paths or regressions.
MADE = [source for source in sources() if source.name not in ("okhrati", "regression")]


@pytest.fixture(scope="module")
def compared(made_up):
    """All comparisons of the made-up study, from few resamples."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparisons, "RESAMPLES", 99)
        return made_up["grah"].comparisons


@pytest.fixture(scope="module")
def by_source(made_up, compared):
    """Values and tables by source."""
    return values(made_up["findings"], MADE), tables(made_up["findings"], MADE)


@pytest.fixture(scope="module")
def texts(by_source):
    return {key: text for own in by_source[0].values() for key, text in own.items()}


@pytest.fixture(scope="module")
def generated(by_source):
    return {name: text for own in by_source[1].values() for name, text in own.items()}


def test_a_row_of_the_wrong_width_is_refused():
    with pytest.raises(ValueError, match="1 cells in a table of 2"):
        latex.tabular("ll", [["a", "b"]], [[["c"]]])


def test_every_value_and_table_leads_to_the_rules_and_files_that_made_it(by_source):
    table = sources_table(*by_source, MADE)
    for source in MADE:
        row = table.partition(rf"\hypertarget{{source:{source.name}}}")[2].split("\n")[0]
        plain = row.replace(r"\allowbreak{}", "").replace(r"\_", "_")
        assert all(word in plain for word in (*source.rules, *source.files))
        assert all(name in plain for name in by_source[1][source.name])
        assert f" & {len(by_source[0][source.name]) or ''} & " in row
    assert r"\deftable{errors}{experiments}{\texttt{run" in table_sources(by_source[1], MADE)


def test_what_a_source_says_its_rules_make_is_made_by_them():
    rules = "".join(path.read_text() for path in (ROOT / "workflow" / "rules").glob("*.smk"))
    for source in sources():
        for rule in source.rules:
            body = rules.partition(f"rule {rule}:")[2].partition("\nrule ")[0]
            # A repetition is made by the same rules in a folder of its own.
            files = [file.removeprefix("repetitions/*/") for file in source.files]
            folders = {file.partition("/")[0] for file in files}
            output = body.partition("output:")[2].partition("log:")[0]
            assert folders & {*outputs(output)}, (source.name, rule)


def outputs(text):
    """Folders of the results, or names of files, that the output of a rule is in."""
    for name, given in re.findall(r"(?:FILES|OF_RUN)\.(\w+)(\([^)]*\))?", text):
        place = getattr(Places("results"), name)
        path = place if isinstance(place, str) else place(*given.strip("()").split(","))
        yield path.split("/")[1]
    yield from re.findall(r"\{RESULTS\}/(?:\{\w+\}/)?(\w[\w.]*)", text)


def test_a_key_of_two_sources_is_refused(made_up):
    models = next(source for source in MADE if source.name == "models")
    with pytest.raises(ValueError, match=r"'model\..*' is of two sources, models and again"):
        values(made_up["findings"], [models, models._replace(name="again")])


def test_papers_bring_their_sources_without_registration():
    known = sources()
    assert known[: len(SOURCES)] == list(SOURCES)
    own = [source for source in known if source not in SOURCES]
    for key in ("grah_thouvenot_2020", "chen_covert_lundberg_lee_2023", "okhrati_lipani_2021"):
        assert any(f".{key}." in source.values.__module__ for source in own), key
    assert all(isinstance(source, ResultSource) for source in known)
    assert len({source.name for source in known}) == len(known)


def test_numbers_follow_the_tables_and_findings_of_every_paper():
    script = ROOT / "workflow" / "scripts" / "write_numbers.py"
    files = set(package_files(script, "shapaudit_papers"))
    papers = ROOT / "src" / "shapaudit_papers"
    for part in ("tables", "findings"):
        own = {*papers.glob(f"*/{part}.py"), *papers.glob(f"*/{part}/*.py")}
        assert len(own) > 3
        assert own <= files


def test_the_report_is_told_the_letters_of_the_papers():
    made = audit.letters(PAPERS.values()).splitlines()
    assert r"\defletters{gt20}{GT}" in made
    assert len(made) == len(PAPERS)


def test_what_is_of_no_paper_comes_from_no_paper():
    modules = [*(ROOT / "src" / "shapaudit_audit" / "report").rglob("*.py")]
    assert modules
    for path in modules:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(from|import) shapaudit_papers\b", text, re.MULTILINE), path.name


def test_tables_are_balanced_and_no_value_is_missing(generated):
    for name, text in generated.items():
        assert text.count("{") == text.count("}"), name
        # A word of the source in quotation marks is no missing value.
        assert not re.search(r"(?<![“`])\b(nan|inf|None)\b", text), name
        assert set(Counter(re.findall(r"\\(?:begin|end)\{(\w+)\}", text)).values()) <= {2}, name


def test_tables_are_those_that_the_report_shows(generated, sources):
    used = set(re.findall(r"\\input\{tables/([^}]*)\}", "\n".join(sources.values())))
    others = {name for name in used if name.startswith(("okhrati_", "ls_spa_"))}
    assert used - others == set(generated) | {"artifact", "guests", "sources"}


def test_every_estimator_has_a_row_of_errors(made_up, generated):
    for experiment in made_up["experiments"].values():
        for name in experiment.last.index:
            assert latex.escape(experiment.label_of(name)) in generated["errors"]


def test_decided_ratios_are_bold(made_up, compared):
    table = experiments.comparisons_table(
        compared, [("optimised-mc", "plain-mc")], made_up["experiments"], "ratio"
    )
    decided = compared[(compared["a"] == "optimised-mc") & (compared["verdict"] != "undecided")]
    assert table.count(r"\textbf") == len(decided)


def test_a_step_at_the_end_of_its_grid_is_marked(made_up):
    experiment = made_up["experiments"]["classification"]
    tuning = experiment.settings["psgd-sqrt-tuned"]["tuning"]
    inside = experiments._step_row(experiment, "rule", "psgd-sqrt")
    tuning["chosen"], kept = tuning["grid"][-1], tuning["chosen"]
    at_end = experiments._step_row(experiment, "rule", "psgd-sqrt")
    tuning["chosen"] = kept
    assert "*" not in "".join(inside)
    assert "*" in "".join(at_end)


def test_every_claim_has_a_row_with_its_place_and_both_verdicts(made_up, generated):
    for claim in made_up["audit"]["claims"]:
        table = generated[f"summary_{prefix(claim['id'])}"]
        (row,) = [line for line in table.split("\n") if rf"\onsite{{{claim['id']}}}" in line]
        _, title, place, own, general, consequence = row.removesuffix(r" \\").split(" & ")
        assert title == latex.escape(claim["title"])
        assert place == latex.escape(audit.place_of(claim))
        assert own.partition("\\")[0] == (claim["setting"] or {"status": "--"})["status"]
        assert general.startswith(claim["status"])
        for label in audit.labels_of(claim):
            assert rf"\ref{{{label}}}" in general
        assert (r"\ref{" in general) == (claim["evidence"] != "rows")
        assert consequence == rf"\briefbadge{{{claim['consequence']}}}"
        macros = audit.consequence_macros()
        assert rf"definecolor{{verdict-{claim['consequence']}}}" in macros
        assert rf"defconsequence{{{claim['consequence']}}}" in macros


def test_the_summary_names_every_claim_once_under_its_group(made_up, generated):
    claims = by_paper(made_up["audit"]["claims"])["gt20"]
    for claim in claims:
        line = rf"\onsite{{{claim['id']}}}{{{short_id(claim['id'])}}} & "
        assert generated["summary_gt20"].count("\n" + line + latex.escape(claim["title"])) == 1
    ours = [claim for claim in claims if claim["source"] == OURS]
    published = [claim for claim in claims if claim not in ours]
    for group, members in audit.by_group(published).items():
        assert generated["summary_gt20"].count(rf"\emph{{{group}}}") == 1
        assert all(claim["heading"] == group for claim in members)
    before, _, after = generated["summary_gt20"].partition(rf"\emph{{{audit.ADDED}}}")
    assert all(rf"\onsite{{{claim['id']}}}" in after for claim in ours)
    assert all(rf"\onsite{{{claim['id']}}}" in before for claim in published)


def test_what_did_not_run_says_so(texts):
    assert texts["diabetes.compare.psgd-dykstra.psgd-inverse-ball.ratio"] == latex.NOT_RUN


def test_counts_of_verdicts_add_up(made_up, texts):
    printed = [int(texts[f"claims.{key}"]) for key in CONSEQUENCES]
    ours = [int(texts[f"claims.ours.{key}"]) for key in CONSEQUENCES]
    assert sum(printed) == int(texts["claims.total"])
    assert sum(ours) == int(texts["claims.ours.total"])
    assert sum(printed + ours) == len(made_up["audit"]["claims"])
