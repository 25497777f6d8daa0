#!/usr/bin/env bash
# Sees to the browser in which the tests click through the site: finds Chromium or Chrome, or installs
# Chromium where that needs no password. Nothing but that test depends on it, so this never fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

packages="chromium chromium-driver"
log=logs/setup/browser.log
. workflow/setup/apt.sh

found() {
    { command -v chromium || command -v google-chrome; } >/dev/null && command -v chromedriver >/dev/null
}

advise() {
    cat <<END
Browser: $1
  The test that clicks through the site needs Chromium or Chrome, and chromedriver:
    Debian, Ubuntu   sudo apt-get install --no-install-recommends $packages
END
    exit 0
}

if found; then
    echo "Browser: found"
    exit 0
fi
may_install || advise "none, and it cannot be installed from here (that takes apt-get and root)."

mkdir -p "$(dirname "$log")"
echo "Browser: installing $packages (log: $log)"
: >"$log"
# An index that could not be refreshed may still do.
apt update || true
apt install --no-install-recommends $packages || advise "the installation failed, see $log."
found || advise "still missing after the installation, see $log."
echo "Browser: installed"
