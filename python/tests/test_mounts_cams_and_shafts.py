"""Bushings, points on curves and constant-velocity joints from Python, with numbers by hand."""
import math

import numpy as np
import pytest

import trammel

G = 9.81


def dofs(model, *names):
    """Index of the degree of freedom of each joint, which has one."""
    all_names = [model.dof_name(k) for k in range(model.nv)]
    return [all_names.index(name) for name in names]


def block_on_a_mount(**kwargs):
    """A free block of 3 kg with one bushing at its center of mass."""
    description = trammel.Description("block")
    description.body("block", trammel.box(3.0, (0.3, 0.4, 0.5)))
    description.joint("fly", "free", "ground", "block")
    description.bushing("mount", "ground", "block", **kwargs)
    return trammel.build_model(description)


@pytest.mark.parametrize("k", [1e3, 1e5, 1e7])
def test_a_mount_sinks_by_the_weight_over_its_stiffness(k):
    model = block_on_a_mount(stiffness=[2 * k, 3 * k, k, 10.0, 10.0, 10.0])
    rest = trammel.equilibrium(model, trammel.neutral_state(model))
    # quaternion, then position; equilibrium() stops at an acceleration of 1e-11 m/s^2
    np.testing.assert_allclose(rest.q[:4], [1, 0, 0, 0], atol=1e-12)
    np.testing.assert_allclose(rest.q[4:], [0, 0, -3 * G / k], rtol=1e-11, atol=1e-13)
    # energy of the spring at rest: F^2/2k
    assert trammel.energy(model, rest).elastic == pytest.approx((3 * G) ** 2 / (2 * k), rel=1e-10)


def test_a_preload_carries_the_weight():
    model = block_on_a_mount(stiffness=[1e4] * 6, preload=[0, 0, 3 * G, 0, 0, 0])
    np.testing.assert_allclose(trammel.forward_dynamics(model, trammel.neutral_state(model)), 0, atol=1e-13)


def test_a_mount_by_table_has_the_force_of_its_table():
    # 0 to 29.43 N over 2 mm, by straight lines: the weight presses it to the last point but one
    table = ([-0.004, -0.002, 0.0, 0.002], [-100.0, -3 * G, 0.0, 3 * G])
    model = block_on_a_mount(stiffness=[1e4, 1e4, 0.0, 10.0, 10.0, 10.0], tables={"z": table}, interpolation="linear")
    state = trammel.neutral_state(model)
    state.q[6] = -0.002
    np.testing.assert_allclose(trammel.forward_dynamics(model, state), 0, atol=1e-12)
    state.q[6] = -0.001  # half of the weight is carried
    assert trammel.forward_dynamics(model, state)[5] == pytest.approx(-G / 2, rel=1e-12)


def test_damping_of_a_mount_is_force_by_speed():
    model = block_on_a_mount(stiffness=[1e4] * 6, damping=[5.0, 6.0, 7.0, 0.1, 0.2, 0.3])
    state = trammel.neutral_state(model)
    state.v[3:] = 0.2, -0.3, 0.4
    a = trammel.forward_dynamics(model, state)
    np.testing.assert_allclose(a[3:], [-5 * 0.2 / 3, 6 * 0.3 / 3, -7 * 0.4 / 3 - G], rtol=1e-12)


def test_mistakes_of_a_mount_are_named():
    with pytest.raises(trammel.ModelError, match="bushing 'mount'.*stiffness"):
        block_on_a_mount(stiffness=[1.0, 2.0])
    description = trammel.Description("block")
    description.body("block", trammel.box(3.0, (0.3, 0.4, 0.5)))
    description.joint("fly", "free", "ground", "block")
    description.bushing("mount", "ground", "blok", stiffness=[1.0] * 6)
    with pytest.raises(trammel.ModelError, match="bushing 'mount'.*'blok'"):
        trammel.build_model(description)


# the mounts of the gallery's engine: place x, z, and stiffness along x and z, in k = 200 kN/m
MOUNTS = [(0.1, -0.1, 1 / 4, 1), (0.1, -0.1, 1 / 4, 1), (-0.3, -0.2, 1 / 8, 2 / 5)]
K = 200e3


def test_the_engine_begins_at_rest_and_sinks_by_the_sum_of_its_mounts():
    model = trammel.load("@engine_mounts")
    start = trammel.start_state(model)
    # preloads of 3/8, 3/8 and 1/4 of the weight at x = 0.1, 0.1 and -0.3: forces and moments cancel
    np.testing.assert_allclose(trammel.forward_dynamics(model, start), 0, atol=1e-12)
    # a force through the center of stiffness, x = (0.1 + 0.1 - 0.3 * 2/5) / (2 + 2/5) = 1/30, turns nothing
    force = 4800.0
    rest = trammel.equilibrium(model, start, tau=[0, force / 30, 0, 0, 0, -force])
    np.testing.assert_allclose(rest.q, [1, 0, 0, 0, 0, 0, -force / (2.4 * K)], atol=1e-12)


