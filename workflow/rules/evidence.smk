"""Evidence: what the claims of a paper are judged by, gathered once and kept."""


rule gather_evidence:
    input:
        games=lambda wildcards: [
            f"{RESULTS}/{wildcards.run}games/{game}" for game in tabulated(wildcards)
        ],
        own=lambda wildcards: [f"{RESULTS}/games/{game}" for game in own_tabulated(wildcards)],
        estimates=lambda wildcards: estimates_of(looked_at(wildcards), wildcards.run),
        settings=lambda wildcards: settings_of(looked_at(wildcards), wildcards.run),
        published=lambda wildcards: published_of(PAPERS[wildcards.paper].reads),
        schema=schema_of("evidence"),
        tables=schema_of("estimates"),
    output:
        f"{RESULTS}/{{run}}evidence/{{paper}}.json",
    log:
        f"{LOGS}/{{run}}gather_evidence/{{paper}}.log",
    benchmark:
        f"{BENCHMARKS}/{{run}}gather_evidence/{{paper}}.tsv"
    priority: FIRST
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=4000,
    params:
        code=lambda wildcards: code(
            "workflow/scripts/gather_evidence.py", sources(wildcards.paper, "evidence")
        ),
        seed=seed_of,
        package=lambda wildcards: package_of(wildcards.paper),
        study=config["study"],
        # The error rate is what the claims are judged by.
        settings={key: value for key, value in config["claims"].items() if key != "alpha"},
        experiments=looked_at,
        players=lambda wildcards: {
            name: config["games"][setting["game"]]["players"]
            for name, setting in looked_at(wildcards).items()
        },
        explicands=lambda wildcards: [
            config["games"][game]["explicands"] for game in tabulated(wildcards)
        ],
        own_explicands=lambda wildcards: [
            config["games"][game]["explicands"] for game in own_tabulated(wildcards)
        ],
    message:
        "Gathering the evidence on {wildcards.paper}"
    script:
        "../scripts/gather_evidence.py"
