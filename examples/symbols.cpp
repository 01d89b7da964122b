// One source, every scalar type: the double pendulum's mass matrix in symbols, its derivative by a
// parameter, and the number of operations of inverse dynamics.
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "trammel/trammel.hpp"

using namespace trammel;

int main() {
  // lengths and masses are symbols with a nominal value
  Description description("double pendulum");
  const Expr l1 = description.parameter("l1", 1.0), l2 = description.parameter("l2", 0.7);
  const Expr m1 = description.parameter("m1", 1.5), m2 = description.parameter("m2", 0.8);
  description.body("upper", point_mass(m1, {0.0, 0.0, -l1}));
  description.body("lower", point_mass(m2, {0.0, 0.0, -l2}));
  description.joint("shoulder", JointKind::revolute, "ground", "upper", {.axis = {1.0, 0.0, 0.0}});
  description.joint("elbow", JointKind::revolute, "upper", "lower",
                    {.at = {{0.0, 0.0, -l1}, {}}, .axis = {1.0, 0.0, 0.0}});
  const Model model = build_model(description);

  // the algorithms that run on numbers, on symbols
  Graph graph;
  std::vector<Expr> parameters, q, v, a, tau, M;
  for (const ParameterDescription& p : model.parameters())
    parameters.push_back(graph.symbol(p.name));
  for (const char* k : {"1", "2"}) {
    q.push_back(graph.symbol(std::string("q") + k));
    v.push_back(graph.symbol(std::string("v") + k));
    a.push_back(graph.symbol(std::string("a") + k));
  }
  for (const Status& status : {symbolic::mass_matrix(model, q, parameters, M),
                               symbolic::inverse_dynamics(model, q, v, a, parameters, tau)})
    if (!status) {
      std::printf("%s\n", status.message().c_str());
      return 1;
    }

  std::printf("M22 = %s\n", to_string(M[3]).c_str());
  std::printf("M12 = %s\n", to_string(M[2]).c_str());
  std::printf("dM12/dq2 = %s\n", to_string(derivative(M[2], q[1])).c_str());
  const OperationCount count = operations(tau);
  std::printf("inverse dynamics: %d additions, %d multiplications, %d functions\n",
              int(count.additions), int(count.multiplications), int(count.functions));
}
