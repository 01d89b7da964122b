"""Instruction counts of two measurements: rows that changed by more than a part of the count."""
import json
import re

import rows as rules


class CompareError(Exception):
    pass


def read(path):
    """{(title, model): instructions} of a file made by --json, or of a page made by --report."""
    text = path.read_text()
    if path.suffix == ".json":
        return of_result(json.loads(text))
    found, heads = {}, None
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if heads is None and cells[-1:] == ["instructions"]:
            heads = cells
        elif heads and len(cells) == len(heads) and re.fullmatch(r"[\d,]+", cells[-1]):
            found[cells[0], cells[1]] = int(cells[-1].replace(",", ""))
    if not found:
        raise CompareError(f"{path} has no instruction counts: make it with --instructions --json, or --instructions --report")
    return found


def of_result(result):
    return {(rules.titles[row["question"]], row["model"]): row["instructions"] for row in result["rows"]
            if row.get("instructions") is not None}


def changes(before, now, most=0.01):
    """Lines about the rows that both have; and whether no count grew by more than `most`."""
    both = sorted(set(before) & set(now))
    lines, is_kept = [], True
    for key in both:
        change = now[key] / before[key] - 1
        if abs(change) > most:
            lines.append(f"{key[0]}, {key[1]}: {before[key]:,.0f} -> {now[key]:,.0f} instructions ({100 * change:+.1f} %)")
            is_kept = is_kept and change < most
    lines.append(f"{len(both)} rows compared, {len(lines)} changed by more than {100 * most:g} %")
    return lines, is_kept and bool(both)
