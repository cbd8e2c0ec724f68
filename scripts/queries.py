#!/usr/bin/env python3
"""Runs scripts/queries.sql on the tables of a run. Usage: scripts/queries.py FOLDER; needs duckdb."""

import os
import pathlib
import sys

import duckdb

if len(sys.argv) != 2:
    sys.exit(__doc__)
text = pathlib.Path(__file__).with_name("queries.sql").read_text(encoding="utf-8")
os.chdir(sys.argv[1])
for statement in duckdb.extract_statements(text):
    answer = duckdb.execute(statement)
    print(*(column[0] for column in answer.description), sep="\t")
    for row in answer.fetchall():
        print(*row, sep="\t")
    print()
