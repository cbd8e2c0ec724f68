#!/usr/bin/env python3
"""Writes the reference of the Python package as HTML from its docstrings; a warning is an error.

Usage: scripts/reference.py FOLDER; needs pdoc, Gymnasium, PettingZoo, Stable-Baselines3 and OpenSpiel.
"""
import pathlib
import sys
import warnings

import parlour.envs
import parlour.openspiel
import pdoc

if len(sys.argv) != 2:
    sys.exit(__doc__)
for name in parlour.envs.__all__:
    # Names that are imported on first use become members of the module.
    setattr(parlour.envs, name, getattr(parlour.envs, name))
warnings.filterwarnings("error", module="pdoc")
pdoc.render.configure(docformat="markdown", footer_text=f"parlour {parlour.__version__}")
pdoc.pdoc("parlour", "parlour.envs", "parlour.openspiel", output_directory=pathlib.Path(sys.argv[1]))
