#!/usr/bin/env bash
# Sees to the system's OpenMP, which LightGBM's wheel for Linux needs: finds it, or installs it where
# that needs no password. Nothing but the tests of LightGBM's own objects depends on it, so this never
# fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

packages="libgomp1"
log=logs/setup/openmp.log
. workflow/setup/apt.sh

found() {
    "${PYTHON:-python3}" -c 'import ctypes; ctypes.CDLL("libgomp.so.1")' >/dev/null 2>&1
}

advise() {
    cat <<END
OpenMP: $1
  The tests of LightGBM's own objects need it:
    Debian, Ubuntu   sudo apt-get install --no-install-recommends $packages
END
    exit 0
}

if found; then
    echo "OpenMP: found"
    exit 0
fi
may_install || advise "none, and it cannot be installed from here (that takes apt-get and root)."

mkdir -p "$(dirname "$log")"
echo "OpenMP: installing $packages (log: $log)"
: >"$log"
# An index that could not be refreshed may still do.
apt update || true
apt install --no-install-recommends $packages || advise "the installation failed, see $log."
found || advise "still missing after the installation, see $log."
echo "OpenMP: installed"
