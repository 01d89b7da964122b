"""All functions on a mechanism with one element of each kind: they agree with each other."""
import numpy as np
import pytest

import trammel
from robots import random_state, satellite


@pytest.fixture(scope="module")
def model():
    return satellite()


@pytest.fixture
def state(model):
    return random_state(model)


@pytest.fixture
def a(model):
    return np.random.default_rng(5).uniform(-1, 1, model.nv)


def test_inverse_dynamics_is_the_sum_of_its_parts(model, state, a):
    tau = trammel.inverse_dynamics(model, state, a)
    M = trammel.mass_matrix(model, state)
    passive = trammel.passive_forces(model, state)
    assert tau == pytest.approx(M @ a + trammel.bias(model, state) - passive, abs=1e-11)
    assert trammel.forward_dynamics(model, state, tau) == pytest.approx(a, abs=1e-10)
    # the springs of the shoulder: -2 (q - 0.1) - 0.3 v
    shoulder = model.joint("shoulder")
    assert passive[shoulder.v] == pytest.approx(
        -2.0 * (state.q[shoulder.q] - 0.1) - 0.3 * state.v[shoulder.v], abs=1e-14)


def test_factors_make_the_mass_matrix(model, state):
    M = trammel.mass_matrix(model, state)
    stage = trammel.articulated_inertias(model, state)
    for given in (stage, state):
        L, D = trammel.mass_matrix_factors(model, given)
        assert L.T @ D @ L == pytest.approx(M, abs=1e-11)
        L_inverse, D_inverse = trammel.mass_matrix_inverse_factors(model, given)
        inverse = trammel.mass_matrix_inverse(model, given)
        assert L_inverse @ D_inverse @ L_inverse.T == pytest.approx(inverse, abs=1e-10)
        assert inverse @ M == pytest.approx(np.eye(model.nv), abs=1e-10)


def test_operational_inertia_is_j_m_inverse_j(model, state):
    where = trammel.kinematics(model, state)
    stage = trammel.articulated_inertias(model, state)
    for axes in trammel.Axes:
        J = trammel.jacobian(model, where, "lens", axes)
        expected = J @ trammel.mass_matrix_inverse(model, stage) @ J.T
        inverse = trammel.operational_space_inertia_inverse(model, state, "lens", axes)
        assert inverse == pytest.approx(expected, abs=1e-10)
        heavy = trammel.operational_space_inertia(model, state, "lens", axes, factors=stage)
        assert heavy @ inverse == pytest.approx(np.eye(6), abs=1e-9)


def test_jacobians_give_velocities_and_accelerations(model, state, a):
    where = trammel.kinematics(model, state, a)
    for axes in ("body", "world"):
        J = trammel.jacobian(model, where, "lens", axes)
        assert J @ state.v == pytest.approx(trammel.velocity(model, where, "lens", axes), abs=1e-13)
        assert J @ a + trammel.jacobian_rate(model, state, "lens", axes) == pytest.approx(
            trammel.acceleration(model, where, "lens", axes), abs=1e-12)


def test_momentum_and_its_matrix(model, state):
    A = trammel.centroidal_momentum_matrix(model, state)
    about_center = trammel.centroidal_momentum(model, state)
    assert A @ state.v == pytest.approx(
        np.concatenate([about_center.angular, about_center.linear]), abs=1e-12)
    center = trammel.center_of_mass(model, state)
    about_ground = trammel.momentum(model, state)
    assert about_ground.linear == pytest.approx(center.mass * center.velocity, abs=1e-12)
    assert about_ground.angular == pytest.approx(
        about_center.angular + np.cross(center.position, about_ground.linear), abs=1e-11)
    kinetic = trammel.energy(model, state).kinetic
    assert kinetic == pytest.approx(
        0.5 * state.v @ trammel.mass_matrix(model, state) @ state.v, rel=1e-13)


def test_reactions_hold_the_efforts(model, state, a):
    carried = trammel.reactions(model, state, a)
    assert carried.shape == (len(model.joints), 6)
    total = trammel.inverse_dynamics(model, state, a) + trammel.passive_forces(model, state)
    rail, k = model.joint("rail"), [joint.name for joint in model.joints].index("rail")
    assert carried[k, 3] == pytest.approx(total[rail.v][0], abs=1e-11)  # along its own x


