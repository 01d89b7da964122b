"""Correctness of a result: compared with the reference in the robot's file, with methods that share little
code with the tested one, and with the other programs. Errors are relative to the largest number."""
import numpy

import robots

step = 1e-6  # two-sided differences: truncation and rounding are both near 1e-9


class Checker:
    def __init__(self, folder):
        self._folder = folder  # folder of probe files
        self._answers, self._probes = {}, {}

    def findings(self, program, peers, robot, question):
        """(reference, error, tolerance) of each comparison."""
        found = list(getattr(self, "_" + question.split("/")[0])(program, robot))
        for peer in peers:
            for way in peer.ways(question, robot):
                here, there = self._answer(program, robot, question), self._answer(peer, robot, way)
                found.append((f"{peer.name} ({way})", error(here, there), 1e-9))
        return found

    def _answer(self, program, robot, question, state=0):
        key = program.name, robot.path, question, state
        if key not in self._answers:
            self._answers[key] = program.answer(robot.path, question, state)
        return self._answers[key]

    def _inverse(self, program, robot):
        tau = self._answer(program, robot, "inverse")
        if robot.reference:
            yield "reference", error(tau, robot.reference["inverse"]), 1e-12
        if robot.nv <= 1024:
            yield "M a + bias", error(self._mass_times_a(program, robot), tau), 1e-12
        yield from self._round_trip(program, robot)

    def _forward(self, program, robot):
        if robot.reference:  # the condition number of M multiplies rounding in accelerations
            yield "reference", error(self._answer(program, robot, "forward"), robot.reference["forward"]), 1e-10
        yield from self._round_trip(program, robot)

    def _round_trip(self, program, robot):
        tau = robot.states[0][3]
        scale = max(abs(tau).max(), abs(self._answer(program, robot, "bias")).max())
        back = self._answer(program, robot, "inverse_of_forward")
        yield "inverse of forward", abs(back - tau).max() / scale, 1e-12

    def _mass_times_a(self, program, robot):
        M = self._answer(program, robot, "mass").reshape(robot.nv, robot.nv)
        return M @ robot.states[0][2] + self._answer(program, robot, "bias")

    def _mass(self, program, robot):
        M = self._answer(program, robot, "mass").reshape(robot.nv, robot.nv)
        if robot.reference:
            joints = M[6:, 6:] if robot.is_floating else M
            yield "reference's trace", error(numpy.trace(joints), robot.reference["trace"]), 1e-12
        yield "its transpose", error(M, M.T), 1e-15
        tau = self._answer(program, robot, "inverse")
        yield "inverse - bias", error(self._mass_times_a(program, robot), tau), 1e-12

    def _kinematics_jacobian(self, program, robot):
        J = self._answer(program, robot, "kinematics_jacobian").reshape(6, robot.nv)
        if robot.reference:
            yield "reference's norm", error(numpy.linalg.norm(J), robot.reference["jacobian_norm"]), 1e-12
        yield "the file's frames", error(J, robots.jacobian(robot)), 1e-12

    def _inverse_derivatives(self, program, robot):
        return self._differences(program, robot, "inverse", 2)

    def _forward_derivatives(self, program, robot):
        return self._differences(program, robot, "forward", 3)

    def _differences(self, program, robot, question, varied):
        """Derivatives along two random directions, compared with two-sided differences."""
        slopes = self._answer(program, robot, question + "_derivatives").reshape(3, robot.nv, robot.nv)
        probe, directions = self._probe(robot, varied)
        state = 0
        for direction in directions:
            for by, slope in zip(("position", "velocity", "acceleration" if varied == 2 else "effort"), slopes):
                ahead, behind = (program.answer(probe, question, state + k) for k in (0, 1))
                state += 2
                yield f"differences by {by}", error(slope @ direction, (ahead - behind) / (2 * step)), 2e-6

    def _probe(self, robot, varied):
        """A file of the robot in states near state 0: for each direction q, v, then a or tau, both signs."""
        key = robot.path, varied
        if key not in self._probes:
            rng = numpy.random.default_rng(1)
            directions = [rng.uniform(-1, 1, robot.nv) for _ in range(2)]
            states = []
            for direction in directions:
                for part in (0, 1, varied):
                    for sign in (1, -1):
                        state = list(robot.states[0])
                        change = sign * step * direction
                        state[part] = robots.moved(robot, state[part], change) if part == 0 else state[part] + change
                        states.append(state)
            path = self._folder / f"{robot.path.stem}_{varied}.txt"
            self._probes[key] = robots.write(path, robot.head, states), directions
        return self._probes[key]

    def _batch(self, program, robot, question):
        last = 255 % len(robot.states)
        for column, state in ((0, 0), (1, 1 % len(robot.states)), (255, last)):
            single = self._answer(program, robot, question, state)
            there = self._answer(program, robot, question + "_batch", column)
            yield f"single state {state}", error(there, single), 1e-11

    def _closed(self, program, robot):
        a = self._answer(program, robot, "closed")
        if "closed" in robot.reference:
            yield "reference", error(a, robot.reference["closed"]), 1e-9
        yield "KKT", error(a, self._answer(program, robot, "closed_kkt")), 1e-9

    def _inverse_batch(self, program, robot):
        return self._batch(program, robot, "inverse")

    def _forward_batch(self, program, robot):
        return self._batch(program, robot, "forward")

    def _closed_batch(self, program, robot):
        return self._batch(program, robot, "closed")

    def _mass_batch(self, program, robot):
        return self._batch(program, robot, "mass")


def error(x, y):
    """Error of x against y, relative to the largest entry of y; NaN counts as infinite."""
    if numpy.shape(x) != numpy.shape(y):
        return float("inf")
    worst = numpy.max(numpy.abs(x - y)) / max(numpy.max(numpy.abs(y)), 1e-300)
    return float(worst) if numpy.isfinite(worst) else float("inf")
