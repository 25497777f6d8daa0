"""Claims: verdicts on what the papers say, from the evidence alone, and what confirms them."""


rule judge_claims:
    input:
        unpack(ask(jobs.JudgeClaims).inputs),
    output:
        OF_RUN.claims,
    log:
        f"{LOGS}/{{run}}judge_claims.log",
    benchmark:
        f"{BENCHMARKS}/{{run}}judge_claims.tsv"
    priority: jobs.FIRST
    conda:
        "../../environment.yml"
    resources:
        mem_mb=2000,
    params:
        **ask(jobs.JudgeClaims).params,
    message:
        "Judging the claims"
    script:
        "../scripts/judge_claims.py"


rule verify_evidence:
    input:
        unpack(ask(jobs.VerifyEvidence).inputs),
    output:
        FILES.verified,
    log:
        f"{LOGS}/verify_evidence.log",
    benchmark:
        f"{BENCHMARKS}/verify_evidence.tsv"
    priority: jobs.FIRST
    conda:
        "../../environment.yml"
    resources:
        mem_mb=2000,
    params:
        **ask(jobs.VerifyEvidence).params,
    message:
        "Checking the evidence independently"
    script:
        "../scripts/verify_evidence.py"


rule audit:
    input:
        FILES.claims,
        FILES.verified,
    message:
        "The audit is in {input[0]}"
