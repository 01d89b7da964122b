"""A model has the items of its description."""
import math

import numpy as np
import pytest

import trammel


def test_formulas_behave_like_numbers():
    description = trammel.Description()
    l, m = description.parameter("l", 0.8), description.parameter("m", 2.0)
    symbols = {"l": 0.8, "m": 2.0}
    for expr, value in (
            (l + m, 2.8), (1 + l, 1.8), (l - m, -1.2), (1 - l, 0.2), (l * m, 1.6), (3 * l, 2.4),
            (l / m, 0.4), (1 / l, 1.25), (l ** 2, 0.64), (2 ** l, 2 ** 0.8), (-l, -0.8), (+l, 0.8),
            (abs(-l), 0.8), (np.float64(2) * l, 1.6), (np.int64(2) * l, 1.6),
            (np.sin(l), math.sin(0.8)), (np.cos(l), math.cos(0.8)), (np.tan(l), math.tan(0.8)),
            (np.sqrt(l), math.sqrt(0.8)), (np.exp(l), math.exp(0.8)), (np.log(l), math.log(0.8)),
            (np.arcsin(l), math.asin(0.8)), (np.arccos(l), math.acos(0.8)),
            (np.arctan(l), math.atan(0.8)), (l.arctan2(m), math.atan2(0.8, 2.0))):
        assert expr.value(symbols) == pytest.approx(value, rel=1e-15), str(expr)
    assert str(l * m / 2) == "l*m/2" or (l * m / 2).value(symbols) == pytest.approx(0.8)
    assert repr(l) == "<Expr l>" and l == description.graph.symbol("l") and l != m
    assert hash(l) == hash(description.graph.symbol("l"))
    assert not l.is_constant and trammel.Expr(2.0).is_constant and float(trammel.Expr(2.0)) == 2.0
    assert description.graph.symbols == ["l", "m"]


def test_wrong_formulas_are_refused():
    one, other = trammel.Description(), trammel.Description()
    l, k = one.parameter("l", 0.8), other.parameter("k", 1.0)
    with pytest.raises(ValueError, match="'l' and 'k' are of different graphs"):
        l + k
    with pytest.raises(ValueError, match="'k' is a formula of another description's parameters"):
        one.body("b", trammel.sphere(k, 0.1))
    with pytest.raises(ValueError, match="'k' is a formula of another description's parameters"):
        trammel.box(l, (k, 1, 1))
    with pytest.raises(TypeError, match="'l' is a formula, no number yet"):
        float(l)
    with pytest.raises(ValueError, match="value: the symbol 'l' has no value"):
        (l + 1).value({"k": 2})
    with pytest.raises(TypeError):
        l + "x"
    with pytest.raises(TypeError):
        one.body("b", trammel.sphere("heavy", 0.1))


def test_a_formula_outlives_its_description():
    l = trammel.Description().parameter("l", 0.8)
    rod = trammel.thin_rod(1.0, trammel.Description().parameter("k", 0.5))
    assert (2 * l).value({"l": 3.0}) == 6.0
    assert rod.inertia[1].value({"k": 2.0}) == pytest.approx(4 / 12)


def test_solids_have_the_inertia_of_the_books():
    assert trammel.box(12.0, (1, 2, 3)).inertia == pytest.approx((13, 10, 5, 0, 0, 0))
    assert trammel.sphere(5.0, 0.5).inertia == pytest.approx((0.5, 0.5, 0.5, 0, 0, 0))
    assert trammel.thin_rod(12.0, 2.0).inertia == pytest.approx((0, 4, 4, 0, 0, 0))
    assert trammel.solid_cylinder(12.0, 1.0, 2.0).inertia == pytest.approx((7, 7, 6, 0, 0, 0))
    assert trammel.point_mass(3.0, (1, 2, 3)) == trammel.Solid(3.0, (1, 2, 3), (0,) * 6)
    # a capsule without length is a ball
    assert trammel.capsule(5.0, 0.5, 0.0).inertia == pytest.approx(trammel.sphere(5.0, 0.5).inertia)


