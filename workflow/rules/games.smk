"""Games: pairs of explicand and baseline, or removals; and the tables of their 2^d values."""


rule build_games:
    input:
        dataset=lambda wildcards: (
            f"{RESULTS}/{wildcards.run}datasets/{dataset_of(wildcards.game)}.npz"
        ),
        model=lambda wildcards: f"{RESULTS}/{wildcards.run}models/{model_of(wildcards.game)}",
        removal=removal_of,
    output:
        directory(f"{RESULTS}/{{run}}games/{{game}}"),
    log:
        f"{LOGS}/{{run}}build_games/{{game}}.log",
    benchmark:
        f"{BENCHMARKS}/{{run}}build_games/{{game}}.tsv"
    priority: FIRST
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=4000,
    params:
        code=lambda wildcards: code(
            "workflow/scripts/build_games.py", *game_sources(wildcards.game)
        ),
        seed=seed_of,
        spec=lambda wildcards: without(config["games"][wildcards.game], "label", "truth"),
    message:
        "Choosing explicands and tabulating the game {wildcards.game}"
    script:
        "../scripts/build_games.py"
