#!/usr/bin/env python3
"""scripts/mutate: the mutants of every block, and the rules for results and explanations, on results written here.

usage: rtl_mutation_test.py <project folder>
"""
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
root = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(root / "scripts"))
from rtl_tools import levels, mutants, schema, scores  # noqa: E402  (needs the path)


def expect(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: {got} instead of {wanted}")


# Mutants of a module written here: where they are, and where not.
TEXT = """/// Header with a <= b && c.
module part #(
  parameter int unsigned Width = 4
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic a_i,
  input  logic b_i,
  output logic y_o
);
  if (Width < 1) $error("part: Width must be 1 or more");
  localparam int unsigned Twice = Width + Width;
  logic q;
  logic [3:0] count_q;
  assign q = a_i && !b_i;  // a_i || b_i
  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_q <= '0;
    else if (q) count_q <= count_q + 4'(1);
  end
  assign y_o = count_q[Width-1];
`ifdef FORMAL
  assign never = a_i && b_i;
`endif
endmodule
"""
found = {(site.kind, site.left, TEXT[site.begin:site.end]) for site in mutants.sites(TEXT)}
expect("sites", found, {
    ("assignment", "q", "a_i && !b_i"), ("condition", "if", "!rst_ni"), ("assignment", "count_q", "'0"),
    ("condition", "if", "q"), ("assignment", "count_q", "count_q + 4'(1)"), ("assignment", "y_o", "count_q[Width-1]")})
site = next(site for site in mutants.sites(TEXT) if site.left == "q")
texts = {new for _, new in mutants.changes(site, "a_i && !b_i", {"a_i": mutants.Others(["b_i"])})}
expect("changes", texts, {
    "a_i || !b_i", "a_i && b_i", "a_i", "!b_i", "b_i && !b_i", "!a_i && !b_i", "~(a_i && !b_i)", "'0", "'1"})
add = {new for _, new in mutants.changes(site._replace(kind="assignment", whole=(0, 1)), "count_q + 4'(1)", {})}
expect("changes of a sum", add, {
    "count_q - 4'(1)", "count_q + 4'(2)", "count_q", "4'(1)", None, "~(count_q + 4'(1))", "'0", "'1"})
expect("code without comments", mutants.fingerprint(TEXT), mutants.fingerprint(TEXT.replace("  // a_i || b_i", "")))
if mutants.fingerprint(TEXT) == mutants.fingerprint(TEXT.replace("a_i && !b_i", "a_i && b_i")):
    sys.exit("a changed block has the same fingerprint")

# Mutants of the blocks.
for block, file in mutants.blocks().items():
    text = file.read_text()
    made = mutants.mutants_of(block, text)
    if len(made) < 25:
        sys.exit(f"{block}: {len(made)} mutants")
    expect(f"{block} twice", mutants.mutants_of(block, text), made)
    commented = mutants.mutants_of(block, "// a comment\n" + text)
    expect(f"{block} with a comment", [(m.number, mutants.change_of(m), m.line - 1) for m in commented],
           [(m.number, mutants.change_of(m), m.line) for m in made])
    expect(f"different mutants of {block}", len({mutants.apply(text, m) for m in made} | {text}), len(made) + 1)
    for mutant in made:
        line = text.splitlines()[mutant.line - 1]
        if re.match(r"\s*(//|`|parameter|localparam|input|output|a_\w+:)", line):
            sys.exit(f"{mutants.name_of(mutant)}: not in the logic: {line}")
    joined = schema.with_choices(text, made)
    for mutant in made:
        if not re.search(rf"\b{schema.CHOICE} [!=]= {mutant.number}\b", joined):
            sys.exit(f"{mutants.name_of(mutant)}: not in the text with all mutants")

# Only the blocks that are judged have mutants in them; the others keep their text, and their name in messages.
with tempfile.TemporaryDirectory() as scratch:
    schema.write(scratch, ["link_sync"])
    expect("blocks with mutants", [block for block in mutants.blocks() if schema.holds(scratch, block)], ["link_sync"])
    other = pathlib.Path(scratch) / "packet" / "drr.sv"
    expect("a block without mutants", other.read_text(),
           '`line 1 "rtl/packet/drr.sv" 0\n' + (root / "rtl" / "packet" / "drr.sv").read_text())
    schema.write(scratch, ["drr"])
    expect("blocks with mutants", [block for block in mutants.blocks() if schema.holds(scratch, block)], ["drr"])

# Blocks with results have networks and sizes.
for block in {mutant.block for mutant, judged in scores.Results().of.items() if judged}:
    networks = levels.ALONE | set(levels.NETWORKS)
    if not any(top in networks for top in levels.AROUND.get(block, [block])) or block not in levels.SIZES:
        sys.exit(f"{block}: no network or no sizes in rtl_tools/levels.py")

# Results: those of another text are stale; a killed mutant is not equivalent; each explanation needs its survivor.
with tempfile.TemporaryDirectory() as scratch:
    file = pathlib.Path(scratch) / "results.csv"
    results = scores.Results(file)
    one, two, three, four = [mutant for mutant in results.of if mutant.block == "drr"][:4]
    for mutant, level, verdict in ((one, "pin", "killed"), (one, "formal", "killed"), (two, "pin", "survived"),
                                   (two, "equivalence", "survived"), (three, "pin", "survived"),
                                   (three, "formal", "killed"), (four, "pin", "survived"), (four, "lockstep", "undecided")):
        results.add(mutant, level, scores.Result(verdict, "x"))
    again = scores.Results(file)
    expect("results read again", again.of, results.of)
    again.write()
    expect("results in order", scores.Results(file).of, results.of)
    explanations = pathlib.Path(scratch) / "survivors.yaml"

    def judged(*entries):
        explanations.write_text(scores.yaml.safe_dump(list(entries)))
        complaints = []
        explained = scores.read_explanations(results, complaints, explanations)
        return scores.judge(results, explained, complaints)["drr"], complaints

    def entry(mutant, **more):
        return {"block": "drr", "change": mutants.change_of(mutant), **more}

    def complaint(mutant):
        return (f"{mutants.name_of(mutant)}, {mutants.change_of(mutant)}: survives at the pins, not explained in "
                "rtl/mutation_survivors.yaml")

    number, complaints = judged()
    expect("not explained", complaints, [complaint(three), complaint(four)])
    expect("scores", (number["pin"], number["formal"], number["lockstep"], number["equivalent"]), ([1, 3], [2, 2], [0, 1], 1))
    number, complaints = judged(entry(three, open="x"), entry(four, equivalent="y"))
    expect("explained", complaints, [])
    expect("scores, explained", (number["pin"], number["lockstep"], number["equivalent"]), ([1, 2], [0, 0], 2))
    for wrong, said in ((entry(one, open="x"), "explains a survivor, but x kills it"),
                        (entry(two, open="x"), "needs no explanation, its equivalence is proven"),
                        (entry(three, equivalent="x"), "explained as equivalent, but a network or a proof kills it"),
                        ({"block": "drr", "change": "nothing", "open": "x"}, "no such mutant")):
        if not any(text.endswith(said) for text in judged(wrong)[1]):
            sys.exit(f"accepted although {said}: {wrong}")
    rows = file.read_text()
    file.write_text(rows.replace(mutants.fingerprint(mutants.blocks()["drr"].read_text()), "0" * 12))
    expect("results of another text", (len(scores.Results(file).stale), sum(map(len, scores.Results(file).of.values()))), (8, 0))
    file.write_text(rows.replace(mutants.name_of(one), "drr.sv:1:x"))
    expect("moved lines", scores.Results(file).moved, True)
# The score is printed a second time in docs/validation.md.
total = re.search(r"^\| all \| (\d+) \| \d+ \| (\d+ of \d+),", (root / "docs/rtl_mutation.md").read_text(), re.M)
for text in (f"{total[1]} generated mutants of", f"killed at the pins {total[2]} that"):
    if text not in (root / "docs/validation.md").read_text():
        sys.exit(f"docs/validation.md does not say '{text}', as docs/rtl_mutation.md has it")
print("mutants of the RTL: ok")
