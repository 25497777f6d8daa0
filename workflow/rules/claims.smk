"""Claims: the audit of what the papers say, against exact theory, games and estimates."""

# Claims are examined on the games whose tables make every expectation exact.
PUBLISHED = "config/published/chen_covert_lundberg_lee_2023.csv"
AUDITED, AUDITED_GAMES = audited(config)
TABULATED = [name for name, game in AUDITED_GAMES.items() if game["players"] <= TABULATED_PLAYERS]
REPETITIONS = expand(
    f"{RESULTS}/repetitions/{{seed}}/claims.json",
    seed=config.get("repetition", {}).get("seeds", []),
)


rule audit_claims:
    input:
        games=expand(f"{RESULTS}/games/{{game}}", game=TABULATED),
        estimates=estimates_of(AUDITED),
        settings=settings_of(AUDITED),
        published=PUBLISHED,
        schema="workflow/schemas/claims.schema.yaml",
    output:
        f"{RESULTS}/claims/claims.json",
    log:
        f"{LOGS}/audit_claims.log",
    benchmark:
        f"{BENCHMARKS}/audit_claims.tsv"
    priority: FIRST
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=4000,
    params:
        code=code("workflow/scripts/audit_claims.py"),
        seed=config["seed"],
        study=config["study"],
        settings=config["claims"],
        experiments=AUDITED,
        pairs=[config["games"][game]["pairs"] for game in TABULATED],
    message:
        "Auditing the claims"
    script:
        "../scripts/audit_claims.py"


rule repeat_study:
    input:
        published=PUBLISHED,
        schema="workflow/schemas/claims.schema.yaml",
    output:
        f"{RESULTS}/repetitions/{{seed}}/claims.json",
    log:
        f"{LOGS}/repeat_study/{{seed}}.log",
    benchmark:
        f"{BENCHMARKS}/repeat_study/{{seed}}.tsv"
    # The longest job of a study, and nothing waits for it but the numbers of the report.
    priority: 10
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=4000,
    params:
        code=code("workflow/scripts/repeat_study.py"),
        # What it does not run may change without it.
        study=repeated(config) if REPETITIONS else {},
    message:
        "Repeating the study from the base seed {wildcards.seed}"
    script:
        "../scripts/repeat_study.py"


rule audit:
    input:
        rules.audit_claims.output,
    message:
        "The audit is in {input}"
