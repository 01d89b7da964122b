"""Drake's results, with its wheel: see bench/serve.hpp for the commands.

MultibodyPlant has loop constraints in discrete time only, with the SAP solver, which regularizes them; in
continuous time it refuses them. Therefore `closed` is one discrete step of 1 us, (v1 - v0) / h, and `step` one
of 1 ms. A pin in the plane is a ball constraint, whose third row is redundant.
"""
import numpy
import pydrake
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import DiscreteContactApproximation, MultibodyPlant
from pydrake.multibody.tree import (FixedOffsetFrame, PrismaticJoint, RevoluteJoint, RotationalInertia,
                                    SpatialInertia)

import serve

lengths = {"closed": 1e-6, "step": 1e-3}  # of a step, in s


class Subject:
    def __init__(self, robot):
        if robot.is_floating:
            raise ValueError("robots with a free base are not built here")
        self.robot, self._plants = robot, {}

    def _plant(self, step):
        robot, plant = self.robot, MultibodyPlant(step)
        plant.SetUseSampledOutputPorts(False)  # the step alone
        plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
        plant.mutable_gravity_field().set_gravity_vector(robot.gravity)
        bodies, joints = [], []
        for i, parent in enumerate(robot.parents):
            xx, xy, xz, yy, yz, zz = robot.inertias[i]
            com = SpatialInertia.MakeFromCentralInertia(robot.masses[i], robot.coms[i],
                                                        RotationalInertia(xx, yy, zz, xy, xz, yz))
            bodies.append(plant.AddRigidBody(f"b{i}", com))
            there = bodies[parent] if parent >= 0 else plant.world_body()
            pose = RigidTransform(RotationMatrix(robot.rotations[i]), robot.positions[i])
            frame = plant.AddFrame(FixedOffsetFrame(f"f{i}", there.body_frame(), pose))
            joint = RevoluteJoint if robot.kinds[i] == "R" else PrismaticJoint
            joints.append(plant.AddJoint(joint(f"j{i}", frame, bodies[i].body_frame(), robot.axes[i])))
        for loop in robot.loops:
            one, other = bodies[loop.body], bodies[loop.other]
            if loop.rows == 6:
                plant.AddWeldConstraint(one, RigidTransform(RotationMatrix(loop.R), loop.p), other,
                                        RigidTransform(RotationMatrix(loop.R_other), loop.p_other))
            else:
                plant.AddBallConstraint(one, loop.p, other, loop.p_other)
        plant.Finalize()
        order = numpy.array([joint.velocity_start() for joint in joints])
        return plant, plant.CreateDefaultContext(), order

    def question(self, name):
        if name not in lengths:
            raise ValueError(f"there is no question '{name}'")
        plant, context, order = self._plant(lengths[name])
        states = []
        for q, v, _, tau in self.robot.states:
            x = numpy.zeros(2 * len(order))
            x[order], x[len(order) + order] = q, v
            actuation = numpy.zeros(len(order))
            actuation[order] = tau
            states.append((x, actuation))
        port = plant.get_applied_generalized_force_input_port()

        def call(state):
            x, tau = states[state]
            plant.SetPositionsAndVelocities(context, x)
            port.FixValue(context, tau)
            return plant.EvalUniquePeriodicDiscreteUpdate(context).get_vector().CopyToVector()

        def answer(state):
            n = len(order)
            return ((call(state) - states[state][0])[n:] / lengths[name])[order]

        return call, answer


if __name__ == "__main__":
    version = getattr(pydrake, "__version__", None) or __import__("importlib.metadata").metadata.version("drake")
    serve.run(f"Drake {version}, its wheel; discrete time, SAP", Subject)
