#!/usr/bin/env python3
"""Draws the tables of `./dev growth` and `./dev growth --files`: times over sizes, with fitted exponents.

    growth_plots.py FOLDER PAGE < TABLES      prints the tables, each followed by its picture (SVG in FOLDER)

An exponent is the slope of the straight line through the logarithms, least squares, over the larger half of the sizes.
PAGE is the document that gets the tables: links are relative to it.
"""
import math
import os
import pathlib
import re
import sys

import plots


def rows_of(table):
    """(what is measured, {name: [(size, value), ...]}) of one Markdown table with sizes as heads."""
    lines = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in table]
    heads = lines[0][1:-1]
    sizes = [int(head.replace(",", "")) for head in heads]
    rows = {}
    for cells in lines[2:]:
        points = [(size, float(cell.replace(",", ""))) for size, cell in zip(sizes, cells[1:-1]) if cell]
        rows[cells[0]] = [(size, value) for size, value in points if value > 0]
    return lines[0][0], {name: points for name, points in rows.items() if points}


def fitted_exponent(points):
    """Slope of log(value) over log(size), by least squares over the larger half of the sizes; None for one point."""
    half = points[-max(3, (len(points) + 1) // 2):]
    if len(half) < 2:
        return None
    xs, ys = [[math.log(number) for number in numbers] for numbers in zip(*half)]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)


def named(rows):
    """The rows with the fitted exponent in their name."""
    lines = {}
    for name, points in rows.items():
        exponent = fitted_exponent(points)
        lines[name if exponent is None else f"{name}: {exponent:.2f}"] = points
    return lines


def draw(folder, family, what, rows):
    """One picture; returns its title and file."""
    measure, _, size = what.partition(", by ")
    title = f"{family.split(':')[0].split(',')[0]}: {measure}"
    file = folder / ("growth-" + re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") + ".svg")
    plots.plot(file, title, size or "loops", measure, named(rows), base=10, right=220)
    return title, file


def with_pictures(text, folder, page):
    """The Markdown `text` with a picture after each table whose rows have one unit."""
    folder.mkdir(parents=True, exist_ok=True)
    out, table, family = [], [], ""
    for line in [*text.splitlines(), ""]:
        if line.startswith("**"):
            family = line.strip("*")
        if line.startswith("|"):
            table.append(line)
        elif table:
            what, rows = rows_of(table)
            table = []
            if rows and what != "by bodies":  # models built through the library: seconds beside bytes
                title, file = draw(folder, family, what, rows)
                out += ["", f"![{title}]({os.path.relpath(file, page.parent)})"]
        out.append(line)
    return "\n".join(out).rstrip() + "\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, page = map(pathlib.Path, sys.argv[1:])
    sys.stdout.write(with_pictures(sys.stdin.read(), folder, page))


if __name__ == "__main__":
    main()
