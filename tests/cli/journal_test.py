"""Runs that are killed, resumed and recovered; disks that are full; journals that are damaged."""
import csv
import json
import os
import pty
import re
import resource
import signal
import subprocess
import time
import unittest

import h5py

from program import InFolder, program, top

# some seconds of a machine in space with loops; long enough to be interrupted
model = ["@e_05", "--record", "positions,velocities,power", "--sample", "0.5"]


class Killed(InFolder):
    def start(self, *words, **more):
        return subprocess.Popen([program, "simulate", *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)

    def size(self, journal):
        try:
            return (self.folder / journal).stat().st_size
        except FileNotFoundError:
            return 0

    def killed(self, *words, journal, by=signal.SIGKILL, blocks=1):
        """A run that was killed after its journal had so many blocks. Held for a second, because blocks come that often."""
        for duration in 400, 1600, 6400, 25600, 102400:  # longer on faster machines
            run = self.start(*words, "--duration", str(duration))
            while self.size(journal) == 0 and run.poll() is None:
                time.sleep(0.001)
            for _ in range(blocks):
                run.send_signal(signal.SIGSTOP)
                begun = self.size(journal)
                time.sleep(1.1)
                run.send_signal(signal.SIGCONT)
                while self.size(journal) <= begun and run.poll() is None:
                    time.sleep(0.0005)
            run.send_signal(by)
            if run.wait(30) != 0:
                return str(duration)
            for file in self.folder.glob("run*"):
                file.unlink()
        self.fail("every run came to its end before it was killed")

    def columns(self, file):
        with h5py.File(self.folder / file) as run:
            return {name: values[:].tobytes() for name, values in run["columns"].items()}

    def test_a_killed_run_goes_on_to_the_same_numbers_bit_for_bit(self):
        duration = self.killed(*model, "-o", "run.csv", "-o", "run.h5", "--report", "run.html", journal="run.csv.journal")
        self.assertFalse((self.folder / "run.csv").exists())
        # it is not restarted by accident
        answer = self.trammel("simulate", *model, "--duration", duration, "-o", "run.csv")
        self.assertEqual((answer.code, answer.out), (1, ""))
        self.assertIn("run.csv.journal is there already: a run that did not come to its end; add --resume", answer.err)
        # nor is another run taken for it
        answer = self.trammel("simulate", *model, "--duration", "7", "-o", "run.csv", "--resume")
        self.assertEqual(answer.code, 1)
        self.assertRegex(answer.err, r"run.csv.journal is of another run: --duration is 7, and was \d+; use the same options as when it began")
        answer = self.trammel("simulate", *model, "--duration", duration, "-o", "run.csv", "--resume", "--gravity", "0,0,-1")
        self.assertEqual(answer.code, 1)
        self.assertIn("run.csv.journal is of another run: the model has changed since; use the same options", answer.err)

        # the recovered part, before the run is continued
        self.done("recover", "run.csv.journal", "-o", "left.csv", "-o", "left.h5", "-o", "left.json")
        left = json.loads((self.folder / "left.json").read_text())
        self.assertFalse(left["is_complete"])
        self.assertEqual(left["stopped"], "the run was interrupted")
        self.assertGreater(left["samples"], 0)

        answer = self.done("simulate", *model, "--duration", duration, "-o", "run.csv", "-o", "run.h5", "--report", "run.html",
                           "--resume", "--json")
        self.assertRegex(answer.err, r"going on at t = \S+ s")
        self.assertFalse((self.folder / "run.csv.journal").exists())
        whole = self.json("simulate", *model, "--duration", duration, "-o", "whole.csv", "-o", "whole.h5", "--report", "whole.html")
        self.assertEqual((self.folder / "run.csv").read_bytes(), (self.folder / "whole.csv").read_bytes())
        self.assertEqual(self.columns("run.h5"), self.columns("whole.h5"))
        self.assertEqual((self.folder / "run.html").read_bytes(), (self.folder / "whole.html").read_bytes())
        summary = json.loads(answer.out)
        for of in summary, whole:
            self.assertGreater(of.pop("seconds"), 0)
        self.assertEqual(summary, whole)

        # the recovered part is the beginning of the whole
        text = (self.folder / "left.csv").read_text()
        self.assertTrue((self.folder / "whole.csv").read_text().startswith(text))
        self.assertLess(len(text), (self.folder / "whole.csv").stat().st_size)
        picture = self.done("plot", "left.h5", "q.*", "-o", "left.html", "-q")
        self.assertEqual(picture.out, "")
        self.assertIn("<svg", (self.folder / "left.html").read_text())

    def test_an_interrupted_run_keeps_all_samples(self):
        for by in signal.SIGINT, signal.SIGTERM:
            duration = self.killed(*model, "--journal", "run.journal", journal="run.journal", by=by)
            left = self.json("recover", "run.journal", "-o", "left.csv", "--force")
            self.assertEqual(left["damage"], [])
            self.assertFalse(left["is_complete"])
            self.done("simulate", *model, "--duration", duration, "--journal", "run.journal", "--resume")
            self.assertTrue((self.folder / "run.journal").exists())  # it was requested
            self.assertTrue(self.json("recover", "run.journal", "-o", "left.csv", "--force")["is_complete"])
            (self.folder / "run.journal").unlink()

    def test_a_damaged_journal_gives_what_is_whole(self):
        # the last block may be cut short, and one may have no sample: so two more
        self.killed(*model, "-o", "run.csv", journal="run.csv.journal", blocks=4)
        journal = self.folder / "run.csv.journal"
        whole = journal.read_bytes()
        self.done("recover", "run.csv.journal", "-o", "all.csv")
        rows = (self.folder / "all.csv").read_text()

        journal.write_bytes(whole[:-100])
        answer = self.done("recover", "run.csv.journal", "-o", "cut.csv")
        self.assertRegex(answer.err, r"trammel: run.csv.journal: the last \d+ bytes are no whole block: it was cut short there")
        self.assertTrue(rows.startswith((self.folder / "cut.csv").read_text()[:-1]))

        last = whole.rfind(b"\x89trammel")
        if len(whole) - last < 100:  # the kill left only the head of a block
            last = whole.rfind(b"\x89trammel", 0, last)
        at = last + 40  # in the last block
        journal.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
        answer = self.done("recover", "run.csv.journal", "-o", "-")
        self.assertIn("are no whole block", answer.err)  # the last: no whole block comes after it
        self.assertTrue(rows.startswith(answer.out[:-1]))

        marks = [at for at in range(len(whole)) if whole.startswith(b"\x89trammel", at)]
        self.assertGreater(len(marks), 2, "the run was killed too soon")
        at = marks[1] + 40  # in the first block: others come after it
        journal.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
        answer = self.trammel("recover", "run.csv.journal", "-o", "holes.csv")
        self.assertEqual(answer.code, 1)
        told = re.search(r"bytes \d+ to \d+ are damaged: (\d+) samples are lost(?:, before t = (\S+) s)?", answer.err)
        self.assertTrue(told, answer.err)
        # exactly those are missing, from the first on (the last block may be empty)
        lost, (head, *samples) = int(told[1]), rows.splitlines()
        self.assertGreater(lost, 0)
        self.assertEqual((self.folder / "holes.csv").read_text().splitlines(), [head, *samples[lost:]])
        if lost < len(samples) and told[2]:
            self.assertAlmostEqual(float(samples[lost].split(",")[0]), float(told[2]))

        journal.write_bytes(whole[:50] + bytes([whole[50] ^ 1]) + whole[51:])
        answer = self.trammel("recover", "run.csv.journal", "-o", "none.csv")
        self.assertEqual((answer.code, answer.out), (1, ""))
        self.assertIn("run.csv.journal: error: is damaged in its first record, which says what was recorded", answer.err)
        self.assertFalse((self.folder / "none.csv").exists())

    def test_a_full_disk_is_reported_and_written_samples_survive(self):
        small = 115_000  # size limit of a file: simulates a disk that fills up during the run
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (small, small))
        words = ["@double_pendulum", "--duration", "30"]
        # the journal of a short run fits, its table does not: the run is not lost
        done = subprocess.run([program, "simulate", *words, "-o", "run.csv", "--sample", "0.05", "--record", "positions,velocities,energy,reactions"],
                              cwd=self.folder, capture_output=True, text=True, preexec_fn=limit)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("run.csv could not be written: File too large\n  hint: run.csv.journal has all up to t = 30 s", done.stderr)
        self.assertEqual(sorted(file.name for file in self.folder.glob("run*")), ["run.csv.journal"])  # no partial table
        self.done("recover", "run.csv.journal")
        self.assertEqual(len((self.folder / "run.csv").read_text().splitlines()), 602)
        # a journal that cannot grow
        done = subprocess.run([program, "simulate", *words, "-o", "long.csv", "--sample", "0.001"],
                              cwd=self.folder, capture_output=True, text=True, preexec_fn=limit)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("long.csv.journal could not be written: File too large", done.stderr)
        self.assertIn("add --resume to go on from there, or trammel recover long.csv.journal", done.stderr)
        # and continues with space again
        self.done("simulate", *words, "-o", "long.csv", "--sample", "0.001", "--resume")
        self.assertEqual(len((self.folder / "long.csv").read_text().splitlines()), 30002)
        # a device that is always full
        answer = self.trammel("simulate", *words, "-o", "/dev/full")
        self.assertEqual((answer.code, answer.out), (1, ""))
        self.assertEqual(answer.err, "trammel: /dev/full could not be written: No space left on device\n")

    def test_wrong_usage_is_reported(self):
        answer = self.trammel("simulate", "@pendulum", "--resume")
        self.assertEqual((answer.code, answer.out), (2, ""))
        self.assertTrue(answer.err.startswith("trammel: option --resume needs the journal of the run\n"), answer.err)
        answer = self.trammel("simulate", "@pendulum", "--resume", "-o", "run.csv")
        self.assertEqual(answer.code, 1)
        self.assertEqual(answer.err, "trammel: there is no run.csv.journal to go on from; leave --resume out to begin\n")
        answer = self.trammel("recover", "arm.urdf", "-o", "run.csv")
        self.assertEqual(answer.code, 1)
        self.assertIn("arm.urdf: error: is no journal: it does not begin like one", answer.err)
        answer = self.trammel("recover", "arm.urdf")
        self.assertEqual(answer.code, 2)
        self.assertIn("add -o run.csv", answer.err)
        answer = self.trammel("recover", "nothing.journal")
        self.assertEqual(answer.code, 1)
        self.assertIn("nothing.journal: error: there is no such file", answer.err)
        (self.folder / "run.h5").write_text("mine")
        answer = self.trammel("simulate", "@pendulum", "--duration", "1e6", "-o", "run.csv", "-o", "run.h5")
        self.assertEqual(answer.code, 1)
        self.assertEqual(answer.err, "trammel: run.h5 is there already; add --force to overwrite it\n")
        self.assertEqual([file.name for file in self.folder.glob("run*")], ["run.h5"])


