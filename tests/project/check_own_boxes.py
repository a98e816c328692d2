#!/usr/bin/env python3
"""Boxes of the example own_reduction by their names, as a plug-in of an installed Weft.

usage: check_own_boxes.py <folder with the installation in prefix/ and the example, built>
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

work = pathlib.Path(sys.argv[1]).resolve()
weft = work / "prefix" / "bin" / "weft"
plugin = ("--plugin", "build/libown_boxes.so")


def call(*arguments, status=0):
    """Standard output and standard error."""
    result = subprocess.run([weft, *arguments], cwd=work / "own_reduction", capture_output=True, text=True, timeout=600)
    if result.returncode != status:
        sys.exit(f"weft {' '.join(arguments)}: status {result.returncode} instead of {status}\n{result.stdout[-2000:]}\n"
                 f"{result.stderr[-2000:]}")
    return result.stdout + result.stderr


def time(*arguments, file="named.yaml"):
    """Of a run in which every byte is right, in ns; what it is made of."""
    report, _ = json.JSONDecoder().raw_decode(call("run", file, *plugin, "--json", "--no-files", *arguments))
    run = report["figures"]["run"]
    if run["verified"]["value"] is not True:
        sys.exit(f"not verified: {run}")
    return run["time"]["value"], report["implementation"]


def expect(right, text):
    if not right:
        sys.exit(text)


def numbers(waveform):
    """Of a waveform: values of each signal one after the other."""
    vcd = subprocess.run(["fst2vcd", waveform], cwd=work / "own_reduction", capture_output=True, text=True, timeout=60)
    scopes, changes = [], {}
    for line in vcd.stdout.splitlines():
        words = line.split()
        if line.startswith("$scope"):
            scopes.append(words[2])
        elif line.startswith("$upscope"):
            scopes.pop()
        elif line.startswith("$var"):
            changes[words[3]] = (".".join([*scopes, words[4]]), [])
        elif line.startswith("b"):
            changes[words[1]][1].append(int(words[0][1:], 2))
    return dict(changes.values())


# 1,024 words at half pace: dispatch 3, read 50, latency 6.
scaled = json.JSONDecoder().raw_decode(call("run", "scaled.yaml", *plugin, "--json", "--no-files"))[0]
for row in scaled["tables"]["nodes"]["rows"]:
    expect(row["user_time"] == 5 * (3 + 50 + 2 * 1024 + 6), f"user logic: {row}")

both, made_of = time()
expect("reduction unit: largest_int16" in made_of and "boxes of sent words: scrambler" in made_of, made_of)
rtl, made_of = time("--set", "boxes.reduction=largest_int16_rtl")
expect(rtl == both, f"{rtl} ns with the RTL, {both} ns with C++")
expect("largest_int16_rtl" in made_of, made_of)
# By rendezvous: receivers are ready later than words stand before the gate, also behind a scrambler of two cycles; the
# descrambler is two cycles of 5 ns. Weft's unit has four stages in each of two levels, the example's has one.
plain, _ = time("--set", "verify=data", "--set", "boxes.reduction=largest_int16", file="network.yaml")
expect(both - plain == 10, f"{both} ns with scramblers, {plain} ns without")
own, _ = time("--set", "verify=data", file="network.yaml")
expect(own - plain == 2 * (4 - 1) * 5, f"{own} ns with Weft's unit, {plain} ns with that of the example")

said = call("run", "named.yaml", *plugin, "--json", "--no-files", "--set", "boxes.received=[]", status=1)
expect("the memory of node 0 is wrong from byte" in said, said)
said = call("check", "named.yaml", *plugin, "--set", "boxes.reduction=largest_int61", status=2)
expect("no reduction unit 'largest_int61' is registered; did you mean 'largest_int16'?" in said, said)
said = call("check", "named.yaml", status=2)
expect("named.yaml:5:17: error: no box on the path of words 'scrambler' is registered (none is; --plugin FILE loads one)" in said,
       said)
said = call("describe", *plugin)
expect("\n  largest_int16_rtl (reduction unit): largest of int16 numbers, max_int16.sv\n" in said, said[-500:])
# The scrambler shows the words that pass it, and its register.
if shutil.which("fst2vcd"):
    call("run", "named.yaml", *plugin, "--out", "shown", "--overwrite", "--waves", "boxes.fst")
    values = numbers("boxes.fst")
    box = "optweb.node[0].switch.sent[0]."
    expect(max(values[box + "words_in"]) == max(values[box + "words_out"]) > 0, "words of the scrambler in waves")
    expect(len(set(values[box + "register"])) > 1, "the register of the scrambler in waves")
# On two ranks the words of every stream are those of one process: each stream has bytes of its own behind the scrambler.
WORDS = """fabric: optweb
nodes: 4
verify: data
boxes: { sent: [scrambler], received: [scrambler] }
program: [{ op: scatter, size: 1000B }, { op: alltoall, size: 640B }, { op: reduce_scatter, size: 6400B }]
"""
(work / "own_reduction" / "words.yaml").write_text(WORDS)
if shutil.which("mpirun"):
    one = call("run", "words.yaml", *plugin, "--json", "--no-files")
    call("run", "words.yaml", *plugin, "--out", "one", "--overwrite", "--waves", "one.fst")
    environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                       OMPI_MCA_rmaps_base_oversubscribe="1")
    two = subprocess.run(["mpirun", "-n", "2", weft, "run", "words.yaml", *plugin, "--out", "ranks", "--overwrite",
                          "--waves", "two.fst"],
                         cwd=work / "own_reduction", capture_output=True, text=True, timeout=600, env=environment)
    if "built without MPI" not in two.stderr:
        expect(two.returncode == 0, f"words.yaml on two ranks:\n{two.stdout}\n{two.stderr}")
        expect((work / "own_reduction" / "ranks" / "report.json").read_text() == one, "words.yaml differs on two ranks")
        if shutil.which("fst2vcd"):
            expect(numbers("one.fst") == numbers("two.fst"), "waves of words.yaml differ on two ranks")
print("own_boxes: by names, as expected")
