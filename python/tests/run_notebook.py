#!/usr/bin/env python3
"""Runs the code cells of a notebook in its folder and compares their text with what the notebook shows.

usage: run_notebook.py [--write] <notebook>
--write stores the text and the pictures instead. No Jupyter is needed. Exit status: 0 as shown, 1 not.
"""
import ast
import base64
import contextlib
import io
import json
import os
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402  (after the backend has been chosen)


def run_cell(source, names):
    """The outputs of a cell as notebooks store them: printed text, value of the last expression, figures."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    outputs = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": text})
    figures = [pyplot.figure(number) for number in pyplot.get_fignums()]
    if value is not None and not figures:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        outputs.append({"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    for figure in figures:
        picture = io.BytesIO()
        figure.savefig(picture, format="png", dpi=72, metadata={"Software": None})
        outputs.append({"data": {"image/png": base64.b64encode(picture.getvalue()).decode() + "\n"}, "metadata": {},
                        "output_type": "display_data"})
    pyplot.close("all")
    return outputs


def text_of(outputs):
    """What can be compared on any machine: texts, and how many pictures there are."""
    parts = []
    for output in outputs:
        text = output.get("text") or output.get("data", {}).get("text/plain") or ["<picture>\n"]
        parts.append("".join(text).rstrip())
    return "\n".join(parts)


def main(arguments):
    write = "--write" in arguments
    path = pathlib.Path([a for a in arguments if a != "--write"][0]).resolve()
    notebook = json.loads(path.read_text(encoding="utf-8"))
    os.chdir(path.parent)
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
    names = {"__name__": "__main__"}
    different = 0
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells, 1):
        outputs = run_cell("".join(cell["source"]), names)
        shown, got = text_of(cell["outputs"]), text_of(outputs)
        if write:
            cell["outputs"], cell["execution_count"] = outputs, number
            for output in outputs:
                if "execution_count" in output:
                    output["execution_count"] = number
        elif shown != got:
            different += 1
            print(f"cell {number} shows\n{shown}\nbut prints\n{got}\n")
    if write:
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{path.name}: {len(cells)} cells, {different} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
