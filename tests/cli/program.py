"""Runs the program under test: its path is in the environment, as TRAMMEL."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

here = pathlib.Path(__file__).resolve().parent
top = here.parent.parent
program = pathlib.Path(os.environ.get("TRAMMEL", "trammel")).resolve()


class Answer:
    def __init__(self, done):
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr


def trammel(*words, cwd=here / "models", env=None, stdin=None):
    """Exit code, stdout and stderr; in the folder of the test models unless told otherwise."""
    done = subprocess.run([program, *map(str, words)], cwd=cwd, capture_output=True, text=True, timeout=60,
                          env={**os.environ, **(env or {})}, input=stdin)
    return Answer(done)


class InFolder(unittest.TestCase):
    """A fresh folder with the test models in it, as self.folder."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="trammel-cli-"))
        self.addCleanup(shutil.rmtree, self.folder)
        for model in (here / "models").iterdir():
            shutil.copy(model, self.folder)

    def trammel(self, *words, **more):
        return trammel(*words, cwd=self.folder, **more)

    def done(self, *words, **more):
        answer = self.trammel(*words, **more)
        self.assertEqual(answer.code, 0, answer.err)
        return answer

    def json(self, *words, **more):
        return json.loads(self.done(*words, "--json", **more).out)
