#!/usr/bin/env python3
"""Large model files through the command line: CPU seconds, peak memory, exponents of growth. `./dev growth --files`.

Three families of models are written as files and made about three times as large until a command would take longer than
the limit: a chain, a tree in which every body carries two others, and four-bars side by side on the ground. Each
four-bar carries an arm of two bodies, so that there are five bodies to a loop. The same families, built
through the library (large_models.cpp), give bytes per body.

Peak memory is the resident set that the system reports of a command (wait4). An exponent is that between the two largest
sizes measured; above 1 a command grows faster than the model.
"""
import argparse
import json
import math
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

sizes = (1000, 3000, 10000, 30000, 100000, 300000)
largest_file = 64 << 20  # of a model file


def link(name, joint, parent, at, axis, com="[0, 0, -0.05]"):
    """A thin rod of 0.1 m on a revolute joint."""
    return (f'[body.{name}]\nmass = 0.2\ncom = {com}\ninertia = [1.7e-4, 1.7e-4, 1.7e-4]\n'
            f'[joint.{joint}]\ntype = "revolute"\nparent = "{parent}"\nchild = "{name}"\n'
            f'at = {{ xyz = {at} }}\naxis = "{axis}"\n')


def chain(bodies):
    for k in range(bodies):
        yield link(f"b{k}", f"j{k}", f"b{k - 1}" if k else "ground", "[0, 0, -0.1]", "xy"[k % 2])


def tree(bodies):
    for k in range(bodies):
        yield link(f"b{k}", f"j{k}", f"b{(k - 1) // 2}" if k else "ground", "[0, 0, -0.1]", "xy"[k % 2])


