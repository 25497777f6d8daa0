# Installing Debian packages where that needs no password; sourced by the set-up scripts, which set $log.

apt() { # apt-get as root, without questions
    local sudo=""
    [ "$(id -u)" = 0 ] || sudo="sudo -n"
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get -y \
        -o Acquire::Retries=2 -o Acquire::http::Timeout=30 -o DPkg::Lock::Timeout=120 \
        "$@" </dev/null >>"$log" 2>&1
}

may_install() {
    command -v apt-get >/dev/null || return 1
    [ "$(id -u)" = 0 ] || sudo -n true </dev/null >/dev/null 2>&1
}
