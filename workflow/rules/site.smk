"""Site: the study's comparison of estimators, claims, papers and figures as pages for use offline."""

from shapaudit_audit.conformance.record import RECORD
from shapaudit_audit.report.site.pages import files_of
from shapaudit_audit.study.layout import compared, models_of, on_games_of_papers

SITE = f"{RESULTS}/site"
COMPARED = compared(config) | on_games_of_papers(config)
# Where papers say what needs no comparison, and have a table of methods.
ADVICE = [
    sources(paper, f"{part}.py")
    for paper in PAPERS
    for part in ("advice", "survey")
    if (folder_of(paper) / f"{part}.py").exists()
]


rule build_site:
    input:
        study=rules.write_study.output[0],
        claims=claims_of([""]) if REPORTED else [],
        verified=rules.verify_evidence.output[0] if REPORTED else [],
        provenance=rules.write_provenance.output[0],
        estimates=estimates_of(COMPARED),
        truths=truths_of(COMPARED),
        removals=removal_studies_of(REMOVAL_STUDIES),
        scores=expand(f"{RESULTS}/models/{{model}}.score.json", model=models_of(config, COMPARED)),
        schemas=RESULT_SCHEMAS,
        # Printed numbers stand beside ours on the page of the papers.
        seen=[seen_by(notebook) for notebook in FIGURES] if REPORTED else [],
        figures=all_figures("svg") if REPORTED else [],
        captions=all_figures("rst") if REPORTED else [],
        # What packages gave for cases with exact values, if that is on record.
        conformance=[
            path.relative_to(SOURCE.parent)
            for path in (RECORD, RECORD.with_suffix(".json"))
            if REPORTED and path.exists()
        ],
    output:
        findings=f"{RESULTS}/findings.txt",
        pages=[
            f"{SITE}/{name}" for name in files_of(REPORTED, bool(REMOVAL_STUDIES), RECORD.exists())
        ],
        figures=[
            path.replace(RESULTS, SITE, 1) for path in (all_figures("svg") if REPORTED else [])
        ],
    log:
        f"{LOGS}/build_site.log",
    benchmark:
        f"{BENCHMARKS}/build_site.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
    params:
        code=code_of(
            "workflow/scripts/build_site.py",
            *(PAPER_FOLDERS if REPORTED else ADVICE),
            *CLAIMS,
            *CARDS,
        ),
        results=lambda wildcards, input: str(Path(input.study).parent),
        published=lambda wildcards: PRINTED,
        declared={
            notebook: {k: tuple(figure) for k, figure in own.items()}
            for notebook, own in FIGURES.items()
        },
        documents={name: f"../paper/{name}.pdf" for name in DOCUMENTS if REPORTED and HAS_LATEX},
    message:
        "Building the site"
    script:
        "../scripts/build_site.py"
