"""The tables: on the terminal, and in docs/performance.md between two marks."""
import os
import re

import rows as rules

begin, end = "<!-- made by ./dev bench --report: begin -->", "<!-- made by ./dev bench --report: end -->"


def nanoseconds(x):
    return f"{x:,.0f}" if x >= 100 else f"{x:.1f}"


def time_cell(row, name):
    time = row["times"].get(name) if "times" in row else None
    if time is None:
        return ""
    spread = 50 * (time["high"] - time["low"]) / time["ns"]
    return f"{nanoseconds(time['ns'])} ±{spread:.0f}%"


def row_cells(row, ours, peers):
    cells = [rules.titles[row["question"]], row["model"]]
    if not row["right"]:
        return [*cells, "WRONG: " + row["complaint"]]
    cells += [time_cell(row, name) for name in ours]
    cells.append("" if row["allocations"] is None else str(row["allocations"]))
    cells += [time_cell(row, name) for name in peers]
    if peers:
        best = row.get("best_peer")
        cells.append(f"{nanoseconds(best['ns'])} {best['who']}" if best else "")
        cells += [f"{row['ratios'][name]:.2f}" if best else "" for name in ours]
    cells.append("" if row["goal"] is None else f"{row['goal']:.2f}")
    cells.append({True: "yes", False: "no"}.get(row.get("met"), ""))
    if row.get("instructions") is not None:
        cells.append(f"{row['instructions']:,.0f}")
    return cells


def headings(result):
    ours, peers = list(result["ours"]), list(result["peers"])
    heads = ["row", "model", *(f"{name}, ns" for name in ours), "allocations", *(f"{name}, ns" for name in peers)]
    if peers:
        heads += ["best peer, ns", *(f"{name} / best" for name in ours)]
    heads += ["goal", "met"]
    return heads + (["instructions"] if any("instructions" in row for row in result["rows"]) else [])


def main_table(result):
    ours, peers = list(result["ours"]), list(result["peers"])
    return headings(result), [row_cells(row, ours, peers) for row in result["rows"]]


def growth_table(result):
    heads = ["bodies", "inverse, ns a body", "forward, ns a body", "mass matrix, ns a body", "model, bytes a body",
             "workspace, bytes a body"]
    lines = []
    for entry in result["growth"]:
        times = [f"{entry[key]:,.1f}" if key in entry else "" for key in ("inverse", "forward", "mass")]
        bytes_ = [f"{entry[key]:,.0f}" for key in ("model_bytes", "workspace_bytes")]
        lines.append([f"{entry['bodies']:,}", *times, *bytes_])
    return heads, lines


def loop_growth_table(result):
    lines = []
    for family in result["loop_growth"]:
        for k, point in enumerate(family["points"]):
            is_last = k + 1 == len(family["points"]) and family["slope"] is not None
            lines.append([family["family"], f"{point['size']:,}", f"{point['ns']:,.0f}",
                          f"{family['slope']:.2f}" if is_last else ""])
    return ["family", "how many", "forward, ns each", "slope, log against log"], lines


def large_table(result):
    heads = ["bodies", "built in, s", "model, bytes a body", "workspace, bytes a body", "inverse, s", "forward, s",
             "inverse of forward is off by"]
    return heads, [[f"{entry['bodies']:,}", f"{entry['build_seconds']:.1f}", f"{entry['model_bytes']:,.0f}",
                    f"{entry['workspace_bytes']:,.0f}", f"{entry['inverse_seconds']:.3g}",
                    f"{entry['forward_seconds']:.3g}", f"{entry['error']:.0e}"] for entry in result["large"]]


def batch_table(result):
    return ["states", "inverse, ns a state", "forward, ns a state"], [
        [f"{entry['states']:,}", f"{entry['inverse']:,.1f}", f"{entry['forward']:,.1f}"]
        for entry in result["batch_sizes"]]


def thread_table(result):
    return ["question", "threads", "times faster"], [
        [entry["question"], str(entry["threads"]), f"{entry['times_faster']:.2f}"] for entry in result["threads"]]


def plain(table):
    heads, lines = table
    full = [line for line in [heads, *lines] if len(line) == len(heads)]
    widths = [max(len(line[k]) for line in full) for k in range(len(heads))]

    def aligned(line):  # text left-aligned, numbers right-aligned; a message may be longer
        cells = list(zip(line, widths))
        told = [cell.ljust(width) for cell, width in cells[:2]] + [cell.rjust(width) for cell, width in cells[2:]]
        return "  ".join(told)

    return "\n".join(map(aligned, [heads, *lines]))


def markdown(table):
    heads, lines = table
    rule = ["---", *["---:"] * (len(heads) - 1)]
    return "\n".join("| " + " | ".join(line) + " |" for line in [heads, rule, *lines])


def head(result):
    machine = result["machine"]
    lines = [f"CPU: {machine['cpu']}, {machine['cores']} cores, {'with' if machine['avx512'] else 'without'} AVX-512. "
             f"Load before: {machine['load']:.2f}."]
    lines += [f"{name}: {about}." for name, about in {**result["ours"], **result["peers"]}.items()]
    lines += [f"Warning: {text}" for text in result["warnings"]]
    return lines


def sections(result):
    """(title, table) of all measurements."""
    found = [("", main_table(result))] if result["rows"] else []
    if result["growth"]:
        found.append(("Growth: chains", growth_table(result)))
    if result["loop_growth"]:
        found.append(("Growth: loops", loop_growth_table(result)))
    if result["large"]:
        found.append(("A hanging chain", large_table(result)))
    if result["batch_sizes"]:
        found.append(("Batches of the seven-axis arm", batch_table(result)))
    if result["threads"]:
        found.append(("Batches of 16,384 states on several threads", thread_table(result)))
    return found


def text(result):
    parts = ["\n".join(head(result))]
    for title, table in sections(result):
        parts.append((title + "\n" if title else "") + plain(table))
    return "\n\n".join(parts)


def put_into(path, result, pictures):
    """Replaces the text between the marks of a page; pictures: {title: file}."""
    page = path.read_text()
    if begin not in page or end not in page:
        raise ValueError(f"{path}: has no lines '{begin}' and '{end}' to put the tables between")
    parts = ["\n".join(f"* {line}" for line in head(result))]
    for title, table in sections(result):
        parts.append((f"### {title}\n\n" if title else "") + markdown(table))
    parts += [f"![{title}]({os.path.relpath(file, path.parent)})" for title, file in pictures.items()]
    made = "\n\n".join([begin, *parts, end])
    path.write_text(re.sub(re.escape(begin) + ".*" + re.escape(end), lambda _: made, page, flags=re.DOTALL))
