"""Conformance: packages asked about cases with exact values; outside of `all`."""

from shapaudit_audit.conformance.record import RECORD, adapters_of, declared

# The package whose newest version is replaced by another one, as "shap==0.52"; all run without it.
PACKAGE = STUDY.package
CONFORMANCE = f"{RESULTS}/conformance/{PACKAGE or 'all'}"
ASKED = {path.stem: declared(path) | {"file": path} for path in adapters_of(PACKAGE)}
# What a worker runs beside its adapter.
WORKER = [
    f"shapaudit_audit/conformance/{name}"
    for name in ("worker.py", "case.py", "data.py", "exact.py", "judge.py", "trees.py", "cases")
]
ENVIRONMENTS = sorted({about["ENVIRONMENT"] for about in ASKED.values()})


wildcard_constraints:
    adapter="|".join(ASKED),
    environment="|".join(ENVIRONMENTS),


rule make_conformance_environment:
    input:
        "workflow/conformance/{environment}.lock",
    output:
        directory(f"{CONFORMANCE}/{{environment}}"),
    log:
        f"{LOGS}/make_conformance_environment/{PACKAGE}{{environment}}.log",
    benchmark:
        f"{BENCHMARKS}/make_conformance_environment/{PACKAGE}{{environment}}.tsv"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=2000,
    params:
        uv=f"{sys.executable} -m uv",
        # The newest versions of some packages need it.
        python=os.environ.get("UV_PYTHON", ">=3.12,<3.14"),
        other=f"install {PACKAGE}" if PACKAGE else "list",
    message:
        "Installing the packages of the environment {wildcards.environment}"
    shell:
        "( {params.uv} venv --python {params.python:q} {output:q}"
        " && {params.uv} pip sync --python {output:q}/bin/python --require-hashes {input:q}"
        " && {params.uv} pip {params.other} --python {output:q}/bin/python )"
        " >{log:q} 2>&1"
        " || {{ echo 'The environment of the packages could not be made, see {log}. It needs"
        " Python 3.12 or 3.13: name one by UV_PYTHON=/path/to/python3.12.' >&2; exit 1; }}"


rule try_packages:
    input:
        "workflow/conformance/absent.txt",
    output:
        f"{CONFORMANCE}/absent.json",
    log:
        f"{LOGS}/try_packages.log",
    benchmark:
        f"{BENCHMARKS}/try_packages.tsv"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=2000,
    params:
        code=lambda wildcards: PLAN.code("workflow/scripts/try_packages.py"),
        python=os.environ.get("UV_PYTHON", ">=3.12,<3.14"),
    message:
        "Trying to install packages of which it is recorded why they are absent"
    script:
        "../scripts/try_packages.py"


rule enumerate_cases:
    input:
        environment=rules.make_conformance_environment.output,
    output:
        f"{CONFORMANCE}/enumerated/{{environment}}.json",
    log:
        f"{LOGS}/enumerate_cases/{PACKAGE}{{environment}}.log",
    benchmark:
        f"{BENCHMARKS}/enumerate_cases/{PACKAGE}{{environment}}.tsv"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=2000,
    params:
        code=lambda wildcards: PLAN.code("workflow/scripts/enumerate_cases.py", *WORKER),
    message:
        "Enumerating the cases in the environment {wildcards.environment}"
    script:
        "../scripts/enumerate_cases.py"


rule ask_package:
    input:
        adapter=lambda wildcards: str(ASKED[wildcards.adapter]["file"]),
        environment=lambda wildcards: (f"{CONFORMANCE}/{ASKED[wildcards.adapter]['ENVIRONMENT']}"),
        enumerated=lambda wildcards: (
            f"{CONFORMANCE}/enumerated/{ASKED[wildcards.adapter]['ENVIRONMENT']}.json"
        ),
    output:
        f"{CONFORMANCE}/answers/{{adapter}}.csv",
    log:
        f"{LOGS}/ask_package/{PACKAGE}{{adapter}}.log",
    benchmark:
        f"{BENCHMARKS}/ask_package/{PACKAGE}{{adapter}}.tsv"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=3000,
    params:
        code=lambda wildcards: PLAN.code("workflow/scripts/ask_package.py", *WORKER),
    message:
        "Asking by {wildcards.adapter}"
    script:
        "../scripts/ask_package.py"


rule write_conformance:
    input:
        answers=[f"{CONFORMANCE}/answers/{adapter}.csv" for adapter in ASKED],
        environments=[f"{CONFORMANCE}/{environment}" for environment in ENVIRONMENTS],
        absent=[] if PACKAGE else rules.try_packages.output[0],
    output:
        # What all packages gave is on record.
        table=(
            f"{CONFORMANCE}/conformance.csv" if PACKAGE else str(RECORD.relative_to(SOURCE.parent))
        ),
        page=f"{CONFORMANCE}/conformance.md" if PACKAGE else "docs/conformance.md",
    log:
        f"{LOGS}/write_conformance{PACKAGE}.log",
    benchmark:
        f"{BENCHMARKS}/write_conformance{PACKAGE}.tsv"
    conda:
        "../../environment.yml"
    resources:
        mem_mb=1000,
    params:
        code=lambda wildcards: PLAN.code(
            "workflow/scripts/write_conformance.py", "shapaudit_audit/conformance"
        ),
    message:
        "Writing the page of the packages"
    script:
        "../scripts/write_conformance.py"


rule conformance:
    input:
        rules.write_conformance.output,
    message:
        "The page of the packages is {input[1]}"
