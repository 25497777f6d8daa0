"""Paper: provenance, the numbers and tables of the report, and its PDF where there is LaTeX."""

from shapaudit_audit.study.provenance import git_state

PAPER = f"{RESULTS}/paper"
GUESTS = sections()  # of the report, in the packages of papers
DOCUMENTS = ("report", "supplement")
SECTIONS = [
    str(path.relative_to(workflow.basedir))
    for path in sorted(Path(workflow.basedir, "paper").glob("*/*.tex"))
]


rule write_provenance:
    output:
        f"{RESULTS}/provenance.json",
    log:
        f"{LOGS}/write_provenance.log",
    benchmark:
        f"{BENCHMARKS}/write_provenance.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=500,
    params:
        code=code_of("workflow/scripts/write_provenance.py"),
        study=config,
        # A parameter, so that a new commit is a reason to run again.
        git=git_state(workflow.basedir),
    message:
        "Recording provenance"
    script:
        "../scripts/write_provenance.py"


rule write_numbers:
    input:
        study=rules.write_study.output[0],
        seen=[seen_by(notebook) for notebook in FIGURES],
        scores=expand(f"{RESULTS}/models/{{model}}.score.json", model=config["models"]),
        claims=claims_of(["", *REPETITIONS]),
        verified=rules.verify_evidence.output[0],
        provenance=rules.write_provenance.output[0],
        schemas=RESULT_SCHEMAS,
    output:
        values=f"{PAPER}/numbers.tex",
        record=f"{PAPER}/values.csv",
        tables=directory(f"{PAPER}/tables"),
    log:
        f"{LOGS}/write_numbers.log",
    benchmark:
        f"{BENCHMARKS}/write_numbers.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
    params:
        code=code_of("workflow/scripts/write_numbers.py", *PAPER_FOLDERS, *CARDS),
        results=lambda wildcards, input: str(Path(input.study).parent),
        published=lambda wildcards: PRINTED,
        guests=[*GUESTS],
    message:
        "Writing the numbers and tables of the report"
    script:
        "../scripts/write_numbers.py"


rule compile_report:
    input:
        documents=expand("paper/{document}.tex", document=DOCUMENTS),
        preamble="paper/preamble.tex",
        sources=SECTIONS,
        bibliography="paper/references.bib",
        guests=[
            str(path) for file in GUESTS.values() for path in file.parent.glob(f"{file.stem}.*")
        ],
        figures=all_figures("pdf"),
        generated=rules.write_numbers.output,
    output:
        report(
            expand(f"{PAPER}/{{document}}.pdf", document=DOCUMENTS),
            caption="../report/report.rst",
            category="Report",
            labels={"figure": "The report and its supplement (PDF)"},
        ),
    log:
        text=f"{LOGS}/compile_report.log",
        latex=f"{LOGS}/compile_report.latex.log",
    benchmark:
        f"{BENCHMARKS}/compile_report.tsv"
    priority: SECOND
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        code=code_of("workflow/scripts/compile_report.py"),
        folders=[
            *expand(f"{RESULTS}/figures/{{notebook}}", notebook=FIGURES),
            *(str(file.parent) for file in GUESTS.values()),
        ],
    message:
        "Compiling the report and its supplement"
    script:
        "../scripts/compile_report.py"


rule paper:
    input:
        rules.write_provenance.output,
        rules.write_numbers.output,
        rules.compile_report.output if HAS_LATEX else [],
    message:
        "The report and its supplement are in {PAPER}"
