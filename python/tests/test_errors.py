"""Errors have the messages of the engine."""
import numpy as np
import pytest

import trammel
from robots import pendulum, satellite


def test_a_wrong_model_raises_one_error_with_all_messages():
    description = trammel.Description("wrong")
    description.body("upper", trammel.Solid(-1.0, (0, 0, 0), (1, 1, 1)))
    description.body("forearm", trammel.sphere(1.0, 0.1))
    description.joint("elbow", "revolute", "uper", "forearm")
    with pytest.raises(trammel.ModelError) as caught:
        trammel.build_model(description)
    error = caught.value
    assert isinstance(error, ValueError)
    assert len(error.diagnostics) >= 2
    by_name = next(d for d in error.diagnostics if "uper" in d.message)
    assert by_name.severity == "error" and by_name.severity is trammel.Severity.error
    assert by_name.hint == "did you mean 'upper'?"
    assert (by_name.file, by_name.line, by_name.column) == ("", 0, 0)
    for diagnostic in error.diagnostics:
        assert str(diagnostic) in str(error)


def test_failed_functions_raise_with_the_same_text():
    model = satellite()
    state = trammel.neutral_state(model)
    state.v[7] = np.nan
    with pytest.raises(trammel.EvaluationError) as caught:
        trammel.forward_dynamics(model, state)
    assert str(caught.value) == ("forward_dynamics: v[7], of joint 'shoulder.turn2', is nan: give it a "
                                 "finite number")
    assert isinstance(caught.value, RuntimeError)
    state = trammel.neutral_state(model)
    state.q[0] = 2.0
    with pytest.raises(trammel.EvaluationError, match="the quaternion of joint 'flight' has length 2"):
        trammel.kinematics(model, state)


def test_a_dof_without_inertia_is_named():
    description = trammel.Description("light")
    description.body("nothing")
    description.joint("hinge", "revolute", "ground", "nothing")
    model = trammel.build_model(description)
    state = trammel.neutral_state(model)
    with pytest.raises(trammel.EvaluationError, match="joint 'hinge' has nothing to accelerate"):
        trammel.forward_dynamics(model, state)
    with pytest.raises(trammel.EvaluationError, match="mass_matrix_inverse: joint 'hinge'"):
        trammel.mass_matrix_inverse(model, state)
    with pytest.raises(trammel.EvaluationError, match="body 'bob' can move in only 1 of six ways"):
        trammel.operational_space_inertia(pendulum(), trammel.State([0.0], [0.0]), "bob")


def test_wrong_sizes_are_value_errors():
    model = pendulum()
    state = trammel.neutral_state(model)
    with pytest.raises(ValueError, match="inverse_dynamics: a has 2 entries, the model has nv = 1"):
        trammel.inverse_dynamics(model, state, [1.0, 2.0])
    with pytest.raises(ValueError, match="forward_dynamics: tau has 0 entries, the model has nv = 1"):
        trammel.forward_dynamics(model, state, [])
    with pytest.raises(ValueError, match="forward_dynamics: tau has 2 dimensions, a vector has one"):
        trammel.forward_dynamics(model, state, [[1.0]])
    with pytest.raises(ValueError, match="forward_dynamics: q has 2 entries, the model has nq = 1"):
        trammel.forward_dynamics(model, trammel.State([0.0, 0.0], [0.0]))
    with pytest.raises(ValueError, match="the workspace was made for another model"):
        trammel.forward_dynamics(model, state, workspace=trammel.Workspace(satellite()))
    with pytest.raises(ValueError, match="the kinematics was made for another model"):
        other = satellite()
        trammel.pose(model, trammel.kinematics(other, trammel.neutral_state(other)), "bob")
    with pytest.raises(ValueError, match="Wrench: force has 2 entries, it must have 3"):
        trammel.Wrench("bob", force=(1, 2))
    with pytest.raises(ValueError, match="Support: velocity has 3 entries, it must have 6"):
        trammel.Support(velocity=(1, 2, 3))
    with pytest.raises(ValueError, match="velocity: the place is on body 7, the model has bodies"):
        trammel.velocity(model, trammel.kinematics(model, state), trammel.FrameRef(7))
    with pytest.raises(ValueError, match=r"FrameRef: X_UA.p has 2 entries, it must have 3"):
        trammel.FrameRef(1, trammel.Pose(np.eye(3), np.zeros(2)))
    with pytest.raises(IndexError, match="coordinate_name: there is no entry 1, the model has nq = 1"):
        model.coordinate_name(1)
    with pytest.raises(ValueError, match=r"with_gravity: gravity\[2\] is nan"):
        model.with_gravity((0, 0, np.nan))


