#!/usr/bin/env python3
"""Mutates the models of the gallery by meaning and runs the commands of the program on them.

Everything follows from --seed: case K of seed S is the same model with the same commands every time, so
`--seed S --only K` repeats it. A finding is kept in --output: the model, made as small as leaving out tables makes
it, and a file with the command that reproduces it. Exit code 1: there was one.
"""
import argparse
import copy
import pathlib
import random
import shutil
import sys
import tempfile
import time
import tomllib

import commands
import mutations
from toml_text import model_text

top = pathlib.Path(__file__).resolve().parent.parent.parent.parent


def seeds():
    """Models of the gallery and tables of vehicles, by their file names."""
    models = {path.stem: tomllib.loads(path.read_text()) for path in sorted((top / "models").rglob("*.toml"))}
    tables = {path.stem: path.read_text() for path in sorted((top / "models/tables").glob("*.csv"))}
    tables = {name: text for name, text in tables.items() if "platform" in text}
    return models, tables


class Case:
    """One mutated model, and the commands for it."""

    def __init__(self, seed, number, models, tables):
        chance = random.Random(f"{seed}/{number}")
        self.number, self.model = number, None
        if tables and chance.random() < 0.08:
            self.name = chance.choice(sorted(tables))
            self.file, self.text, self.done = "model.csv", mutations.mutate_cells(tables[self.name], chance), ["mutate_cells"]
        else:
            self.name = chance.choice(sorted(models))
            self.file, self.model, self.done = "model.toml", copy.deepcopy(models[self.name]), []
            for _ in range(chance.choice([1, 1, 2, 2, 3, 4])):
                mutation = chance.choice(mutations.MUTATIONS)
                mutation(self.model, chance)
                self.done.append(mutation.__name__)
            self.text = model_text(self.model)
        self.commands = commands.command_lines(self.file, chance)


def smaller(model, is_found):
    """The model without the tables that the finding does not need."""
    changed = True
    while changed:
        changed = False
        for section in list(model):
            if section == "trammel":
                continue
            names = list(model[section]) if isinstance(model[section], dict) else []
            for name in [None, *names]:
                trial = copy.deepcopy(model)
                if name is None:
                    del trial[section]
                else:
                    trial[section].pop(name, None)
                if is_found(trial):
                    model, changed = trial, True
                    if name is None:
                        break
    return model


def keep(case, command, fact, arguments, folder):
    """Writes a finding: the model and the command."""
    def is_found(model):
        (folder / case.file).write_text(model_text(model))
        found, _ = commands.run(arguments.program, command, folder, arguments.seconds)
        return found is not None and found.split(":")[0] == fact.split(":")[0]

    text = case.text
    if case.model is not None and not fact.startswith("hang"):  # hangs take long
        text = model_text(smaller(case.model, is_found))
    name = f"models-{arguments.seed}-{case.number}-{command[0]}"
    ending = pathlib.Path(case.file).suffix
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / (name + ending)).write_text(text)
    words = " ".join(name + ending if word == case.file else word for word in command)
    (arguments.output / (name + ".txt")).write_text(f"{fact}\ntrammel {words}\n{case.name}: {', '.join(case.done)}\n")
    print(f"{fact}\n  trammel {words}    ({case.name}: {', '.join(case.done)})", flush=True)


def run_case(case, arguments, folder):
    """(commands that ran, findings)"""
    (folder / case.file).write_text(case.text)
    ran = found = 0
    for command in case.commands:
        fact, code = commands.run(arguments.program, command, folder, arguments.seconds)
        ran += 1
        if fact:
            found += 1
            keep(case, command, fact, arguments, folder)
            (folder / case.file).write_text(case.text)
        if command[0] == "check" and code == 1:  # the other commands refuse it likewise: run one of them, in turn
            fact, _ = commands.run(arguments.program, case.commands[1 + case.number % 3], folder, arguments.seconds)
            ran += 1
            if fact:
                found += 1
                keep(case, case.commands[1 + case.number % 3], fact, arguments, folder)
            break
    return ran, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True, help="trammel")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, help="how many; until --minutes are over unless given")
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--only", type=int, help="this case alone")
    parser.add_argument("--seconds", type=float, default=20, help="that one command may take (20)")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("findings"), help="folder of findings")
    arguments = parser.parse_args()
    arguments.program, arguments.output = arguments.program.resolve(), arguments.output.resolve()
    models, tables = seeds()
    end = time.monotonic() + 60 * arguments.minutes
    numbers = [arguments.only] if arguments.only is not None else range(arguments.cases or sys.maxsize)
    cases = ran = found = 0
    folder = pathlib.Path(tempfile.mkdtemp(prefix="trammel-fuzz-"))
    try:
        for number in numbers:
            if arguments.cases is None and arguments.only is None and time.monotonic() > end:
                break
            one_ran, one_found = run_case(Case(arguments.seed, number, models, tables), arguments, folder)
            cases, ran, found = cases + 1, ran + one_ran, found + one_found
    finally:
        shutil.rmtree(folder)
    print(f"models: {cases} mutated models, {ran} commands, {found} findings")
    return found > 0


if __name__ == "__main__":
    sys.exit(main())
