"""What a notebook and a prompt show."""
import xml.etree.ElementTree as ElementTree

import pytest

import trammel
from robots import pendulum, random_state, satellite


def test_a_model_shows_its_joints_and_a_figure():
    model = satellite()
    page = ElementTree.fromstring(model._repr_html_())  # well-formed
    rows = [[cell.text for cell in row] for row in page.findall("table/tbody/tr")]
    assert rows[0] == ["flight", "free", "ground", "hull", "0–6", "0–5"]
    assert ["mount", "fixed", "boom", "camera", "–", "–"] in rows
    assert len(rows) == len(model.joints)
    assert page.find("{http://www.w3.org/2000/svg}svg") is not None


def test_names_cannot_break_the_page():
    description = trammel.Description("<script>alert(1)</script>")
    description.body("a&b", trammel.sphere(1.0, 0.1))
    description.joint("<b>'\"", "revolute", "ground", "a&b")
    html = trammel.build_model(description)._repr_html_()
    assert "<script>" not in html and "<b>'" not in html
    page = ElementTree.fromstring(html)
    assert page.find("table/tbody/tr/td").text == "<b>'\""


def test_a_model_that_cannot_be_put_together_still_shows():
    description = trammel.Description("loop")
    for name in "abc":
        description.body(name, trammel.sphere(1.0, 0.1))
    description.joint("1", "revolute", "ground", "a")
    description.joint("2", "revolute", "a", "b")
    description.joint("3", "revolute", "b", "c")
    description.joint("4", "revolute", "c", "ground")
    description.wheel("s", "c", 0.1, kind="omni")  # its center cannot rise to where it would roll
    html = trammel.build_model(description)._repr_html_()
    page = ElementTree.fromstring(html)
    assert "(loop)" in html and "is violated by 0.1 m" in html
    assert page.find("{http://www.w3.org/2000/svg}svg") is None


def test_pictures():
    model = satellite()
    where = trammel.kinematics(model, random_state(model))
    root = ElementTree.fromstring(trammel.stick_figure(model, where, width=300, names=False))
    assert root.get("width") == "300"
    for kinematics in (None, where):
        ElementTree.fromstring(trammel.model_picture(model, kinematics))


def test_a_state_shows_its_joints():
    model = satellite()
    state = random_state(model)
    page = ElementTree.fromstring(state._repr_html_())
    rows = {row[0].text: [cell.text for cell in row] for row in page.findall("table/tbody/tr")}
    assert list(rows) == [joint.name for joint in model.joints if joint.nv]
    assert rows["rail"][2:] == [f"{state['rail']:.6g} m", f"{state.v['rail']:.6g} m/s"]
    assert len(rows["flight"][2].split(",")) == 7
    assert repr(trammel.State([0.1], [0.0], model=pendulum())) == "<State of 'pendulum' at 0 s: pivot 0.1; at rest>"
    assert "and 12 more; velocities" in repr(random_state(chain(20))) and len(repr(random_state(chain(200)))) < 400
    assert ElementTree.fromstring(trammel.State([0.1], [0.0])._repr_html_()).text == "State(q=[0.1], v=[0.0], time=0.0)"


def chain(joints):
    description = trammel.Description("chain")
    for k in range(joints):
        description.body(f"b{k}", trammel.sphere(1.0, 0.1, com=(0.1, 0, 0)))
        description.joint(f"j{k}", "revolute", f"b{k - 1}" if k else "ground", f"b{k}", at=(0.2, 0, 0))
    return trammel.build_model(description)


def test_results_are_short_texts_and_tables():
    model = trammel.load("@four_bar")
    state = trammel.start_state(model)
    mobility = trammel.mobility(model, state)
    assert repr(mobility) == "Mobility(1 degree of freedom at this state, finite 1, Gruebler -2; 2 of 5 rows independent; regular)"
    table = [[cell.text for cell in row] for row in ElementTree.fromstring(mobility._repr_html_()).findall("tbody/tr")]
    assert ["verdict", "regular"] in table and ["independent rows", "2 of 5, of 3 degrees of freedom of the tree"] in table
    assert len([row for row in table if row[0] == "depends on others"]) == len(mobility.dependent) > 0
    linear = trammel.linearize(model, trammel.equilibrium(model, state))
    assert repr(linear).startswith("Linearization(2 states, 1 input, ") and len(repr(linear)) < 150
    page = ElementTree.fromstring(linear._repr_html_())
    heads = [cell.text for cell in page.findall("table/thead/tr/th")]
    assert heads[1:] == [*linear.states, *linear.inputs]
    assert page.findall("table/tbody/tr")[0][2].text == f"{linear.A[0, 1]:.6g}"
    assert all(len(repr(joint)) < 90 for joint in model.joints)
    assert repr(model.joint("knee")) == "Joint('knee', revolute, 'crank' to 'coupler', q[1], v[1])"
    assert repr(satellite().joint("flight")) == "Joint('flight', free, 'ground' to 'hull', q[0:7], v[0:6])"
    assert repr(model.bodies[1]) == "Body('crank', carried by 'motor')" and repr(model.bodies[0]) == "Body('ground')"


def test_everything_has_a_short_text():
    model = pendulum()
    state = trammel.neutral_state(model)
    assert repr(model) == "<Model 'pendulum': nq = 1, nv = 1, 1 bodies, 1 joints>"
    things = [trammel.kinematics(model, state), trammel.articulated_inertias(model, state),
              trammel.Workspace(model), trammel.BatchWorkspace(model),
              trammel.DerivativeWorkspace(model), trammel.frame_ref(model, "bob"),
              trammel.Wrench("bob", force=(1, 0, 0)), trammel.Wrench(trammel.FrameRef(1)),
              trammel.Support(), trammel.Graph(), trammel.spatial_operators(model, state),
              trammel.spatial_bias(model, state), trammel.transmission_form(model, state),
              trammel.inverse_dynamics_derivatives(model, state)]
    for thing in things:
        assert type(thing).__name__ in repr(thing) and " at 0x" not in repr(thing)
        assert type(thing).__module__ == "trammel"
    assert repr(things[6]) == "Wrench('bob', moment=(0.0, 0.0, 0.0), force=(1.0, 0.0, 0.0), axes='world')"


def test_poses_multiply():
    model = satellite()
    where = trammel.kinematics(model, random_state(model))
    X = trammel.pose(model, where, "lens")
    same = X @ X.inverse()
    assert same.matrix == pytest.approx(trammel.Pose([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 0]).matrix,
                                        abs=1e-14)  # rounding of places of some meters