def test_wrong_kinds_are_type_errors():
    model = pendulum()
    state = trammel.neutral_state(model)
    with pytest.raises(TypeError, match="kinematics: out is 5; give Kinematics of this model"):
        trammel.kinematics(model, state, out=5)
    with pytest.raises(TypeError, match="articulated_inertias: out is 5; give ArticulatedInertias"):
        trammel.articulated_inertias(model, state, out=5)
    with pytest.raises(TypeError, match="inverse_dynamics_derivatives: out is 5; give Derivatives"):
        trammel.inverse_dynamics_derivatives(model, state, out=5)
    description = trammel.Description()
    with pytest.raises(TypeError, match=r"the solid is 5; give a Solid, as box\(\) or sphere\(\) make"):
        description.body("b", 5)
    with pytest.raises(TypeError, match=r"limits is 3.0; give JointLimits\(lower, upper"):
        description.joint("j", "revolute", "ground", "b", limits=3.0)
    with pytest.raises(TypeError, match=r"a step of motions is 'x'; give turn\(...\) or slide"):
        description.joint("j", "compound", "ground", "b", motions=["x"])
    with pytest.raises(TypeError, match=r"a row is \(1, 2\); give DhRow"):
        trammel.add_dh_chain(description, [(1, 2)])
    with pytest.raises(TypeError, match=r"a link is 7; give SdofLink"):
        trammel.add_sdof_chain(description, [7])
    with pytest.raises(TypeError):
        trammel.forward_dynamics(model, state, tau="heavy")


def test_wrong_names_are_answered_with_the_right_ones():
    model = satellite()
    state = trammel.neutral_state(model)
    where = trammel.kinematics(model, state)
    with pytest.raises(ValueError, match="at: the model has no body or frame 'cammera'; did you "
                                         "mean 'camera'?"):
        trammel.pose(model, where, "cammera")
    with pytest.raises(ValueError, match="no body or frame 'lense'; did you mean 'lens'?"):
        trammel.inverse_dynamics(model, state, wrenches=[trammel.Wrench("lense")])
    with pytest.raises(ValueError, match="has no joint 'shulder'; did you mean 'shoulder'?"):
        model.joint("shulder")
    with pytest.raises(ValueError, match="has no body 'hul'; did you mean 'hull'?"):
        model.body("hul")
    with pytest.raises(ValueError, match="has no frame 'x'"):
        model.frame("x")
    with pytest.raises(ValueError, match="Axes: there is no 'wold'; did you mean 'world'?"):
        trammel.velocity(model, where, "lens", "wold")
    with pytest.raises(ValueError, match="JointKind: there is no 'hinge'; there are fixed, revolute"):
        trammel.Description().joint("j", "hinge", "ground", "b")
    with pytest.raises(ValueError) as unknown:
        trammel.Description().joint("j", "hinge", "ground", "b")
    assert str(unknown.value).endswith("; there are " + ", ".join(kind.value for kind in trammel.JointKind))
    assert model.find_joint("nobody") is None
    assert model.joints[model.find_joint("rail")].name == "rail"
    assert model.bodies[model.find_body("camera")].inboard == "mount"
    assert model.frames[model.find_frame("lens")].body == "camera"


def test_an_unsupported_element_is_refused_by_name():
    description = trammel.Description("geared")
    for name in ("a", "b"):
        description.body(name, trammel.sphere(1.0, 0.1))
        description.joint("turn_" + name, "revolute", "ground", name)
    description.coupling("gears", {"turn_a": 1, "turn_b": -3})
    model = trammel.build_model(description)
    with pytest.raises(trammel.EvaluationError, match="does not support yet: .*gears"):
        trammel.articulated_inertias(model, trammel.neutral_state(model))
    with pytest.raises(ValueError, match="does not support yet: .*gears"):
        trammel.symbolic.mass_matrix(model, [0.0, 0.0])
