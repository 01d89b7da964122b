"""Timing: programs run alternately, a few milliseconds each, in rounds, so that a change of the machine's
speed affects all."""
import os
import platform
import statistics
import time

import numpy

import rows as rules


def summary(samples):
    """Median and quartiles in ns."""
    low, middle, high = numpy.percentile(samples, [25, 50, 75])
    return {"ns": float(middle), "low": float(low), "high": float(high)}


def take_turns(turns, rounds, milliseconds):
    """Samples of each (program, path, question), interleaved; the order rotates."""
    samples = [[] for _ in turns]
    for turn in range(rounds):
        for k in range(len(turns)):
            k = (k + turn) % len(turns)
            program, path, question = turns[k]
            samples[k].append(program.time(path, question, milliseconds))
    return samples


def time_row(row, robot, ours, peers, options):
    """Fills a row with the times of all programs, and with the ratio to the best peer."""
    question, single = row["question"], rules.single(row["question"])
    turns = [(program, robot.path, question) for program in ours]
    for peer in peers:
        turns += [(peer, robot.path, way) for way in peer.ways(single, robot)]
    samples = take_turns(turns, options.rounds, options.milliseconds)

    by_program = {}
    for (program, _, _), values in zip(turns, samples):
        values = numpy.array(values)
        known = by_program.get(program.name)
        # the variant with the smaller median
        if known is None or numpy.median(values) < numpy.median(known):
            by_program[program.name] = values
    row["times"] = {name: summary(values) for name, values in by_program.items()}
    if peers:
        compare(row, robot, by_program, ours)


def compare(row, robot, by_program, ours):
    """Ratios per round, then their median."""
    clang, gcc = by_program.get("Pinocchio clang"), by_program.get("Pinocchio g++")
    times, who = rules.best_peer(row["question"], robot.kind, clang, gcc)
    row["best_peer"] = summary(times) | {"who": who}
    row["ratios"] = {program.name: float(numpy.median(by_program[program.name] / times)) for program in ours}
    if row["goal"] is not None:
        row["met"] = row["ratios"][ours[-1].name] <= row["goal"]


def growth(chains, program, options):
    """Chains of growing length: ns and bytes per body."""
    found = []
    for chain in chains:
        path, n = chain.path, chain.nv
        entry = {"bodies": n}
        asked = ["inverse", "forward", *(["mass"] if n <= 1024 else [])]
        turns = [(program, path, question) for question in asked]
        for question, values in zip(asked, take_turns(turns, options.rounds, options.milliseconds)):
            entry[question] = summary(values)["ns"] / n
        model, workspace = program.memory(path)
        entry |= {"model_bytes": model / n, "workspace_bytes": workspace / n}
        found.append(entry)
    return found


def loop_growth(families, program, options):
    """Families of robots with more and more loops: ns per loop, and the exponent of growth of the total time
    (slope in log-log)."""
    found = []
    for name, members in families.items():
        turns = [(program, robot.path, "closed") for _, robot in members]
        times = [summary(values)["ns"] for values in take_turns(turns, options.rounds, options.milliseconds)]
        sizes = [size for size, _ in members]
        slope = float(numpy.polyfit(numpy.log(sizes), numpy.log(times), 1)[0]) if len(sizes) > 1 else None
        found.append({"family": name, "slope": slope,
                      "points": [{"size": size, "ns": ns / size} for size, ns in zip(sizes, times)]})
    return found


def batch_sizes(robot, program, options):
    """ns per state of batches of growing size."""
    asked = [(size, question) for size in (2**k for k in range(13)) for question in ("inverse", "forward")]
    turns = [(program, robot.path, f"{question}_batch/{size}") for size, question in asked]
    found = {}
    for (size, question), values in zip(asked, take_turns(turns, options.rounds, options.milliseconds)):
        found.setdefault(size, {"states": size})[question] = summary(values)["ns"]
    return list(found.values())


def threads(robot, program, options):
    """Speedup of large batches on several threads, in wall-clock time."""
    found = []
    program.use_all_cores()
    for question in ("inverse", "forward"):
        seconds = {}
        for _ in range(options.rounds):
            for count in dict.fromkeys((1, 2, os.cpu_count())):
                start = time.perf_counter()
                program.calls(robot.path, f"{question}_batch/16384@{count}", 4)
                seconds.setdefault(count, []).append(time.perf_counter() - start)
        alone = statistics.median(seconds[1])
        found += [{"question": question, "threads": count, "times_faster": alone / statistics.median(taken)}
                  for count, taken in seconds.items() if count > 1]
    return found


def machine():
    """The machine: CPU model, whether it has AVX-512, its load."""
    name, flags = platform.processor(), ""
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                key, _, value = line.partition(":")
                name = value.strip() if key.strip() == "model name" else name
                flags = value if key.strip() == "flags" else flags
    except OSError:
        pass
    return {"cpu": name, "avx512": "avx512f" in flags, "cores": os.cpu_count(), "load": os.getloadavg()[0]}
