// Constraint block of a distance between two points: |p_B - p_A| = length, one row along the line.
#pragma once

#include "trammel/constraint/kinds/constraint_block.hpp"

namespace trammel {

struct DistanceBlock {
  int rod = 0;  // index in Model::rods()

  static std::vector<DistanceBlock> all(const Model& model);
  std::string owner(const Model& model) const;
  std::vector<RowTraits> rows(const Model& model) const;
  std::vector<BodyId> bodies(const Model& model) const;
  template <Scalar S> void evaluate(const BlockInput<S>& input, EvaluatedRows<S>& out) const;
};

}  // namespace trammel
