"""Runs as pandas tables and matplotlib figures: needs both packages (./dev test --peers)."""
import matplotlib
import numpy as np
import pandas
import pytest

import trammel

matplotlib.use("Agg")


@pytest.fixture(scope="module")
def run():
    return trammel.simulate(trammel.load("@four_bar"), duration=0.5, sample=0.01, record=["positions", "velocities"])


def test_a_table_has_time_as_its_index_and_the_units(run):
    table = run.to_pandas()
    assert isinstance(table, pandas.DataFrame) and table.index.name == "time"
    assert list(table.columns) == run.names[1:]
    assert np.array_equal(table["q.motor"].to_numpy(), run["q.motor"]) and np.array_equal(table.index, run.time)
    assert table.attrs["units"]["v.motor"] == "rad/s"
    assert list(run.to_pandas("q.*").columns) == ["q.motor", "q.knee", "q.foot"]
    with pytest.raises(KeyError, match="did you mean 'q.motor'"):
        run.to_pandas("q.moter")


def test_a_figure_has_an_axis_per_unit(run, tmp_path):
    figure = run.plot("*.motor")
    assert [axis.get_ylabel() for axis in figure.axes] == ["[rad]", "[rad/s]"]
    line, = figure.axes[0].get_lines()
    assert line.get_label() == "q.motor" and np.array_equal(line.get_ydata(), run["q.motor"])
    figure.savefig(tmp_path / "motor.png")
    assert (tmp_path / "motor.png").read_bytes().startswith(b"\x89PNG")
