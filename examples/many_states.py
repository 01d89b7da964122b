"""Batch evaluation: forward and inverse dynamics of a thousand states in one call, one row per state,
several states in parallel in SIMD registers."""
import numpy as np

import trammel

description = trammel.Description("chain")
parent = "ground"
for k in range(1, 8):
    description.body(f"link{k}", trammel.thin_rod(1.0, 0.3, com=(0.15, 0.0, 0.0)))
    at = trammel.Placement(xyz=(0.0 if k == 1 else 0.3, 0.0, 0.0),
                           rpy=(1.5 if k % 2 == 0 else 0.0, 0.0, 0.0))
    description.joint(f"joint{k}", "revolute", parent, f"link{k}", at=at, axis="z")
    parent = f"link{k}"
model = trammel.build_model(description)

states = 1000
s, k7 = np.arange(states)[:, None], np.arange(7)[None, :]
q, v = np.sin(0.1 * s + k7), np.cos(0.2 * s - k7)
tau = np.tile(0.1 * np.arange(7), (states, 1))

a = trammel.forward_dynamics_batch(model, q, v, tau)
back = trammel.inverse_dynamics_batch(model, q, v, a)
off = np.abs(back - tau).max()
print(f"{states} states: inverse undoes forward dynamics to {off:.1e} N m")
assert off < 1e-9
