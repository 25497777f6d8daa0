#!/usr/bin/env bash
# Creates .venv and brings it to exactly what requirements.lock says, hashes checked. Then compiles
# the numerical kernels, which a study would otherwise do in its first jobs.
# PYTHON names the interpreter (default: python3).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

python=${PYTHON:-python3}
venv=.venv

fail() {
    printf 'error: %s\n' "$@" >&2
    exit 1
}

if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "'$python' is not a Python of version 3.11 or later; name one: make setup PYTHON=python3.12"
    # What a user added there stays: links to a Python that is gone are renewed, nothing is cleared.
    for link in "$venv"/bin/python*; do
        if [ -L "$link" ] && [ ! -e "$link" ]; then rm "$link"; fi
    done
    "$python" -m venv "$venv" ||
        fail "'$python' cannot create a virtual environment (Debian, Ubuntu: apt-get install python3-venv)"
fi

echo "Installing the packages of requirements.lock into $venv"

# uv is in the lock as well: pip installs that one entry, uv the rest.
sed -n '/^uv==/,/[^\\]$/p' requirements.lock >"$venv/uv.txt"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes -r "$venv/uv.txt"

. workflow/setup/index.sh

# Packages that were added by hand stay: this installs, it does not remove.
if ! "$venv/bin/uv" pip install --quiet --python "$venv/bin/python" --require-hashes -r requirements.lock; then
    echo "uv could not install the packages; pip tries, which takes longer"
    "$venv/bin/python" -m pip install --quiet --require-hashes -r requirements.lock
fi

"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .

echo "Compiling numerical kernels"
log=$venv/kernels.log
if ! PYTHONPATH=src "$venv/bin/python" -m shapaudit_audit.kernels >"$log" 2>&1; then
    echo "Not all could be compiled (see $log); a study compiles the others when it needs them"
fi

touch "$venv/.installed"
