"""Where the program is."""
from __future__ import annotations

import os
import pathlib
import shutil
from typing import Optional, Union

from .errors import ProgramNotFound

PathLike = Union[str, "os.PathLike[str]"]


def find_program(program: Optional[PathLike] = None, package: Optional[PathLike] = None) -> str:
    """The path of the program: `program`, else $WEFT, else weft on the PATH, else that of the installation that this
    package belongs to (<prefix>/bin/weft), else build/weft of the checkout.

    package: folder of the package, for tests. Raises ProgramNotFound; also if `program` or $WEFT names no program: the
    others are not tried then.
    """
    named = program if program is not None else os.environ.get("WEFT") or None
    if named is not None:
        found = shutil.which(os.fspath(named))
        if found is None:
            source = "argument" if program is not None else "$WEFT"
            raise ProgramNotFound(f"{os.fspath(named)!r} ({source}) is no program")
        return found
    found = shutil.which("weft")
    if found is not None:
        return found
    here = pathlib.Path(package) if package is not None else pathlib.Path(__file__).resolve().parent
    places = []
    if here.parts[-4:] == ("lib", "python3", "dist-packages", "weft"):
        places.append(here.parents[3] / "bin" / "weft")
    if here.parts[-2:] == ("python", "weft"):
        places.append(here.parents[1] / "build" / "weft")
    for place in places:
        if place.is_file() and os.access(place, os.X_OK):
            return str(place)
    looked = ", ".join(["the argument program", "$WEFT", "PATH", *map(str, places)])
    raise ProgramNotFound(f"the program weft was not found in: {looked}; set WEFT to its path")
