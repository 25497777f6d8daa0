"""Site: the study's comparison of estimators, claims, papers and figures as pages for use offline."""

from shapaudit_audit.conformance.record import RECORD
from shapaudit_audit.report.site.pages import files_of

SITE = f"{RESULTS}/site"


rule build_site:
    input:
        unpack(ask(jobs.BuildSite).inputs),
    output:
        findings=f"{RESULTS}/findings.txt",
        pages=[
            f"{SITE}/{name}"
            for name in files_of(
                STUDY.reported,
                bool(STUDY.removal_studies),
                RECORD.exists(),
                [paper.prefix for paper in PAPERS.values()],
            )
        ],
        figures=[
            path.replace(RESULTS, SITE, 1)
            for path in (jobs.all_figures(RESULTS, "svg") if STUDY.reported else [])
        ],
    log:
        f"{LOGS}/build_site.log",
    benchmark:
        f"{BENCHMARKS}/build_site.tsv"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=2000,
    params:
        **ask(jobs.BuildSite).params,
    message:
        "Building the site"
    script:
        "../scripts/build_site.py"
