"""Site: the study's claims, benchmark and figures as one HTML page that needs no network."""

SHOWN = [
    *rules.render_grah_thouvenot_2020.output.svg,
    *rules.render_chen_covert_lundberg_lee_2023.output.svg,
    *rules.render_audit.output.svg,
]


rule build_site:
    input:
        study=rules.write_study.output[0],
        claims=rules.audit_claims.output[0],
        provenance=rules.write_provenance.output[0],
        estimates=estimates_of(BENCHMARK),
        truths=truths_of(BENCHMARK),
        published=PUBLISHED,
        figures=SHOWN,
        captions=[f"workflow/report/{Path(path).stem}.rst" for path in SHOWN],
        code=code("workflow/scripts/build_site.py"),
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
        results=RESULTS,
    message:
        "Building the site"
    script:
        "../scripts/build_site.py"
