"""Answers against the formulas of a pendulum, written down by hand."""
import numpy as np
import pytest

import trammel
from robots import pendulum

m, l, g = 2.0, 0.7, 9.81


@pytest.fixture
def swinging():
    return pendulum(m, l), trammel.State(q=[0.3], v=[1.7])


def test_falls_as_the_formula_says(swinging):
    model, state = swinging
    # a positive turn about y brings x down: m l^2 a = tau + m g l cos q
    expected = (0.5 + m * g * l * np.cos(0.3)) / (m * l * l)
    assert trammel.forward_dynamics(model, state, [0.5]) == pytest.approx([expected], rel=1e-14)
    held = m * l * l * 0.2 - m * g * l * np.cos(0.3)
    assert trammel.inverse_dynamics(model, state, a=[0.2]) == pytest.approx([held], rel=1e-14)
    assert trammel.gravity_load(model, state) == pytest.approx([-m * g * l * np.cos(0.3)], rel=1e-14)
    assert trammel.bias(model, state) == pytest.approx([-m * g * l * np.cos(0.3)], rel=1e-14)
    assert trammel.mass_matrix(model, state) == pytest.approx(np.array([[m * l * l]]), rel=1e-14)
    assert trammel.mass_matrix_inverse(model, state) == pytest.approx(
        np.array([[1 / (m * l * l)]]), rel=1e-14)


def test_has_the_energy_and_momentum_of_a_point(swinging):
    model, state = swinging
    stored = trammel.energy(model, state)
    assert stored.kinetic == pytest.approx(0.5 * m * (l * 1.7) ** 2, rel=1e-14)
    assert stored.gravity == pytest.approx(-m * g * l * np.sin(0.3), rel=1e-14)
    assert stored.elastic == 0
    assert stored.total == stored.kinetic + stored.gravity
    v = l * 1.7 * np.array([-np.sin(0.3), 0, -np.cos(0.3)])
    motion = trammel.momentum(model, state)
    assert motion.linear == pytest.approx(m * v, abs=1e-14)
    assert motion.angular == pytest.approx([0, m * l * l * 1.7, 0], abs=1e-14)
    assert trammel.centroidal_momentum(model, state).angular == pytest.approx([0, 0, 0], abs=1e-14)
    center = trammel.center_of_mass(model, state)
    assert center.mass == m
    assert center.position == pytest.approx([l * np.cos(0.3), 0, -l * np.sin(0.3)], abs=1e-14)
    assert center.velocity == pytest.approx(v, abs=1e-14)


def test_moves_on_a_circle(swinging):
    model, state = swinging
    where = trammel.kinematics(model, state, a=[0.4])
    tip = trammel.frame_ref(model, "bob", xyz=(l, 0, 0))
    c, s = np.cos(0.3), np.sin(0.3)
    pose = trammel.pose(model, where, tip)
    assert pose.p == pytest.approx([l * c, 0, -l * s], abs=1e-15)
    assert pose.R == pytest.approx(np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]), abs=1e-15)
    assert trammel.velocity(model, where, tip) == pytest.approx(
        [0, 1.7, 0, -l * 1.7 * s, 0, -l * 1.7 * c], abs=1e-14)
    assert trammel.velocity(model, where, tip, axes="body") == pytest.approx(
        [0, 1.7, 0, 0, 0, -l * 1.7], abs=1e-14)
    assert trammel.acceleration(model, where, tip, "body") == pytest.approx(
        [0, 0.4, 0, -l * 1.7 ** 2, 0, -l * 0.4], abs=1e-14)
    J = trammel.jacobian(model, where, tip)
    assert J.shape == (6, 1)
    assert J[:, 0] * 1.7 == pytest.approx(trammel.velocity(model, where, tip), abs=1e-14)
    assert trammel.jacobian_rate(model, state, tip, "body") == pytest.approx(
        [0, 0, 0, -l * 1.7 ** 2, 0, 0], abs=1e-14)


def test_a_wrench_and_a_moving_ground_act(swinging):
    model, state = swinging
    weight = trammel.Wrench(trammel.frame_ref(model, "bob", xyz=(l, 0, 0)), force=(0, 0, m * g))
    assert trammel.inverse_dynamics(model, state, wrenches=[weight]) == pytest.approx([0], abs=1e-13)
    # a ground that falls with g takes the weight away
    falling = trammel.Support(acceleration=(0, 0, 0, 0, 0, -g))
    assert trammel.inverse_dynamics(model, state, ground=falling) == pytest.approx([0], abs=1e-13)
    by_name = trammel.Wrench("bob", moment=(0, 3.0, 0))
    assert trammel.inverse_dynamics(model, state, wrenches=[by_name]) == pytest.approx(
        trammel.gravity_load(model, state) - 3.0, rel=1e-14)


def test_the_pivot_carries_the_weight():
    model = pendulum(m, l)
    hanging = trammel.State(q=[np.pi / 2], v=[0.0])
    (carried,) = trammel.reactions(model, hanging)  # in the bob's axes: x points down
    assert carried == pytest.approx([0, 0, 0, -m * g, 0, 0], abs=1e-13)


def test_derivatives_are_those_of_the_formula(swinging):
    model, state = swinging
    slopes = trammel.inverse_dynamics_derivatives(model, state, a=[0.2])
    assert slopes.dq == pytest.approx(np.array([[m * g * l * np.sin(0.3)]]), rel=1e-13)
    assert slopes.dv == pytest.approx(np.array([[0.0]]), abs=1e-13)
    assert slopes.dx == pytest.approx(np.array([[m * l * l]]), rel=1e-13)
    assert trammel.forward_dynamics_derivatives(model, state, [0.5]).dx == pytest.approx(
        np.array([[1 / (m * l * l)]]), rel=1e-13)
    assert trammel.forward_dynamics_derivatives(model, state, [0.5]).dq == pytest.approx(
        np.array([[-g / l * np.sin(0.3)]]), rel=1e-13)


def test_gravity_can_be_changed(swinging):
    model, state = swinging
    moon = model.with_gravity((0, 0, -1.62))
    assert trammel.gravity_load(moon, state) == pytest.approx([-m * 1.62 * l * np.cos(0.3)])
    assert model.gravity == pytest.approx([0, 0, -9.81])
    assert moon.gravity == pytest.approx([0, 0, -1.62])
