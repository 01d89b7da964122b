"""Descriptions of terrains, wrenches, casters and moving ground."""
import numpy as np
import pytest

import trammel


def ball(on):
    description = trammel.Description("ball")
    description.body("ball", trammel.sphere(1.0, 0.1))
    description.joint("free", "free", "ground", "ball")
    description.wheel("skin", "ball", 0.1, kind="ball", on=on)
    return description


def test_a_ball_rolls_down_an_inclined_terrain():
    formula, grid = ball("hill"), ball("hill")
    formula.terrain("hill", "-a*x", with_={"a": 0.2})
    grid.terrain("hill", start=(-1, -1), spacing=(1, 2), heights=[[0.2, 0.2], [0, 0], [-0.2, -0.2]])
    for description in (formula, grid):
        model = trammel.build_model(description)
        run = trammel.simulate(model, duration=1.0, tolerance=1e-10)
        down = np.hypot(run["q.free.x"][-1] - run["q.free.x"][0], run["q.free.z"][-1] - run["q.free.z"][0])
        assert down == pytest.approx(0.5 * 9.81 * np.sin(np.arctan(0.2)) / 1.4, abs=1e-7)
    assert formula.terrains[0].with_ == {"a": 0.2} and grid.terrains[0].spacing == (1, 2)
    assert "stands" not in trammel.write_toml(formula)


def test_a_wrench_over_time_and_moving_ground_survive_the_file():
    description = ball("ground")
    description.wrench("wind", "ball", ("sine", {"amplitude": (1, 0, 0), "frequency": 0.5}), axes="own")
    description.wrench("twist", "ball", moment=(0, 0, 0.1))
    description.move_ground(position=("sine", {"amplitude": (0.1, 0, 0), "frequency": 1}))
    description.wheel("rear", "ball", 0.05, kind="caster", trail=0.02, mass=0.1, friction=0.5)
    assert description.wrenches[0].is_in_own_axes and description.wrenches[0].moment is None
    assert description.wheels[1].kind is trammel.WheelKind.caster and description.wheels[1].friction == 0.5
    again, found = trammel.read_description("ball.toml", trammel.write_toml(description))
    assert not [d for d in found if d.severity == "error"]
    assert trammel.write_toml(again) == trammel.write_toml(description)
    model = trammel.build_model(description)
    assert {b.name for b in model.bodies} >= {"moving_ground", "rear", "rear_fork"}
    with pytest.raises(ValueError, match="axes is 'mine', it is world or own"):
        description.wrench("x", "ball", (0, 0, 1), axes="mine")
