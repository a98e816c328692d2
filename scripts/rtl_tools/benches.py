"""Pin-level benches of the RTL in a build folder: their programs, the cases of a block."""
import re
import subprocess

from rtl_tools.mutants import blocks

FOLDERS = {"tdm_pin_tests": "tdm", "packet_pin_tests": "packet", "iq_pin_tests": "iq", "optweb_pin_tests": "optweb"}


def programs(build):
    return {name: build / "tb" / folder / name for name, folder in FOLDERS.items()}


def cases(program):
    """Names `<block>_<size>.<case>` of a program; not those of the wave views."""
    listed = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, check=True).stdout
    suite = ""
    for line in listed.splitlines():
        name = line.split("#")[0].strip()
        if re.match(r"\S+\.$", line):
            suite = name
        elif line.startswith("  ") and re.match("|".join(blocks()), suite):
            yield suite + name
