"""Leaderboard: where estimators stand on the bank of games; outside of `all`."""

from shapaudit.judging.standing import RECORD as JUDGEMENTS, files_in


rule leaderboard:
    input:
        [str(path) for path in files_in(JUDGEMENTS)],
    output:
        f"{RESULTS}/leaderboard.html",
    log:
        f"{LOGS}/leaderboard.log",
    benchmark:
        f"{BENCHMARKS}/leaderboard.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    resources:
        mem_mb=1000,
    params:
        code=lambda wildcards: PLAN.code("workflow/scripts/write_leaderboard.py"),
    message:
        "Writing the leaderboard"
    script:
        "../scripts/write_leaderboard.py"
