"""Waveforms of networks that several ranks simulate (ranks.py): the signals, changes and view of one process."""
import os
import pathlib
import shutil
import signal
import subprocess
import time

IQ = "configs/packet/iq_mesh_8x8.yaml"
SOME = 'observe.waves={switches: ["sw[0..7]", "sw[24..31]", "nic[2]", "nic[60]"], from: 1us, until: 2us}'
CASES = [
    (IQ, ["run.warm_up=1us", "run.measure=500ns", "traffic.0.load=0.6"], 3),
    (IQ, ["run.warm_up=1us", "run.measure=2us", SOME], 2),
    ("iq_faults.yaml", [], 2),
    ("configs/packet/paper_torus_8x8.yaml", ["run.warm_up=1us", "run.measure=1us", SOME], 2),
    ("configs/packet/paper_tree_4ary3.yaml", ["switch.architecture=opa", "run.warm_up=100ns", "run.measure=200ns"], 2),
    # A window that the run does not reach.
    (IQ, ["run.warm_up=100ns", "run.measure=200ns", "observe.waves.from=1ms"], 2),
    ("configs/tdm/mesh_4x4.yaml", ["run.warm_up=2us", "run.measure=5us", "sources.interval=1us", "sources.message=256B"], 2),
    ("tdm_adapters.yaml", [], 4),
    ("configs/tdm/setup_adapters.yaml", ["slots.slot_update=true"], 3),
    ("configs/ideal/first.yaml", ["run.warm_up=1us", "run.measure=3us"], 3),
    ("configs/ideal/first.yaml", ["run.warm_up=1us", "run.measure=3us", "ideal={nodes: 64, latency: 400ns, receivers: parallel}",
                                  "observe.waves={nodes: [0, 20, 21, 63], from: 1us, until: 3us}"], 2),
    ("ideal_programs.yaml", ["observe.waves={nodes: [0, 1, 25, 26]}"], 3),
    ("configs/optweb/boxes_4.yaml", [], 3),
    ("optweb_clocks.yaml", ["observe.waves={nodes: [0, 2, 3, 7], from: 3us, until: 20us}"], 4),
    ("optweb_failing.yaml", [], 2),
]
REFUSED = [
    (IQ, ["observe.waves.transfers={}"], "observe.waves.transfers"),
    (IQ, ["observe.waves.trigger={event: failure}"], "observe.waves.trigger"),
    ("configs/tdm/phases_8x8.yaml", [], "waves of several phases"),
    ("configs/ideal/first.yaml", ["observe.waves.transfers={}"], "observe.waves.transfers"),
    ("configs/optweb/boxes_4.yaml", ["observe.waves.trigger={event: failure}"], "observe.waves.trigger"),
]


def changes(waveform):
    """Declarations, and by time the changes, in any order within a time."""
    lines = subprocess.run(["fst2vcd", str(waveform)], capture_output=True, text=True, check=True).stdout.splitlines()
    head = lines.index("$enddefinitions $end")
    first = next(i for i, line in enumerate(lines) if line.startswith("$scope") or i == head)
    times, now = [], []
    for line in lines[head:]:
        if line.startswith("#"):
            times.append((now[0] if now else "", sorted(now[1:])))
            now = []
        now.append(line)
    return lines[first:head], times + [(now[0], sorted(now[1:]))]


def check_killed(run, start, place_of, scratch, wrong):
    """What a killed rank leaves of the waveform is removed by the next command, in the folder of results and outside."""
    arguments = [place_of(IQ, scratch), "--set=run.measure=1s"]
    for place in ("killed/out/w.fst", "killed/w.fst"):
        waves = scratch / place
        out = scratch / "killed/out"
        job = start(2, [*arguments, "--waves", str(waves)], out)
        part = waves.with_name("w.fst.rank1.part.hier")
        deadline = time.monotonic() + 60
        while not (part.exists() and part.with_suffix("").stat().st_size > 10_000) and time.monotonic() < deadline:
            time.sleep(0.1)
        ranks = [p for line in pathlib.Path(f"/proc/{job.pid}/task").glob("*/children") for p in line.read_text().split()]
        for rank in ranks:
            os.kill(int(rank), signal.SIGKILL)
        job.communicate(timeout=100)
        left = [p.name for p in waves.parent.iterdir() if ".rank" in p.name]
        if "w.fst.rank1.part" not in left:
            wrong.append(f"{place}: the kill came too early or too late: {left}")
        short = [place_of(IQ, scratch), "--set=run.measure=1us"]
        result = run(1, short if waves.parent == out else [*short, "--waves", str(waves)], out)
        left = [p.name for p in waves.parent.iterdir() if ".rank" in p.name]
        if result.returncode != 0 or left:
            wrong.append(f"{place}: the next command leaves {left} of killed ranks: {result.stderr}")


def check_waves(run, place_of, scratch, wrong):
    if shutil.which("fst2vcd") is None:
        print("no fst2vcd: waves of ranks were not looked at")
        return
    for number, (config, settings, ranks) in enumerate(CASES):
        arguments = [place_of(config, scratch)] + [f"--set={s}" for s in settings]
        folders = []
        for n in (1, ranks):
            folders.append(scratch / f"waves{number}_{n}")
            folders[-1].mkdir()
            result = run(n, arguments + ["--waves", str(folders[-1] / "w.fst")], folders[-1] / "out")
            if result.returncode != 0:
                wrong.append(f"waves of {config} {settings} on {n} ranks: exit status {result.returncode}\n{result.stderr}")
        one, other = folders
        names = sorted(p.name for p in other.iterdir())
        if names != ["out", "w.fst", "w.gtkw"]:
            wrong.append(f"waves of {config} {settings} on {ranks} ranks: {names}")
        elif changes(one / "w.fst") != changes(other / "w.fst"):
            wrong.append(f"waves of {config} {settings} on {ranks} ranks: other changes")
        elif (one / "w.gtkw").read_bytes() != (other / "w.gtkw").read_bytes():
            wrong.append(f"waves of {config} {settings} on {ranks} ranks: another view")
    for config, settings, words in REFUSED:
        waves = scratch / "refused.fst"
        result = run(2, [place_of(config, scratch), "--waves", str(waves)] + [f"--set={s}" for s in settings], scratch / "out")
        if result.returncode != 2 or words not in result.stderr or waves.exists():
            wrong.append(f"waves of {config} {settings}: not refused as they should be: {result.returncode} {result.stderr}")
