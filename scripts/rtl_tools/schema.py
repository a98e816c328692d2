"""Text of the RTL with all mutants in it: the environment variable WEFT_RTL_MUTANT chooses one by its number, before the
block is built. So all of those of a block are compiled once, and a mutant costs a run.

An expression becomes a choice between its mutants and itself, each as wide as it was: branches of `?:` have the width of
what they are assigned to. A statement that may be missing stands behind a condition.
"""
import pathlib

from rtl_tools import mutants

CHOICE = "weft_mutant"
DECLARATION = f"""
  int unsigned {CHOICE};
  initial {CHOICE} = $c32("([]{{ const char* n = std::getenv(\\"WEFT_RTL_MUTANT\\"); return n ? std::atoi(n) : 0; }}())");
"""
# Complaints about mutants, which may be as odd as they like.
QUIET = ("ALWCOMBORDER", "CMPCONST", "ENUMVALUE", "LATCH", "LITENDIAN", "SELRANGE", "UNDRIVEN", "UNOPTFLAT", "UNSIGNED", "UNUSED",
         "WIDTH", "WIDTHCONCAT")


def with_choices(text, chosen):
    """The text of a block with these mutants of it."""
    places = {}
    for mutant in chosen:
        places.setdefault(mutant.site, []).append(mutant)
    edits = []
    for site, here in places.items():
        old = text[site.begin:site.end]
        changed = [mutant for mutant in here if mutant.new is not None]
        if changed:
            choices = "".join(f"({CHOICE} == {mutant.number}) ? ({mutant.new}) : " for mutant in changed)
            edits.append((site.begin, site.end, f"({choices}({old}))"))
        for mutant in here:
            if mutant.new is None:
                begin, end = site.whole
                edits.append((begin, begin, f"begin if ({CHOICE} != {mutant.number}) "))
                edits.append((end, end, " end"))
    for begin, end, new in sorted(edits, reverse=True):
        text = mutants.put(text, begin, end, new)
    head = text.index("\n);", text.index("\nmodule ")) + len("\n);")
    quiet = "".join(f"// verilator lint_off {code}\n" for code in QUIET)
    return quiet + mutants.put(text, head, head, DECLARATION)


def place_of(folder, file):
    return pathlib.Path(folder) / file.parent.name / file.name


def holds(folder, block):
    """Whether the RTL in a folder has the mutants of a block in it."""
    target = place_of(folder, mutants.blocks()[block])
    return target.exists() and DECLARATION in target.read_text()


def write(folder, judged, without=()):
    """Writes the RTL with the mutants of the blocks `judged`, but those of the numbers `without`, to a folder, unless it is
    there. The other blocks keep their text and name, so that what is compiled of them is taken from a compiler's cache.
    """
    for block, file in mutants.blocks().items():
        text = file.read_text()
        target = place_of(folder, file)
        if block in judged:
            chosen = [mutant for mutant in mutants.mutants_of(block, text) if mutant.number not in without]
            new = with_choices(text, chosen)
        else:
            new = f'`line 1 "{file.relative_to(mutants.ROOT)}" 0\n{text}'
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_text() != new:
            target.write_text(new)
