// Constraint block of a linear coupling: the sum of factor times coordinate equals an offset.
// Coordinates of the tree enter directly, those of loop joints by the wrench that measures them.
#pragma once

#include "trammel/constraint/kinds/constraint_block.hpp"

namespace trammel {

struct CouplingBlock {
  int coupling = 0;  // index in Model::couplings()

  static std::vector<CouplingBlock> all(const Model& model);
  std::string owner(const Model& model) const;
  std::vector<RowTraits> rows(const Model& model) const;
  std::vector<BodyId> bodies(const Model& model) const;
  std::vector<DirectDof> directs(const Model& model) const;
  template <Scalar S> void evaluate(const BlockInput<S>& input, EvaluatedRows<S>& out) const;
};

}  // namespace trammel
