#!/usr/bin/env bash
# Sees to the LaTeX that the paper needs: finds it, or installs it where that needs no password.
# Only the PDF depends on it, so this never fails; SHAPAUDIT_LATEX=skip leaves it alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

styles="adjustbox.sty amsmath.sty amsthm.sty booktabs.sty caption.sty hyperref.sty lmodern.sty \
longtable.sty microtype.sty natbib.sty placeins.sty siunitx.sty xcolor.sty"
packages="latexmk texlive-latex-recommended texlive-latex-extra texlive-science lmodern"
log=logs/setup/latex.log
. workflow/setup/apt.sh

missing() { # the programs and style files that are not there
    local found="" style
    command -v latexmk >/dev/null || found="latexmk"
    for style in $styles; do
        kpsewhich "$style" >/dev/null 2>&1 || found="$found $style"
    done
    echo $found
}

advise() {
    cat <<END
LaTeX: $1
  Everything but the PDF of the paper will be built. To have the PDF as well:
    Debian, Ubuntu   sudo apt-get install --no-install-recommends $packages
    elsewhere        TeX Live (macOS: MacTeX) with latexmk
  Missing: $2
END
    exit 0
}

if [ "${SHAPAUDIT_LATEX:-}" = skip ]; then
    echo "LaTeX: skipped (SHAPAUDIT_LATEX=skip)"
    exit 0
fi

lacking=$(missing)
if [ -z "$lacking" ]; then
    echo "LaTeX: found latexmk and every style file needed"
    exit 0
fi
may_install || advise "incomplete, and it cannot be installed from here (that takes apt-get and root)." "$lacking"

mkdir -p "$(dirname "$log")"
echo "LaTeX: installing $packages (log: $log)"
: >"$log"
# An index that could not be refreshed may still do.
apt update || true
apt install --no-install-recommends $packages || advise "the installation failed, see $log." "$lacking"

lacking=$(missing)
[ -z "$lacking" ] || advise "still incomplete after the installation, see $log." "$lacking"
echo "LaTeX: installed"
