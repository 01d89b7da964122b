"""A ball falls through air onto the ground, with user-defined laws: drag quadratic in the speed, a linear
contact with friction. A function defines the event at its highest point."""
from typing import List, Tuple

import numpy as np
from numpy.typing import NDArray

import trammel

description = trammel.Description("ball")
description.body("ball", trammel.sphere(0.5, 0.1))
description.joint("float", "free", "ground", "ball")
description.contact("skin", "ball", 0, radius=0.1)  # without a stiffness of its own: its force is left to a law
model = trammel.build_model(description)


def drag(place: trammel.MovingPlace) -> List[float]:
    v = place.velocity[3:]
    return [0, 0, 0, *(-0.02 * np.linalg.norm(v) * v)]


def floor(touch: trammel.ContactState) -> Tuple[float, NDArray[np.float64]]:
    press = max(0.0, 2000 * touch.depth + 2 * touch.sinking)
    return press, -0.3 * press / np.hypot(np.linalg.norm(touch.sliding), 0.01) * touch.sliding


top = trammel.Event("top", lambda time, q, v: float(v[5]), way="down", every=True)
state = trammel.neutral_state(model)
state.q[6] = 1  # a meter up, thrown along x
state.v[3] = 1.5
run = trammel.simulate(
    model, state, duration=3, wrench_laws={"ball": drag}, contact_laws={"skin": floor}, events=[top])
for event_record in run.events:
    print(f"{event_record.time:.4f} s: {event_record.what}")
print(f"after 3 s it is at x = {run.state.q[4]:.3f} m and spins with {run.state.v[1]:.2f} rad/s")
