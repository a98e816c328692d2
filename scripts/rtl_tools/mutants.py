"""Mutants of the RTL: small faults, made of the text of a block by rules.

A site is an expression that decides what the hardware does: the right side of an assignment, the condition of an `if`,
a computed input of an instance. Headers, parameters, constants, functions, conditions of generate blocks, and what
stands between `ifdef or `ifndef and `endif (assertions, properties, covers) have no sites. Each rule turns the expression of a site
into others; rules know nothing of types, but all of their results are legal where the original was.

Of all mutants of a block PER_BLOCK are taken, one site after the other in an order that the block's name fixes, so that
every site has its share. The same text gives the same mutants, whatever its comments.
"""
import collections
import hashlib
import pathlib
import random
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PER_BLOCK = 28
NUMBERS = 100  # per block; 0 is no mutant

TOKEN = re.compile(r"'[01]|\d+'[bdh][0-9a-fA-F_]+|\d+|[A-Za-z_]\w*|<<|>>|&&|\|\||==|!=|<=|>=|\+:|\S")
SWAPS = {  # operator: (kind, what stands instead)
    "&&": ("logic", ["||"]), "||": ("logic", ["&&"]), "&": ("bitwise", ["|", "^"]), "|": ("bitwise", ["&", "^"]),
    "==": ("comparison", ["!=", ">="]), "!=": ("comparison", ["==", "<"]), "<": ("comparison", ["<=", ">="]),
    "<=": ("comparison", ["<", ">"]), ">": ("comparison", [">=", "<="]), ">=": ("comparison", [">", "<"]),
    "+": ("arithmetic", ["-"]), "-": ("arithmetic", ["+"]), "*": ("arithmetic", ["+"]), "/": ("arithmetic", ["*"]),
    "%": ("arithmetic", ["/"]), "<<": ("shift", [">>"]), ">>": ("shift", ["<<"]), "^": ("bitwise", ["|", "&"]),
}
CRUDE = ("inverted", "stuck")  # kinds that are taken last: nearly every bench sees them
CONSTANTS = {"'0": "'1", "'1": "'0", "1'b0": "1'b1", "1'b1": "1'b0"}

Site = collections.namedtuple("Site", "kind left begin end whole")  # whole: span of the statement that may be left out
# place: among the mutants of the block; number: in the text with all mutants; new is None: no statement.
Mutant = collections.namedtuple("Mutant", "block place number line kind site old new")


def blocks():
    """{name: file} of all blocks."""
    return {file.stem: file for file in sorted(ROOT.glob("rtl/*/*.sv"))}


def spaces(text):
    return re.sub(r"[^\n]", " ", text)


def blank(pattern, text, flags=0):
    return re.sub(pattern, lambda hit: spaces(hit[0]), text, flags=flags)


