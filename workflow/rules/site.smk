"""Site: the study's claims, benchmark and figures as one HTML page that needs no network."""

# The tasks of the page; all experiments of a study of one's own.
COMPARED = {
    name: setting
    for name, setting in config["experiments"].items()
    if setting.get("role") == "task" or not REPORTED
}


rule build_site:
    input:
        study=rules.write_study.output[0],
        claims=claims_of([""]) if REPORTED else [],
        provenance=rules.write_provenance.output[0],
        estimates=estimates_of(COMPARED),
        truths=truths_of(COMPARED),
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
        code=code("workflow/scripts/build_site.py", *CARDS),
        results=lambda wildcards, input: str(Path(input.study).parent),
        published="config/published",
    message:
        "Building the site"
    script:
        "../scripts/build_site.py"
