"""Claims: verdicts on what the papers say, from the evidence alone, and what confirms them."""

from glob import glob

# Folders in which claims are found.
CLAIMS = [sources(paper, "claims") for paper in PAPERS]


rule judge_claims:
    input:
        evidence=expand(f"{RESULTS}/{{{{run}}}}evidence/{{paper}}.json", paper=PAPERS),
        schema=schema_of("claims"),
        gathered=schema_of("evidence"),
    output:
        f"{RESULTS}/{{run}}claims/claims.json",
    log:
        f"{LOGS}/{{run}}judge_claims.log",
    benchmark:
        f"{BENCHMARKS}/{{run}}judge_claims.tsv"
    priority: FIRST
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
    params:
        code=code_of("workflow/scripts/judge_claims.py", *CLAIMS),
        study=config["study"],
        alpha=config["claims"]["alpha"],
    message:
        "Judging the claims"
    script:
        "../scripts/judge_claims.py"


rule verify_evidence:
    input:
        evidence=expand(f"{RESULTS}/evidence/{{paper}}.json", paper=PAPERS),
        claims=f"{RESULTS}/claims/claims.json",
        checker=sorted(glob("src/shapaudit_verify/*.py")),
    output:
        f"{RESULTS}/claims/verified.json",
    log:
        f"{LOGS}/verify_evidence.log",
    benchmark:
        f"{BENCHMARKS}/verify_evidence.tsv"
    priority: FIRST
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=2000,
    params:
        code=code_of("workflow/scripts/verify_evidence.py"),
    message:
        "Checking the evidence independently"
    script:
        "../scripts/verify_evidence.py"


rule audit:
    input:
        claims_of([""]),
        rules.verify_evidence.output,
    message:
        "The audit is in {input[0]}"
