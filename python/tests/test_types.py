"""The types hold: mypy --strict over the package, its stub, the examples and some wrong calls."""
import os
import pathlib
import subprocess
import sys

import pytest

import trammel

pytest.importorskip("mypy", reason="mypy is not installed for this Python")

top = pathlib.Path(os.environ["TRAMMEL_SOURCE"])
package = pathlib.Path(trammel.__file__).parent


def mypy(cache, *paths):
    return subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", cache,
         "--python-version", "3.11", *map(str, paths)],
        capture_output=True, text=True, env={**os.environ, "MYPYPATH": str(package.parent)},
        cwd=package.parent)


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return str(tmp_path_factory.mktemp("mypy"))


def test_the_package_and_the_examples(cache):
    examples = sorted((top / "examples").glob("*.py"))
    assert examples
    for paths in ([package], *([example] for example in examples)):
        checked = mypy(cache, *paths)
        assert checked.returncode == 0, checked.stdout + checked.stderr


def test_wrong_calls_are_found(cache, tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("""import trammel
model = trammel.load("arm.toml", base="floating")
state = trammel.neutral_state(model)
trammel.forward_dynamics(model, "state")
trammel.forward_dynamics(model, state, torque=[1.0])
trammel.energy(model, state).kinetik
trammel.velocity(model, trammel.kinematics(model, state), "tool", "wold")
fine: float = trammel.energy(model, state).kinetic
""")
    found = {int(line.split(":")[1]) for line in mypy(cache, wrong).stdout.splitlines()
             if ": error:" in line}
    assert found == {2, 4, 5, 6, 7}
