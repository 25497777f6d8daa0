#!/usr/bin/env bash
# Runs tests with three sets of packages: those of requirements.lock, the newest and the oldest that
# the ranges of pyproject.toml allow. Each set has a new environment of its own in build/versions.
# VERSIONS names some of the sets; the arguments are those of pytest. The newest packages need a new
# Python: the first of NEWEST_PYTHON that is there is taken, or that of .venv.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

venv=.venv
. workflow/setup/index.sh
export UV_PYTHON_DOWNLOADS=never

install() { # packages into the environment of a set
    "$venv/bin/uv" pip install --quiet --python "$python" "$@"
}

failed=""
for set in ${VERSIONS:-lock newest oldest}; do
    folder=build/versions/$set
    python=$folder/bin/python
    interpreters=$venv/bin/python
    case $set in
    lock) packages="--require-hashes --requirement requirements.lock" ;;
    newest)
        packages="--requirement pyproject.toml --all-extras"
        interpreters="${NEWEST_PYTHON:-3.13 3.12} $interpreters"
        ;;
    oldest) packages="--requirement pyproject.toml --all-extras --resolution lowest-direct" ;;
    *)
        echo "error: VERSIONS names '$set'; there are lock, newest and oldest" >&2
        exit 1
        ;;
    esac
    for interpreter in $interpreters; do
        "$venv/bin/uv" venv --quiet --clear --python "$interpreter" "$folder" && break
    done
    # shellcheck disable=SC2086 # each word is an argument
    if ! { install $packages && install --no-deps --no-build-isolation --editable .; }; then
        failed="$failed $set (cannot be installed)"
        continue
    fi
    "$venv/bin/uv" pip freeze --python "$python" >"$folder/packages.txt"
    echo "== $set: $("$python" --version), $(wc -l <"$folder/packages.txt") packages ($folder/packages.txt)"
    # Kernels that one version of numba compiled are none of another's.
    NUMBA_CACHE_DIR=$PWD/$folder/kernels PYTHONPATH=src "$python" -m pytest "$@" || failed="$failed $set"
done
[ -z "$failed" ] || { echo "Failed:$failed" && exit 1; }
