"""Vehicles on wheels: numbers of [Saha 1991] (S-T06, S-T07, S-T10) through the Python door."""
import math

import numpy as np
import pytest

import trammel

three = [trammel.WheelPlacing(math.pi / 2, math.radians(a), math.radians(a), 0.3) for a in (90, 210, 330)]


def test_layouts_are_judged():
    L = trammel.hub_jacobian(three)
    np.testing.assert_allclose(L[0], [-3, 10, 0], atol=1e-14)
    found = trammel.conditioning(trammel.scaled(L, 1, math.sqrt(2) * 0.3))
    np.testing.assert_allclose(found.singular, 12.247449, atol=5.1e-7)
    assert found.anisotropy < 1e-12 and trammel.singular_because(three) == ""
    ring = trammel.isotropic_layout(6)
    again = trammel.conditioning(trammel.scaled(trammel.hub_jacobian(ring), 1, math.sqrt(2) * 0.3))
    np.testing.assert_allclose(again.singular, 17.320508, atol=5.1e-7)
    quarter = math.pi / 2
    best = trammel.best_layout([trammel.WheelRange((quarter, quarter), (-3, 3), (-3, 3), (0.3, 0.3))] * 3, 0.42)
    assert best.found.anisotropy < 1e-9
    with pytest.raises(ValueError, match="three or more"):
        trammel.isotropic_layout(2)


def test_torques_are_shared_and_followed():
    model = trammel.load("@s_t08")
    state = trammel.start_state(model)
    path = trammel.two_straights_path(2.32, -2.32, -2.75, 0.12, 15, 30, 15).with_yaw(0, math.pi / 2, 15, 30)
    assert path.at(30).yaw == pytest.approx(math.pi / 4)
    followed = trammel.follow_path(model, state, "platform", path, sample=0.5, limits={"wheel4": 0.01})
    assert followed.tau.shape == (121, 7) and np.abs(followed.tau[:, 6]).max() <= 0.01 + 1e-12
    assert followed.position_error < 1e-6
    errors = trammel.replay_efforts(model, "platform", path, followed)
    assert max(errors.most_x, errors.most_y) < 0.01
    there = trammel.State(followed.q[48], followed.v[48])
    found = trammel.allocate_efforts(model, there, followed.a[48], idle=["wheel4"])
    assert found.tau[6] == 0
    with pytest.raises(trammel.EvaluationError, match="no solution within the limits"):
        trammel.follow_path(model, state, "platform", path, limits={f"wheel{k}": 0.001 for k in (1, 2, 3, 4)})


def test_rollers_turn_as_their_accelerations_say():
    model = trammel.load("@s_t07")
    path = trammel.two_straights_path(2.32, -2.32, -2.75, 0.12, 15, 30, 15).with_yaw(0, math.pi / 2, 15, 30)
    followed = trammel.follow_path(model, trammel.start_state(model), "platform", path, sample=0.05, has_efforts=False)
    by_differences = np.gradient(followed.roller_rates, np.asarray(followed.times), axis=0)
    # the rates bend by some 20 rad/s^3 a second, of which a difference misses h^2/6
    np.testing.assert_allclose(followed.roller_accelerations[300:900:50], by_differences[300:900:50], atol=0.02)
    assert np.abs(by_differences).max() > 1


def test_paths_stand_in_files(tmp_path):
    vehicle = trammel.load("@s_t03")
    assert trammel.path_names(vehicle) == ["round", "across"]
    path, place = trammel.find_path(vehicle, "round")
    assert (place, path.duration) == ("midpoint", 60)
    assert path.at(30).x == pytest.approx(-5)
    with pytest.raises(trammel.ModelError, match="did you mean 'round'"):
        trammel.find_path(vehicle, "rond")
    file = tmp_path / "way.csv"
    file.write_text("t,x,y [mm]\n0,0,0\n1,1,0\n2,2,500\n")
    assert trammel.path_from_file(str(file)).at(2).y == pytest.approx(0.5)
    file.write_text("t,x,y\n0,0,0\n1,,0\n")
    with pytest.raises(trammel.ModelError, match="row 2 has no 'x'"):
        trammel.path_from_file(str(file))


def test_any_mechanism_is_judged():
    model = trammel.load("@s_t07")
    state = trammel.start_state(model)
    layout = trammel.model_layout(model, state, "platform")
    L = trammel.hub_jacobian(layout)
    np.testing.assert_allclose(L, trammel.hub_jacobian(three), atol=1e-12)
    found = trammel.dexterity(model, state, "platform", length=math.sqrt(2) * 0.3)
    assert (found.ways, found.decided, found.directions) == (3, 3, 3)
    assert found.condition == pytest.approx(1) and found.singular_because == ""
    # the same by the other way: rates of the hubs by the motion, the wrong way round
    np.testing.assert_allclose(np.linalg.pinv(L), found.J[[2, 3, 4]], atol=1e-12)
    assert trammel.layout_picture(layout, found.length, motion_by_rates=found.J[[2, 3, 4]]).startswith("<svg")
    arm = trammel.load("@puma_560")
    assert trammel.dexterity_picture(arm, trammel.start_state(arm), arm.bodies[-1].name).startswith("<svg")


def test_a_trajectory_of_another_model_is_refused():
    platform = trammel.load("@four_mecanum_wheels")
    path = trammel.straight_path(0.1, 0.0, 1.0)
    followed = trammel.follow_path(platform, trammel.start_state(platform), "platform", path, sample=0.5)
    for numbers in (followed.v, followed.a, followed.tau):
        np.testing.assert_array_equal(numbers["wheel1"], np.asarray(numbers)[:, platform.joint("wheel1").v.start])
    assert repr(followed) == "<Trajectory of 'four Mecanum wheels (S-T08)': 3 samples>"
    other = trammel.load("@four_bar")
    with pytest.raises(ValueError, match="replay_efforts: the trajectory is of another model: nq = 7, nv = 7, the model has nq = 3 and nv = 3"):
        trammel.replay_efforts(other, other.bodies[1].name, path, followed)
