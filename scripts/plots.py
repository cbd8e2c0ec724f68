#!/usr/bin/env python3
"""Draws the main figures of a run from its CSV files: an example for analyses of your own.

Usage: scripts/plots.py FOLDER [--out PICTURES] [--variant NAME]      needs polars and matplotlib
"""

import argparse
import pathlib

try:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import polars as pl
except ModuleNotFoundError as error:
    raise SystemExit(f"plots.py: {error.name} is missing; install it with `pip install polars matplotlib`")


def read(path):
    """Reads a table; empty columns are numbers that were not measured."""
    table = pl.read_csv(path)
    empty = [name for name in table.columns if 0 < len(table) == table[name].null_count()]
    return table.with_columns(pl.col(empty).cast(pl.Float64))


def errors(table, name):
    """Distances from an estimate to the ends of its interval, in matplotlib's form."""
    low, value, high = (table[name + end].to_numpy() for end in ("_low", "", "_high"))
    return [value - low, high - value]


def ratings(folder, axes):
    table = read(folder / "strategies.csv")
    if table.is_empty():  # A single strategy has no rating.
        axes.set_axis_off()
        return
    order = table.group_by("strategy").agg(pl.col("rating").mean()).sort("rating")["strategy"]
    places = {name: i for i, name in enumerate(order)}
    variants = table["variant"].unique(maintain_order=True)
    for number, variant in enumerate(variants):
        rows = table.filter(pl.col("variant") == variant)
        y = [places[s] + 0.6 * (number / max(1, len(variants) - 1) - 0.5) for s in rows["strategy"]]
        axes.errorbar(rows["rating"], y, xerr=errors(rows, "rating"), fmt="o", ms=4, label=variant)
    axes.set_yticks(range(len(order)), order)
    axes.set_xlabel("rating (Elo), 95 % intervals")
    if len(variants) > 1:
        axes.legend(fontsize=7, ncols=4, loc="upper center", bbox_to_anchor=(0.5, -0.15))


def figure(folder, axes, name):
    table = read(folder / "variants.csv")
    if name not in table.columns or table[name].is_null().any():
        axes.set_axis_off()
        return
    y = range(len(table))
    axes.errorbar(table[name], y, xerr=errors(table, name), fmt="o")
    axes.set_yticks(y, table["variant"])
    axes.invert_yaxis()
    axes.set_xlabel(name.replace("_", " "))
    if name == "first_seat_score":
        axes.axvline(0.5, ls="--", c="gray")


def scores(folder, axes, variant):
    table = read(folder / "matchups.csv")
    known = table["variant"].unique(maintain_order=True).to_list()
    variant = variant or known[0]
    if variant not in known:
        raise SystemExit(f"unknown variant {variant}; known: {', '.join(known)}")
    table = table.filter(pl.col("variant") == variant)
    names = pl.concat([table["strategy"], table["opponent"]]).unique(maintain_order=True).to_list()
    grid = [[float("nan")] * len(names) for _ in names]
    for row in table.iter_rows(named=True):
        i, j = names.index(row["strategy"]), names.index(row["opponent"])
        grid[i][j], grid[j][i] = row["score"], 1 - row["score"]
    axes.imshow(grid, vmin=0, vmax=1, cmap="RdBu")
    for i, row in enumerate(grid):
        for j, score in enumerate(row):
            if score == score:
                ink = "white" if abs(score - 0.5) > 0.35 else "black"
                axes.text(j, i, f"{score:.2f}", ha="center", va="center", fontsize=7, color=ink)
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), names)
    others = f" ({len(known) - 1} more: --variant)" if len(known) > 1 else ""
    axes.set_title(f"score of row against column under {variant}{others}", fontsize=9)


def changes(folder, axes):
    table = read(folder / "differences.csv")
    table = table.filter(pl.col("figure") == "first_seat_score")
    if table.is_empty():
        axes.set_axis_off()
        return
    table = table.filter(pl.col("variant_a") == table["variant_a"][0])
    y = range(len(table))
    axes.errorbar(table["difference"], y, xerr=errors(table, "difference"), fmt="o")
    axes.set_yticks(y, table["variant_b"])
    axes.axvline(0, ls="--", c="gray")
    axes.set_xlabel(f"change of the first seat's score from {table['variant_a'][0]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--variant", help="variant whose pairings are shown; default: the first")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    picture, axes = plt.subplots(2, 3, figsize=(15, 8), layout="constrained")
    picture.suptitle(given.folder.resolve().name)
    ratings(given.folder, axes[0][0])
    scores(given.folder, axes[0][1], given.variant)
    figure(given.folder, axes[0][2], "first_seat_score")
    changes(given.folder, axes[1][0])
    figure(given.folder, axes[1][1], "turns")
    figure(given.folder, axes[1][2], "luck_share")
    place = given.out / f"{given.folder.resolve().name}.png"
    picture.savefig(place, dpi=110)
    print(place)


if __name__ == "__main__":
    main()
