// Components of the constraint Jacobian with whole joints. Internal to constraint/.
#pragma once

#include "trammel/base/sparse_rows.hpp"
#include "trammel/model/body_of_dof.hpp"

namespace trammel {

// The pattern of J in which a row with an entry at a dof has entries at all dofs of its joint:
// velocities of one joint need not commute, those of different components do.
inline SparseRows joint_components(const Model& model, const SparseRows& J) {
  std::vector<std::vector<int>> pattern(static_cast<std::size_t>(J.rows()));
  for (int row = 0; row < J.rows(); ++row)
    for (const int dof : J.columns(row)) {
      const Body& body = model.bodies()[std::size_t(body_of_dof(model, dof))];
      std::vector<int>& dofs = pattern[std::size_t(row)];
      for (int f = body.v_start; f < body.v_end; ++f)
        if (dofs.empty() || f > dofs.back()) dofs.push_back(f);
    }
  return SparseRows(model.nv(), pattern);
}

}  // namespace trammel
