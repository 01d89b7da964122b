"""A free-floating robot: its arm swings, its base swings back, and momentum is conserved."""
import numpy as np

import trammel

description = trammel.Description("satellite with an arm")
description.gravity = (0.0, 0.0, 0.0)
description.body("hull", trammel.box(40.0, (0.6, 0.6, 0.6)))
description.body("boom", trammel.thin_rod(4.0, 1.0, com=(0.5, 0.0, 0.0)))
description.body("camera", trammel.sphere(2.0, 0.1))  # fixed to the boom, and still accessible by name
description.joint("flight", "free", "ground", "hull")
description.joint("shoulder", "universal", "hull", "boom", at=(0.3, 0.0, 0.0), axis="z", axis2="y")
description.joint("mount", "fixed", "boom", "camera", at=(1.0, 0.0, 0.0))
model = trammel.build_model(description)

state = trammel.neutral_state(model)
tau = np.zeros(model.nv)
tau[model.joint("shoulder").v] = (3.0, -1.0)  # only the shoulder has an effort

# a thousand steps of a millisecond: explicit Euler, enough to show conservation
before = trammel.momentum(model, state)
for step in range(1000):
    state.v += 1e-3 * trammel.forward_dynamics(model, state, tau)
    trammel.integrate(model, state.q, 1e-3 * state.v, out=state.q)
after = trammel.momentum(model, state)

a = trammel.forward_dynamics(model, state, tau)
where = trammel.kinematics(model, state, a)
carried = trammel.reactions(model, state, a)
camera = trammel.pose(model, where, "camera").p
mount = carried[[joint.name for joint in model.joints].index("mount")]  # [moment; force]
print(f"after one second the camera is at ({camera[0]:.3f}, {camera[1]:.3f}, {camera[2]:.3f}) m")
print(f"its mount carries a force of {np.linalg.norm(mount[3:]):.3f} N and a moment of "
      f"{np.linalg.norm(mount[:3]):.4f} N m")
print(f"momentum was {np.linalg.norm(before.angular):.1e} and is "
      f"{np.linalg.norm(after.angular):.1e} (steps of a millisecond)")
