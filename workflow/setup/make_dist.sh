#!/usr/bin/env bash
# Builds wheel and source archive into dist/, and tries the wheel in new environments outside of the
# checkout: with the newest and the oldest packages that its ranges allow, under each Python of
# PYTHONS that is there. The source archive is tried by building the wheel from it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

venv=$PWD/.venv
. workflow/setup/index.sh
export UV_PYTHON_DOWNLOADS=never

rm -rf dist
"$venv/bin/python" -m hatchling build --target sdist --directory dist
unpacked=$(mktemp -d)
trap 'rm -rf "$unpacked"' EXIT
tar -xzf dist/*.tar.gz -C "$unpacked"
(cd "$unpacked"/* && "$venv/bin/python" -m hatchling build --target wheel --directory "$OLDPWD/dist")
wheel=$(echo "$PWD"/dist/*.whl)

cat >"$unpacked/mine.py" <<'PYTHON'
import numpy as np
import shapaudit

explanation = shapaudit.Explainer(lambda rows: rows[:, 0] * rows[:, 1], np.eye(4))(np.ones((2, 4)))
assert np.allclose(explanation.values.sum(axis=1) + explanation.base_values, 1)
PYTHON

try() { # the wheel with the packages of a resolution, under a Python
    folder=$unpacked/environment
    if ! "$venv/bin/uv" venv --quiet --clear --python "$1" "$folder" 2>/dev/null; then
        echo "== Python $1 is not here"
        return
    fi
    "$venv/bin/uv" pip install --quiet --python "$folder/bin/python" --resolution "$2" "$wheel[plots]"
    (
        cd "$folder"
        env -u PYTHONPATH bin/python "$unpacked/mine.py"
        env -u PYTHONPATH bin/shapaudit judge plain-monte-carlo --to judged >/dev/null
    )
    echo "== Python $1 with the packages of '$2': explains and judges"
}

try 3.11 lowest-direct # the oldest packages need not have wheels for a newer Python
for version in ${PYTHONS:-3.11 3.12 3.13 3.14}; do
    try "$version" highest
done
ls -l dist
