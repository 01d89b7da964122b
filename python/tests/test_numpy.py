"""A numpy that this build cannot read is refused, not read wrongly."""
import os
import subprocess
import sys

import pytest

built_with = tuple(int(part) for part in os.environ["TRAMMEL_PYBIND11"].split(".")[:2])


@pytest.mark.skipif(built_with >= (2, 12), reason="this pybind11 reads every numpy")
def test_numpy_2_is_refused_by_an_old_pybind11():
    asked = subprocess.run(
        [sys.executable, "-c", "import numpy; numpy.__version__ = '2.0.1'; import trammel"],
        capture_output=True, text=True)
    assert asked.returncode == 1
    assert asked.stderr.splitlines()[-1] == (
        "ImportError: trammel was built with a pybind11 that knows numpy 1 only, and numpy here is "
        "2.0.1: use numpy 1, or build trammel with pybind11 2.12 or later")
