"""Tables that a script writes into a page, between two comments."""


def replace(page, name, text, write):
    """Puts the text between the comments of that name; whether it was there already."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    before, rest = page.read_text().split(begin)
    old, after = rest.split(end)
    if write and old != text:
        page.write_text(before + begin + text + end + after)
    return old == text
