#!/usr/bin/env bash
# A Slurm cluster of one machine without accounting, to try the profile on: Debian or Ubuntu, as root.
#   usage: slurm_here.sh start | stop
# It writes /etc/slurm/slurm.conf, so it refuses a machine that has one of another origin.
set -euo pipefail

conf=/etc/slurm/slurm.conf
mark="# written by shapaudit: one machine, no accounting"

install_slurm() {
    command -v slurmctld >/dev/null && command -v slurmd >/dev/null && command -v munged >/dev/null && return
    apt-get update -qq || true
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends slurm-wlm munge >/dev/null
}

write_conf() {
    if [ -e "$conf" ] && ! grep -qF "$mark" "$conf"; then
        echo "$conf is of another cluster; this script leaves it alone" >&2
        exit 1
    fi
    mkdir -p "$(dirname "$conf")" /var/spool/slurmctld /var/spool/slurmd /var/log/slurm
    cat >"$conf" <<END
$mark
ClusterName=here
SlurmctldHost=$(hostname)
SlurmUser=root
AuthType=auth/munge
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd
SlurmctldLogFile=/var/log/slurm/slurmctld.log
SlurmdLogFile=/var/log/slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
ReturnToService=2
MinJobAge=3600
NodeName=$(hostname) CPUs=$(nproc) RealMemory=$(awk '/MemTotal/ {print int($2 / 1024)}' /proc/meminfo) State=UNKNOWN
PartitionName=here Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
}

start() {
    install_slurm
    write_conf
    mkdir -p /run/munge && chown munge: /run/munge
    pgrep -x munged >/dev/null || runuser -u munge -- munged
    pgrep -x slurmctld >/dev/null || slurmctld
    pgrep -x slurmd >/dev/null || slurmd
    for _ in $(seq 30); do
        sinfo --noheader --format=%T 2>/dev/null | grep -qE 'idle|mixed' && exit 0
        sleep 1
    done
    echo "the node did not come up; see /var/log/slurm" >&2
    exit 1
}

stop() {
    pkill -x slurmd || true
    pkill -x slurmctld || true
    grep -qF "$mark" "$conf" 2>/dev/null && rm "$conf"
}

case "${1:-}" in
start) start ;;
stop) stop ;;
*) sed -n '2,4p' "$0"; exit 2 ;;
esac
