"""What the program writes, as objects: the report of a run, the tables of a sweep."""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import re
from typing import Any, Mapping, Optional, Union

try:
    import pandas as pd
except ImportError as missing:
    raise ImportError("weft reads tables as DataFrames: install pandas (apt-get install python3-pandas, "
                      "or pip install pandas)") from missing

from .errors import Diagnostic

SCHEMA = "weft-report/2"
Value = Union[int, float, str, bool, None]
PathLike = Union[str, "os.PathLike[str]"]


@dataclasses.dataclass(frozen=True)
class Figure:
    """A figure of a report. unit is "1" for a count and "" for a name; value is None where the run has none."""

    value: Value
    unit: str
    definition: str


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Report:
    """The report of a run (docs/report.md explains its words).

    figures: section -> key -> Figure. tables: key -> DataFrame with a row per line of the table and a column per key;
    attrs["units"] and attrs["definitions"] go from column to text, attrs["title"] and attrs["meaning"] are the table's.
    Times are ns and rates Gb/s. A field without a value is missing (NaN or None).
    complete is False if the run failed or was interrupted, and incomplete_because says why.
    notes: warnings about the results; warnings: those about the configuration (of `run` alone: no file has them).
    folder: where the files are, or None. json: the whole report as it was written.
    """

    title: str
    config: str
    seed: int
    weft: str
    complete: bool
    incomplete_because: Optional[str]
    implementation: str
    notes: tuple[str, ...]
    warnings: tuple[Diagnostic, ...]
    figures: Mapping[str, Mapping[str, Figure]]
    tables: Mapping[str, pd.DataFrame]
    folder: Optional[pathlib.Path]
    json: Mapping[str, Any] = dataclasses.field(repr=False)

    def __getitem__(self, name: str) -> Value:
        """The value of "<section>.<figure>", as in report["run.accepted"]; its unit is in figures. Raises KeyError."""
        section, _, key = name.removeprefix("sections.").partition(".")  # sweeps say sections.run.accepted
        if key not in self.figures.get(section, {}):
            known = ", ".join(f"{s}.{k}" for s, keys in self.figures.items() for k in keys)
            raise KeyError(f"no figure {name!r}; there are {known}")
        return self.figures[section][key].value

    @property
    def units(self) -> dict[str, str]:
        """Unit of each "<section>.<figure>": "1" for counts, "" for names. Columns have theirs in attrs["units"]."""
        return {f"{section}.{key}": figure.unit
                for section, keys in self.figures.items() for key, figure in keys.items()}

    def __repr__(self) -> str:
        state = "" if self.complete else ", incomplete"
        return f"<weft.Report {self.title!r}, seed {self.seed}{state}, tables: {', '.join(self.tables)}>"


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Sweep:
    """The tables of a sweep.

    summary: a row per point: the axes, seeds, then <metric>_mean, <metric>_stddev, <metric>_ci95 of each metric.
    results: a row per point and seed: the axes, seed, status ("done" or "failed"), message, the metrics, notes.
    attrs["units"] of both goes from column to unit, "" for names and where the program gives none.
    folder: where the files are, or None. warnings: about the configuration (of `sweep` alone: no file has them).
    """

    summary: pd.DataFrame
    results: pd.DataFrame
    folder: Optional[pathlib.Path]
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def units(self) -> dict[str, str]:
        """Column of summary or results -> unit, "" for names and where the program gives none."""
        return {**self.results.attrs["units"], **self.summary.attrs["units"]}

    def __repr__(self) -> str:
        return f"<weft.Sweep of {len(self.summary)} points, {len(self.results)} runs>"


def table_of_json(table: Mapping[str, Any]) -> pd.DataFrame:
    """A table of report.json as a DataFrame, columns in the order of their declarations."""
    columns = table["columns"]
    frame = pd.DataFrame(table["rows"], columns=[c["key"] for c in columns])
    frame.attrs = {"units": {c["key"]: c["unit"] for c in columns},
                   "definitions": {c["key"]: c["definition"] for c in columns},
                   "title": table["title"], "meaning": table["meaning"]}
    return frame


def report_of_json(report: Mapping[str, Any], folder: Optional[pathlib.Path] = None,
                   warnings: tuple[Diagnostic, ...] = ()) -> Report:
    """The report of the content of report.json. Raises ValueError if it is of another version or damaged."""
    if not isinstance(report, dict):
        raise ValueError(f"no report: expected an object, got {type(report).__name__}")
    if report.get("schema") != SCHEMA:
        raise ValueError(f"a report of schema {report.get('schema')!r}; this package reads {SCHEMA!r}")
    try:
        return _report_of(report, folder, warnings)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(f"a damaged report: {type(error).__name__}: {error}") from error


def _report_of(report: Mapping[str, Any], folder: Optional[pathlib.Path],
               warnings: tuple[Diagnostic, ...]) -> Report:
    figures = {section: {key: Figure(f["value"], f["unit"], f["definition"]) for key, f in keys.items()}
               for section, keys in report["figures"].items()}
    tables = {key: table_of_json(table) for key, table in report["tables"].items()}
    return Report(report["title"], report["config"], report["seed"], report["weft"], report["complete"],
                  report.get("incomplete_because"), report["implementation"], tuple(report["notes"]), warnings, figures,
                  tables, folder, report)


def read_csv(path: PathLike) -> pd.DataFrame:
    """A CSV file of the program: the unit of a heading "key (unit)" goes to attrs["units"], the key stays as the name.

    An empty field alone is a missing value: a service may be called NA.
    """
    frame = pd.read_csv(path, keep_default_na=False, na_values=[""])
    units: dict[str, str] = {}
    names = []
    for heading in map(str, frame.columns):
        match = re.fullmatch(r"(.+?) \((.+)\)", heading)
        names.append(match[1] if match else heading)
        units[names[-1]] = match[2] if match else ""
    frame.columns = pd.Index(names)
    frame.attrs = {"units": units}
    return frame


def sweep_of_folder(folder: pathlib.Path, shown: Optional[pathlib.Path],
                    warnings: tuple[Diagnostic, ...] = ()) -> Sweep:
    """The sweep whose tables are in `folder`; `shown` is what it says of its folder."""
    return Sweep(read_csv(folder / "summary.csv"), read_csv(folder / "results.csv"), shown, warnings)


def load(folder: PathLike) -> Union[Report, Sweep]:
    """What `weft run` or `weft sweep` left in a folder.

    Raises FileNotFoundError if it has neither report.json nor summary.csv and results.csv, ValueError if the report is
    of another version or damaged.
    """
    path = pathlib.Path(folder)
    if (path / "summary.csv").is_file() and (path / "results.csv").is_file():  # a sweep has a report.json as well
        return sweep_of_folder(path, path)
    if (path / "report.json").is_file():
        try:
            report = json.loads((path / "report.json").read_text(encoding="utf-8"))
        except RecursionError as error:
            raise ValueError(f"{path / 'report.json'}: nested too deeply") from error
        return report_of_json(report, path)
    raise FileNotFoundError(f"{path}: neither report.json of a run nor summary.csv and results.csv of a sweep")
