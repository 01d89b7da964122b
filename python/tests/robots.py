"""Mechanisms for the tests: small enough to know by hand, or with one of everything."""
import numpy as np

import trammel


def pendulum(m=2.0, l=0.7):
    """A point mass on a massless rod along x, turning about y: it hangs at q = pi / 2."""
    description = trammel.Description("pendulum")
    description.body("bob", trammel.point_mass(m, (l, 0.0, 0.0)))
    description.joint("pivot", "revolute", "ground", "bob", axis="y")
    return trammel.build_model(description)


def satellite():
    """A free hull with a universal arm, a spherical mast and a slide; a camera fixed to the arm."""
    description = trammel.Description("satellite")
    description.body("hull", trammel.box(40.0, (0.6, 0.5, 0.4), com=(0.02, 0.0, -0.01)))
    description.body("boom", trammel.thin_rod(4.0, 1.0, com=(0.5, 0.0, 0.0)))
    description.body("camera", trammel.sphere(2.0, 0.1))
    description.body("mast", trammel.solid_cylinder(3.0, 0.05, 0.8, com=(0.0, 0.0, 0.4)))
    description.body("probe", trammel.Solid(1.5, (0.1, 0.0, 0.0), (0.02, 0.03, 0.04, 0.001, 0.002, 0.003)))
    description.joint("flight", "free", "ground", "hull")
    description.joint("shoulder", "universal", "hull", "boom", at=(0.3, 0.0, 0.0), axis="z", axis2="y",
               stiffness=2.0, rest=0.1, damping=0.3)
    description.joint("mount", "fixed", "boom", "camera", at=(1.0, 0.0, 0.0))
    description.joint("ball", "spherical", "hull", "mast", at=(0.0, 0.0, 0.2))
    description.joint("rail", "prismatic", "mast", "probe", at=trammel.Placement((0, 0, 0.8), (0.3, 0, 0)),
               axis="x")
    description.frame("lens", "camera", trammel.Placement((0.1, 0.0, 0.0), (0.0, 0.5, 0.0)))
    return trammel.build_model(description)


def random_state(model, seed=1):
    """Any state of a model: integrate keeps quaternions at length 1."""
    random = np.random.default_rng(seed)
    state = trammel.neutral_state(model)
    state.q = trammel.integrate(model, state.q, random.uniform(-1, 1, model.nv))
    state.v = random.uniform(-1, 1, model.nv)
    return state


def random_batch(model, n, seed=1):
    """q (n, nq) and v (n, nv)."""
    states = [random_state(model, seed + k) for k in range(n)]
    return np.array([s.q for s in states]), np.array([s.v for s in states])
