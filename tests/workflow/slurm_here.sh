#!/usr/bin/env bash
# A Slurm cluster of one machine without accounting, to try the profile on: Debian or Ubuntu, as root.
#   usage: slurm_here.sh start | stop
# It writes /etc/slurm/slurm.conf, so it refuses a machine that has one of another origin.
set -euo pipefail

conf=/etc/slurm/slurm.conf
mark="# written by shapaudit: one machine, no accounting"
ours=/run/shapaudit-munged # there if munged was started here

install_slurm() {
    command -v slurmctld >/dev/null && command -v slurmd >/dev/null && command -v munged >/dev/null && return
    apt-get update -qq || true
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends slurm-wlm munge >/dev/null
}

# Processes are found by /proc and tasks are not bound, because containers and small virtual machines
# may have no control groups. Finished jobs stay visible for an hour to whoever asks squeue.
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
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.pid
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

# By the file of its identifier, not by its name: where nobody collects dead processes they keep it.
lives() {
    [ -e "$1" ] && grep -qs '^State:[[:space:]]*[^Z]' "/proc/$(cat "$1")/status"
}

start() {
    install_slurm
    write_conf
    if ! lives /run/munge/munged.pid; then
        mkdir -p /run/munge && chown munge: /run/munge
        runuser -u munge -- munged --force
        touch "$ours"
    fi
    lives /run/slurmctld.pid || slurmctld
    lives /run/slurmd.pid || slurmd
    for _ in $(seq 60); do
        sinfo --noheader --format=%T 2>/dev/null | grep -qE '^(idle|mixed)' && exit 0
        sleep 1
    done
    echo "the node did not come up; see /var/log/slurm" >&2
    exit 1
}

end() {
    lives "$1" || return 0
    kill "$(cat "$1")"
    for _ in $(seq 60); do
        lives "$1" || return 0
        sleep 1
    done
    echo "the process of $1 did not end" >&2
}

# Jobs that were left would begin again at the next start.
stop() {
    grep -qsF "$mark" "$conf" || return 0
    if lives /run/slurmctld.pid; then
        scancel --state=pending || true
        scancel --state=running || true
        for _ in $(seq 60); do
            [ -z "$(squeue --noheader)" ] && break
            sleep 1
        done
    fi
    end /run/slurmd.pid
    end /run/slurmctld.pid
    if [ -e "$ours" ]; then
        end /run/munge/munged.pid
        rm -f "$ours"
    fi
    rm "$conf"
}

case "${1:-}" in
start) start ;;
stop) stop ;;
*)
    sed -n '2,4p' "$0"
    exit 2
    ;;
esac
