#include "trammel/constraint/assembly/equation_components.hpp"

#include "trammel/base/block_least_squares.hpp"
#include "trammel/model/body_of_dof.hpp"

namespace trammel {

std::vector<std::vector<int>> pattern_of(const SparseRows& J) {
  std::vector<std::vector<int>> pattern;
  for (int row = 0; row < J.rows(); ++row)
    pattern.emplace_back(J.columns(row).begin(), J.columns(row).end());
  return pattern;
}

std::vector<EquationComponent> equation_components(const Model& model,
                                                   const std::vector<std::vector<int>>& pattern,
                                                   const std::vector<int>& movable) {
  std::vector<bool> is_movable(std::size_t(model.nv()), false);
  for (const int f : movable) is_movable[std::size_t(f)] = true;
  std::vector<std::vector<int>> connections;
  const auto connect = [&](const auto& dofs) {
    std::vector<int>& of_row = connections.emplace_back();
    for (const int f : dofs)
      if (is_movable[std::size_t(f)]) of_row.push_back(f);
  };
  for (const std::vector<int>& dofs : pattern) connect(dofs);
  // the coordinates of a joint change together
  std::vector<int> bodies;  // of the connections after those of the pattern
  for (const int f : movable) {
    const int body = body_of_dof(model, f);
    if (!bodies.empty() && bodies.back() == body) continue;
    bodies.push_back(body);
    std::vector<int> dofs;
    for (int k = model.bodies()[std::size_t(body)].v_start;
         k < model.bodies()[std::size_t(body)].v_end; ++k)
      dofs.push_back(k);
    connect(dofs);
  }
  const SparseRows connected(model.nv(), connections);
  std::vector<EquationComponent> components;
  for (const MatrixComponent& found : connected.components()) {
    EquationComponent& component = components.emplace_back();
    component.dofs = found.columns;
    for (const int row : found.rows)
      if (const std::size_t at = std::size_t(row); at < pattern.size())
        component.rows.push_back(row);
      else
        component.bodies.push_back(bodies[at - pattern.size()]);
  }
  return components;
}

Eigen::VectorXd minimum_norm_solution(const SparseRows& J,
                                      const std::vector<EquationComponent>& components,
                                      const Eigen::VectorXd& rhs, internal::Threads* threads) {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(J.cols());
  internal::each_of(threads, components.size(), [&](std::size_t c) {
    const EquationComponent& component = components[c];
    if (component.rows.empty() || rhs(component.rows).isZero(0)) return;
    const BlockLeastSquares solver(J, component.rows, component.dofs, 1e-9);
    x(component.dofs) = solver.solve(rhs(component.rows));
  });
  return x;
}

}  // namespace trammel
