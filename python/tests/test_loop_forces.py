"""What acts inside loops: springs, drives, wheels."""
import numpy as np
import pytest

import trammel


def four_bar(drive="none", **wrist):
    """Bars of 0.2, 0.5 and 0.45 m on 0.5 m in the x-y plane; the wrist closes the loop."""
    description = trammel.Description("four-bar")
    description.gravity = (0, -9.81, 0)
    for name, length in (("crank", 0.2), ("coupler", 0.5), ("rocker", 0.45)):
        description.body(name, trammel.thin_rod(length, length, (length / 2, 0, 0)))
    description.joint("motor", "revolute", "ground", "crank")
    description.joint("knee", "revolute", "crank", "coupler", at=(0.2, 0, 0))
    description.joint("foot", "revolute", "ground", "rocker", at=(0.5, 0, 0))
    description.joint("wrist", "revolute", "coupler", "rocker", at=(0.5, 0, 0), child_at=(0.45, 0, 0),
               cut=True, drive=drive, **wrist)
    return trammel.build_model(description)


def closed(model):
    rough = trammel.neutral_state(model)
    rough.q[:] = 0.9, 0.2, 1.5
    return trammel.assemble(model, rough, keep=["motor"])


def test_a_joint_that_closes_a_loop_is_driven_by_name_or_in_order():
    model = four_bar("torque")
    state = closed(model)
    assert trammel.loop_dof_names(model) == ["wrist"]
    a = trammel.forward_dynamics(model, state, loop_tau={"wrist": 0.4})
    np.testing.assert_array_equal(a, trammel.forward_dynamics(model, state, loop_tau=[0.4]))
    assert np.abs(a - trammel.forward_dynamics(model, state)).max() > 0.1
    efforts = trammel.drive_efforts(model, state, a)
    np.testing.assert_allclose(efforts.loop_tau, [0.4], atol=1e-10)
    np.testing.assert_allclose(efforts.tau, 0, atol=1e-10)
    with pytest.raises(trammel.EvaluationError, match="'wrist' is driven, .* call drive_efforts"):
        trammel.inverse_dynamics(model, state, a)
    with pytest.raises(ValueError, match="loop_tau: the model 'four-bar' has no joint 'wirst'; did you mean 'wrist'"):
        trammel.forward_dynamics(model, state, loop_tau={"wirst": 1})
    with pytest.raises(ValueError, match="loop_tau has 2 entries, the loop joints have 1 degrees of freedom"):
        trammel.forward_dynamics(model, state, loop_tau=[1, 2])


def test_its_prescribed_motion():
    model = four_bar("motion")
    state = closed(model)
    with pytest.raises(trammel.EvaluationError, match="'wrist' is driven by motion"):
        trammel.forward_dynamics(model, state)
    a = trammel.forward_dynamics(model, state, loop_a={"wrist": 2.0})
    # the rocker's angle less those of crank and coupler
    assert a[2] - a[0] - a[1] == pytest.approx(2.0, abs=1e-9)


def test_its_coordinate_spring_and_limits():
    model = four_bar(stiffness=3.0, rest=0.1, limits=trammel.JointLimits(upper=0.5))
    state = closed(model)
    motion = trammel.loop_motion(model, state)
    angle = state.q[2] - state.q[0] - state.q[1]
    np.testing.assert_allclose(motion.q, [angle], atol=1e-9)
    assert trammel.energy(model, state).elastic == pytest.approx(1.5 * (angle - 0.1) ** 2)
    warnings = trammel.check_loop_limits(model, motion)
    assert len(warnings) == (angle > 0.5)
    # virtual work: with the sign of each tree joint in the wrist's angle
    effort = -3.0 * (angle - 0.1)
    np.testing.assert_allclose(trammel.passive_forces(model, state), effort * np.array([-1, -1, 1]),
                               atol=1e-9)