def four_bars(bodies):
    """Parallelograms of links of 0.1 m, at 60 degrees from the ground, each with an arm on its coupler."""
    up = "[0.05, 0.08660254037844386, 0]"
    middle = "[0.025, 0.04330127018922193, 0]"
    for k in range(bodies // 5):
        yield link(f"crank{k}", f"left{k}", "ground", f"[{0.2 * k:g}, 0, 0]", "z", middle)
        yield link(f"rocker{k}", f"right{k}", "ground", f"[{0.2 * k + 0.1:g}, 0, 0]", "z", middle)
        yield link(f"coupler{k}", f"knee{k}", f"crank{k}", up, "z", "[0.05, 0, 0]")
        yield (f'[joint.elbow{k}]\ntype = "revolute"\nparent = "coupler{k}"\nchild = "rocker{k}"\n'
               f'at = {{ xyz = [0.1, 0, 0] }}\nchild_at = {{ xyz = {up} }}\naxis = "z"\ncut = true\n')
        yield link(f"upper{k}", f"shoulder{k}", f"coupler{k}", "[0.05, 0, 0]", "x")
        yield link(f"fore{k}", f"wrist{k}", f"upper{k}", "[0, 0, -0.1]", "y")


families = {
    "chain": chain,
    "tree, two bodies on each": tree,
    "four-bars side by side, each with an arm of two bodies": four_bars,
}


def write(path, bodies, family):
    with open(path, "w") as file:
        file.write('trammel = 1\nname = "large"\ngravity = [0, -9.81, 0]\n')
        file.writelines(family(bodies))
    return path.stat().st_size


def commands(program, model, folder):
    simulate = ["--method", "rk4", "--step", "1e-3", "--duration", "1e-3", "--quiet", "--force", "-o", folder / "run.csv"]
    return {
        "check": [program, "check", model],
        "info": [program, "info", model],
        "eval energy": [program, "eval", model, "energy"],
        "eval forward_dynamics": [program, "eval", model, "forward_dynamics"],
        "eval inverse_dynamics": [program, "eval", model, "inverse_dynamics"],
        "simulate, one rk4 step": [program, "simulate", model, *simulate],
    }


def measure(command, limit, memory):
    """CPU seconds and peak bytes of a command; raises RuntimeError if it fails or exceeds the limits."""
    def restrict():
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit) + 1))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors,
                                   preexec_fn=restrict)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            raise RuntimeError(errors.read().decode(errors="replace")[-300:].strip() or f"exit {process.returncode}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def exponent(points):
    """Slope between the two largest of (size, value) in logarithms; none if there are not two."""
    if len(points) < 2:
        return None
    (n, x), (m, y) = points[-2:]
    return math.log(y / x) / math.log(m / n)


def measure_files(program, most, limit, memory, note):
    """{family: {command: [(bodies, seconds, bytes)]}}"""
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        model = folder / "large.toml"
        for name, family in families.items():
            rows = results[name] = {}
            over = set()
            for bodies in sizes:
                if bodies > most or write(model, bodies, family) > largest_file:
                    break
                for what, command in commands(program, model, folder).items():
                    points = rows.setdefault(what, [])
                    if what in over or (points and points[-1][1] * bodies / points[-1][0] > limit):
                        continue
                    try:
                        seconds, peak = measure(command, limit, memory)
                    except RuntimeError as failed:
                        note(f"{name}, {bodies} bodies, {what}: {failed}")
                        over.add(what)
                        continue
                    note(f"{name}, {bodies} bodies, {what}: {seconds:.2f} s, {peak / 2**20:.0f} MB")
                    points.append((bodies, seconds, peak))
        model.unlink()
    return results


def exponent_text(slope):
    return "" if slope is None else f"{round(slope, 1) + 0.0:.1f}"  # no -0.0


def number_text(number):
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def cells(points, columns, form):
    by_size = dict(points)
    slope = exponent(points)
    return " | ".join([form(by_size[n]) if n in by_size else "" for n in columns] + [exponent_text(slope)])


def heading(what, columns):
    return f"| {what} | {' | '.join(f'{n:,}' for n in columns)} | exponent |\n|---|{'---:|' * (len(columns) + 1)}"


def file_tables(results):
    text = []
    for family, rows in results.items():
        columns = sorted({n for points in rows.values() for n, _, _ in points})
        text.append(f"**{family}**\n\n" + heading("CPU seconds, by bodies", columns))
        text += [f"| {what} | " + cells([(n, s) for n, s, _ in points], columns, "{:.2f}".format) + " |"
                 for what, points in rows.items()]
        text.append("\n" + heading("peak memory [MB], by bodies", columns))
        text += [f"| {what} | " + cells([(n, b) for n, _, b in points], columns, lambda b: f"{b / 2**20:.0f}") + " |"
                 for what, points in rows.items()]
        text.append("")
    return "\n".join(text)


def library_table(program, most, memory, note):
    """Models built through the library, one process for each size."""
    def restrict():
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    columns = [n for n in (10000, 100000, 1000000) if n <= most]
    text = []
    for family in ("chain", "tree", "four_bars"):
        rows = {}
        for bodies in columns:
            done = subprocess.run([program, family, str(bodies)], capture_output=True, text=True, preexec_fn=restrict)
            note(f"{family}, {bodies} bodies, built: {(done.stdout + done.stderr).strip()}")
            if done.returncode != 0:
                break
            for what, number in json.loads(done.stdout).items():
                rows.setdefault(what, []).append((bodies, number))
        text.append(f"**{family.replace('_', '-')}, built through the library**\n\n" + heading("by bodies", columns))
        text += [f"| {what} | " + cells(points, columns, number_text) + " |" for what, points in rows.items()]
        text.append("")
    return "\n".join(text)


def main():
    parser = argparse.ArgumentParser(prog="./dev growth --files", description=__doc__.split("\n")[0])
    parser.add_argument("program", help="the command line, trammel")
    parser.add_argument("library", help="the program of large_models.cpp")
    parser.add_argument("--most", type=int, default=300000, help="bodies of the largest file (300000)")
    parser.add_argument("--most-built", type=int, default=1000000, help="bodies of the largest model built (1000000)")
    parser.add_argument("--limit", type=float, default=20, help="CPU seconds of a command (20)")
    parser.add_argument("--memory", type=float, default=16, help="address space of a command in GB (16)")
    options = parser.parse_args()

    def note(text):
        print(text, file=sys.stderr, flush=True)
    memory = int(options.memory * 2**30)
    print(file_tables(measure_files(options.program, options.most, options.limit, memory, note)))
    print(library_table(options.library, options.most_built, memory, note))


if __name__ == "__main__":
    main()
