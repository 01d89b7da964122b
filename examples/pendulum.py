"""The smallest mechanism: a description, and three computations."""
import trammel

description = trammel.Description("pendulum")
description.body("rod", trammel.thin_rod(1.0, 0.8, com=(0.4, 0.0, 0.0)))  # 1 kg, 0.8 m along x
description.joint("pivot", "revolute", "ground", "rod", axis="y")
model = trammel.build_model(description)  # raises once, with every error and its place

state = trammel.neutral_state(model)
a = trammel.forward_dynamics(model, state)
tau = trammel.inverse_dynamics(model, state)
stored = trammel.energy(model, state)
print(f"falls with {a[0]:.4f} rad/s^2, is held by {tau[0]:.4f} N m, has {stored.total:.1f} J")
