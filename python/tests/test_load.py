"""Models from files, with the places of what is wrong."""
import pathlib

import pytest

import trammel

TOML = """trammel = 1
name = "swing"
[parameters]
l = 0.5
[body.rod]
mass = 2
com = ["l", 0, 0]
[joint.pivot]
type = "revolute"
parent = "ground"
child = "rod"
axis = "y"
"""


def write(folder: pathlib.Path, name: str, text: str) -> pathlib.Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_file_is_a_model(tmp_path):
    path = write(tmp_path, "swing.toml", TOML)
    for given in (path, str(path)):
        model = trammel.load(given)
        assert (model.name, model.nq, model.parameters) == ("swing", 1, {"l": 0.5})
        assert trammel.mass_matrix(model, trammel.neutral_state(model))[0, 0] == pytest.approx(0.5)
    longer = trammel.load(path, set={"l": 1.0})
    assert trammel.mass_matrix(longer, trammel.neutral_state(longer))[0, 0] == pytest.approx(2.0)


def test_mistakes_come_with_their_places(tmp_path):
    path = write(tmp_path, "wrong.toml", TOML.replace("child =", "chld =").replace("mass = 2", "mass = -2"))
    with pytest.raises(trammel.ModelError) as caught:
        trammel.load(path)
    places = {(d.line, d.severity.value) for d in caught.value.diagnostics}
    assert {(6, "error"), (11, "error")} <= places
    assert all(d.file == str(path) for d in caught.value.diagnostics)
    assert f"{path}:11:1: error: " in str(caught.value)
    assert "did you mean 'child'?" in {d.hint for d in caught.value.diagnostics} or \
        "child" in str(caught.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(trammel.ModelError, match="nothing.toml"):
        trammel.load(tmp_path / "nothing.toml")


def test_a_urdf_has_a_base_of_its_own(tmp_path):
    path = write(tmp_path, "box.urdf", """<robot name="box"><link name="base"><inertial>
        <mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
        </link></robot>""")
    assert trammel.load(path).nv == 0
    assert trammel.load(path, base="free").nv == 6
    assert trammel.load(path, base=trammel.Base.free).joints[0].kind == "free"
    with pytest.raises(ValueError, match="Base: there is no 'floating'; there are fixed, free"):
        trammel.load(path, base="floating")


def test_a_description_is_read_without_being_built():
    description, found = trammel.read_description("swing.toml", TOML)
    assert found == [] and description.bodies[0].name == "rod"
    assert description.bodies[0].place.line == 5
    assert trammel.build_model(description, found).nv == 1
    description, found = trammel.read_description("swing.toml", TOML + "\n[bdy.x]\n")
    with pytest.raises(trammel.ModelError) as caught:
        trammel.build_model(description, found)
    assert str(caught.value.diagnostics[0]) == str(found[0])


def test_the_gallery_needs_no_file():
    names = [entry.name for entry in trammel.gallery()]
    assert "pendulum" in names
    plain = {entry.name: entry.plain_name for entry in trammel.gallery()}
    assert plain["s_t11"] == "rolling_disk" and plain["pendulum"] == ""
    assert trammel.load("@rolling_disk").nv == trammel.load("@s_t11").nv
    for entry in trammel.gallery():
        model = trammel.load("@" + entry.name)
        assert model.bodies[0].name == "ground" and entry.title and entry.text


def test_a_table_is_read(tmp_path):
    path = write(tmp_path, "arm.csv", "name, theta, d, a, alpha\nwaist, 0, 0, 0.5, 0\n")
    description, found = trammel.read_table("dh", path)
    assert not [d for d in found if d.severity == "error"], found
    assert trammel.build_model(description).nv == 1
    with pytest.raises(ValueError, match="read_table: there is no notation 'hd'; there are dh, "):
        trammel.read_table("hd", path)


def test_a_description_is_written_as_urdf():
    description, _ = trammel.read_description("swing.toml", TOML)
    text, report = trammel.write_urdf(description)
    assert report and all(d.severity == "warning" for d in report)  # its symbol is gone
    back, found = trammel.read_description("swing.urdf", text)
    assert not [d for d in found if d.severity == "error"]
    model, again = trammel.build_model(description), trammel.build_model(back)
    state = trammel.State([0.3], [1.0])
    assert trammel.inverse_dynamics(again, state) == pytest.approx(
        trammel.inverse_dynamics(model, state), rel=1e-12)


def test_inertias_no_solid_has(tmp_path):
    camera = TOML.replace('com = ["l", 0, 0]\n', "inertia = {}\n").replace('axis = "y"', 'axis = "z"')
    path = write(tmp_path, "camera.toml", camera.replace("{}", "[1e-5, 6e-4, 1.4e-3]"))
    model = trammel.load(path)
    assert [w.severity for w in model.warnings] == ["warning"]
    state = trammel.neutral_state(model)
    assert trammel.forward_dynamics(model, state, [1.0])[0] == pytest.approx(1 / 1.4e-3, rel=1e-14)
    with pytest.raises(trammel.ModelError, match="the last exceeds the sum of the others"):
        trammel.load(path, strict=True)

    path = write(tmp_path, "negative.toml", camera.replace("{}", "[2e-3, 2e-3, -1e-3]"))
    with pytest.raises(trammel.ModelError, match="principal moment of inertia of -0.001"):
        trammel.load(path)
    model = trammel.load(path, allow_nonphysical=True)
    with pytest.raises(trammel.EvaluationError, match="joint 'pivot' meets no positive articulated inertia"):
        trammel.forward_dynamics(model, trammel.neutral_state(model))
    with pytest.raises(ValueError, match="contradict each other"):
        trammel.load(path, strict=True, allow_nonphysical=True)

    description, found = trammel.read_description(path)
    with pytest.raises(trammel.ModelError):
        trammel.build_model(description, found)
    assert trammel.build_model(description, found, allow_nonphysical=True).nv == 1
