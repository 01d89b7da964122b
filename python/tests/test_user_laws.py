"""Forces and events that functions of Python decide."""
import numpy as np
import pytest

import trammel


def ball(stiffness=0.0):
    description = trammel.Description("ball")
    description.body("ball", trammel.sphere(0.5, 0.1))
    description.joint("float", "free", "ground", "ball")
    description.contact("skin", "ball", stiffness, radius=0.1)
    return trammel.build_model(description)


def at_height(model, z):
    state = trammel.neutral_state(model)
    state.q[6] = z
    return state


def test_drag_ends_in_a_steady_fall():
    model = ball()
    c, m, g = 0.2, 0.5, 9.81
    w = np.sqrt(m * g / c)

    def drag(place):
        v = place.velocity[3:]
        np.testing.assert_allclose(place.pose.p[2], place.q[6])
        return np.concatenate([np.zeros(3), -c * np.linalg.norm(v) * v])

    run = trammel.simulate(model, at_height(model, 100), duration=2, tolerance=1e-10, wrench_laws={"ball": drag})
    np.testing.assert_allclose(run["v.float.vz"], -w * np.tanh(g * run.time / w), atol=1e-8)
    # at a place that is no name, the same
    again = trammel.simulate(
        model, at_height(model, 100), duration=2, tolerance=1e-10,
        wrench_laws={trammel.frame_ref(model, "ball", xyz=(0, 0, 0)): drag})
    np.testing.assert_array_equal(run.values, again.values)


def test_a_contact_law_in_python_equals_that_of_the_engine():
    def law(touch):
        assert touch.depth > 0
        return 1e5 * touch.depth**1.5, -0.3 * touch.sliding

    def plain(touch):
        return 1e5 * touch.depth**1.5

    options = {"duration": 1, "tolerance": 1e-10, "record": ["positions", "contacts"]}
    own = trammel.simulate(ball(1e5), at_height(ball(), 0.3), **options)
    model = ball()
    for each in law, plain:  # it falls straight down, nothing slides
        run = trammel.simulate(model, at_height(model, 0.3), contact_laws={"skin": each}, **options)
        np.testing.assert_allclose(run["q.float.z"], own["q.float.z"], atol=1e-7)
        np.testing.assert_allclose(run["contact.skin.press"], own["contact.skin.press"], atol=1e-2)
    assert own["contact.skin.press"].max() > 10


def test_events_happen_where_a_function_passes_zero():
    model = trammel.load("@f1")
    seen = []

    def kick(time, q, v):
        seen.append(time)
        return 1.0 * v

    low = trammel.Event("low", lambda time, q, v: np.sin(q[0]) - 1, every=True)
    lowest = trammel.Event("lowest", lambda time, q, v: q[0] + np.pi / 2, every=True, then=kick)
    run = trammel.simulate(model, duration=5, events=[low, lowest])
    found = [h.time for h in run.events if h.what == "event 'lowest'"]
    assert found == seen
    assert not [h for h in run.events if h.what == "event 'low'"]

    # the same events in the model
    description = model.description
    description.event("first", when=(model.joints[0].name, -np.pi / 2))
    description.event("each", when=(model.joints[0].name, -np.pi / 2), every=True)
    assert [event.every for event in description.events] == [False, True]
    events = trammel.simulate(trammel.build_model(description), duration=5).events
    each = [h.time for h in events if h.what == "event 'each'"]
    np.testing.assert_allclose(each, found, atol=1e-6)  # of runs whose steps end elsewhere
    assert [h.time for h in events if h.what == "event 'first'"] == each[:1]
    description.event("noon", at=12.0, every=True)
    with pytest.raises(trammel.ModelError, match="event 'noon' happens at a time, which comes only once"):
        trammel.build_model(description)
    end = trammel.Event("end", lambda time, q, v: time - 1.25, stop=True)
    run = trammel.simulate(model, duration=5, events=[end])
    assert run.time[-1] == pytest.approx(1.25, abs=1e-12)


def test_wrong_functions_raise_with_their_name():
    model = ball()
    start = at_height(model, 0.3)
    with pytest.raises(ValueError, match="no contact 'skn'; did you mean 'skin'"):
        trammel.simulate(model, start, contact_laws={"skn": lambda touch: 0})
    with pytest.raises(ValueError, match="has a stiffness of its own, 100000, and both would push"):
        trammel.simulate(ball(1e5), start, contact_laws={"skin": lambda touch: 0})
    with pytest.raises(ValueError, match="no body or frame 'bll'; did you mean 'ball'"):
        trammel.simulate(model, start, wrench_laws={"bll": lambda place: np.zeros(6)})
    with pytest.raises(ValueError, match="a wrench law gives"):
        trammel.simulate(model, start, wrench_laws={"ball": lambda place: [0, 0, 1]})
    with pytest.raises(ValueError, match="the way of event 'e' is 'sideways'"):
        trammel.simulate(model, start, events=[trammel.Event("e", lambda t, q, v: 1, way="sideways")])
    with pytest.raises(trammel.RunStopped, match="the model has no joint 'flot'"):
        trammel.simulate(model, start, events=[trammel.Event("e", lambda t, q, v: 1, lock=("flot",))])
    with pytest.raises(trammel.RunStopped, match="the wrench on body 'ball' is not finite"):
        trammel.simulate(model, start, wrench_laws={"ball": lambda place: [0, 0, 0, np.nan, 0, 0]})
    with pytest.raises(ZeroDivisionError):  # a mistake of the user's comes back as it is
        trammel.simulate(model, start, wrench_laws={"ball": lambda place: 1 / 0})
