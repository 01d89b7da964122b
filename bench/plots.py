"""Plots as plain SVG: both axes logarithmic."""
import math
from xml.sax.saxutils import escape

height, left, top, bottom = 400, 70, 40, 50
across_axes = 450  # width between the axes
colors = ["#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#16a085", "#7f8c8d", "#34495e"]
line_height = 14


def powers(low, high, base):
    return [base**k for k in range(math.floor(math.log(low, base) + 1e-9), math.ceil(math.log(high, base) - 1e-9) + 1)]


def label(x):
    return f"{x:,.0f}" if x >= 1 else f"{x:g}"


def apart(ups):
    """Heights moved as little as needed to be a line of text apart; `ups` by name."""
    placed, last = {}, None
    for name, up in sorted(ups.items(), key=lambda item: item[1]):
        last = up if last is None else max(up, last + line_height)
        placed[name] = last
    return placed


def plot(path, title, x_title, y_title, lines, base=2, right=120):
    """lines: {name: [(x, y), ...]}; those beyond the number of colors are dashed, at most as many again. `base`: of
    the ticks of y; `right`: room for the names."""
    assert len(lines) <= 2 * len(colors), f"{title}: more lines than colors, solid and dashed"
    width = left + across_axes + right
    xs = [x for points in lines.values() for x, _ in points]
    ys = [y for points in lines.values() for _, y in points]
    x_ticks, y_ticks = powers(min(xs), max(xs), 2), powers(min(ys) * 0.9, max(ys) * 1.1, base)

    def place(x, y):
        across = math.log(x / x_ticks[0]) / math.log(x_ticks[-1] / x_ticks[0] or 2)
        up = math.log(y / y_ticks[0]) / math.log(y_ticks[-1] / y_ticks[0])
        return left + across * (width - left - right), height - bottom - up * (height - top - bottom)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
             'font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>',
             f'<text x="{left}" y="22" font-size="15">{escape(title)}</text>']

    def words(x, y, text, anchor, color="#333", turn=""):
        parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}"{turn}>'
                     f'{escape(text)}</text>')

    def line(x1, y1, x2, y2):
        parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#ddd"/>')

    for x in x_ticks:
        across, floor = place(x, y_ticks[0])
        line(across, floor, across, top)
        words(across, floor + 18, label(x), "middle")
    for y in y_ticks:
        start, up = place(x_ticks[0], y)
        line(start, up, width - right, up)
        words(start - 8, up + 4, label(y), "end")
    words((left + width - right) / 2, height - 10, x_title, "middle")
    middle = (top + height - bottom) / 2
    words(18, middle, y_title, "middle", turn=f' transform="rotate(-90 18 {middle:.1f})"')
    ends = {}
    styles = [(color, "") for color in colors] + [(color, ' stroke-dasharray="5 3"') for color in colors]
    for (color, dashes), (name, points) in zip(styles, lines.items()):
        places = [place(x, y) for x, y in points]
        path_of = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline fill="none" stroke="{color}" stroke-width="2"{dashes} points="{path_of}"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>' for x, y in places]
        ends[name] = places[-1]
    heights = apart({name: up for name, (_, up) in ends.items()})
    edge = width - right
    for (color, _), (name, (across, up)) in zip(styles, ends.items()):
        if across < edge:  # a line that ends early: all names stand at the right edge
            parts.append(f'<line x1="{across:.1f}" y1="{up:.1f}" x2="{edge + 6}" y2="{heights[name]:.1f}" stroke="{color}" '
                         'stroke-width="0.5"/>')
        words(edge + 8, heights[name] + 4, name, "start", color)
    path.write_text("\n".join([*parts, "</svg>"]) + "\n")


def draw(folder, result):
    """Draws the measurements; returns the files by their titles."""
    folder.mkdir(parents=True, exist_ok=True)

    def lines(entries, across):
        return {kind: [(entry[across], entry[kind]) for entry in entries] for kind in ("inverse", "forward")}

    made = {}
    if result["growth"]:
        title = "Chains: time per body"
        made[title] = folder / "growth.svg"
        plot(made[title], title, "bodies", "ns a body", lines(result["growth"], "bodies"))
    if result["loop_growth"]:
        title = "Loops: time for each"
        made[title] = folder / "loop-growth.svg"
        plot(made[title], title, "how many", "ns each",
             {family["family"]: [(point["size"], point["ns"]) for point in family["points"]]
              for family in result["loop_growth"]})
    if result["batch_sizes"]:
        title = "Seven-axis arm: time per state"
        made[title] = folder / "batch-size.svg"
        plot(made[title], title, "states in a batch", "ns a state", lines(result["batch_sizes"], "states"))
    return made
