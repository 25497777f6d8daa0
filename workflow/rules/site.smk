"""Site: the study's claims, benchmark and figures as one HTML page that needs no network."""

# A study of one's own has no report, and all its experiments are tasks.
REPORTED = reported(config)
COMPARED = BENCHMARK if REPORTED else config["experiments"]
SHOWN = [
    *rules.render_grah_thouvenot_2020.output.svg,
    *rules.render_chen_covert_lundberg_lee_2023.output.svg,
    *rules.render_okhrati_lipani_2021.output.svg,
    *rules.render_bell_devanathan_boyd_2024.output.svg,
    *rules.render_audit.output.svg,
]


rule build_site:
    input:
        study=rules.write_study.output[0],
        claims=rules.audit_claims.output if REPORTED else [],
        provenance=rules.write_provenance.output[0],
        estimates=estimates_of(COMPARED),
        truths=truths_of(COMPARED),
        published=PUBLISHED,
        figures=SHOWN if REPORTED else [],
        captions=[f"workflow/report/{Path(path).stem}.rst" for path in SHOWN],
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
        code=code("workflow/scripts/build_site.py"),
        results=lambda wildcards, input: str(Path(input.study).parent),
    message:
        "Building the site"
    script:
        "../scripts/build_site.py"
