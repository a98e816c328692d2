#!/usr/bin/env python3
"""Networks that several ranks simulate together: reports, tables and failures are the bytes of one process.

usage: ranks.py <project folder> <weft>       exit status 77: there is no mpirun, or weft was built without MPI
"""
import filecmp
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROJECT, WEFT = pathlib.Path(sys.argv[1]), str(pathlib.Path(sys.argv[2]).resolve())
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_hwloc_base_binding_policy="none",
                   SYSTEMC_DISABLE_COPYRIGHT_MESSAGE="1")
APART = {"run.json", ".weft-manifest"}  # host and times

# Configuration, options, ranks, exit status.
IQ = "configs/packet/iq_mesh_8x8.yaml"
SHORT = ["run.warm_up=2us", "run.measure=6us"]
CASES = [
    (IQ, SHORT, (2, 3), 0),
    # Worms over several ranks, few places, stages of several cycles, and none.
    (IQ, SHORT + ["topology={kind: torus, dims: [3, 3, 3]}", "qos.levels.data.message=640B", "traffic.0.load=0.3",
                  "switch.iq={vcs: 4, buffer: 192B, stages: {routing: 0cycles, crossbar: 3cycles}}",
                  "observe.message_log=true"], (2, 4), 0),
    # IB-like switches, with a line for every message.
    ("configs/packet/paper_torus_8x8.yaml", ["run.warm_up=5us", "run.measure=10us", "observe.message_log=true"], (2, 3), 0),
    # OPA-like ones, in a tree: some switches have no nodes.
    ("configs/packet/paper_tree_4ary3.yaml", ["switch.architecture=opa", "run.warm_up=5us", "run.measure=10us"], (3,), 0),
    # Profiles over time: of buffers that are looked at, with more windows than one holds; of switches that tell, in a run
    # whose length is decided on the way.
    (IQ, ["run.warm_up=1us", "run.measure=20us", "observe.profile=10ns"], (2, 3), 0),
    ("configs/packet/steady.yaml", ["run.half_width=10%", "observe.profile=1us"], (2, 3), 0),
    # The length of the run is decided on the way.
    ("configs/packet/steady.yaml", ["run.half_width=10%"], (2,), 0),
    ("configs/packet/dragonfly.yaml", [], (2,), 0),
    # Everything waits for everything, across ranks.
    ("configs/packet/ring_deadlock.yaml", [], (2,), 1),
]


def run(ranks, arguments, out):
    command = [WEFT, "run", *arguments, "--out", str(out)]
    if ranks > 1:
        command = ["mpirun", "-n", str(ranks), *command]
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=250)


def differences(one, other):
    names = {p.name for folder in (one, other) for p in folder.iterdir()} - APART
    return [n for n in sorted(names)
            if not ((one / n).exists() and (other / n).exists() and filecmp.cmp(one / n, other / n, shallow=False))]


def check_cases(scratch, wrong):
    for number, (config, settings, ranks, status) in enumerate(CASES):
        arguments = [str(PROJECT / config)] + [f"--set={s}" for s in settings]
        one = scratch / f"case{number}_1"
        alone = run(1, arguments, one)
        if alone.returncode != status:
            wrong.append(f"{config} {settings}: exit status {alone.returncode}\n{alone.stderr}")
            continue
        for n in ranks:
            out = scratch / f"case{number}_{n}"
            result = run(n, arguments, out)
            if result.returncode != status:
                wrong.append(f"{config} on {n} ranks: exit status {result.returncode}\n{result.stderr}")
            elif found := differences(one, out):
                wrong.append(f"{config} {settings} on {n} ranks: {', '.join(found)} differ")
            if f'"ranks": {n},' not in (out / "run.json").read_text():
                wrong.append(f"{config}: run.json does not say {n} ranks")


def check_refusals(scratch, wrong):
    for config, settings, words in [
            ("configs/tdm/mesh_4x4.yaml", [], "2 ranks: this fabric is simulated by one process"),
            ("configs/packet/faults_tree.yaml", [], "'faults'"),
            ("configs/packet/graph500_torus_16.yaml", [], "programs"),
            (IQ, ["topology={kind: mesh, dims: [1], nodes_per_switch: 2}"], "cannot be cut into so many parts"),
            (IQ, ["traffic.0.load=nothing"], "load")]:
        out = scratch / "refused"
        result = run(2, [str(PROJECT / config)] + [f"--set={s}" for s in settings], out)
        errors = [line for line in result.stderr.splitlines() if "error:" in line]
        if result.returncode != 2 or len(errors) != 1 or words not in errors[0] or out.exists():
            wrong.append(f"{config} {settings}: not refused as it should: {result.returncode} {errors}")


def check_interrupt(scratch, wrong):
    out = scratch / "interrupted"
    command = ["mpirun", "-n", "2", WEFT, "run", str(PROJECT / IQ), "--set=run.measure=1s", "--out", str(out)]
    job = subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not out.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(1)
    job.send_signal(signal.SIGINT)
    job.communicate(timeout=100)
    report = out / "report.json"
    if job.returncode == 0 or not report.exists() or "interrupted in cycle" not in report.read_text():
        wrong.append(f"an interrupt leaves no partial report: exit status {job.returncode}")


def main():
    if shutil.which("mpirun") is None:
        print("skipped: there is no mpirun (package openmpi-bin)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        probe = run(2, [str(PROJECT / IQ), "--set=run.measure=1us"], scratch / "probe")
        if "built without MPI" in probe.stderr:
            print("skipped: weft was built without MPI")
            return 77
        wrong = []
        check_cases(scratch, wrong)
        check_refusals(scratch, wrong)
        check_interrupt(scratch, wrong)
        print("\n".join(wrong))
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
