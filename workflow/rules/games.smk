"""Games: explicands and baselines, or removals; and the tables of their 2^d values."""


rule build_games:
    input:
        unpack(ask(jobs.BuildGames).inputs),
    output:
        directory(OF_RUN.games("{game}")),
    log:
        f"{LOGS}/{{run}}build_games/{{game}}.log",
    benchmark:
        f"{BENCHMARKS}/{{run}}build_games/{{game}}.tsv"
    priority: jobs.FIRST
    conda:
        "../../environment.yml"
    resources:
        mem_mb=4000,
    params:
        **ask(jobs.BuildGames).params,
    message:
        "Choosing explicands and tabulating the game {wildcards.game}"
    script:
        "../scripts/build_games.py"
