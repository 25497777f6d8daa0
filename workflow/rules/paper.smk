"""Paper: provenance, the numbers and tables of the report, and its PDF where there is LaTeX."""

from shapaudit.study.provenance import git_state

PAPER = f"{RESULTS}/paper"
TABLES = [
    "study",
    "errors",
    "ratios",
    "speed",
    "variants",
    "steps",
    "published",
    "spread",
    "coverage",
    "benchmark_estimators",
    "benchmark_agreement",
    "benchmark_ratios",
    "benchmark_contrasts",
    "benchmark_choices",
    "benchmark_best",
    "okhrati_published",
    "okhrati_forms",
    "okhrati_data",
    "ls_spa_toy",
    "ls_spa_errors",
    "ls_spa_costs",
    "ls_spa_coverage",
    "claims_gt20",
    "claims_ccll23",
    "claims_ol21",
    "claims_bdb24",
    "claims_field26",
    "summary_gt20",
    "summary_ccll23",
    "summary_ol21",
    "summary_bdb24",
    "summary_field26",
    "collapsed",
    "provenance",
    "sources",
]
SECTIONS = [
    str(path.relative_to(workflow.basedir))
    for path in sorted(Path(workflow.basedir, "paper", "sections").glob("*.tex"))
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
        code=code("workflow/scripts/write_provenance.py"),
        study=config,
        # A parameter, so that a new commit is a reason to run again.
        git=git_state(workflow.basedir),
    message:
        "Writing down where the results come from"
    script:
        "../scripts/write_provenance.py"


rule write_numbers:
    input:
        study=rules.write_study.output[0],
        estimates=ESTIMATES,
        settings=SETTINGS,
        truths=TRUTHS,
        scores=expand(f"{RESULTS}/models/{{model}}.score.json", model=config["models"]),
        claims=rules.audit_claims.output[0],
        repetitions=REPETITIONS,
        published=["config/published/grah_thouvenot_2020.csv", PUBLISHED, OKHRATI],
        replication=REPLICATION,
        ls_spa=LS_SPA_MADE,
        provenance=rules.write_provenance.output[0],
    output:
        values=f"{PAPER}/numbers.tex",
        record=f"{PAPER}/values.csv",
        tables=expand(f"{PAPER}/tables/{{table}}.tex", table=TABLES),
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
        code=code("workflow/scripts/write_numbers.py"),
        results=lambda wildcards, input: str(Path(input.study).parent),
    message:
        "Writing the numbers and tables of the report"
    script:
        "../scripts/write_numbers.py"


rule compile_report:
    input:
        main="paper/main.tex",
        sources=SECTIONS,
        bibliography="paper/references.bib",
        figures=[
            rules.render_grah_thouvenot_2020.output.pdf,
            rules.render_chen_covert_lundberg_lee_2023.output.pdf,
            rules.render_okhrati_lipani_2021.output.pdf,
            rules.render_bell_devanathan_boyd_2024.output.pdf,
            rules.render_audit.output.pdf,
        ],
        generated=rules.write_numbers.output,
    output:
        report(
            f"{PAPER}/report.pdf",
            caption="../report/report.rst",
            category="Report",
            labels={"figure": "The report (PDF)"},
        ),
    log:
        text=f"{LOGS}/compile_report.log",
        latex=f"{LOGS}/compile_report.latex.log",
    benchmark:
        f"{BENCHMARKS}/compile_report.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        code=code("workflow/scripts/compile_report.py"),
        figures=[
            f"{FIGURES}/{notebook}"
            for notebook in (
                "grah_thouvenot_2020",
                "chen_covert_lundberg_lee_2023",
                "okhrati_lipani_2021",
                "bell_devanathan_boyd_2024",
                "audit",
            )
        ],
    message:
        "Compiling the report"
    script:
        "../scripts/compile_report.py"


rule paper:
    input:
        rules.write_provenance.output,
        rules.write_numbers.output,
        rules.compile_report.output if HAS_LATEX else [],
    message:
        "The report is in {PAPER}"
