"""Results of mutants: the file, the explanations of survivors, the table."""
import collections
import csv

import yaml

from rtl_tools import mutants

RESULTS = mutants.ROOT / "rtl" / "mutation_results.csv"
SURVIVORS = mutants.ROOT / "rtl" / "mutation_survivors.yaml"
LEVELS = ("pin", "lockstep", "formal")
FIELDS = ("place", "level", "verdict", "by", "code", "mutant", "change")

Result = collections.namedtuple("Result", "verdict by")


def row_of(mutant, code, level, result):
    return [mutant.place, level, result.verdict, result.by, code, mutants.name_of(mutant), mutants.change_of(mutant)]


class Results:
    """{mutant: {level: result}} of the mutants that the sources have now; rows of other sources are stale."""

    def __init__(self, file=RESULTS):
        self.file, self.stale, self.moved = file, [], False
        self.codes = {block: mutants.fingerprint(source.read_text()) for block, source in mutants.blocks().items()}
        self.of = {mutant: {} for mutant in mutants.all_mutants()}
        known = {(self.codes[mutant.block], mutant.place): mutant for mutant in self.of}
        if not file.exists():
            return
        with file.open(newline="") as stream:
            for row in csv.DictReader(stream):
                mutant = known.get((row["code"], int(row["place"])))
                if not mutant or mutants.change_of(mutant) != row["change"]:
                    self.stale.append(row["mutant"])
                    continue
                self.moved |= row["mutant"] != mutants.name_of(mutant)
                self.of[mutant][row["level"]] = Result(row["verdict"], row["by"])

    def add(self, mutant, level, result):
        """Adds a result, also to the end of the file: a run that is stopped goes on from there."""
        self.of[mutant][level] = result
        new = not self.file.exists()
        with self.file.open("a", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            if new:
                writer.writerow(FIELDS)
            writer.writerow(row_of(mutant, self.codes[mutant.block], level, result))

    def write(self):
        """The file in order, without stale rows."""
        with self.file.open("w", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(FIELDS)
            for mutant, levels in self.of.items():
                for level in sorted(levels):
                    writer.writerow(row_of(mutant, self.codes[mutant.block], level, levels[level]))


def killed(levels):
    return any(levels.get(level, Result("", "")).verdict == "killed" for level in LEVELS)


def proven_equivalent(levels):
    return not killed(levels) and levels.get("equivalence", Result("", "")).verdict == "survived"


def read_explanations(results, complaints, file=SURVIVORS):
    """{mutant: (whether equivalent, why)}, each of a mutant that the pin-level benches do not kill and that is not proven."""
    explained = {}
    by_text = {(mutant.block, mutants.change_of(mutant)): mutant for mutant in results.of}
    for entry in yaml.safe_load(file.read_text()) or []:
        if set(entry) not in ({"block", "change", "equivalent"}, {"block", "change", "open"}):
            raise SystemExit(f"mutate: {file.name}: block, change, and equivalent or open: {entry}")
        shown = f"{file.name}: {entry['block']}, {entry['change']}"
        mutant = by_text.get((entry["block"], entry["change"]))
        if not mutant:
            complaints.append(f"{shown}: no such mutant")
            continue
        levels = results.of[mutant]
        if "pin" in levels and levels["pin"].verdict == "killed":
            complaints.append(f"{shown}: explains a survivor, but {levels['pin'].by} kills it")
        elif proven_equivalent(levels):
            complaints.append(f"{shown}: needs no explanation, its equivalence is proven")
        elif "equivalent" in entry and killed(levels):
            complaints.append(f"{shown}: explained as equivalent, but a network or a proof kills it")
        explained[mutant] = ("equivalent" in entry, entry.get("equivalent", entry.get("open")))
    return explained


def judge(results, explained, complaints):
    """{block: {column: [killed, judged]}}, with columns "equivalent" (a number) and "mutants"."""
    numbers = {block: {level: [0, 0] for level in LEVELS} | {"mutants": 0, "equivalent": 0, "proven": 0}
               for block in mutants.blocks()}
    for mutant, levels in results.of.items():
        number = numbers[mutant.block]
        number["mutants"] += 1
        proven = proven_equivalent(levels)
        equivalent = proven or explained.get(mutant, (False, ""))[0]
        number["equivalent"] += equivalent
        number["proven"] += proven
        if equivalent:
            continue
        for level in LEVELS:
            if level in levels:
                number[level][0] += levels[level].verdict == "killed"
                number[level][1] += 1
        if "pin" in levels and levels["pin"].verdict != "killed" and mutant not in explained:
            complaints.append(f"{mutants.name_of(mutant)}, {mutants.change_of(mutant)}: survives at the pins, not explained in "
                              f"rtl/{SURVIVORS.name}")
    return numbers


def cell(number):
    return f"{number[0]} of {number[1]}, {100.0 * number[0] / number[1]:.1f} %" if number[1] else "-"


def table(numbers):
    text = ("| block | mutants | equivalent | pin | lockstep | formal |\n"
            "|---|---|---|---|---|---|\n")
    total = {level: [0, 0] for level in LEVELS}
    for block, number in numbers.items():
        if not any(number[level][1] for level in LEVELS):
            text += f"| `{block}` | {number['mutants']} | | not judged yet | | |\n"
            continue
        cells = " | ".join(cell(number[level]) for level in LEVELS)
        text += f"| `{block}` | {number['mutants']} | {number['equivalent']} | {cells} |\n"
        for level in LEVELS:
            total[level] = [total[level][place] + number[level][place] for place in range(2)]
    sums = [sum(number[name] for number in numbers.values()) for name in ("mutants", "equivalent")]
    return text + f"| all | {sums[0]} | {sums[1]} | {' | '.join(cell(total[level]) for level in LEVELS)} |\n"


def reasons(results, explained):
    proven = [mutant for mutant, levels in results.of.items() if proven_equivalent(levels)]
    by_rules = sum(results.of[mutant]["equivalence"].by == "by its rules" for mutant in proven)
    others = sum(equivalent for equivalent, _ in explained.values())
    text = (f"\nEquivalence is proven of {len(proven)} mutants, of {by_rules} of them for what the block around allows"
            + (f"; of {others} it is explained.\n" if others else ".\n"))
    text += "\n| mutant | change | killed by | why the pins do not |\n|---|---|---|---|\n"
    for mutant in results.of:
        if mutant in explained:
            equivalent, why = explained[mutant]
            by = [level for level in ("lockstep", "formal") if level in results.of[mutant] and
                  results.of[mutant][level].verdict == "killed"]
            state = "equivalent" if equivalent else ", ".join(by) or "nothing (open)"
            change = mutants.change_of(mutant).replace("|", "\\|")
            text += f"| {mutants.name_of(mutant)} | `{change}` | {state} | {why} |\n"
    return text