def test_the_effort_of_a_prescribed_joint_gives_an_actuated_one_the_same_motion():
    prescribed, pushed = four_bar("motion"), four_bar("torque")
    state = closed(prescribed)
    efforts = trammel.prescribed_efforts(prescribed, state, loop_a={"wrist": 0.7})
    np.testing.assert_allclose(trammel.forward_dynamics(pushed, state, loop_tau=efforts.loop_tau),
                               trammel.forward_dynamics(prescribed, state, loop_a={"wrist": 0.7}),
                               atol=1e-9)
    assert abs(efforts.loop_tau[0]) > 0.01
    # hybrid_dynamics has both in one answer
    hybrid = trammel.hybrid_dynamics(prescribed, state, loop_a={"wrist": 0.7})
    np.testing.assert_allclose(hybrid.loop_tau, efforts.loop_tau, atol=1e-12)
    np.testing.assert_allclose(hybrid.tau, 0, atol=1e-12)
    np.testing.assert_allclose(hybrid.a, trammel.forward_dynamics(prescribed, state, loop_a={"wrist": 0.7}), atol=1e-9)
    assert trammel.hybrid_dynamics(pushed, state, loop_tau={"wrist": 0.3}).loop_tau == pytest.approx([0.3])
    with pytest.raises(trammel.EvaluationError, match="'wrist' is driven by motion, but no accelerations are given"):
        trammel.hybrid_dynamics(prescribed, state)


def test_the_effort_of_a_driven_joint_that_closes_a_loop_by_virtual_work():
    """A parallelogram whose foot, the loop joint, is driven: the coupler moves parallel, and the foot turns against the
    crank. Power: effort * (-rate) = (2 I + m l^2) alpha * rate."""
    description = trammel.Description("parallelogram")
    description.gravity = (0, 0, 0)
    for name in "left", "right":
        description.body(name, trammel.Solid(0.0, (0, 0, 0), (0.3, 0.3, 0.3)))
    description.body("coupler", trammel.Solid(2.0, (0, 0, 0), (0.1, 0.1, 0.1)))
    description.joint("left", "revolute", "ground", "left", axis="z")
    description.joint("right", "revolute", "ground", "right", at=(1, 0, 0), axis="z")
    description.joint("knee", "revolute", "left", "coupler", at=(0.4, 0, 0), axis="z")
    description.joint("foot", "revolute", "right", "coupler", at=(0.4, 0, 0), child_at=(1, 0, 0), axis="z", cut=True, drive="motion")
    for joint, angle in ("left", 0.7), ("right", 0.7), ("knee", -0.7):
        description.start(joint, position=angle)
    model = trammel.build_model(description)
    found = trammel.hybrid_dynamics(model, trammel.start_state(model), loop_a={"foot": -1.5})
    names = [model.dof_name(k) for k in range(model.nv)]
    for name, a in zip(names, found.a):
        assert a == pytest.approx(-1.5 if name == "knee" else 1.5)
    assert found.loop_tau == pytest.approx([-(2 * 0.3 + 2 * 0.4**2) * 1.5])
    np.testing.assert_allclose(found.tau, 0, atol=1e-12)


def test_a_choice_of_self_stress_is_weighed():
    model = four_bar()
    state = closed(model)
    found = trammel.constrained_reactions(model, state)
    assert found.length == pytest.approx((0.2 + 0.5 + 0.45) / 3)  # the mean length of the bars
    other = trammel.constrained_reactions(model, state, stress_length=0.1)
    assert other.length == 0.1
    assert other.force[found.is_unique] == pytest.approx(found.force[found.is_unique])
    heavy = trammel.constrained_reactions(model, state, stress_weights={"wrist": 1e6})
    chosen = ~found.is_unique[3]
    assert np.abs(heavy.force[3][chosen]).max() <= np.abs(found.force[3][chosen]).max()
    with pytest.raises(ValueError, match="stress_weights: the model 'four-bar' has no joint 'wirst'; did you mean 'wrist'"):
        trammel.constrained_reactions(model, state, stress_weights={"wirst": 1})
    with pytest.raises(ValueError, match="the weight of joint 'wrist' is -1"):
        trammel.constrained_reactions(model, state, stress_weights={"wrist": -1})


def test_rows_have_units_and_what_holds_is_named():
    model = four_bar()
    assert trammel.row_units(model) == ["rad", "rad", "m", "m", "m"]
    assert trammel.blocking_constraints(model, closed(model)) == []
    mobility = trammel.mobility(model, closed(model))
    assert mobility.dropped < mobility.tolerance < mobility.least  # three rows are redundant
    assert 10 < mobility.digits == trammel.remaining_digits(model, closed(model)) <= 15
    locked = four_bar("locked")
    assert trammel.blocking_constraints(locked, closed(locked)) != []


