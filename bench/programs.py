"""The benchmark programs (bench/serve.hpp): started once, then given one command at a time."""
import os
import select
import subprocess

import numpy


class ProgramError(Exception):
    """A program could not compute a result; the message is the reason."""


class Program:
    def __init__(self, name, command, limit=None):
        """`command`: a program, or a list of words. An answer may take `limit` seconds; None: any time."""
        self.name, self.limit = name, limit
        self._command = list(map(str, command)) if isinstance(command, list) else [str(command)]
        self.path = self._command[0]
        self._start()
        self.about = self.ask("about")

    def _start(self):
        # a session of its own: an interrupt from the keyboard is the driver's
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                         start_new_session=True)
        # all run alternately on one core: the last, because interrupts prefer the first
        os.sched_setaffinity(self._process.pid, [max(os.sched_getaffinity(0))])

    def ask(self, *words):
        try:
            print(*words, file=self._process.stdin, flush=True)
        except OSError:  # it ended before; an empty answer says so
            pass
        if self.limit and not select.select([self._process.stdout], [], [], self.limit)[0]:
            self.kill()
            self._start()
            raise ProgramError(f"{self.name}: no answer within {self.limit:.0f} s")
        line = self._process.stdout.readline()
        if not line:  # it could not start, or was killed, usually for lack of memory; the other rows go on
            code = self._process.wait()
            self._start()
            raise ProgramError(f"{self.name}: the program ended" +
                               (f" with exit code {code}" if code >= 0 else "; was there enough memory?"))
        if line.startswith("error"):
            raise ProgramError(f"{self.name}: {line[6:].strip()}")
        return line.strip()

    def answer(self, robot_path, question, state=0):
        return numpy.array(self.ask("answer", f'"{robot_path}"', question, state).split(), float)

    def ways(self, question, robot):
        """Variants by which a peer computes a quantity: none, one, or two, of which the faster counts."""
        if self.name == "MuJoCo":
            is_asked = question in ("inverse", "forward") and robot.kind.startswith(("arm", "humanoid"))
            return [question] if is_asked else []
        if "_batch" in question:
            return []
        return [question, question + "_world"] if question in ("forward", "mass") else [question]

    def time(self, robot_path, question, milliseconds):
        return float(self.ask("time", f'"{robot_path}"', question, milliseconds))

    def use_all_cores(self):
        """Uses all cores from here on; until then one."""
        os.sched_setaffinity(self._process.pid, os.sched_getaffinity(0))

    def calls(self, robot_path, question, count):
        self.ask("calls", f'"{robot_path}"', question, count)

    def allocations(self, robot_path, question):
        count = int(self.ask("allocations", f'"{robot_path}"', question))
        return count if count >= 0 else None

    def memory(self, robot_path):
        return [int(x) for x in self.ask("memory", f'"{robot_path}"').split()]

    def large(self, bodies):
        names = ("build_seconds", "model_bytes", "workspace_bytes", "inverse_seconds", "forward_seconds", "error")
        return {"bodies": bodies} | dict(zip(names, map(float, self.ask("large", bodies).split())))

    def kill(self):
        self._process.kill()
        self._process.communicate()  # closes its pipes

    def close(self):
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
