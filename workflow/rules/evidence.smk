"""Evidence: what the claims of a paper are judged by, gathered once and kept."""


rule gather_evidence:
    input:
        unpack(ask(jobs.GatherEvidence).inputs),
    output:
        OF_RUN.evidence("{paper}"),
    log:
        f"{LOGS}/{{run}}gather_evidence/{{paper}}.log",
    benchmark:
        f"{BENCHMARKS}/{{run}}gather_evidence/{{paper}}.tsv"
    priority: jobs.FIRST
    conda:
        "../../environment.yml"
    resources:
        mem_mb=4000,
    params:
        **ask(jobs.GatherEvidence).params,
    message:
        "Gathering the evidence on {wildcards.paper}"
    script:
        "../scripts/gather_evidence.py"
