#!/bin/sh
# weft sweep --launcher slurm on a real Slurm, whose controller and node are started here and stopped at the end (Debian:
# slurm-wlm, munge). The same bytes as a local run, also when a worker, the launcher or the whole job is ended.
#
# usage: slurm_sweep.sh <weft>       exit status 77: Slurm cannot start here
set -u
weft=$(realpath "$1")
PATH=$PATH:/usr/sbin:/sbin
for program in munged slurmctld slurmd sbatch squeue scancel scontrol sinfo; do
  command -v $program >/dev/null || { echo "skipped: there is no $program (packages slurm-wlm, munge)"; exit 77; }
done

folder=$(mktemp -d) || exit 1
slurm=$folder/slurm
pids=
finish() {
  status=$?
  trap - EXIT
  for pid in $pids; do kill "$pid" 2>/dev/null; done
  for pid in $pids; do
    for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" 2>/dev/null && sleep 0.5; done
    kill -9 "$pid" 2>/dev/null
  done
  [ $status -eq 0 ] || [ $status -eq 77 ] || tail -n 20 "$slurm"/*.log "$folder"/*.txt 2>/dev/null
  rm -rf "$folder"
  exit $status
}
trap finish EXIT
trap 'exit 1' INT TERM
skip() {
  echo "skipped: $1"
  tail -n 3 "$slurm"/*.log 2>/dev/null
  exit 77
}
fail() {
  echo "failed: $1"
  exit 1
}

# A cluster of one node and two processors, on ports and files of its own.
mkdir -p "$slurm/state" "$slurm/spool"
chmod 755 "$folder" "$slurm"
(umask 077 && head -c 1024 /dev/urandom > "$slurm/key")
munged --foreground --force --key-file "$slurm/key" --socket "$slurm/munge.socket" --pid-file "$slurm/munge.pid" \
  --log-file "$slurm/munge.log" --seed-file "$slurm/munge.seed" >/dev/null 2>&1 &
pids="$!"
user=$(id -un)
host=$(hostname -s)
port=$((20000 + $$ % 20000))
cat > "$slurm/slurm.conf" <<EOF
ClusterName=weft
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
CredType=cred/munge
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
KillWait=3
MinJobAge=60
NodeName=$host NodeAddr=127.0.0.1 CPUs=2
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
EOF
export SLURM_CONF="$slurm/slurm.conf"
slurmctld -D >/dev/null 2>&1 &
pids="$pids $!"
slurmd -D >/dev/null 2>&1 &
pids="$pids $!"
for _ in $(seq 40); do
  state=$(sinfo --noheader --format %t 2>/dev/null)
  [ "$state" = idle ] && break
  sleep 0.5
done
[ "$state" = idle ] || skip "Slurm cannot start here (its node is '$state')"

cd "$folder" || exit 1
cat > net.yaml <<'EOF'
fabric: tdm
topology: { kind: mesh, dims: [4, 4] }
pattern: tornado
sources: { arrivals: poisson, interval: 10us, message: 1kB }
run: { measure: 250ms }
EOF
cat > sweep.yaml <<'EOF'
sweep: net.yaml
title: A sweep on Slurm
axes:
  - { key: switch.slots, values: [8, 12] }
  - { key: sources.interval, name: interval, values: [20us, 10us, 9us] }
seeds: 4
metrics: { latency: sections.run.latency_max, waiting: 'tables.circuits[circuit=0].queueing' }
plots: { waiting: { x: interval, y: waiting, series: slots } }
EOF
"$weft" sweep sweep.yaml --out local >/dev/null 2>local.txt || fail "the local run"
launch() {  # in a shell of its own, which becomes the program: signals reach it
  exec "$weft" sweep sweep.yaml --out "$1" --launcher slurm --workers 4 --launcher-args '--time=10 --partition main'
}
expect_same() {
  for file in results.csv summary.csv report.html report.json waiting.svg; do
    cmp "local/$file" "$1/$file" || fail "$2: $file is another one"
  done
  [ ! -e "$1/workers" ] || fail "$2: files of the workers are left"
  for _ in $(seq 40); do  # a job that has ended may be completing for a while
    [ -z "$(squeue --noheader)" ] && return
    sleep 0.5
  done
  fail "$2: a job is left: $(squeue --noheader)"
}
wait_for_results() {  # of a part of the sweep in folder $1
  for _ in $(seq 100); do
    [ -n "$(find "$1/workers" -name results.sqlite -size +100k 2>/dev/null)" ] && return
    sleep 0.1
  done
  fail "no worker stores anything"
}

(launch whole) >whole.txt 2>&1 || fail "a launch"
expect_same whole "a launch"
echo "ok: a job array of 4 workers, 24 runs, the bytes of a local run"

launch killed >killed.txt 2>&1 &
launcher=$!
wait_for_results killed
scancel "$(squeue --noheader --array --states RUNNING --format %i | head -n 1)"
wait $launcher || fail "a launch with a worker that was ended"
grep -q "1 worker was ended before the end" killed.txt || fail "the worker that was ended is not told"
expect_same killed "a worker that was ended"
echo "ok: a worker was ended, its part was submitted again"

launch stopped >stopped.txt 2>&1 &
launcher=$!
wait_for_results stopped
kill -TERM $launcher  # a shell has its background commands ignore SIGINT
wait $launcher
[ $? -eq 130 ] || fail "an interrupt has another status"
sleep 1
[ -z "$(squeue --noheader)" ] || fail "an interrupt leaves the job"
kept=$(sed -n 's/^interrupted: \([0-9]*\) of 24 runs are stored.*/\1/p' stopped.txt)
[ "${kept:-0}" -gt 0 ] && [ "$kept" -lt 24 ] || fail "after an interrupt ${kept:-no} runs are stored"
(launch stopped) >again.txt 2>&1 || fail "a launch after an interrupt"
grep -q "^  run now  *$((24 - kept))$" again.txt || fail "after an interrupt other runs than the missing ones were made"
expect_same stopped "an interrupt"
echo "ok: interrupted with $kept runs stored, the next launch made the other $((24 - kept))"

launch left >left.txt 2>&1 &
launcher=$!
wait_for_results left
kill -KILL $launcher
(launch left) >followed.txt 2>&1 || fail "a launch after the launcher was killed"
grep -q "^following job" followed.txt || fail "the job of a killed launcher is not followed"
expect_same left "a launcher that was killed"
echo "ok: the launcher was killed, the next one followed its job"
