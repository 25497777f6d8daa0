# Sourced by the scripts that install with uv, which does not read pip's settings: it takes the
# packages from the index that the pip of the environment $venv is told to use.

index=$("$venv/bin/python" -m pip config list |
    sed -nE "s/^(:env:|global|install)\.index-url='(.*)'\$/\2/p" | head -n 1)
if [ -n "$index" ]; then
    export UV_DEFAULT_INDEX=${UV_DEFAULT_INDEX:-${UV_INDEX_URL:-$index}}
fi
