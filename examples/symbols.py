"""One source, every scalar type: the double pendulum's mass matrix in symbols, its derivative by a
parameter, and the number of operations of inverse dynamics."""
import trammel

# lengths and masses are symbols with a nominal value
description = trammel.Description("double pendulum")
l1, l2 = description.parameter("l1", 1.0), description.parameter("l2", 0.7)
m1, m2 = description.parameter("m1", 1.5), description.parameter("m2", 0.8)
description.body("upper", trammel.point_mass(m1, (0.0, 0.0, -l1)))
description.body("lower", trammel.point_mass(m2, (0.0, 0.0, -l2)))
description.joint("shoulder", "revolute", "ground", "upper", axis="x")
description.joint("elbow", "revolute", "upper", "lower", at=(0.0, 0.0, -l1), axis="x")
model = trammel.build_model(description)

# the same kernels that run on doubles, now on symbols
graph = trammel.Graph()
parameters = [graph.symbol(name) for name in model.parameters]
q, v, a = ([graph.symbol(x + k) for k in "12"] for x in "qva")
M = trammel.symbolic.mass_matrix(model, q, parameters)
tau = trammel.symbolic.inverse_dynamics(model, q, v, a, parameters)

print(f"M22 = {M[1][1]}")
print(f"M12 = {M[0][1]}")
print(f"dM12/dq2 = {trammel.derivative(M[0][1], q[1])}")
count = trammel.operations(tau)
print(f"inverse dynamics: {count.additions} additions, {count.multiplications} multiplications, "
      f"{count.functions} functions")
