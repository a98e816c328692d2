#!/usr/bin/env python3
"""Networks that several ranks simulate together: reports, tables and failures are the bytes of one process.

usage: ranks.py <project folder> <weft>       exit status 77: there is no mpirun, or weft was built without MPI
Each case runs on the first of its numbers of ranks; with WEFT_SOAK set (scripts/soak) on all of them. More ranks than
cores take their time: everyday, long cases run on two.
"""
import concurrent.futures
import filecmp
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from rank_cases import CASES, IQ, WRITTEN
from rank_programs import REFUSED, check_programs
from rank_waves import check_killed, check_waves

PROJECT, WEFT = pathlib.Path(sys.argv[1]), str(pathlib.Path(sys.argv[2]).resolve())
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none",
                   SYSTEMC_DISABLE_COPYRIGHT_MESSAGE="1")
APART = {"run.json", ".weft-manifest"}  # host and times
ALL = "WEFT_SOAK" in os.environ


def command_of(ranks, arguments, out):
    command = [WEFT, "run", *arguments, "--out", str(out)]
    return ["mpirun", "-n", str(ranks), *command] if ranks > 1 else command


def run(ranks, arguments, out):
    return subprocess.run(command_of(ranks, arguments, out), env=ENVIRONMENT, capture_output=True, text=True, timeout=250)


def start(ranks, arguments, out):
    return subprocess.Popen(command_of(ranks, arguments, out), env=ENVIRONMENT, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def place_of(config, scratch):
    return str((scratch if config in WRITTEN else PROJECT) / config)


def differences(one, other):
    names = {p.name for folder in (one, other) for p in folder.iterdir()} - APART
    return [n for n in sorted(names)
            if not ((one / n).exists() and (other / n).exists() and filecmp.cmp(one / n, other / n, shallow=False))]


def at_once(call, cases):
    """The results of `call` for each case, two at a time."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda case: call(*case), cases))


def check_cases(scratch, wrong):
    def run_alone(number, case):
        config, settings, *_ = case
        return run(1, [place_of(config, scratch)] + [f"--set={s}" for s in settings], scratch / f"case{number}_1")

    for number, alone in enumerate(at_once(run_alone, enumerate(CASES))):
        config, settings, ranks, status = CASES[number]
        arguments = [place_of(config, scratch)] + [f"--set={s}" for s in settings]
        one = scratch / f"case{number}_1"
        if alone.returncode != status:
            wrong.append(f"{config} {settings}: exit status {alone.returncode}\n{alone.stderr}")
            continue
        for n in ranks if ALL else ranks[:1]:
            out = scratch / f"case{number}_{n}"
            result = run(n, arguments, out)
            if result.returncode != status:
                wrong.append(f"{config} on {n} ranks: exit status {result.returncode}\n{result.stderr}")
            elif found := differences(one, out):
                wrong.append(f"{config} {settings} on {n} ranks: {', '.join(found)} differ")
            if f'"ranks": {n},' not in (out / "run.json").read_text():
                wrong.append(f"{config}: run.json does not say {n} ranks")


def check_refusals(scratch, wrong):
    refused = [
        ("configs/tdm/traffic_on_demand.yaml", [],
         "traffic_on_demand.yaml:8:16: error: 2 ranks: messages of nodes over circuits that are set up in the network"),
        ("configs/tdm/setup_4x4.yaml", ["topology={kind: mesh, dims: [4, 4], trunk: 2}", "slots.bundles=together"],
         "requests that choose among parallel links"),
        ("configs/tdm/setup_unit_lockstep.yaml", [], "RTL in the loop"),
        ("configs/tdm/host_interface_lockstep.yaml", [], "RTL in the loop ('host_interface')"),
        ("configs/tdm/programs_circuits.yaml", [], "programs_circuits.yaml:9:27: error: 2 ranks: circuits that change"),
        ("configs/tdm/lockstep_4x4.yaml", [], "lockstep_4x4.yaml:6:32: error: 2 ranks: RTL in the loop"),
        ("configs/tdm/mesh_4x4.yaml", ["observe.slot_trace=true"], "--set observe.slot_trace=true: error: 2 ranks:"),
        *REFUSED,
        ("nics.yaml", [], "at most 1 part"),
        (IQ, ["topology={kind: mesh, dims: [1], nodes_per_switch: 2}"], "cannot be cut into more parts than switches (1)"),
        (IQ, ["traffic.0.load=nothing"], "load")]

    def check(number, case):
        config, settings, words = case
        out = scratch / f"refused{number}"
        result = run(2, [place_of(config, scratch)] + [f"--set={s}" for s in settings], out)
        errors = [line for line in result.stderr.splitlines() if "error:" in line]
        if result.returncode != 2 or len(errors) != 1 or words not in errors[0] or out.exists():
            wrong.append(f"{config} {settings}: not refused as it should: {result.returncode} {errors}")

    at_once(check, enumerate(refused))


def check_interrupt(scratch, wrong):
    out = scratch / "interrupted"
    job = start(2, [str(PROJECT / IQ), "--set=run.measure=1s"], out)
    deadline = time.monotonic() + 60
    while not out.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(3)  # until both are on their way
    job.send_signal(signal.SIGINT)
    job.communicate(timeout=100)
    report = out / "report.json"
    if job.returncode == 0 or not report.exists() or "interrupted in cycle" not in report.read_text():
        wrong.append(f"an interrupt leaves no partial report: exit status {job.returncode}")


def check_terminal(scratch, wrong):
    """Open MPI gives the first rank a terminal, whatever its own output is."""
    command = command_of(2, [str(PROJECT / "configs/packet/ring_deadlock.yaml")], scratch / "terminal")
    result = subprocess.run(command, env=dict(ENVIRONMENT, TERM="xterm"), capture_output=True, text=True, timeout=100)
    if result.returncode != 1 or "PARTIAL" not in result.stdout or "\033[" in result.stdout + result.stderr:
        wrong.append(f"colours in a file: {result.returncode} {result.stdout[:300]!r} {result.stderr[:300]!r}")


def check_resume(scratch, wrong):
    command = ["mpirun", "-n", "2", WEFT, "run", "--resume", str(scratch)]
    result = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=100)
    if result.returncode != 2 or "--resume: error: a run on several ranks has no checkpoints" not in result.stderr:
        wrong.append(f"--resume on 2 ranks: {result.returncode} {result.stderr}")


def main():
    if shutil.which("mpirun") is None:
        print("skipped: there is no mpirun (package openmpi-bin)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        for name, text in WRITTEN.items():
            (scratch / name).write_text(text)
        probe = run(2, [str(PROJECT / IQ), "--set=run.measure=1us"], scratch / "probe")
        if "built without MPI" in probe.stderr:
            print("skipped: weft was built without MPI")
            return 77
        wrong = []
        check_cases(scratch, wrong)
        check_refusals(scratch, wrong)
        check_waves(run, place_of, scratch, wrong)
        check_programs(run, place_of, scratch, wrong)
        check_interrupt(scratch, wrong)
        check_killed(run, start, place_of, scratch, wrong)
        check_terminal(scratch, wrong)
        check_resume(scratch, wrong)
        print("\n".join(wrong))
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