def test_an_inverse_of_trees_names_the_function_for_loops():
    model = four_bar()
    for function in trammel.mass_matrix_inverse, trammel.mass_matrix_factors:
        with pytest.raises(trammel.EvaluationError, match=f"^{function.__name__}: .*minimal_equations"):
            function(model, closed(model))


def test_a_wheel_rolls():
    description = trammel.Description("wheel")
    m, r, axial = 5.0, 0.3, 0.225
    description.body("wheel", trammel.Solid(m, (0, 0, 0), (axial / 2, axial, axial / 2)))
    description.joint("flight", "compound", "ground", "wheel",
               motions=[trammel.slide("x"), trammel.slide("z"), trammel.turn("y")])
    description.wheel("rim", "wheel", r)
    model = trammel.build_model(description)
    state = trammel.neutral_state(model)
    state.q[:] = 0, r, 0
    push = trammel.Wrench("wheel", moment=(0, 0.5, 0))
    found = trammel.constrained_dynamics(model, state, wrenches=[push])
    assert found.a[0] == pytest.approx(0.5 / (r * (m + axial / r**2)))
    assert found.multipliers[0] == pytest.approx(m * 9.81)
    assert trammel.row_names(model) == [
        "wheel 'rim': force up", "wheel 'rim': force across", "wheel 'rim': force along"]


def test_friction_follows_the_floor():
    description = trammel.Description("block")
    description.body("block", trammel.sphere(2.0, 0.1))
    description.joint("flight", "compound", "ground", "block",
               motions=[trammel.slide("x"), trammel.slide("z")])
    description.joint("floor", "compound", "ground", "block", cut=True,
               motions=[trammel.slide("x"), trammel.slide("y"), trammel.turn("x"),
                        trammel.turn("y"), trammel.turn("z")])
    model = trammel.build_model(description)
    state = trammel.neutral_state(model)
    state.v[0] = 1.0
    drag = trammel.Wrench("block", force=(-0.3, 0, 0))
    row = trammel.row_names(model)[0]
    found = trammel.sliding_dynamics(model, state, [(row, drag)])
    assert found.a[0] == pytest.approx(-0.3 * 9.81)
    assert found.multipliers[0] == pytest.approx(2 * 9.81)
    with pytest.raises(ValueError, match="no row is named 'flor'"):
        trammel.sliding_dynamics(model, state, [("flor", drag)])


def test_a_motion_that_is_prescribed_twice_is_shared():
    description = trammel.Description("parallelogram")
    description.gravity = (0, 0, 0)
    for name in "left", "right":
        description.body(name, trammel.Solid(0.0, (0, 0, 0), (0.3, 0.3, 0.3)))
    description.body("coupler", trammel.Solid(2.0, (0, 0, 0), (0.1, 0.1, 0.1)))
    description.joint("left", "revolute", "ground", "left", axis="z", drive="motion")
    description.joint("right", "revolute", "ground", "right", at=(1, 0, 0), axis="z", drive="motion")
    description.joint("knee", "revolute", "left", "coupler", at=(0.4, 0, 0), axis="z")
    description.joint("foot", "revolute", "right", "coupler", at=(0.4, 0, 0), child_at=(1, 0, 0), axis="z", cut=True)
    for joint, angle in ("left", 0.7), ("right", 0.7), ("knee", -0.7):
        description.start(joint, position=angle)
    model = trammel.build_model(description)
    state = trammel.start_state(model)
    names = [model.dof_name(k) for k in range(model.nv)]
    motion = [0.0 if name == "knee" else 1.5 for name in names]
    efforts = trammel.prescribed_efforts(model, state, a=motion)
    alone = (2 * 0.3 + 2 * 0.4**2) * 1.5  # by hand, of one drive
    for name, effort, is_unique in zip(names, efforts.tau, efforts.is_unique):
        assert effort == pytest.approx(0 if name == "knee" else alone / 2)
        assert is_unique == (name == "knee")
    np.testing.assert_allclose(trammel.hybrid_dynamics(model, state, a=motion).tau, efforts.tau, atol=1e-12)
    motion[names.index("right")] = 1.25
    with pytest.raises(trammel.EvaluationError, match=r"joint '(left|right)' contradicts .* joint '(left|right)'.*\((1.5 and 1.25|1.25 and 1.5)\)"
                                                    r".*inputs.a of joint '(left|right)' or inputs.a of joint '(left|right)'"):
        trammel.prescribed_efforts(model, state, a=motion)
