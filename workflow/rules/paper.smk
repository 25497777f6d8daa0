"""Paper: provenance, the numbers and tables of the report, and its PDF where there is LaTeX."""

PAPER = f"{RESULTS}/paper"


rule write_provenance:
    output:
        FILES.provenance,
    log:
        f"{LOGS}/write_provenance.log",
    benchmark:
        f"{BENCHMARKS}/write_provenance.tsv"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=500,
    params:
        **ask(jobs.WriteProvenance).params,
    message:
        "Recording provenance"
    script:
        "../scripts/write_provenance.py"


rule write_numbers:
    input:
        unpack(ask(jobs.WriteNumbers).inputs),
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
    resources:
        mem_mb=2000,
    params:
        **ask(jobs.WriteNumbers).params,
    message:
        "Writing the numbers and tables of the report"
    script:
        "../scripts/write_numbers.py"


rule compile_report:
    input:
        unpack(ask(jobs.CompileReport).inputs),
    output:
        report(
            expand(f"{PAPER}/{{document}}.pdf", document=jobs.DOCUMENTS),
            caption="../report/report.rst",
            category="Report",
            labels={"figure": "The report and its supplement (PDF)"},
        ),
    log:
        text=f"{LOGS}/compile_report.log",
        latex=f"{LOGS}/compile_report.latex.log",
    benchmark:
        f"{BENCHMARKS}/compile_report.tsv"
    priority: jobs.SECOND
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
    params:
        **ask(jobs.CompileReport).params,
    message:
        "Compiling the report and its supplement"
    script:
        "../scripts/compile_report.py"


rule paper:
    input:
        rules.write_provenance.output,
        rules.write_numbers.output,
        rules.compile_report.output if jobs.has_latex() else [],
    message:
        "The report and its supplement are in {PAPER}"
