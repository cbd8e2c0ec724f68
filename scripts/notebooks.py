#!/usr/bin/env python3
"""Executes the notebooks in examples/ and compares their text output with the committed one; with
--write, writes it into them. Needs parlour, nbclient, ipykernel and the imports of the notebooks.

Usage: scripts/notebooks.py [--write]
"""
import pathlib
import sys

import nbformat
from nbclient import NotebookClient

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"


def said(notebook):
    """Text output of all cells; pictures and tables depend on library versions."""
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", []))
    return [output["text"] for output in outputs if output["output_type"] == "stream"]


for path in sorted(EXAMPLES.glob("*.ipynb")):
    notebook = nbformat.read(path, as_version=4)
    before = said(notebook)
    NotebookClient(notebook, kernel_name="python3", resources={"metadata": {"path": EXAMPLES}}).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    if "--write" in sys.argv[1:]:
        nbformat.write(notebook, path)
    elif said(notebook) != before:
        sys.exit(f"{path.name} has other output now:\n{said(notebook)}\nbefore:\n{before}")
    print(f"{path.name}: executed")