def test_the_engine_rocks_by_its_torque():
    model = trammel.load("@engine_mounts")
    moment = 150.0
    rest = trammel.equilibrium(model, trammel.start_state(model), tau=[0, moment, 0, 0, 0, 0])
    # linear elasticity: along x and z, about y; a mount at (x, z) moves by (z phi, -x phi)
    stiffness = np.diag([0.0, 0.0, 200 + 200 + 100])
    for x, z, k_x, k_z in MOUNTS:
        moves = np.array([[1, 0, z], [0, 1, -x]])
        stiffness += moves.T @ np.diag([k_x * K, k_z * K]) @ moves
    x, z, phi = np.linalg.solve(stiffness, [0, 0, moment])
    assert 0.005 < phi < 0.02
    # large rotations and the preloads, which keep their directions, add terms of the order phi
    assert 2 * math.asin(rest.q[2]) == pytest.approx(phi, rel=2 * phi)
    assert rest.q[4] == pytest.approx(x, rel=4 * phi)
    assert rest.q[6] == pytest.approx(z, rel=4 * phi)
    np.testing.assert_allclose(rest.q[[1, 3, 5]], 0, atol=1e-12)  # symmetric


def lift(q, w=0.0):
    """Lift of the gallery's cam, a circle of radius r off its axis by e, and its two derivatives by time."""
    e, r = 0.02, 0.05
    s, c = np.sin(q), np.cos(q)
    u = np.sqrt(r**2 - (e * s) ** 2)
    speed = -w * e * s * (1 + e * c / u)
    faster = -(w**2) * e * (c + e * (c**2 - s**2) / u + e**3 * s**2 * c**2 / u**3)
    return e * c + u, speed, faster


@pytest.fixture
def cam():
    model = trammel.load("@cam_follower")
    return model, *dofs(model, "motor", "guide")


def test_the_follower_stands_where_the_cam_lifts_it(cam):
    model, motor, guide = cam
    state = trammel.start_state(model)
    for q in np.linspace(0, 2 * np.pi, 13):
        state.q[motor] = q
        state = trammel.assemble(model, state, keep=["motor"])
        assert state.q[motor] == q
        assert state.q[guide] == pytest.approx(lift(q)[0], abs=1e-12)


def test_the_follower_moves_by_the_closed_form(cam):
    model, motor, guide = cam
    w = 2 * math.pi  # the input: one turn in a second
    run = trammel.simulate(model, mode="kinematic", duration=1.0, sample=0.05)
    assert len(run.time) == 21
    height, speed, _ = lift(w * run.time, w)
    # positions and velocities are solved at each sample, to 1e-12 of the size of the mechanism
    np.testing.assert_allclose(run["q.motor"], w * run.time, atol=1e-12)
    np.testing.assert_allclose(run["q.guide"], height, atol=1e-11)
    np.testing.assert_allclose(run["v.guide"], speed, atol=1e-10)


def test_the_motor_of_the_cam_lifts_the_follower_by_power(cam):
    model, motor, guide = cam
    w, m, m_cam, e = 2 * math.pi, 0.5, 2.0, 0.02
    for q in (0.3, 2.0, 4.4):
        state = trammel.start_state(model)
        height, speed, faster = lift(q, w)
        state.q[motor], state.q[guide] = q, height
        state.v[motor], state.v[guide] = w, speed
        a = trammel.forward_dynamics(model, state)
        assert a[guide] == pytest.approx(faster, abs=1e-11)
        # power: the follower is accelerated and lifted, the center of the cam, e cos q high, is lifted
        power = m * (faster + G) * speed - m_cam * G * e * math.sin(q) * w
        found = trammel.prescribed_efforts(model, state)
        assert found.tau[motor] * w == pytest.approx(power, abs=1e-11)


