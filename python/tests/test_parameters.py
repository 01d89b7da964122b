"""Models with other values of their parameters: as read with these values, without the file."""
import numpy as np
import pytest

import trammel
from robots import pendulum


def with_parameters():
    """Gallery models that have parameters."""
    for entry in trammel.gallery():
        description, _ = trammel.read_description("@" + entry.name)
        if description.parameters:
            yield entry.name


def numbers_of(model):
    """What follows from the numbers of a model: its parts and its motion at a start."""
    found = {"g": model.gravity}
    try:
        state = trammel.start_state(model)
        found.update(M=trammel.mass_matrix(model, state), passive=trammel.passive_forces(model, state),
                     energy=np.array(trammel.energy(model, state)))
    except trammel.EvaluationError:  # the start in the file does not close these loops
        state = trammel.neutral_state(model)
    found.update(q=state.q, v=state.v)
    for name in model.frames:
        found[name.name] = trammel.pose(model, trammel.kinematics(model, state), name.name).matrix
    for joint in model.joints:
        found["limits " + joint.name] = np.array([*joint.limits.lower, *joint.limits.upper, *joint.limits.effort])
    found["text"] = trammel.write_toml(model.description)
    return found


@pytest.mark.parametrize("name", with_parameters())
def test_other_parameters_make_the_model_that_the_file_makes(name):
    model = trammel.load("@" + name)
    values = {key: 1.01 * value or 0.02 for key, value in model.parameters.items()}
    expected = numbers_of(trammel.load("@" + name, set=values))
    changed = model.with_parameters(**values)
    assert changed.parameters == values != model.parameters
    found = numbers_of(changed)
    assert found.keys() == expected.keys()
    for key, value in expected.items():
        if isinstance(value, str):
            assert found[key] == value
        else:
            np.testing.assert_array_equal(found[key], value, err_msg=key)


def test_a_description_in_python_has_variants():
    description = trammel.Description("swing")
    length = description.parameter("length", 0.8)
    description.body("rod", trammel.thin_rod(1.0, length, com=(length / 2, 0, 0)))
    description.joint("pivot", "revolute", "ground", "rod", axis="y")
    model = trammel.build_model(description)
    for length in (0.4, 0.8, 1.6):
        shorter = model.with_parameters(length=length)
        state = trammel.neutral_state(shorter)
        # a rod about its end: inertia m l^2 / 3, torque m g l / 2
        assert trammel.forward_dynamics(shorter, state)["pivot"] == pytest.approx(1.5 * 9.81 / length, rel=1e-12)
    lighter = model.with_gravity((0, 0, -1.62)).with_parameters(length=0.4)
    assert lighter.gravity.tolist() == [0, 0, -1.62]
    assert trammel.forward_dynamics(lighter, trammel.neutral_state(lighter))["pivot"] == pytest.approx(1.5 * 1.62 / 0.4, rel=1e-12)


def test_wrong_parameters_are_named(tmp_path):
    path = tmp_path / "rod.toml"
    path.write_text("""trammel = 1
name = "rod"
[parameters]
length = 0.5
half = "length / 2"
[body.rod]
mass = 2
com = ["half", 0, 0]
[joint.pivot]
type = "revolute"
parent = "ground"
child = "rod"
""")
    model = trammel.load(path)
    with pytest.raises(ValueError, match="with_parameters: the model 'rod' has no parameter 'lenght'; did you mean 'length'"):
        model.with_parameters(lenght=0.4)
    with pytest.raises(ValueError, match="'half' is a formula of other parameters: give those, or set it when the file is loaded"):
        model.with_parameters(half=0.4)
    with pytest.raises(ValueError, match="'length' is nan: give it a finite number"):
        model.with_parameters(length=np.nan)
    with pytest.raises(TypeError, match="with_parameters: length is a str: give a number in SI units"):
        model.with_parameters(length="0.4")
    with pytest.raises(ValueError, match="has no parameter 'r'; it has none"):
        pendulum().with_parameters(r=0.1)
    assert model.with_parameters().parameters == model.parameters


def test_variants_are_checked_as_the_model_was(tmp_path):
    description = trammel.Description("plate")
    mass = description.parameter("mass", 1.0)
    description.body("plate", trammel.Solid(mass, (0, 0, 0), (mass, 1, 1)))
    description.joint("pivot", "revolute", "ground", "plate")
    model = trammel.build_model(description)
    with pytest.raises(trammel.ModelError, match="body 'plate'"):
        model.with_parameters(mass=-1.0)
    assert model.with_parameters(mass=2.5).warnings  # 2.5 > 1 + 1: a warning
    with pytest.raises(trammel.ModelError, match="exceeds the sum"):
        trammel.build_model(description, strict=True).with_parameters(mass=2.5)
