"""Claims: the audit of what the papers say, against exact theory, games and estimates."""

# Claims are examined on the games whose tables make every expectation exact.
TABULATED = [name for name, game in config["games"].items() if game["players"] <= 20]
EXPERIMENTS = {name: experiment["estimators"] for name, experiment in config["experiments"].items()}


rule audit_claims:
    input:
        games=expand(f"{RESULTS}/games/{{game}}", game=TABULATED),
        estimates=ESTIMATES,
        settings=SETTINGS,
        code=code("workflow/scripts/audit_claims.py"),
        schema="workflow/schemas/claims.schema.yaml",
    output:
        f"{RESULTS}/claims/claims.json",
    log:
        f"{LOGS}/audit_claims.log",
    benchmark:
        f"{BENCHMARKS}/audit_claims.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=4000,
    params:
        seed=config["seed"],
        study=config["study"],
        settings=config["claims"],
        experiments=EXPERIMENTS,
        pairs=[config["games"][game]["pairs"] for game in TABULATED],
    message:
        "Auditing the claims"
    script:
        "../scripts/audit_claims.py"


rule audit:
    input:
        rules.audit_claims.output,
    message:
        "The audit is in {input}"
