"""A six-axis arm, described in a page: its mass matrix, the torques that hold and move it, its energy, and a
picture."""
import pathlib

import trammel
from trammel import box, solid_cylinder


def six_axis_arm() -> trammel.Description:
    """Our own parameters: an arm with a reach of 0.9 m, of plain tubes."""
    arm = trammel.Description("six-axis arm")
    arm.body("column", solid_cylinder(6.0, 0.09, 0.30, com=(0.0, 0.0, -0.15)))
    arm.body("upper_arm", box(4.0, (0.40, 0.10, 0.10), com=(0.20, 0.0, 0.0)))
    arm.body("forearm", box(2.5, (0.15, 0.09, 0.09), com=(0.075, 0.0, 0.0)))
    arm.body("wrist", box(1.5, (0.20, 0.08, 0.08), com=(0.10, 0.0, 0.0)))
    arm.body("hand", box(0.6, (0.08, 0.07, 0.07), com=(0.04, 0.0, 0.0)))
    arm.body("flange", solid_cylinder(0.2, 0.04, 0.03))
    for name, parent, child, at, axis, damping in (
            ("turn", "ground", "column", (0.0, 0.0, 0.35), "z", 0.4),
            ("shoulder", "column", "upper_arm", (0.0, 0.0, 0.0), "y", 0.4),
            ("elbow", "upper_arm", "forearm", (0.40, 0.0, 0.0), "y", 0.2),
            ("roll", "forearm", "wrist", (0.15, 0.0, 0.0), "x", 0.1),
            ("bend", "wrist", "hand", (0.20, 0.0, 0.0), "y", 0.1),
            ("spin", "hand", "flange", (0.08, 0.0, 0.0), "x", 0.05)):
        arm.joint(name, "revolute", parent, child, at=at, axis=axis, drive="torque",
                  damping=damping)
    arm.frame("tool", "flange", (0.06, 0.0, 0.0))
    return arm


model = trammel.build_model(six_axis_arm())
state = trammel.State(q=[0.5, -0.9, 1.2, 0.4, 0.6, 0.0], v=[0.3, 0.2, -0.4, 0.5, -0.1, 0.6])

M = trammel.mass_matrix(model, state)
hold = trammel.gravity_load(model, state)
move = trammel.inverse_dynamics(model, state, a=[1.0, 0.5, -0.5, 2.0, 1.0, 0.0])
fall = trammel.forward_dynamics(model, state)
stored = trammel.energy(model, state)
where = trammel.kinematics(model, state)
tool = trammel.pose(model, where, "tool").p

print(f"the {model.name} at one moment\n\nmass matrix M(q) [kg m^2]")
for row in M:
    print("".join(f"{entry:9.4f}" for entry in row))
print(f"\n{'joint':<10}{'holds [N m]':>14}{'moves it [N m]':>16}{'free fall [rad/s^2]':>20}")
for k in range(model.nv):
    print(f"{model.dof_name(k):<10}{hold[k]:14.4f}{move[k]:16.4f}{fall[k]:20.4f}")
print(f"\nenergy     kinetic {stored.kinetic:.4f} J, gravity {stored.gravity:.4f} J")
print(f"tool       at ({tool[0]:.4f}, {tool[1]:.4f}, {tool[2]:.4f}) m")

pathlib.Path("six_axis_arm.svg").write_text(trammel.stick_figure(model, where), encoding="utf-8")
print("picture    six_axis_arm.svg")
