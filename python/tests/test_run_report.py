"""Runs as pages and pictures."""
import re
import sys

import numpy as np
import pytest

import trammel


@pytest.fixture(scope="module")
def run():
    return trammel.simulate(trammel.load("@four_bar"), duration=0.5, sample=0.01,
                            record=["positions", "velocities", "reactions", "energy"])


def test_a_page_has_every_column_and_is_written(run, tmp_path):
    text = trammel.report(run, tmp_path / "run.html", title="bars in motion")
    assert (tmp_path / "run.html").read_text(encoding="utf-8") == text
    assert text.startswith("<!doctype html>") and "bars in motion" in text
    for name in run.names[1:]:
        assert name in text
    assert "four-bar" in trammel.report(run)  # its own name unless one is given


def test_files_are_overwritten_only_by_force(run, tmp_path):
    for write, name in ((trammel.report, "run.html"), (lambda run, path, **more: trammel.plot(run, "q.*", path, **more), "q.svg")):
        path = tmp_path / name
        path.write_text("mine")
        with pytest.raises(FileExistsError, match=f"the file '.*{name}' exists: force=True overwrites it"):
            write(run, path)
        assert path.read_text() == "mine"
        text = write(run, path, force=True)
        assert path.read_text(encoding="utf-8") == text
    for wrong in 5, ["run.html"]:
        with pytest.raises(TypeError, match="report: path is .*: give the name of a file"):
            trammel.report(run, wrong)
    with pytest.raises(TypeError, match="plot: run is a Model: give a Run, as simulate returns it"):
        trammel.plot(run.model)


def test_a_page_wants_positions_and_a_model(run):
    without = trammel.simulate(run.model, duration=0.1, record=["energy"])
    with pytest.raises(ValueError, match="report: the run has no 'q.motor'.*: record positions"):
        trammel.report(without)
    alone = trammel.Run(run.names, run.units, run.values, run.state, run.steps, run.rejected, None)
    with pytest.raises(ValueError, match="does not know its model: give model="):
        trammel.report(alone)
    assert trammel.report(alone, model=run.model)


def test_a_picture_of_columns(run, tmp_path):
    text = trammel.plot(run, "q.*", tmp_path / "angles.svg", title="angles")
    assert (tmp_path / "angles.svg").read_text() == text
    assert text.startswith("<svg") and "angles" in text
    assert len(re.findall(r'<text class="p-text" x="[^"]*" y="[^"]*">q\.', text)) == 3
    both = trammel.plot(run, ["q.motor", "v.motor"], tmp_path / "both.html")
    assert both.count("<svg") == 2
    stacked = trammel.plot(run, ["q.motor", "v.motor"])  # one picture, a panel for each unit
    assert stacked.count("<svg") == 3 and ">[rad]</text>" in stacked and ">[rad/s]</text>" in stacked
    with pytest.raises(ValueError, match="no column 'q.moter'; did you mean 'q.motor'"):
        trammel.plot(run, "q.moter")


def test_a_run_reports_its_events_and_its_model():
    description = trammel.Description("drop")
    description.body("stone", trammel.point_mass(1.0))
    description.joint("fall", "prismatic", "ground", "stone",
               limits=trammel.JointLimits(lower=[-0.1], upper=[1.0], restitution=[0.0]))
    model = trammel.build_model(description)
    run = trammel.simulate(model, duration=0.5)
    assert run.model is model
    impact = run.events[0]
    assert impact.time == pytest.approx(np.sqrt(2 * 0.1 / 9.81), abs=1e-7)
    assert impact.what.startswith("impact") and impact.energy_lost == pytest.approx(0.981, abs=1e-6)
    assert impact.what in trammel.report(run)


def test_a_run_shows_itself(run):
    assert repr(run) == "Run('four-bar linkage', 0 to 0.5 s, 51 samples of %d columns, %d steps, 0 events)" % (
        len(run.names), run.steps)
    frame = run._repr_html_()
    assert frame.startswith("<iframe srcdoc=") and "&lt;!doctype html&gt;" in frame and "<script" not in frame
    without = trammel.simulate(run.model, duration=0.1, record=["energy"])  # no positions, so no page
    assert without._repr_html_().startswith("<p>Run(")


def test_a_missing_package_is_named(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="Run.to_pandas needs pandas: pip install pandas"):
        run.to_pandas()
    with pytest.raises(ImportError, match="Run.plot needs matplotlib: pip install matplotlib"):
        run.plot()
