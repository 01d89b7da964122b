"""What TAB offers, asked in the shells themselves. One class a shell: CTest runs those that are installed."""
import fcntl
import os
import pty
import select
import shutil
import struct
import subprocess
import termios
import time
import unittest

from program import InFolder, program, trammel

path = f"{program.parent}:{os.environ['PATH']}"

# typed line -> some of the words that must be offered, some that must not
offered = {
    "trammel ": (["check", "info", "eval", "convert", "generate", "examples", "completion"], ["__complete", "--json"]),
    "trammel ev": (["eval"], ["check"]),
    "trammel eval --gr": (["--gravity", "--ground-velocity", "--ground-acceleration"], ["--q"]),
    "trammel check --": (["--json", "--base", "--help"], ["--q", "--svg"]),
    "trammel eval arm.urdf mass_": (["mass_matrix", "mass_matrix_inverse"], ["energy"]),
    "trammel eval arm.urdf energy inv": (["inverse_dynamics"], ["energy"]),
    "trammel eval arm.urdf --q sh": (["shoulder="], ["elbow="]),
    "trammel eval arm.urdf energy --tau ": (["shoulder=", "elbow="], []),
    "trammel eval floating.toml jacobian --at ": (["tool", "wrist", "base"], ["ball"]),
    "trammel eval @pend": (["@pendulum"], []),
    "trammel eval --frame ": (["body", "world"], []),
    "trammel info arm.urdf --base ": (["fixed", "free"], []),
    "trammel check loo": (["loop.toml"], ["arm.urdf"]),
    "trammel completion ": (["bash", "zsh", "fish"], []),
    "trammel generate dh": (["dh", "dh-modified"], ["sdof"]),
    "trammel examples pend": (["pendulum"], ["humanoid"]),
}


class Candidates(InFolder):
    """The program's own answer, which all shells ask for."""

    def candidates(self, *words):
        lines = trammel("__complete", *words, cwd=self.folder).out.splitlines()
        return lines[0], [line.split("\t")[0] for line in lines[1:]]

    def test_names_come_from_the_model(self):
        self.assertEqual(self.candidates("eval", "@pendulum", "--q", ""), ("words nospace", ["pivot="]))
        self.assertEqual(self.candidates("eval", "@pendulum", "--set", "l"), ("words nospace", ["length="]))
        self.assertEqual(self.candidates("eval", "arm.urdf", "--v", "shoulder=1,e"),
                         ("words nospace", ["shoulder=1,elbow="]))
        self.assertEqual(self.candidates("eval", "arm.urdf", "--q=e"), ("words nospace", ["--q=elbow="]))
        self.assertEqual(self.candidates("eval", "arm.urdf", "--at", "f"), ("words", ["fore"]))
        self.assertEqual(self.candidates("eval", "arm.urdf", "--wrench", "f"), ("words nospace", ["fore="]))

    def test_models_are_files_or_of_the_gallery(self):
        self.assertEqual(self.candidates("eval", "@pend"), ("words", ["@pendulum"]))
        kind, found = self.candidates("eval", "")
        self.assertEqual(kind, "files")
        self.assertIn("@pendulum", found)
        self.assertEqual(self.candidates("check", "arm.urdf", "@pend"), ("words", ["@pendulum"]))
        self.assertEqual(self.candidates("convert", "arm.urdf", ""), ("files", []))
        self.assertEqual(self.candidates("convert", "arm.urdf", "x.toml", ""), ("words", []))

    def test_nothing_is_offered_where_nothing_can_be_known(self):
        for words in ["eval", "wrong.toml", "--q", ""], ["eval", "none.toml", "--q", ""], ["eval", "--q", ""], ["fly", "x"]:
            kind, found = self.candidates(*words)
            self.assertFalse(kind.startswith("files"), words)
            self.assertTrue(words[0] == "fly" or found == [], words)
        self.assertEqual(trammel("__complete").code, 0)


