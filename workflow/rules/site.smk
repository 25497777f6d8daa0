"""Site: the study's claims, comparison of estimators and figures in one HTML page, for use offline."""

from shapaudit.study.layout import compared, models_of

COMPARED = compared(config)


rule build_site:
    input:
        study=rules.write_study.output[0],
        claims=claims_of([""]) if REPORTED else [],
        verified=rules.verify_evidence.output[0] if REPORTED else [],
        provenance=rules.write_provenance.output[0],
        estimates=estimates_of(COMPARED),
        truths=truths_of(COMPARED),
        scores=expand(f"{RESULTS}/models/{{model}}.score.json", model=models_of(config, COMPARED)),
        schemas=RESULT_SCHEMAS,
        figures=all_figures("svg") if REPORTED else [],
        captions=all_figures("rst") if REPORTED else [],
    output:
        f"{RESULTS}/site/index.html",
    log:
        f"{LOGS}/build_site.log",
    benchmark:
        f"{BENCHMARKS}/build_site.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        code=code("workflow/scripts/build_site.py", *CLAIMS, *CARDS),
        results=lambda wildcards, input: str(Path(input.study).parent),
        published=lambda wildcards: PRINTED,
    message:
        "Building the site"
    script:
        "../scripts/build_site.py"