def test_hybrid_dynamics_splits_the_dofs():
    description = satellite().description
    driven = trammel.Description("driven")
    for body in description.bodies:
        driven.body(body.name, body.solid)
    for j in description.joints:
        drive = {"rail": "motion", "ball": "locked"}.get(j.name, "none")
        driven.joint(j.name, j.kind, j.parent, j.child, at=j.at, child_at=j.child_at, axis=j.axis,
                     axis2=j.axis2, drive=drive)
    model = trammel.build_model(driven)
    assert model.has_prescribed_joints
    rail, ball = model.joint("rail").v, model.joint("ball").v
    assert model.is_prescribed(rail.start) and model.prescription(rail.start) == "motion"
    assert model.prescription(ball.start) is trammel.Drive.locked
    state = random_state(model)
    state.v[ball] = 0
    a, tau = np.zeros(model.nv), np.linspace(-1, 1, model.nv)
    a[rail] = 0.7
    answer = trammel.hybrid_dynamics(model, state, tau=tau, a=a)
    assert answer.a[rail] == pytest.approx(0.7)
    assert answer.a[ball] == pytest.approx([0, 0, 0], abs=0)
    assert trammel.inverse_dynamics(model, state, answer.a) == pytest.approx(answer.tau, abs=1e-10)
    free = np.ones(model.nv, bool)
    free[rail] = free[ball] = False
    assert answer.tau[free] == pytest.approx(tau[free], abs=1e-11)
    assert trammel.forward_dynamics(model, state, tau, a=a) == pytest.approx(answer.a, abs=0)


def test_derivatives_are_finite_differences(model, state, a):
    def efforts(q, v):
        return trammel.inverse_dynamics(model, trammel.State(q, v), a)

    h = 1e-6
    slopes = trammel.inverse_dynamics_derivatives(model, state, a)
    for k, unit in enumerate(np.eye(model.nv)):
        ahead, behind = (trammel.integrate(model, state.q, s * h * unit) for s in (1, -1))
        by_q = (efforts(ahead, state.v) - efforts(behind, state.v)) / (2 * h)
        by_v = (efforts(state.q, state.v + h * unit) - efforts(state.q, state.v - h * unit)) / (2 * h)
        # central differences of answers of some 10 N m: rounding 1e-15 * 10 / h
        assert slopes.dq[:, k] == pytest.approx(by_q, abs=1e-6)
        assert slopes.dv[:, k] == pytest.approx(by_v, abs=1e-6)
    assert slopes.dx == pytest.approx(trammel.mass_matrix(model, state), abs=1e-11)
    forward = trammel.forward_dynamics_derivatives(model, state)
    assert forward.dx == pytest.approx(trammel.mass_matrix_inverse(model, state), abs=1e-10)


def test_operators_multiply_to_the_same(model, state):
    operators = trammel.spatial_operators(model, state)
    M = trammel.mass_matrix(model, state)
    assert operators.H.T @ operators.Phi.T @ operators.M @ operators.Phi @ operators.H == \
        pytest.approx(M, abs=1e-10)
    assert operators.mass_matrix() == pytest.approx(M, abs=1e-10)
    assert operators.mass_matrix_inverse() @ M == pytest.approx(np.eye(model.nv), abs=1e-9)
    assert operators.E_psi == pytest.approx(
        operators.E_phi - operators.H @ operators.G.T @ operators.E_phi, abs=1e-11)
    # free fall apart, the bias of the stack is the bias of the model
    weightless = model.with_gravity((0, 0, 0))
    terms = trammel.spatial_bias(weightless, state)
    dV = operators.Phi @ terms.acceleration
    F = operators.Phi.T @ (operators.M @ dV + terms.force)
    assert operators.H.T @ F == pytest.approx(trammel.bias(weightless, state), abs=1e-10)
    V = operators.Phi @ operators.H @ state.v
    where = trammel.kinematics(model, state)
    assert trammel.place_operator(model, state, "lens") @ V == pytest.approx(
        trammel.velocity(model, where, "lens"), abs=1e-13)


def test_transmission_form_of_a_chain_of_fixed_axes():
    description = trammel.Description("chain")
    for k, axis in enumerate("zyx"):
        description.body(f"b{k}", trammel.box(1.0 + k, (0.3, 0.1, 0.2), com=(0.1, 0.02, 0)))
        description.joint(f"j{k}", "revolute", f"b{k - 1}" if k else "ground", f"b{k}", at=(0.3, 0, 0.1),
                   axis=axis)
    model = trammel.build_model(description)
    state = random_state(model)
    form = trammel.transmission_form(model, state)
    assert form.mass_matrix() == pytest.approx(trammel.mass_matrix(model, state), abs=1e-13)
    N = form.gravity_load(model.gravity)
    assert N == pytest.approx(trammel.gravity_load(model, state), abs=1e-13)
    assert form.coriolis_matrix() @ state.v + N == pytest.approx(
        trammel.bias(model, state), abs=1e-13)
    assert form.G.shape == (18, 18) and form.G_0.shape == (18, 6) and form.S.shape == (18, 3)


