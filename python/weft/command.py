"""Calls the program."""
from __future__ import annotations

import decimal
import json
import numbers
import operator
import os
import pathlib
import re
import signal
import subprocess
import tempfile
from typing import Any, Mapping, Optional, Union

from .errors import Diagnostic, WeftError, diagnostic_of_json, diagnostics_of_text
from .program import PathLike, find_program
from .results import Report, Sweep, report_of_json, sweep_of_folder

Settings = Optional[Mapping[str, Any]]


def _is_flow(text: str) -> bool:
    """Whether a text is a list or a map in brackets from its beginning to its end or to a comment."""
    closing = {"[": "]", "{": "}"}
    waiting: list[str] = []
    for token in re.finditer(r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[][{}]""", text):
        bracket = token.group()
        if bracket in closing:
            waiting.append(closing[bracket])
        elif bracket in "]}" and (not waiting or waiting.pop() != bracket):
            return False
        if not waiting:
            return re.fullmatch(r"\s*(\s#.*)?", text[token.end():]) is not None
    return False


def _read_otherwise(text: str) -> bool:
    """Whether YAML would not read a text as it is: as nothing, a comment, a map, an anchor, in other blanks, not at all.

    Lists and maps are meant as such, in brackets or, in several lines, without.
    """
    if text.lstrip()[:1] in ("[", "{"):
        return not _is_flow(text.lstrip())
    if "\n" in text and any(re.match(r"\s*- |[^#]*:(\s|$)", line) for line in text.splitlines()):
        return False
    if text in ("", "~", "null", "Null", "NULL") or text != text.strip():
        return True
    begins = r"[],}#&*!|>'\"%@`\ufeff]|[-?:](\s|$)|(---|\.\.\.)(\s|$)"
    return re.match(begins, text) is not None or re.search(r"\s#|:(\s|$)|[\x00-\x1f\x7f]", text) is not None


def text_of(value: Any, inside: bool = False) -> str:
    """A value as `--set` takes it: a string as it is ("10us"), numbers, booleans, None, lists and mappings as YAML.

    A string that YAML would change or refuse ("a: b", "'a'", "~", "a # b", "") is quoted; one that is a list or a map ("[1, 2]") is not. Numbers have at most 12 significant digits
    and no exponent, since keys with a limited number of decimals refuse the 0.30000000000000004 of 0.1 + 0.2. Raises TypeError for anything else, ValueError for infinity and NaN.
    """
    if value is None:
        return "null"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False) if inside or _read_otherwise(value) else value
    if hasattr(value, "tolist"):  # numpy's numbers and arrays
        return text_of(value.tolist(), inside)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        number = decimal.Decimal(format(float(value), ".12g"))
        if not number.is_finite():
            raise ValueError(f"{value} cannot be set")
        return format(number, "f")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{text_of(str(k), True)}: {text_of(v, True)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(text_of(v, True) for v in value) + "]"
    raise TypeError(f"a {type(value).__name__} cannot be set")


def _whole(name: str, value: Any) -> str:
    """A whole number as an option of the program. Raises TypeError for 1.5 and True, which int() would make 1."""
    if isinstance(value, bool):
        raise TypeError(f"{name}: expected a whole number, got {value}")
    try:
        return str(operator.index(value))
    except TypeError:
        raise TypeError(f"{name}: expected a whole number, got {value!r}") from None


def _finish(line: list[str]) -> subprocess.CompletedProcess[str]:
    """Runs the program to its end. A KeyboardInterrupt reaches it too, so that it stores what it has."""
    with subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          encoding="utf-8", errors="replace") as process:
        try:
            out, err = process.communicate()
        except KeyboardInterrupt:
            process.send_signal(signal.SIGINT)
            process.communicate()
            raise
        return subprocess.CompletedProcess(line, process.returncode, out, err)


def _call(command: str, config: PathLike, settings: Settings, options: list[str],
          program: Optional[PathLike]) -> tuple[int, dict[str, Any], list[Diagnostic]]:
    """Exit status, answer on standard output, and the diagnostics of standard error."""
    file = os.fspath(config)
    if file.startswith("-"):  # else it would be taken for an option
        file = os.path.join(".", file)
    if settings is not None and not isinstance(settings, Mapping):
        raise TypeError(f"set: expected a mapping of keys to values, got {settings!r}")
    line = [find_program(program), command, file, "--json"]
    for key, value in (settings or {}).items():
        line += ["--set", f"{key}={text_of(value)}"]
    done = _finish(line + options)
    said = diagnostics_of_text(done.stderr)
    try:
        answer = json.loads(done.stdout)
    except ValueError:  # killed, or another program: what it said is all there is
        said = said or [Diagnostic("error", "", 0, 0, done.stderr.strip() or "no answer")]
        raise WeftError(done.returncode, said) from None
    if "errors" in answer:
        raise WeftError(done.returncode, [diagnostic_of_json(e) for e in answer["errors"]])
    return done.returncode, answer, [d for d in said if d.severity == "warning"]


def run(config: PathLike, set: Settings = None, out: Optional[PathLike] = None, *, seed: Optional[int] = None,
        waves: Optional[PathLike] = None, overwrite: bool = False, program: Optional[PathLike] = None) -> Report:
    """Runs a configuration.

    set: key -> value, as `--set`: {"traffic.1.load": 0.3, "run.measure": "50us"}; bare numbers have the key's own unit.
    out: folder for the files, which the program makes and guards (docs/output_folders.md); without it none are written.
    overwrite: replace files in `out` that Weft has not written, and drop a checkpoint there. waves: a waveform (FILE.fst) to write; needs `out`.
    seed: instead of the configuration's. program: see find_program.

    Raises WeftError: exit_status 2 with every error of the input, 1 if the run failed, then with `result`, the report
    up to that time. Raises ProgramNotFound; ValueError for `waves` or `overwrite` without `out`, TypeError for a
    seed that is not a whole number.
    """
    if out is None and (waves is not None or overwrite):
        raise ValueError("waves and overwrite need the argument out")
    options = ["--no-files"] if out is None else ["--out", os.fspath(out)]
    if overwrite:
        options.append("--overwrite")
    if waves is not None:
        options += ["--waves", os.fspath(waves)]
    if seed is not None:
        options += ["--seed", _whole("seed", seed)]
    status, answer, warnings = _call("run", config, set, options, program)
    report = report_of_json(answer, None if out is None else pathlib.Path(out), tuple(warnings))
    if status != 0:
        raise WeftError(status, [Diagnostic("error", "", 0, 0, report.incomplete_because or "the run failed")], report)
    return report


def sweep(config: PathLike, set: Settings = None, out: Optional[PathLike] = None, *, quick: bool = False,
          jobs: Optional[int] = None, overwrite: bool = False, program: Optional[PathLike] = None) -> Sweep:
    """Runs a sweep file: a configuration at many points, with several seeds.

    set: key -> value over the sweep file: {"seeds": 3, "axes.0.values": [8, 32]}; keys of the configuration stand
    under its `set`. out: folder for the files; runs that are stored there are not repeated. Without it the files are
    removed when the tables have been read.
    quick: fewer points, as the file's section `quick` says. jobs: runs at a time (default: one per core).
    overwrite: replace files in `out` that Weft has not written, and drop a checkpoint there.

    Raises WeftError: exit_status 2 with every error of the input, 1 if runs failed, a diagnostic for each (its file is
    the point and seed), with `result`, the tables of the others. Raises ProgramNotFound.
    """
    options = ["--quick"] if quick else []
    if overwrite:
        options.append("--overwrite")
    if jobs is not None:
        options += ["--jobs", _whole("jobs", jobs)]
    if out is not None:
        return _sweep_into(pathlib.Path(out), pathlib.Path(out), config, set, options, program)
    with tempfile.TemporaryDirectory(prefix="weft-") as folder:
        return _sweep_into(pathlib.Path(folder), None, config, set, options, program)


def _sweep_into(folder: pathlib.Path, shown: Optional[pathlib.Path], config: PathLike, settings: Settings,
                options: list[str], program: Optional[PathLike]) -> Sweep:
    status, answer, warnings = _call("sweep", config, settings, [*options, "--out", str(folder)], program)
    result: Union[Sweep, None] = None
    if {"summary.csv", "results.csv"} <= {str(file) for file in answer.get("files", [])}:
        result = sweep_of_folder(folder, shown, tuple(warnings))
    if status != 0 or result is None:
        failures = [Diagnostic("error", f"{f['point']}, seed {f['seed']}", 0, 0, f["message"])
                    for f in answer.get("failures", [])]
        raise WeftError(status, failures, result)
    return result