def closing(text, begin):
    """Place behind the bracket that closes the one at `begin`."""
    depth = 0
    for place in range(begin, len(text)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if depth == 0:
            return place + 1
    raise ValueError(f"no closing bracket: {text[begin:begin + 40]!r}")


def blank_brackets(pattern, text):
    """Blanks each match of the pattern, which ends with an opening bracket, and all up to its closing one."""
    while hit := re.search(pattern, text):
        end = closing(text, hit.end() - 1)
        text = text[:hit.start()] + spaces(text[hit.start():end]) + text[end:]
    return text


GUARDED = r"`ifn?def.*?`endif"


def logic_only(text):
    """The text with blanks for everything that has no sites."""
    text = blank(r"//[^\n]*", text)
    text = blank(GUARDED, text, re.S)
    text = blank(r"\bmodule\b.*?\n\);", text, re.S)
    text = blank(r"\bfunction\b.*?\bendfunction\b", text, re.S)
    text = blank(r"\b(localparam|typedef)\b[^;]*;", text)
    text = blank(r"\bassign\s+unused\b[^;]*;", text)
    text = blank_brackets(r"#\s*\(", text)
    return blank_brackets(r"\bfor\s*\(", text)


def procedures(text):
    """Spans of the always blocks."""
    for hit in re.finditer(r"\balways_(?:ff\s*@\([^)]*\)|comb)\s*", text):
        depth, end = 0, text.index(";", hit.end()) + 1
        if text.startswith("begin", hit.end()):
            for word in re.finditer(r"\b(begin|end)\b", text[hit.end():]):
                depth += 1 if word[1] == "begin" else -1
                if depth == 0:
                    end = hit.end() + word.end()
                    break
        yield hit.start(), end


def sites(text):
    """Sites of the text, in its order."""
    text = logic_only(text)
    found = []

    def add(kind, left, begin, end, whole=None):
        inner = text[begin:end]
        begin += len(inner) - len(inner.lstrip())
        found.append(Site(kind, left, begin, begin + len(inner.strip()), whole))

    outside = text
    for begin, end in procedures(text):
        outside = outside[:begin] + spaces(outside[begin:end]) + outside[end:]
        clocked = text.startswith("always_ff", begin)
        pattern = r"(\w+_[qo](?:\[[^\]]*\])?)\s*<=\s*([^;]*);" if clocked else r"(\w+(?:\[[^\]]*\])?)\s*=(?!=)\s*([^;]*);"
        assigned = set()
        for hit in re.finditer(pattern, text[begin:end]):
            droppable = clocked or hit[1] in assigned  # without it a value of the same cycle stays
            assigned.add(hit[1])
            add("assignment", hit[1], begin + hit.start(2), begin + hit.end(2),
                (begin + hit.start(), begin + hit.end()) if droppable else None)
        for hit in re.finditer(r"\bif\s*\(", text[begin:end]):
            behind = closing(text, begin + hit.end() - 1)
            add("condition", "if", begin + hit.end(), behind - 1)
    for hit in re.finditer(r"\bassign\s+([^=;]*?)\s*=\s*([^;]*);", outside):
        add("assignment", hit[1], hit.start(2), hit.end(2))
    for hit in re.finditer(r"\.([a-z]\w*)\s*\(", outside):
        behind = closing(outside, hit.end() - 1)
        if re.search(r"&&|\|\||[!+]", re.sub(r"\[[^\]]*\]", "", outside[hit.end():behind - 1])):
            add("pin", hit[1], hit.end(), behind - 1)
    return sorted(found, key=lambda site: site.begin)


def tokens(text):
    """Tokens outside of square brackets and of widths of casts as (text, begin, end, depth of brackets)."""
    text = blank(r"\([^()]*\)(?=')", text)
    result, depth, square = [], 0, 0
    for hit in TOKEN.finditer(text):
        word = hit[0]
        square += word == "["
        if not square:
            depth -= word in ")}"
            result.append((word, hit.start(), hit.end(), depth))
            depth += word in "({"
        square -= word == "]"
    return result


def put(text, begin, end, new):
    return text[:begin] + new + text[end:]


def is_unary(words, place):
    return place == 0 or words[place - 1][0] in SWAPS or words[place - 1][0] in ("(", "{", ",", "?", ":", "!", "~")


def split(text, words, separators):
    """Parts of the text between the separators at depth 0."""
    cuts = [(begin, end) for word, begin, end, depth in words if depth == 0 and word in separators]
    begins, ends = [0] + [end for _, end in cuts], [begin for begin, _ in cuts] + [len(text)]
    return [text[begin:end].strip() for begin, end in zip(begins, ends)]


def missing_terms(text):
    """The text with one of its terms left out, in all ways."""
    words = tokens(text)
    top = [word for word, _, _, depth in words if depth == 0]
    for separator in ("&&", "||", "|", "&", "+"):
        if separator in top and "?" not in top:
            parts = split(text, words, separator)
            for gone in range(len(parts) if all(parts) else 0):
                yield f" {separator} ".join(parts[:gone] + parts[gone + 1:])
            break
    for place, (word, begin, _, _) in enumerate(words):
        if word == "(" and (place == 0 or not re.search(r"[\w'$]", words[place - 1][0])):
            end = closing(text, begin) - 1
            for inner in missing_terms(text[begin + 1:end]):
                yield put(text, begin + 1, end, inner)


def operand_changes(text, place, words, near):
    """What may stand for the signal at this place."""
    word, begin, end, _ = words[place]
    before = words[place - 1][0] if place else ""
    for new in near:
        yield "wrong signal", put(text, begin, end, new)
    if text.startswith(("[", "'", "."), end):
        return
    if not near.wide:
        if before != "!" and len(words) > 1:
            yield "negation", put(text, begin, end, f"!{word}")
        return
    if before != "~" and len(words) > 1:
        yield "negation", put(text, begin, end, f"~{word}")
    for new in ("<< 1", ">> 1"):
        yield "shift", put(text, begin, end, f"({word} {new})")
    for new in ("+ 1'b1", "- 1'b1"):
        yield "off by one", put(text, begin, end, f"({word} {new})")
    yield "wrong bit", put(text, begin, end, f"({word} ^ 1'b1)")


def token_changes(text, words, others):
    for place, (word, begin, end, _) in enumerate(words):
        if word in SWAPS and not is_unary(words, place):
            for new in SWAPS[word][1]:
                yield SWAPS[word][0], put(text, begin, end, new)
        elif word in ("!", "~"):
            yield "negation", put(text, begin, end, "")
        elif word in CONSTANTS:
            yield "constant", put(text, begin, end, CONSTANTS[word])
            if word == "'0" and place and words[place - 1][0] in ("==", "!="):
                yield "off by one", put(text, begin, end, "1'b1")
        elif re.fullmatch(r"\d+", word) and not text.startswith("'", end):
            yield "off by one", put(text, begin, end, str(int(word) + 1))
        elif hit := re.fullmatch(r"(\d+)'([bdh])(\w+)", word):
            base = {"b": 2, "d": 10, "h": 16}[hit[2]]
            yield "constant", put(text, begin, end, f"{hit[1]}'d{int(hit[3], base) ^ 1}")
        elif word in others and not text[:begin].endswith("."):
            yield from operand_changes(text, place, words, others[word])


def changes(site, text, others):
    """(kind, new text or None) of all mutants of an expression; others: {signal: signals of the same type}."""
    words = tokens(text)
    yield from token_changes(text, words, others)
    for new in missing_terms(text):
        yield "missing term", new
    top = [word for word, _, _, depth in words if depth == 0]
    if "-" in top and "?" not in top and len(parts := split(text, words, "-")) == 2 and all(parts):
        yield "swapped operands", f"{parts[1]} - {parts[0]}"
    if top.count("?") == 1 and top.count(":") == 1:
        condition, yes, no = split(text, words, "?:")
        yield "swapped branches", f"{condition} ? {no} : {yes}"
        yield "missing branch", yes
        yield "missing branch", no
    if text.startswith("{") and closing(text, 0) == len(text):
        parts = split(text[1:-1], tokens(text[1:-1]), ",")
        if len(parts) == 2:
            yield "swapped operands", f"{{{parts[1]}, {parts[0]}}}"
    if site.whole:
        yield "missing assignment", None
    if site.kind == "condition":
        if not text.startswith("!") or len(top) > 2:
            yield "negation", f"!({text})"
        yield "constant", "1'b1"
        yield "constant", "1'b0"
    elif text not in CONSTANTS:
        yield "inverted", f"~({text})"
        yield "stuck", "'0"
        yield "stuck", "'1"


class Others(list):
    wide = False


def signals(text):
    """{signal: other signals of the same type, those declared nearest first} of a block."""
    text = blank(r"//[^\n]*", text)
    types = collections.defaultdict(list)
    for hit in re.finditer(r"\blogic\s*((?:\[[^\]]*\])?)\s*(\w+(?:\s*,\s*\w+)*)\s*[;,\n)=]", text):
        for name in re.split(r"\s*,\s*", hit[2]):
            if name not in ("clk_i", "rst_ni", "input", "output", "unused"):
                types[hit[1]].append(name)
    result = {}
    for kind, names in types.items():
        names = list(dict.fromkeys(names))
        for place, name in enumerate(names):
            near = sorted((abs(place - other), other) for other in range(len(names)) if other != place)
            result[name] = Others(names[other] for _, other in near[:1])
            result[name].wide = bool(kind)
    return result


def scope(text, name, place):
    """Whether a signal may be named at this place: declared at the top of the module, or in the generate block around."""
    declared = [hit.start() for hit in re.finditer(rf"\blogic\b[^;()]*?\b{name}\b", text) if hit.start() < place]
    if not declared:
        return False
    depth = 0
    for word in re.finditer(r"\b(begin|end)\b", text[declared[-1]:place]):
        depth += 1 if word[1] == "begin" else -1
        if depth < 0:
            return False
    return True


def identifiers(text):
    return set(re.findall(r"(?<!['\w])[A-Za-z_]\w*", text))


def settled_by(text):
    """{signal: signals that it follows within a cycle}: assignments, and all outputs of an instance all of its inputs."""
    text = logic_only(text)
    follows = collections.defaultdict(set)
    outside = text
    for begin, end in procedures(text):
        outside = outside[:begin] + spaces(outside[begin:end]) + outside[end:]
        if not text.startswith("always_ff", begin):
            body = text[begin:end]
            for left in set(re.findall(r"(\w+)(?:\[[^\]]*\])?\s*=(?!=)", body)):
                follows[left] |= identifiers(body) - {left}
    for hit in re.finditer(r"\bassign\s+([^=;]*?)\s*=\s*([^;]*);", outside):
        for left in identifiers(re.sub(r"\[[^\]]*\]", "", hit[1])):
            follows[left] |= identifiers(hit[2])
    for hit in re.finditer(r"\bu_\w+\s*\(([^;]*)\);", outside):
        pins = {name: identifiers(inner) or {name} for name, inner in
                re.findall(r"\.([a-z]\w*)\s*(?:\(((?:[^()]|\([^()]*\))*)\))?", hit[1])}
        inputs = set().union(*(names for pin, names in pins.items() if not pin.endswith("_o")))
        for pin, names in pins.items():
            for left in names if pin.endswith("_o") else ():
                follows[left] |= inputs
    return follows


def makes_loop(follows, left, new):
    """Whether a signal would follow itself within a cycle, were it to follow `new` as well."""
    seen, heap = set(), [new]
    while heap:
        signal = heap.pop()
        if signal in left:
            return True
        if signal not in seen:
            seen.add(signal)
            heap += follows.get(signal, ())
    return False


def makes_latch(bare, site):
    """Whether a signal of an always_comb block, without this assignment, would not always be assigned."""
    begin = next(begin for begin, end in procedures(bare) if begin <= site.begin < end)
    before = bare[begin:site.whole[0]]
    name = site.left.split("[")[0]
    return bare.startswith("always_comb", begin) and not re.search(rf"^(?:(?!\b(?:if|case)\b).)*\b{name}\s*=", before, re.S)


def code(text):
    """The text without comments, assertions, properties and covers, and with single blanks: what results depend on."""
    bare = re.sub(r"/\*.*?\*/|//[^\n]*", "", text)
    return " ".join(re.sub(GUARDED, "", bare, flags=re.S).split())


def fingerprint(text):
    return hashlib.sha256(code(text).encode()).hexdigest()[:12]


def mutants_of(block, text):
    """Mutants of a block with this text."""
    text = blank(r"/\*.*?\*/", text)
    chance = random.Random(f"mutants of {block}")
    names, bare = signals(text), logic_only(text)
    visible, follows = blank(r"//[^\n]*", text), settled_by(text)
    heaps = []
    for site in sites(text):
        old, heap = " ".join(bare[site.begin:site.end].split()), {}
        others = {}
        for name in identifiers(old) & set(names):
            near = names[name]
            others[name] = Others(other for other in near if scope(visible, other, site.begin) and
                                  other not in site.left.split("["))
            others[name].wide = near.wide
        for kind, new in changes(site, old, others):
            if new != old:
                heap.setdefault(new, kind)
        heap = [(kind, new, site, old) for new, kind in heap.items()]
        chance.shuffle(heap)
        heap.sort(key=lambda change: change[0] not in CRUDE)
        # A loop that has no register need not settle, nor be computed right where another mutant is chosen.
        left = identifiers(re.sub(r"\[[^\]]*\]", "", site.left)) if not site.left.split("[")[0].endswith("_q") else set()
        heaps.append([(kind, new, site, old) for kind, new, site, old in heap
                      if not any(makes_loop(follows, left, name) for name in identifiers(new or "") - identifiers(old)) and
                      not (new is None and makes_latch(bare, site))])
    chance.shuffle(heaps)
    taken = []
    while any(heaps) and len(taken) < PER_BLOCK:
        for heap in [heap for heap in heaps if heap][:PER_BLOCK - len(taken)]:
            taken.append(heap.pop())
    taken.sort(key=lambda change: (change[2].begin, change[0], change[1] or ""))
    first = NUMBERS * (list(blocks()).index(block) + 1)
    return [Mutant(block, place, first + place, text.count("\n", 0, site.begin) + 1, kind, site, old, new)
            for place, (kind, new, site, old) in enumerate(taken)]


def all_mutants():
    return [mutant for block, file in blocks().items() for mutant in mutants_of(block, file.read_text())]


def name_of(mutant):
    return f"{mutant.block}.sv:{mutant.line}:{mutant.kind.replace(' ', '_')}"


def change_of(mutant):
    """What the mutant changes, in one line."""
    return f"{mutant.site.left}: {mutant.old} -> {'(left out)' if mutant.new is None else mutant.new}"


def apply(text, mutant):
    """The text with this one fault."""
    if mutant.new is None:
        begin, end = mutant.site.whole
        return put(text, begin, end, "begin end")
    return put(text, mutant.site.begin, mutant.site.end, mutant.new)
