"""Where it rests, and how it moves nearby."""
import numpy as np
import pytest

import trammel


def test_a_four_bar_with_a_spring_rests_and_sways():
    model = trammel.load("@f7")
    state = trammel.equilibrium(model, trammel.start_state(model))
    near = trammel.linearize(model, state)
    assert near.A.shape == (2, 2) and near.acceleration < 1e-9
    np.testing.assert_allclose(near.eigenvalues.real, -0.24238580931051, atol=1e-8)
    np.testing.assert_allclose(abs(near.eigenvalues.imag), 2.1339550283484, atol=1e-8)
    assert [name[:2] for name in near.states] == ["q.", "v."]
    np.testing.assert_allclose(near.A @ near.modes[:, 0], near.eigenvalues[0] * near.modes[:, 0], atol=1e-9)


def test_a_cart_at_rest_cannot_go_sideways():
    model = trammel.load("@s_t01")
    state = trammel.start_state(model)
    state.v[:] = 0
    near = trammel.linearize(model, state)
    assert len(near.uncontrollable_modes) == 3 and all(mode.stabilisable is False for mode in near.uncontrollable_modes)
    assert "q.base.x" in [mode.name for mode in near.uncontrollable_modes]  # along the axle
    for mode in near.uncontrollable_modes:
        np.testing.assert_allclose(mode.of @ near.A, mode.eigenvalue * mode.of, atol=1e-8)
        np.testing.assert_allclose(mode.of @ near.B, 0, atol=1e-8)
    assert "cannot be stabilized by smooth feedback" in near.uncontrollable_modes[0].verdict


def test_a_falling_body_has_no_equilibrium():
    description = trammel.Description("stone")
    description.body("stone", trammel.point_mass(1.0))
    description.joint("fall", "prismatic", "ground", "stone")
    model = trammel.build_model(description)
    with pytest.raises(trammel.EvaluationError, match="none is found from here"):
        trammel.equilibrium(model, trammel.neutral_state(model))


def test_products_without_matrices_are_those_of_the_matrices():
    model = trammel.load("@f7")
    state = trammel.start_state(model)
    near = trammel.linearize(model, state, eigenvalues=False)
    assert near.eigenvalues.size == 0 and near.uncontrollable_modes == []
    products = trammel.linearized_dynamics(model, state)
    del model  # the products hold it
    assert products.states == near.states and products.inputs == near.inputs and products.outputs == near.outputs
    assert products.positions == 1
    for k, x in enumerate(np.eye(2)):
        np.testing.assert_allclose(products.apply(x), near.A[:, k], atol=1e-12)
        np.testing.assert_allclose(products.apply_transposed(x), near.A[k], atol=1e-12)
        np.testing.assert_allclose(products.apply_outputs(x), near.C[:, k], atol=1e-12)
        np.testing.assert_allclose(products.apply_inputs_transposed(x), near.B[k], atol=1e-12)
    np.testing.assert_allclose(products.apply_inputs(np.ones(len(products.inputs))), near.B.sum(axis=1), atol=1e-12)
    np.testing.assert_array_equal(products.A(), near.A)
    np.testing.assert_array_equal(products.B(), near.B)
    np.testing.assert_array_equal(products.C(), near.C)
    with pytest.raises(ValueError, match="x has 3 entries, not 2"):
        products.apply(np.zeros(3))
