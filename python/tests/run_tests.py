#!/usr/bin/env python3
"""Runs the tests of the package, or one other check of it; the exit status is 77 (skipped) where a module is missing.

usage: run_tests.py package | notebook | types
"""
import pathlib
import runpy
import subprocess
import sys
import unittest

SKIPPED = 77
tests = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(tests), str(tests.parent)]


def skip(what: str) -> None:
    print(f"skipped: {what} is not installed for {sys.executable}")
    sys.exit(SKIPPED)


if sys.argv[1:] == ["types"]:
    try:
        import mypy  # noqa: F401
    except ImportError:
        skip("mypy")
    sys.exit(subprocess.run([sys.executable, "-m", "mypy", "--config-file", str(tests.parent / "mypy.ini"),
                             "--cache-dir", "/dev/null", str(tests.parent / "weft")], check=False).returncode)
try:
    import matplotlib
    import pandas  # noqa: F401
    import yaml  # noqa: F401
except ImportError as error:
    skip(error.name or "pandas")
matplotlib.use("Agg")
if sys.argv[1:] == ["notebook"]:
    sys.argv = ["run_notebook.py", str(tests.parents[1] / "docs/python.ipynb")]
    runpy.run_path(str(tests / "run_notebook.py"), run_name="__main__")
else:
    unittest.main(module=None, argv=["unittest", "discover", "-v", "-s", str(tests)])