def test_a_bead_on_a_wire_from_python():
    """On z = x^2/2: (1 + x^2) x'' + x x'^2 + g x = 0; by a formula, and by points on a straight slot."""
    def bead(**kwargs):
        description = trammel.Description("bead")
        description.body("bead", trammel.point_mass(0.7))
        slides = [trammel.slide("x"), trammel.slide("y"), trammel.slide("z")]
        description.joint("place", "compound", "ground", "bead", motions=slides)
        description.constraint("wire", "curve", "ground", "bead", **kwargs)
        return trammel.build_model(description)

    model = bead(x="s", z="a*s^2", with_={"a": 0.5}, start=-3, stop=3)
    state = trammel.neutral_state(model)
    for x, speed in ((-1.3, 0.0), (0.4, 2.5), (1.8, -0.7)):
        state.q[:] = x, 0, x * x / 2
        state.v[:] = speed, 0, x * speed
        a = trammel.forward_dynamics(model, state)
        along = -(x * speed**2 + G * x) / (1 + x * x)
        np.testing.assert_allclose(a, [along, 0, speed**2 + x * along], atol=1e-11)
    # a slot down by 30 degrees: g sin 30
    slot = bead(points=[(0, 0, 0), (math.sqrt(3), 0, -1)])
    state.q[:] = math.sqrt(3) / 2, 0, -0.5
    state.v[:] = 0
    a = trammel.forward_dynamics(slot, state)
    np.testing.assert_allclose(a, [G / 2 * math.sqrt(3) / 2, 0, -G / 4], atol=1e-12)
    state.q[:] = 1, 0, 0
    with pytest.raises(trammel.EvaluationError, match="constraint 'wire'"):
        trammel.forward_dynamics(slot, state)
    with pytest.raises(trammel.ModelError, match="constraint 'wire': its curve has 1 point"):
        bead(points=[(0, 0, 0)])


@pytest.mark.parametrize("steer", [-40, 0, 15, 30])
@pytest.mark.parametrize("drop", [0.0, 0.08])
def test_hub_and_stub_of_a_half_shaft_turn_with_one_speed(steer, drop):
    model = trammel.load("@half_shaft", set={"steer": math.radians(steer), "drop": drop})
    differential, bearing = dofs(model, "differential", "bearing")
    speed = 20 * math.pi  # 600 rpm
    start = trammel.start_state(model)
    assert start.v[differential] == pytest.approx(speed, rel=1e-15)
    run = trammel.simulate(model, start, duration=0.1, sample=0.005, record=["positions", "velocities"])
    # velocities satisfy the rows to rounding
    np.testing.assert_allclose(run["v.bearing"], run["v.differential"], rtol=1e-11)
    # a turn of the stub is one of the hub: the angles keep their difference
    ahead = run["q.bearing"] - run["q.differential"]
    np.testing.assert_allclose(ahead, ahead[0], atol=1e-8)
    assert run["q.differential"][-1] > 4  # most of a turn: every phase of the joints


@pytest.mark.parametrize("bend", [10, 35, 60])
@pytest.mark.parametrize("kind", ["constant_velocity", "universal"])
def test_speeds_across_a_bent_joint(kind, bend):
    """Two shafts in fixed bearings: one speed across a constant-velocity joint, and across a Cardan joint
    the speed w cos b / (1 - sin^2 b cos^2 q), between w cos b and w / cos b."""
    b = math.radians(bend)
    description = trammel.Description("shafts")
    for name in ("driver", "follower"):
        description.body(name, trammel.solid_cylinder(1.0, 0.02, 0.1))
    description.joint("first", "revolute", "ground", "driver", axis="z")
    axes = {"axis": "z"} if kind == "constant_velocity" else {"axis": "x", "axis2": "y"}
    description.joint("joint", kind, "driver", "follower", **axes)
    # the axis of the second bearing leans toward y
    leaning = trammel.Placement(rpy=(-b, 0, 0))
    description.joint("second", "revolute", "ground", "follower", at=leaning, axis="z", cut=True)
    description.guess("joint", position=[-b, 0])
    model = trammel.build_model(description)
    ratios = []
    (first,) = dofs(model, "first")
    state = trammel.start_state(model)
    for angle in np.linspace(0, math.pi, 25):
        state.q[first] = angle
        state = trammel.assemble(model, state, keep=["first"])
        T = trammel.orthogonal_complement(model, state, independent=["first"]).T
        moving = state
        moving.v[:] = T[:, 0]  # w = 1
        V = trammel.velocity(model, trammel.kinematics(model, moving), "follower", "world")
        axis = np.array([0, math.sin(b), math.cos(b)])
        np.testing.assert_allclose(np.cross(V[:3], axis), 0, atol=1e-12)  # it turns in its bearing
        ratios.append(V[:3] @ axis)
    if kind == "constant_velocity":
        np.testing.assert_allclose(ratios, 1, atol=1e-12)
    else:
        angles = np.linspace(0, math.pi, 25)
        c = math.cos(b)
        # the cross lies in the plane of both shafts' normals at the first or a quarter turn later
        one, other = (c / (1 - (math.sin(b) * f(angles)) ** 2) for f in (np.cos, np.sin))
        assert min(np.abs(ratios - one).max(), np.abs(ratios - other).max()) < 1e-12
        assert max(ratios) == pytest.approx(1 / c, rel=1e-12)
