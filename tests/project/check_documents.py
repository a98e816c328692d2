#!/usr/bin/env python3
"""Checks the Markdown pages: links and their anchors lead somewhere, files they name exist, tests they name exist, README
leads to every page of docs/, and THIRD_PARTY.md names every package.

usage: check_documents.py <project folder>
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
FOLDERS = "configs|docs|examples|rtl|scripts|sc_models|tb|tests|bench|formal|python|cmake"
failures = []


def pages():
    yield from sorted(root.glob("*.md"))
    for folder in FOLDERS.split("|"):
        yield from sorted((root / folder).rglob("*.md"))


def anchors(text):
    """Anchors of the headings as GitHub makes them."""
    headings = re.findall(r"^#+ +(.*)$", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M), re.M)
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", h)).strip().lower().replace(" ", "-") for h in headings}


def prose(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)


texts = {page: page.read_text(encoding="utf-8") for page in pages()}
leads_to = {page: set() for page in texts}
for page, text in texts.items():
    name = page.relative_to(root)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(text)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        leads_to[page].add(other)
        if not other.exists():
            failures.append(f"{name}: the link '{target}' leads nowhere")
        elif anchor and other in texts and anchor not in anchors(texts[other]):
            failures.append(f"{name}: {path or name} has no heading '#{anchor}'")
    for path in re.findall(rf"`((?:{FOLDERS})/[\w./-]+)`", text):
        if not (root / path).exists() and not (page.parent / path).exists() and not list(root.glob(path + ".*")):
            failures.append(f"{name}: '{path}' does not exist")

sources = [p for folder in ("tests", "tb") for p in (root / folder).rglob("*.cpp")]
code = "\n".join(p.read_text(encoding="utf-8") for p in sources)
suites = dict.fromkeys(re.findall(r"\b(?:TEST|TEST_P|TEST_F|RC_GTEST_PROP)\((\w+),", code))
tests = {f"{s}.{n}" for s, n in re.findall(r"\b(?:TEST|TEST_P|TEST_F|RC_GTEST_PROP)\((\w+),\s*(\w+)", code)}
cmake = "\n".join(p.read_text(encoding="utf-8") for p in root.rglob("CMakeLists.txt") if "build" not in p.relative_to(root).parts[0])
for suite, case in re.findall(r"`([A-Z]\w+)\.(\w+|\*)`", texts[root / "docs/validation.md"]):
    if suite not in suites or (case != "*" and f"{suite}.{case}" not in tests):
        failures.append(f"docs/validation.md: there is no test {suite}.{case}")
for group, case in re.findall(r"`(project|python|rtl)\.(\w+)`", texts[root / "docs/validation.md"]):
    if not re.search(rf"\b{group}\.({case}\b|\$\{{)", cmake + (root / "tests/support/faulty_copy.cmake").read_text(encoding="utf-8")):
        failures.append(f"docs/validation.md: there is no test {group}.{case}")

notices = texts[root / "THIRD_PARTY.md"]
for package in re.findall(r"^([a-z0-9][a-z0-9+.-]*)$", (root / "scripts/packages.txt").read_text(encoding="utf-8"), re.M):
    if f"`{package}`" not in notices:
        failures.append(f"THIRD_PARTY.md: no notice of the package '{package}' of scripts/packages.txt")

seen, wanted = set(), [root / "README.md"]
while wanted:
    page = wanted.pop()
    if page not in seen:
        seen.add(page)
        wanted += [other for other in leads_to.get(page, ()) if other.suffix == ".md"]
failures += [f"README.md does not lead to {page.relative_to(root)}" for page in sorted((root / "docs").rglob("*.md")) if page not in seen]

print("\n".join(failures) if failures else f"documents: ok ({len(texts)} pages)")
sys.exit(1 if failures else 0)