def test_symbolic_results_equal_numeric_ones():
    description = trammel.Description("two symbols")
    l, m = description.parameter("l", 0.8), description.parameter("m", 1.2)
    description.body("rod", trammel.thin_rod(m, l, com=(l / 2, 0, 0)))
    description.joint("pivot", "revolute", "ground", "rod", axis="y")
    model = trammel.build_model(description)
    assert model.parameters == {"l": 0.8, "m": 1.2}
    graph = trammel.Graph()
    l, m, q, v, x = (graph.symbol(name) for name in "lmqvx")
    state = trammel.State([0.4], [1.3])
    values = {"l": 0.8, "m": 1.2, "q": 0.4, "v": 1.3, "x": 0.6}
    symbolic = trammel.symbolic
    assert symbolic.mass_matrix(model, [q], [l, m])[0][0].value(values) == pytest.approx(
        trammel.mass_matrix(model, state)[0, 0])
    assert symbolic.inverse_dynamics(model, [q], [v], [x], [l, m])[0].value(values) == pytest.approx(
        trammel.inverse_dynamics(model, state, [0.6])[0])
    assert symbolic.forward_dynamics(model, [q], [v], [x])[0].value(values) == pytest.approx(
        trammel.forward_dynamics(model, state, [0.6])[0])
    with pytest.raises(ValueError, match="symbolic.mass_matrix: q has 2 entries, it must have 1"):
        symbolic.mass_matrix(model, [q, v])


def test_out_is_written_and_given_back(model, state, a):
    vector = np.empty(model.nv)
    for answer in (trammel.forward_dynamics(model, state, out=vector),
                   trammel.inverse_dynamics(model, state, a, out=vector),
                   trammel.bias(model, state, out=vector),
                   trammel.gravity_load(model, state, out=vector),
                   trammel.passive_forces(model, state, out=vector)):
        assert answer is vector
    assert vector == pytest.approx(trammel.passive_forces(model, state), abs=0)
    M = trammel.mass_matrix(model, state)
    where = trammel.kinematics(model, state)
    for order in "FC":
        square = np.empty((model.nv, model.nv), order=order)
        assert trammel.mass_matrix(model, state, out=square) is square
        assert square == pytest.approx(M, abs=0)
        flat = np.empty((6, model.nv), order=order)
        assert trammel.jacobian(model, where, "lens", out=flat) is flat
        assert flat == pytest.approx(trammel.jacobian(model, where, "lens"), abs=0)
    part = np.full((model.nv + 2, model.nv + 2), -7.0)  # a view with gaps in both directions
    trammel.mass_matrix(model, state, out=part[1:-1, 1:-1])
    assert part[1:-1, 1:-1] == pytest.approx(M, abs=0)
    assert (part[0] == -7).all() and (part[:, -1] == -7).all()
    carried = np.empty((len(model.joints), 6))
    assert trammel.reactions(model, state, a, out=carried) is carried
    assert trammel.kinematics(model, state, out=where) is where
    stage = trammel.articulated_inertias(model, state)
    assert trammel.articulated_inertias(model, state, out=stage) is stage
    slopes = trammel.inverse_dynamics_derivatives(model, state)
    dq, before = slopes.dq, slopes.dq.copy()
    assert trammel.inverse_dynamics_derivatives(model, state, a, out=slopes) is slopes
    assert np.shares_memory(dq, slopes.dq) and not np.array_equal(dq, before)


def test_out_may_be_what_is_read(model, state, a):
    tau = trammel.inverse_dynamics(model, state, a)
    x = a.copy()
    trammel.inverse_dynamics(model, state, x, out=x)
    assert x == pytest.approx(tau, abs=0)
    expected = trammel.forward_dynamics(model, state, tau)
    trammel.forward_dynamics(model, state, x, out=state.v)
    assert state.v == pytest.approx(expected, abs=0)


def test_wrong_outs_are_refused(model, state):
    n = model.nv
    frozen = np.empty(n)
    frozen.flags.writeable = False
    wanted = rf"give a writable float64 array of shape \({n},\)"
    for out, fact in ((np.empty(n, np.float32), "holds float32"),
                      (np.empty(n + 1), rf"has shape \({n + 1},\)"),
                      (frozen, "cannot be written")):
        with pytest.raises(ValueError, match=f"forward_dynamics: out {fact}; {wanted}"):
            trammel.forward_dynamics(model, state, out=out)
    with pytest.raises(ValueError, match="out does not lie row after row without gaps"):
        trammel.forward_dynamics(model, state, out=np.empty(2 * n)[::2])
    with pytest.raises(ValueError, match=rf"mass_matrix: out has shape \({n}, 1\)"):
        trammel.mass_matrix(model, state, out=np.empty((n, 1)))
    other = trammel.inverse_dynamics_derivatives(*small())
    with pytest.raises(ValueError, match="out holds matrices of 1 rows, the model has nv = "):
        trammel.inverse_dynamics_derivatives(model, state, out=other)


def small():
    from robots import pendulum
    model = pendulum()
    return model, trammel.neutral_state(model)


def test_arrays_of_other_kinds_are_taken(model, state):
    tau = np.arange(model.nv)
    expected = trammel.forward_dynamics(model, state, tau.astype(float))
    for given in (tau, tau.astype(np.float32), tau.tolist(), tuple(tau.tolist()),
                  np.repeat(tau.astype(float), 2)[::2]):
        assert trammel.forward_dynamics(model, state, given) == pytest.approx(expected, abs=0)
