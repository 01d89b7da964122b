"""Where it rests, and how it moves nearby."""
import numpy as np
import pytest

import trammel


def test_a_four_bar_with_a_spring_rests_and_sways():
    model = trammel.load_model("@f7")
    state = trammel.equilibrium(model, trammel.assembled_start(model))
    near = trammel.linearize(model, state)
    assert near.A.shape == (2, 2) and near.acceleration < 1e-9
    np.testing.assert_allclose(near.eigenvalues.real, -0.24238580931051, atol=1e-8)
    np.testing.assert_allclose(abs(near.eigenvalues.imag), 2.1339550283484, atol=1e-8)
    assert [name[:2] for name in near.states] == ["q.", "v."]
    np.testing.assert_allclose(near.A @ near.modes[:, 0], near.eigenvalues[0] * near.modes[:, 0], atol=1e-9)


def test_a_cart_at_rest_cannot_go_sideways():
    model = trammel.load_model("@s_t01")
    state = trammel.assembled_start(model)
    state.v[:] = 0
    near = trammel.linearize(model, state)
    assert len(near.uncontrollable_modes) == 3 and all(mode.stabilisable is False for mode in near.uncontrollable_modes)
    assert "q.base[0]" in [mode.name for mode in near.uncontrollable_modes]  # along the axle
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
