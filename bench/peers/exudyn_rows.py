"""Exudyn's results, with its wheel: see bench/serve.hpp for the commands. Planar mechanisms only.

Redundant coordinates: two translations and an angle per body, two equations per pin; EigenSparse. `closed` is the
initialization of the implicit solver, which computes the initial accelerations from one sparse linear system;
`steps` is ten steps of 1 ms of the generalized-alpha method with modified Newton.
"""
import importlib.metadata
import math
import warnings

import exudyn
import numpy
from exudyn.itemInterface import (LoadMassProportional, MarkerBodyMass, MarkerBodyRigid, NodeRigidBody2D,
                                  ObjectGround, ObjectJointRevolute2D, ObjectRigidBody2D)

import serve

warnings.simplefilter("ignore", DeprecationWarning)  # the new names are not in older releases
step, steps = 1e-3, 10


class Subject:
    def __init__(self, robot):
        self.robot = robot
        planar = numpy.allclose(robot.axes, [0, 0, 1]) and numpy.allclose(robot.rotations, numpy.eye(3))
        if not planar or set(robot.kinds) != {"R"} or any(loop.rows != 2 for loop in robot.loops):
            raise ValueError("only planar mechanisms with pins along z are built here")
        if any(numpy.any(state[3]) for state in robot.states):
            raise ValueError("efforts are not applied here")
        # the index of a state cannot be changed cheaply: one system per state
        self._systems = [self._system(q, v) for q, v, _, _ in robot.states]

    def _poses(self, q, v):
        """Angle, origin, and their rates, of each body."""
        angle, rate, origin, speed = [], [], [], []
        for i, parent in enumerate(self.robot.parents):
            at = self.robot.positions[i][:2]
            if parent < 0:
                turn, spin, place, velocity = 0.0, 0.0, at, numpy.zeros(2)
            else:
                turn, spin = angle[parent], rate[parent]
                arm = rotated(turn, at)
                place, velocity = origin[parent] + arm, speed[parent] + spin * across(arm)
            angle.append(turn + q[i]), rate.append(spin + v[i]), origin.append(place), speed.append(velocity)
        return angle, rate, origin, speed

    def _system(self, q, v):
        robot, container = self.robot, exudyn.SystemContainer()
        system = container.AddSystem()
        ground, bodies = system.AddObject(ObjectGround()), []
        for i, (angle, rate, origin, speed) in enumerate(zip(*self._poses(q, v))):
            arm = rotated(angle, robot.coms[i][:2])
            place, velocity = origin + arm, speed + rate * across(arm)
            node = system.AddNode(NodeRigidBody2D(referenceCoordinates=[*place, angle], initialVelocities=[*velocity, rate]))
            bodies.append(system.AddObject(ObjectRigidBody2D(
                nodeNumber=node, physicsMass=robot.masses[i], physicsInertia=robot.inertias[i][5])))
            whole = system.AddMarker(MarkerBodyMass(bodyNumber=bodies[-1]))
            system.AddLoad(LoadMassProportional(markerNumber=whole, loadVector=list(robot.gravity)))

        def marker(i, at):  # of a point in the body's frame; markers have it from the center of mass
            if i < 0:
                return system.AddMarker(MarkerBodyRigid(bodyNumber=ground, localPosition=[*at[:2], 0]))
            return system.AddMarker(MarkerBodyRigid(bodyNumber=bodies[i], localPosition=[*(at - robot.coms[i])[:2], 0]))

        pins = [(robot.parents[i], robot.positions[i], i, numpy.zeros(3)) for i in range(len(bodies))]
        pins += [(loop.body, loop.p, loop.other, loop.p_other) for loop in robot.loops]
        for one, at, other, there in pins:
            system.AddObject(ObjectJointRevolute2D(markerNumbers=[marker(one, at), marker(other, there)]))
        system.Assemble()
        return container, system

    def question(self, name):
        settings = exudyn.SimulationSettings()
        settings.linearSolverType = exudyn.LinearSolverType.EigenSparse
        settings.solutionSettings.writeSolutionToFile = False
        settings.timeIntegration.verboseMode = 0
        settings.timeIntegration.numberOfSteps = steps
        settings.timeIntegration.endTime = steps * step
        settings.timeIntegration.newton.useModifiedNewton = True
        settings.timeIntegration.generalizedAlpha.computeInitialAccelerations = True
        parents = numpy.array(self.robot.parents)

        def initialize(state):
            solver = exudyn.MainSolverImplicitSecondOrder()
            if not solver.InitializeSolver(self._systems[state][1], settings):
                raise ValueError("InitializeSolver failed")
            return solver

        def accelerations(state):
            initialize(state)
            turning = numpy.array(self._systems[state][1].systemData.GetODE2Coordinates_tt())[2::3]
            return turning - numpy.where(parents < 0, 0, turning[parents])

        def integrate(state):
            solver = initialize(state)
            if not solver.SolveSteps(self._systems[state][1], settings):
                raise ValueError("SolveSteps failed")

        def mean_accelerations(state):
            integrate(state)
            rates = numpy.array(self._systems[state][1].systemData.GetODE2Coordinates_t())[2::3]
            rates = rates - numpy.where(parents < 0, 0, rates[parents])
            return (rates - self.robot.states[state][1]) / (steps * step)

        if name == "closed":
            return initialize, accelerations
        if name == "steps":
            return integrate, mean_accelerations
        raise ValueError(f"there is no question '{name}'")


def rotated(angle, x):
    c, s = math.cos(angle), math.sin(angle)
    return numpy.array([c * x[0] - s * x[1], s * x[0] + c * x[1]])


def across(x):
    return numpy.array([-x[1], x[0]])


if __name__ == "__main__":
    version = importlib.metadata.version("exudyn")
    serve.run(f"Exudyn {version}, its wheel; redundant coordinates, EigenSparse", Subject)
