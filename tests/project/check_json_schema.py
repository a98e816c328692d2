#!/usr/bin/env python3
"""Holds the JSON Schemas of `weft describe --json-schema` against the configurations of the project and against Weft:
every configuration is valid, and of random mutations Weft refuses each that a schema refuses, and the schema each with an
unknown key or a number without its unit. (Keys that are needed only beside others are not required by a schema, nor are
those that a base may have.)

usage: check_json_schema.py <project folder> <weft>       exit status 1 and one line per difference
"""
import functools
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import jsonschema
import yaml

MUTATIONS = 2  # of each kind, per file


class Leaf:
    """A scalar as it is written. Its value is that of YAML 1.2, as in editors."""

    def __init__(self, text, plain=True):
        self.text = text
        self.plain = plain

    def value(self):
        if not self.plain:
            return self.text
        if self.text in ("", "~", "null"):
            return None
        if self.text in ("true", "false"):
            return self.text == "true"
        if re.fullmatch(r"[-+]?[0-9]+", self.text):
            return int(self.text)
        if re.fullmatch(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", self.text):
            return float(self.text)
        return self.text

    def yaml(self):
        return json.dumps(self.text, ensure_ascii=False) if isinstance(self.value(), str) else self.text or "null"


def tree_of(node):
    if isinstance(node, yaml.ScalarNode):
        return Leaf(node.value, node.style is None)
    if isinstance(node, yaml.SequenceNode):
        return [tree_of(n) for n in node.value]
    return {key.value: tree_of(value) for key, value in node.value}


def json_of(tree):
    if isinstance(tree, Leaf):
        return tree.value()
    if isinstance(tree, list):
        return [json_of(t) for t in tree]
    return {key: json_of(value) for key, value in tree.items()}


def yaml_of(tree):
    if isinstance(tree, Leaf):
        return tree.yaml()
    if isinstance(tree, list):
        return "[" + ", ".join(yaml_of(t) for t in tree) + "]"
    return "{" + ", ".join(json.dumps(k, ensure_ascii=False) + ": " + yaml_of(v) for k, v in tree.items()) + "}"


def kind_of(path, tree):
    if path.parent.name == "parts":
        return path.parent.parent.name + "-part"
    if "fabric" in tree:
        return {"fic": "tdm", "qos": "packet"}.get(tree["fabric"].text, tree["fabric"].text)
    for key, kind in [("sweep", "sweep"), ("service_levels", "dtable"), ("program", "program"), ("programs", "program"),
                      ("packet_network", "optweb_cost"), ("fpga", "optweb_cost")]:
        if key in tree:
            return kind
    return path.parent.name  # laid over a base


def places(tree, path=()):
    """All values with their paths, but for the root."""
    entries = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in entries:
        yield path + (key,)
        yield from places(value, path + (key,))


def at(tree, path):
    for key in path:
        tree = tree[key]
    return tree


def changed(tree, path, change):
    """A copy in which the value at `path` is change(value), or missing if that is None."""
    if not path:
        return change(tree)
    copy = dict(tree) if isinstance(tree, dict) else list(tree)
    value = changed(tree[path[0]], path[1:], change)
    if value is None:
        del copy[path[0]]
    else:
        copy[path[0]] = value
    return copy


def mutations(tree, random_):
    """(name, mutated tree) pairs."""
    every = list(places(tree))
    sections = [()] + [p for p in every if isinstance(at(tree, p), dict)]
    leaves = [p for p in every if isinstance(at(tree, p), Leaf)]
    quantities = [p for p in leaves if re.fullmatch(r"[0-9.]+ ?[A-Za-z%/]+", at(tree, p).text)]

    def some(paths):
        return random_.sample(paths, min(MUTATIONS, len(paths)))

    for p in some(sections):
        yield "unknown key", changed(tree, p, lambda v: {**v, "zz_unknown": Leaf("1")})
    for p in some(quantities):
        yield "no unit", changed(tree, p, lambda v: Leaf(re.match(r"[0-9.]+", v.text).group()))
    for p in some(every):
        yield "missing", changed(tree, p, lambda v: None)
    for p in some(leaves):
        yield "section", changed(tree, p, lambda v: {"zz_inner": Leaf("1")})
        yield "list", changed(tree, p, lambda v: [v, v])
        yield "word", changed(tree, p, lambda v: Leaf("zz"))
        yield "negative", changed(tree, p, lambda v: Leaf("-1"))
        yield "null", changed(tree, p, lambda v: Leaf("null"))


class Weft:
    """Messages of the program about a document, as lines; none if it accepts it."""

    COMMANDS = {"dtable": ["dtable"], "optweb_cost": ["optweb", "cost"]}

    def __init__(self, program, scratch):
        self.program = program
        self.scratch = scratch

    def errors(self, kind, tree, folder):
        command = [self.program] + self.COMMANDS.get(kind, ["check"]) + ["/dev/stdin"]
        if kind in self.COMMANDS:
            command += ["--out", self.scratch]
        done = subprocess.run(command, cwd=folder, input=yaml_of(tree).encode(), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, timeout=60, check=False)
        if done.returncode == 0:
            return []
        return [line for line in done.stderr.decode(errors="replace").splitlines() if ": error: " in line] or ["?"]


# Messages about what a schema must refuse too, unless they are about what a point of a sweep sets.
MUST = {"unknown key": r"unknown key 'zz_unknown'(?!.*\(at )",
        "no unit": r"(the unit is missing|expected a percentage)(?!.*\(at )"}


def main():
    project, program = pathlib.Path(sys.argv[1]), sys.argv[2]

    @functools.cache
    def schema(kind):
        text = subprocess.run([program, "describe", "--json-schema", kind], stdout=subprocess.PIPE, check=True).stdout
        out = json.loads(text)
        jsonschema.Draft202012Validator.check_schema(out)
        return jsonschema.Draft202012Validator(out)

    wrong = []
    counts = {}
    any_document = schema("any")
    with tempfile.TemporaryDirectory() as scratch:
        weft = Weft(program, scratch)
        for path in sorted((project / "configs").rglob("*.yaml")):
            name = path.relative_to(project)
            tree = tree_of(yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader))
            kind = kind_of(path, tree)
            validator = schema(kind)
            for which in (validator, any_document):
                for error in list(which.iter_errors(json_of(tree)))[:3]:
                    wrong.append(f"{name}: valid, but refused: {error.json_path}: {error.message[:200]}")
            if kind.endswith("-part"):  # not for itself
                continue
            random_ = random.Random(str(name))
            for what, mutated in mutations(tree, random_):
                refused = not validator.is_valid(json_of(mutated))
                if refused != (not any_document.is_valid(json_of(mutated))) and "fabric" in mutated:
                    wrong.append(f"{name}: {what}: the schema of '{kind}' and that of any file differ: {yaml_of(mutated)[:300]}")
                if not refused and what not in MUST:
                    continue
                errors = weft.errors(kind, mutated, path.parent)
                if refused and not errors:
                    message = next(validator.iter_errors(json_of(mutated)))
                    wrong.append(f"{name}: {what}: refused though Weft accepts it: {message.json_path}: {message.message[:200]}")
                must = any(re.search(MUST.get(what, "$^"), e) for e in errors)
                if must and not refused:
                    wrong.append(f"{name}: {what}: accepted, but Weft says: {errors[0]}")
                counts[what] = counts.get(what, 0) + refused
    for what in list(MUST) + ["missing", "section", "list", "word", "negative"]:
        if counts.get(what, 0) < 20:
            wrong.append(f"only {counts.get(what, 0)} mutations of the kind '{what}' were refused")
    for line in wrong:
        print(line)
    print(f"{schema.cache_info().currsize} schemas; refused mutations:", ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    return 1 if wrong else 0


sys.exit(main())