class Terminal(InFolder):
    """A shell on a terminal of its own, in the folder of the models."""

    shown = ""

    def start(self, command, ready):
        child, self.leader = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.environ.update(PATH=path, TERM="dumb", HOME=str(self.folder), LC_ALL="C.UTF-8")
            os.execvp(command[0], command)
        self.addCleanup(os.close, self.leader)
        self.addCleanup(os.waitpid, child, 0)
        self.addCleanup(os.kill, child, 9)
        fcntl.ioctl(self.leader, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 200, 0, 0))
        for line in ready:
            self.type(line + "\n")
        self.until("READY>")

    def type(self, text):
        os.write(self.leader, text.encode())

    def until(self, wanted, seconds=20):
        """What is shown, up to the wanted text; what comes after it is for the next call."""
        end = time.monotonic() + seconds
        while wanted not in self.shown:
            if not select.select([self.leader], [], [], max(0, end - time.monotonic()))[0]:
                self.fail(f"the shell did not show {wanted!r}, but: {self.shown!r}")
            self.shown += os.read(self.leader, 4096).decode(errors="replace")
        seen, _, self.shown = self.shown.partition(wanted)
        return seen


class Bash(Terminal):
    def offered_in_bash(self, line):
        words = line.split(" ")
        script = f"""source <(trammel completion bash)
COMP_LINE='{line}' COMP_POINT={len(line)} COMP_WORDS=({' '.join(word or "''" for word in words)})
COMP_CWORD={len(words) - 1}
_trammel
printf '%s\\n' "${{COMPREPLY[@]}}" """
        done = subprocess.run(["bash", "--norc", "-c", script], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "PATH": path})
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_candidates(self):
        for line, (must, must_not) in offered.items():
            with self.subTest(line):
                found = self.offered_in_bash(line)
                self.assertLessEqual(set(must), set(found))
                self.assertFalse(set(must_not) & set(found))

    def test_words_that_bash_breaks_are_completed_after_the_break(self):
        self.assertEqual(self.offered_in_bash("trammel eval arm.urdf --q=el"), ["elbow="])
        self.assertEqual(self.offered_in_bash("trammel eval arm.urdf --q shoulder=1,el"), ["1,elbow="])

    def test_tab_on_a_terminal(self):
        self.start(["bash", "--norc", "-i"], ["PS1='READ'; PS1+='Y>'; source <(trammel completion bash)"])
        self.type("trammel ev\t@pend\tinverse_dynamics --q pi\t0.3\n")
        self.assertIn("-3.748", self.until("inverse_dynamics [N m]") + self.until("READY>"))


class Zsh(Terminal):
    def setUp(self):
        super().setUp()
        self.start(["zsh", "-f", "-i"], ["autoload -Uz compinit && compinit -u -D; unsetopt zle_bracketed_paste; "
                                         "source <(trammel completion zsh); PS1='READ'; PS1+='Y>'"])

    def test_tab_completes_what_is_unique(self):
        self.type("trammel ev\t@pend\tgravity_l\t--q pi\t0.3\n")
        self.assertIn("-3.748", self.until("gravity_load [N m]") + self.until("READY>"))

    def test_tab_lists_candidates(self):
        for line, (must, must_not) in offered.items():
            if len(must) < 2 or line.endswith("dh"):
                continue
            with self.subTest(line):
                self.type(line + "\t\t")
                for word in sorted(must):  # as zsh lists them
                    self.until(word)
                self.type("\x15\n")  # an empty line again
                self.until("READY>")


class Fish(InFolder):
    def test_candidates(self):
        for line, (must, must_not) in offered.items():
            with self.subTest(line):
                done = subprocess.run(["fish", "--no-config", "-c", f"trammel completion fish | source; complete -C '{line}'"],
                                      cwd=self.folder, capture_output=True, text=True,
                                      env={**os.environ, "PATH": path, "HOME": str(self.folder)})
                found = [each.split("\t")[0] for each in done.stdout.splitlines()]
                self.assertLessEqual(set(must), set(found), done.stderr)
                self.assertFalse(set(must_not) & set(found))


def load_tests(loader, tests, pattern):
    """Those of shells that are not there are left out; ctest names the shells it runs."""
    suite = unittest.TestSuite()
    shells = os.environ.get("TRAMMEL_SHELLS", "bash zsh fish").split()
    for case in Candidates, Bash, Zsh, Fish:
        shell = "bash" if case is Candidates else case.__name__.lower()
        if shell in shells and shutil.which(shell):
            suite.addTests(loader.loadTestsFromTestCase(case))
    return suite


if __name__ == "__main__":
    unittest.main()
