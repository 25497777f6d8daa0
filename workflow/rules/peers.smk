"""Peers: other packages beside this one, in an environment of their own; outside of `all`."""

PEERS = f"{RESULTS}/peers"
PEERS_SIZE = STUDY.peers
# Their Python, with the package from here. Kernels that another numba compiles are kept apart.
PEERS_PYTHON = f"NUMBA_CACHE_DIR={PEERS}/environment/kernels {PEERS}/environment/bin/python"


rule make_peers_environment:
    input:
        "benchmarks/requirements.lock",
    output:
        directory(f"{PEERS}/environment"),
    log:
        f"{LOGS}/make_peers_environment.log",
    benchmark:
        f"{BENCHMARKS}/make_peers_environment.tsv"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=2000,
    params:
        uv=f"{sys.executable} -m uv",
        # The suite plays against estimators of shapiq that no earlier Python has.
        python=os.environ.get("UV_PYTHON", ">=3.12,<3.14"),
    message:
        "Installing the other packages"
    # Not `uv pip install`, which would resolve anew, without the overrides of the lock.
    shell:
        "( {params.uv} venv --python {params.python:q} {output:q}"
        " && {params.uv} pip sync --python {output:q}/bin/python --require-hashes {input:q} )"
        " >{log:q} 2>&1"
        " || {{ echo 'The environment of the other packages could not be made, see {log}. It needs"
        " Python 3.12 or 3.13: name one by UV_PYTHON=/path/to/python3.12.' >&2; exit 1; }}"


rule run_peers:
    input:
        environment=rules.make_peers_environment.output,
        study="config/config.yaml",
    output:
        f"{PEERS}/runs/{{peers_game}}.csv",
    log:
        f"{LOGS}/run_peers/{{peers_game}}.log",
    benchmark:
        f"{BENCHMARKS}/run_peers/{{peers_game}}.tsv"
    wildcard_constraints:
        peers_game="classification|regression",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=4000,
        runtime=120,
    params:
        code=lambda wildcards: PLAN.code("benchmarks/peers.py", "shapaudit/estimators"),
        explicands=PEERS_SIZE.explicands,
        python=PEERS_PYTHON,
    message:
        "Running all packages on {wildcards.peers_game}"
    shell:
        "{params.python} benchmarks/peers.py {output:q} --games {wildcards.peers_game}"
        " --explicands {params.explicands} >{log:q} 2>&1"


rule summarise_peers:
    input:
        environment=rules.make_peers_environment.output,
        runs=expand(f"{PEERS}/runs/{{peers_game}}.csv", peers_game=["classification", "regression"]),
    output:
        f"{PEERS}/peers.csv",
        f"{PEERS}/peers.md",
    log:
        f"{LOGS}/summarise_peers.log",
    benchmark:
        f"{BENCHMARKS}/summarise_peers.tsv"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=2000,
    params:
        code=lambda wildcards: PLAN.code("benchmarks/peers_summary.py"),
        python=PEERS_PYTHON,
        folder=lambda wildcards, output: str(Path(output[0]).parent),
    message:
        "Writing the table of the packages"
    shell:
        "{params.python} benchmarks/peers_summary.py {params.folder:q} {input.runs:q} >{log:q} 2>&1"


rule run_suite:
    input:
        environment=rules.make_peers_environment.output,
    output:
        f"{PEERS}/suite/{{players}}.csv",
    log:
        f"{LOGS}/run_suite/{{players}}.log",
    benchmark:
        f"{BENCHMARKS}/run_suite/{{players}}.tsv"
    wildcard_constraints:
        players="few|many",
    conda:
        "../../environment.yml"
    resources:
        mem_mb=9000,  # more than the addresses that the suite allows itself
        runtime=600,
    params:
        code=lambda wildcards: PLAN.code("benchmarks/suite.py", "shapaudit/estimators"),
        seeds=lambda wildcards: PEERS_SIZE.seeds if wildcards.players == "few" else 1,
        draw=PEERS_SIZE.draw,
        budgets=(
            f"--budgets {' '.join(map(str, PEERS_SIZE.budgets))}" if PEERS_SIZE.budgets else ""
        ),
        python=PEERS_PYTHON,
    message:
        "Running all packages on the suite's games of {wildcards.players} players"
    shell:
        "{params.python} benchmarks/suite.py {output:q} --part 'held out'"
        " --players {wildcards.players} --seeds {params.seeds} --draw {params.draw}"
        " {params.budgets} >{log:q} 2>&1"


rule summarise_suite:
    input:
        environment=rules.make_peers_environment.output,
        runs=expand(f"{PEERS}/suite/{{players}}.csv", players=["few", "many"]),
    output:
        f"{PEERS}/suite.csv",
        f"{PEERS}/suite.md",
    log:
        f"{LOGS}/summarise_suite.log",
    benchmark:
        f"{BENCHMARKS}/summarise_suite.tsv"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=2000,
    params:
        code=lambda wildcards: PLAN.code("benchmarks/suite_summary.py"),
        python=PEERS_PYTHON,
        folder=lambda wildcards, output: str(Path(output[0]).parent),
    message:
        "Writing the table of the suite"
    shell:
        "{params.python} benchmarks/suite_summary.py {params.folder:q} {input.runs:q} >{log:q} 2>&1"


rule compare_removals:
    input:
        environment=rules.make_peers_environment.output,
    output:
        f"{PEERS}/removals.md",
    log:
        f"{LOGS}/compare_removals.log",
    benchmark:
        f"{BENCHMARKS}/compare_removals.tsv"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=4000,
    params:
        code=lambda wildcards: PLAN.code("benchmarks/removals.py", "shapaudit/removals"),
        python=PEERS_PYTHON,
        folder=lambda wildcards, output: str(Path(output[0]).parent),
    message:
        "Timing removals beside those of the other packages"
    shell:
        "{params.python} benchmarks/removals.py {params.folder:q} >{log:q} 2>&1"


rule peers:
    input:
        rules.summarise_peers.output,
        rules.summarise_suite.output,
        rules.compare_removals.output,
    message:
        "The tables of the packages are in {PEERS}"
