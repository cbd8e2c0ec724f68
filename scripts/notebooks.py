#!/usr/bin/env python3
"""Executes the notebooks in examples/ and compares what they say with what stands in them; with
--write, writes it into them. Needs parlour, nbclient, ipykernel and what the notebooks import.

Usage: scripts/notebooks.py [--write]
"""
import pathlib
import sys

import nbformat
from nbclient import NotebookClient

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"


def said(notebook):
    """The words of all cells; pictures and tables differ with the libraries that draw them."""
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
        sys.exit(f"{path.name} says something else now:\n{said(notebook)}\nbefore:\n{before}")
    print(f"{path.name}: executed")