def test_all_items_can_be_read_back():
    description = trammel.Description("machine")
    description.gravity = (0, -9.81, 0)
    l = description.parameter("l", 0.5)
    description.body("a", trammel.Solid(1.0, (0, 0, l), (1, 2, 2.5)))
    description.body("b")
    description.body("c", trammel.sphere(1, 1))
    description.joint("j", trammel.JointKind.revolute, "ground", "a", axis="-y", drive=trammel.Drive.torque,
               at=trammel.Placement((0, 0, l), (0, 0.1, 0)), damping=0.3, stiffness=[2.0], rest=l,
               limits=trammel.JointLimits(-1.0, [1.0], 2.0, 3.0))
    description.joint("k", "compound", "a", "b",
               motions=[trammel.turn("x"), trammel.slide((0, 1, 0))], child_at=(1, 0, 0))
    description.joint("s", "screw", "b", "c", pitch=0.01, cut=False)
    description.frame("f", "a", (0, 0, 1))
    description.wheel("w", "b", 0.2, kind="omni", roller_angle=0.7)
    description.coupling("g", {"j": 1.0, "s": -2.0}, offset=l)
    description.constraint("r", "distance", "f", "b", 0.4)
    description.spring("p", "f", "ground", stiffness=5.0, length=l, damping=0.1)
    description.start("j", position=0.2, velocity=l)
    description.guess("s", position=0.1, velocity=l)
    assert description.gravity == (0, -9.81, 0)
    assert description.parameters[0][:2] == ("l", 0.5)
    a, b, c = description.bodies
    assert a.solid.com[2] == l and b.solid.mass == 0 and a.solid.inertia == (1, 2, 2.5, 0, 0, 0)
    j, k, s = description.joints
    assert (j.kind, j.drive, j.axis, j.rest, j.damping) == (
        "revolute", "torque", (0, -1, 0), (l,), (0.3,))
    assert j.at == trammel.Placement((0, 0, l), (0, 0.1, 0))
    assert j.limits == trammel.JointLimits((-1.0,), (1.0,), (2.0,), (3.0,))
    assert k.motions == (trammel.JointStep(trammel.JointStepKind.turn, (1, 0, 0)),
                         trammel.JointStep(trammel.JointStepKind.slide, (0, 1, 0)))
    assert k.child_at.xyz == (1, 0, 0) and s.pitch == 0.01
    assert description.frames[0][:2] == ("f", "a")
    assert description.wheels[0].kind is trammel.WheelKind.omni and description.wheels[0].axis == (0, 1, 0)
    assert description.couplings[0].terms == {"j": 1.0, "s": -2.0} and description.couplings[0].offset == l
    assert description.constraints[0].distance == 0.4 and description.springs[0].length == l
    assert description.start_positions[0].values == (0.2,) and description.start_velocities[0].values == (l,)
    assert description.position_guesses[0][:2] == ("s", (0.1,)) and description.velocity_guesses[0].values == (l,)
    assert repr(description) == "<Description 'machine': 3 bodies, 3 joints, 1 frames>"
    # and all of it survives the file
    again, found = trammel.read_description("machine.toml", trammel.write_toml(description))
    assert not [d for d in found if d.severity == "error"]
    assert trammel.write_toml(again) == trammel.write_toml(description)
    assert again.joints[0].axis == (0, -1, 0)


def test_shapes_of_arguments_are_checked():
    description = trammel.Description()
    description.body("a", trammel.sphere(1, 1))
    with pytest.raises(ValueError, match="axis is 'w'; it must be 'x', 'y', 'z'"):
        description.joint("j", "revolute", "ground", "a", axis="w")
    with pytest.raises(ValueError, match=r"at is \(1, 2\); it must be three numbers"):
        description.joint("j", "revolute", "ground", "a", at=(1, 2))
    with pytest.raises(ValueError, match="inertia has 4 entries, it must have 3"):
        description.body("b", trammel.Solid(1.0, (0, 0, 0), (1, 1, 1, 0)))
    with pytest.raises(ValueError, match="gravity is 9.81; it must be three numbers"):
        description.gravity = 9.81


def test_a_table_makes_a_chain():
    description = trammel.Description("two links")
    row = trammel.DhRow(a=0.5, solid=trammel.thin_rod(1.0, 0.5, com=(-0.25, 0, 0)))
    trammel.add_dh_chain(description, [row, row], convention="standard", prefix="arm_")
    model = trammel.build_model(description)
    assert [joint.name for joint in model.joints if joint.role == "tree"] == [
        "arm_joint1", "arm_joint2"]
    state = trammel.State([0.3, 0.4], [0, 0])
    tip = trammel.pose(model, trammel.kinematics(model, state), "arm_tip").p
    assert tip == pytest.approx([0.5 * math.cos(0.3) + 0.5 * math.cos(0.7),
                                 0.5 * math.sin(0.3) + 0.5 * math.sin(0.7), 0], abs=1e-15)
    with pytest.raises(trammel.ModelError):
        trammel.add_dh_chain(description, [trammel.DhRow(kind="spherical")])


def test_an_sdof_table_makes_a_chain():
    description = trammel.Description("gimbal")
    link = trammel.SdofLink(gamma=(0, 0, 0.3, 0.5, 0, 0), free=["rz"], damping=0.1,
                            solid=trammel.sphere(1.0, 0.1))
    drawn = trammel.add_sdof_chain(description, [link, link])
    assert drawn == (0.3, 0.3)
    model = trammel.build_model(description)
    tip = trammel.pose(model, trammel.kinematics(model, trammel.State(drawn, [0, 0])), "tip").p
    assert tip == pytest.approx([0.5 * math.cos(0.3) + 0.5 * math.cos(0.6),
                                 0.5 * math.sin(0.3) + 0.5 * math.sin(0.6), 0], abs=1e-15)
    with pytest.raises(ValueError, match="free: there is no entry 'rw'"):
        trammel.add_sdof_chain(description, [link._replace(free=["rw"])])
    with pytest.raises(ValueError, match="gamma has 5 entries, it must have 6"):
        trammel.add_sdof_chain(description, [link._replace(gamma=(0,) * 5)])
