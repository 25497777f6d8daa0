# A thin front: each recipe is a command or two that may as well be typed by hand.
.DEFAULT_GOAL := help
.PHONY: help setup browser reproduce smoke paper report readme docs test test-studies test-versions test-newest dist test-core test-records test-slurm records spreads mutants lint format lock clean

PYTHON ?= python3
CORES ?= all
LOCK_FLAGS ?=
PACKAGE ?= statistics
SAMPLE ?= 40
SEED ?= 0
TESTS ?= tests/unit/library tests/contract/test_estimators.py
READERS := tests/unit/library/explainers tests/unit/library/models
VERSIONS ?= lock newest oldest
CORE ?= $(if $(filter x86_64,$(shell uname -m)),Prescott,ARMV8)
SLURM_EXECUTOR ?= .venv/slurm-executor

BIN := .venv/bin
SNAKEMAKE := $(BIN)/snakemake --cores $(CORES)
REPORT := results/report.html
VALIDATOR := build/crate-validator
RECORDED := tests/records tests/contract/test_claims.py tests/unit/papers tests/unit/machinery/report \
    tests/unit/verify
TEST := $(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
    --no-emit-index-url --no-annotate --custom-compile-command "make lock" $(LOCK_FLAGS)

export PYTHON
export PATH := $(CURDIR)/$(BIN):$(PATH)
# Without bytecode each job would spend most of its time compiling the libraries it imports.
unexport PYTHONDONTWRITEBYTECODE
# Snakemake and pytest run one process per core: numerical libraries must not add threads of their own.
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1
export MKL_NUM_THREADS := 1
export NUMBA_NUM_THREADS := 1

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.venv/.installed: requirements.lock workflow/setup/install_python.sh
	@bash workflow/setup/install_python.sh

setup: .venv/.installed ## create .venv from requirements.lock; install LaTeX where that is possible
	@bash workflow/setup/install_latex.sh

reproduce: setup ## run the default study: estimates, claims, figures, paper, HTML report
	$(SNAKEMAKE)
	$(SNAKEMAKE) --report $(REPORT)
	@echo "Done. Report: results/paper/report.pdf; supplement: results/paper/supplement.pdf; site: results/site/index.html; run: $(REPORT)."

smoke: setup ## run the small study (about 2 minutes)
	$(SNAKEMAKE) --configfile config/smoke.yaml

paper: setup ## build the PDF of the paper and what it needs
	$(SNAKEMAKE) paper

report: .venv/.installed ## the site of a study, and Snakemake's own report of the run
	$(SNAKEMAKE) build_site
	$(SNAKEMAKE) --report $(REPORT)

readme: .venv/.installed ## write what a finished default study found into README.md and docs/
	$(BIN)/python workflow/setup/update_docs.py
	$(BIN)/python workflow/setup/update_readme.py

docs: .venv/.installed ## build the documentation site: docs/_build/index.html
	PYTHONPATH=src $(BIN)/sphinx-build --quiet --fail-on-warning --conf-dir docs . docs/_build

test: setup browser $(VALIDATOR)/bin/rocrate-validator ## run the test suite, the small study among it
	@$(BIN)/python tests/speed.py
	$(TEST) -m "not studies"

test-studies: setup browser ## run the tests that kill, edit and repeat whole studies
	$(TEST) -m studies tests/workflow

test-versions: .venv/.installed ## run TESTS with locked, newest and oldest packages (or some VERSIONS)
	VERSIONS="$(VERSIONS)" bash workflow/setup/test_versions.sh --numprocesses 2 --dist loadfile $(TESTS)

test-newest: .venv/.installed ## run the tests of what reads models with the newest packages
	VERSIONS=newest bash workflow/setup/test_versions.sh --numprocesses 2 --dist loadfile $(READERS)

dist: .venv/.installed ## build wheel and source archive, and try the wheel under every Python that is here
	bash workflow/setup/make_dist.sh

browser:
	@bash workflow/setup/install_browser.sh
	@bash workflow/setup/install_openmp.sh

# An environment of its own, because the validator and import-linter need different versions of rich.
$(VALIDATOR)/bin/rocrate-validator: | .venv/.installed
	$(BIN)/python -m venv $(VALIDATOR)
	$(VALIDATOR)/bin/python -m pip install --quiet --disable-pip-version-check roc-validator==0.13.0

test-core: setup ## run the numerical tests with the linear algebra of another processor, a CORE
	OPENBLAS_CORETYPE=$(CORE) $(TEST) tests/records tests/contract tests/unit/library \
	    tests/unit/papers/theory tests/unit/benchmarks

test-records: setup ## run the records and the contract of the estimators with the linear algebra of a CORE
	OPENBLAS_CORETYPE=$(CORE) $(TEST) tests/records tests/contract/test_estimators.py

test-slurm: setup ## run two studies through Slurm on this machine (as root, on Debian; installs Slurm)
	$(BIN)/uv pip install --quiet --target $(SLURM_EXECUTOR) --no-deps \
	    snakemake-executor-plugin-slurm snakemake-executor-plugin-slurm-jobstep throttler
	PYTHONPATH=$(abspath $(SLURM_EXECUTOR)) $(BIN)/python -m pytest tests/workflow/on_slurm.py

records: .venv/.installed ## write anew what tests/records holds: look at what has changed
	rm -f tests/records/*.json
	SHAPAUDIT_RECORD=$(CURDIR)/tests/records $(BIN)/python -m pytest -q $(RECORDED) \
	    -k "records or on_record or papers"

spreads: .venv/.installed ## measure how far rounding moves the values on record (an hour)
	$(BIN)/python tests/spreads.py $(RECORDED)

mutants: .venv/.installed ## faults in a PACKAGE that its tests should see: a SAMPLE of them, by SEED
	$(BIN)/python tests/mutants.py $(PACKAGE) --sample $(SAMPLE) --seed $(SEED)

lint: .venv/.installed ## check style, imports, types and workflow
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow
	PYTHONPATH=src $(BIN)/lint-imports --no-cache
	$(BIN)/mypy
	$(BIN)/snakemake --lint

format: .venv/.installed ## format Python and Snakemake files in place
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/snakefmt Snakefile workflow

lock: .venv/.installed ## recompile the lock files (LOCK_FLAGS=--upgrade for newer versions)
	$(COMPILE) --fork-strategy fewest --all-extras pyproject.toml --output-file requirements.lock
	$(COMPILE) --override benchmarks/overrides.txt benchmarks/requirements.txt pyproject.toml \
	    --output-file benchmarks/requirements.lock
	for name in packages torch; do $(COMPILE) --python-version 3.12 --override workflow/conformance/overrides.txt \
	    workflow/conformance/$$name.txt --output-file workflow/conformance/$$name.lock || exit 1; done

clean: ## remove results, logs and caches; .venv and data stay
	rm -rf build results logs docs/_build paper/build .snakemake .pytest_cache .ruff_cache .mypy_cache .hypothesis
