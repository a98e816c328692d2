"""What can go wrong: the diagnostics of the program, and the exceptions that hold them."""
from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

if TYPE_CHECKING:
    from .results import Report, Sweep

_LINE = re.compile(r"^(?P<file>.+?)(?::(?P<line>\d+):(?P<column>\d+))?: (?P<severity>error|warning): (?P<message>.*)$")


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """One error or warning.

    file is as the program names it: a path, or "--set KEY=VALUE", or "command line"; empty if the run itself failed.
    line and column count from 1 and are 0 where there is no place.
    """

    severity: str
    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place}: {self.severity}: {self.message}" if place else f"{self.severity}: {self.message}"


def diagnostic_of_json(entry: Mapping[str, Any]) -> Diagnostic:
    """The diagnostic of an element of "errors" in an answer with --json; a failed run has a message and no place."""
    return Diagnostic(str(entry.get("severity", "error")), str(entry.get("file", "")), int(entry.get("line", 0)),
                      int(entry.get("column", 0)), str(entry.get("message", "")))


def diagnostics_of_text(text: str) -> list[Diagnostic]:
    """The diagnostics among the lines of standard error, in their order; other lines are left out."""
    found = []
    for line in text.splitlines():
        match = _LINE.match(line)
        if match:
            found.append(Diagnostic(match["severity"], match["file"], int(match["line"] or 0),
                                    int(match["column"] or 0), match["message"]))
    return found


class WeftError(Exception):
    """The program ended with another exit status than 0.

    exit_status: 1 the run itself failed, 2 bad input, 130 interrupted; negative: the signal that ended it.
    diagnostics: the errors, in the order of the program.
    result: what there is of a failed run or sweep (a report with complete == False), or None.
    """

    def __init__(self, exit_status: int, diagnostics: Sequence[Diagnostic],
                 result: Optional[Union["Report", "Sweep"]] = None) -> None:
        super().__init__("\n".join(map(str, diagnostics)) or f"weft ended with status {exit_status}")
        self.exit_status = exit_status
        self.diagnostics = tuple(diagnostics)
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:  # pickled: from processes of a pool
        return WeftError, (self.exit_status, self.diagnostics, self.result)


class ProgramNotFound(FileNotFoundError):
    """There is no program weft where it was looked for; the message names the places."""