class Hdf5(InFolder):
    def test_another_program_sees_what_it_is(self):
        self.done("simulate", "@me_3b", "-o", "run.csv", "-o", "run.h5", "--duration", "2", "--tau", "0.1,0,0,0")
        with open(self.folder / "run.csv") as file:
            names, *rows = csv.reader(file)
        with h5py.File(self.folder / "run.h5") as run:
            version = re.search(r"project\(trammel VERSION (\S+)", (top / "CMakeLists.txt").read_text())[1]
            self.assertEqual(run.attrs["format"], "trammel run 1")
            self.assertTrue(run.attrs["program"].startswith(f"trammel {version}; build: "))
            columns = sorted(run["columns"].values(), key=lambda column: column.attrs["index"])
            self.assertEqual([f"{c.attrs['name']} [{c.attrs['unit']}]" for c in columns], names)
            for k, column in enumerate(columns):
                self.assertEqual(list(column[:]), [float(row[k]) for row in rows])
                self.assertIsNotNone(column.chunks)
                self.assertEqual((column.fletcher32, column.dtype.str), (True, "<f8"))
            self.assertEqual(columns[1].attrs["group"], "positions")
            self.assertEqual(dict(run["options"].attrs)["duration"], 2)
            self.assertEqual(run["options"].attrs["method"], "dormand-prince")
            self.assertEqual(list(run["options/acting"].attrs.values()), ["0.1"])
            self.assertTrue(run["summary"].attrs["is_complete"])
            self.assertEqual(run["end"].attrs["time"], 2)
            self.assertEqual(run["end/q"][0], float(rows[-1][1]))
            # it contains the model, unchanged
            (self.folder / "again.toml").write_bytes(run["model"][()])
        self.done("simulate", "again.toml", "-o", "again.csv", "--duration", "2", "--tau", "0.1,0,0,0")
        self.assertEqual((self.folder / "again.csv").read_bytes(), (self.folder / "run.csv").read_bytes())

    def test_pictures_are_the_same_from_either_file(self):
        self.done("simulate", "@double_pendulum", "--duration", "1", "-o", "run.csv", "-o", "run.h5", "--journal", "run.journal")
        picture = self.done("plot", "run.csv", "q.*").out
        self.assertEqual(self.done("plot", "run.h5", "q.*").out, picture)
        self.assertEqual(self.done("plot", "run.journal", "q.*").out, picture)
        answer = self.trammel("plot", "run.h5", "q.zz*")
        self.assertTrue(answer.err.startswith("trammel: run.h5 has no column 'q.zz*'"), answer.err)
        with h5py.File(self.folder / "other.h5", "w") as other:
            other["x"] = [1.0]
        answer = self.trammel("plot", "other.h5")
        self.assertEqual((answer.code, answer.out), (1, ""))
        self.assertIn("other.h5: error: is not what trammel writes: it says nothing of its format", answer.err)
        whole = (self.folder / "run.h5").read_bytes()
        (self.folder / "half.h5").write_bytes(whole[:len(whole) // 2])
        answer = self.trammel("plot", "half.h5", "q.*")
        self.assertEqual((answer.code, answer.out), (1, ""))
        self.assertIn("half.h5: error: cannot be read: HDF5: ", answer.err)


class Progress(InFolder):
    def on_terminal(self, *words):
        """What a person sees on the way."""
        screen, terminal = pty.openpty()
        run = subprocess.Popen([program, "simulate", *words], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=terminal)
        os.close(terminal)
        seen = b""
        while True:
            try:
                part = os.read(screen, 4096)
            except OSError:
                break
            if not part:
                break
            seen += part
        os.close(screen)
        self.assertEqual(run.wait(60), 0)
        return seen.decode()

    def test_a_person_sees_how_far_it_is_and_a_program_does_not(self):
        words = ["@e_05", "--record", "reactions,power", "--sample"]
        seen = self.on_terminal(*words, "0.002", "--duration", "80")  # some seconds of work
        lines = re.findall(r"\rsimulate +(\d+) %   t (\S+)/80 s   (\S+) x real time   eta (\d+) s", seen)
        self.assertGreater(len(lines), 1, seen)
        done = [float(line[0]) for line in lines]
        self.assertEqual(done, sorted(done))
        for percent, at, speed, _ in lines:
            self.assertAlmostEqual(float(percent), 100 * float(at) / 80, delta=0.6)  # both are rounded
            self.assertGreater(float(speed), 0)
        self.assertTrue(seen.endswith("\r" + " " * 79 + "\r"), seen[-100:])  # the line is erased
        self.assertNotIn("simulate ", self.on_terminal(*words, "0.02", "--duration", "2", "--quiet"))
        self.assertEqual(self.done("simulate", *words, "0.02", "--duration", "2").err, "")


if __name__ == "__main__":
    unittest.main()
