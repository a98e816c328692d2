"""Runs Weft, the interconnect simulator, and reads what it writes.

    import weft
    report = weft.run("configs/packet/first.yaml", set={"traffic.1.load": 0.3})
    report["run.accepted"]                    # 0.34..., a number
    report.figures["run"]["accepted"].unit    # 'flits/cycle/node'
    report.tables["links"]                    # a DataFrame, units in .attrs["units"]

`run` and `sweep` call the program; `load` reads a folder that it wrote. Errors of the input are a WeftError with the
file, line and column of each.
"""
from .command import run, sweep
from .errors import Diagnostic, ProgramNotFound, WeftError
from .program import find_program
from .results import Figure, Report, Sweep, load

__all__ = ["Diagnostic", "Figure", "ProgramNotFound", "Report", "Sweep", "WeftError",
           "find_program", "load", "run", "sweep"]
