// Constraint blocks of prescribed motions and locks: one row per dof, of a tree joint or of a loop
// joint.
#pragma once

#include "trammel/constraint/kinds/constraint_block.hpp"

namespace trammel {

struct PrescribedDofBlock {
  int dof = 0;  // of the tree

  static std::vector<PrescribedDofBlock> all(const Model& model);
  std::string owner(const Model& model) const;
  std::vector<RowTraits> rows(const Model& model) const;
  std::vector<BodyId> bodies(const Model&) const { return {}; }
  std::vector<DirectDof> directs(const Model&) const { return {{.dof = dof}}; }
  template <Scalar S> void evaluate(const BlockInput<S>& input, EvaluatedRows<S>& out) const;
};

struct PrescribedLoopDofBlock {
  int closure = 0, k = 0, dof = 0;  // the k-th dof of the closure; its index below loop_nv

  static std::vector<PrescribedLoopDofBlock> all(const Model& model);
  std::string owner(const Model& model) const;
  std::vector<RowTraits> rows(const Model& model) const;
  std::vector<BodyId> bodies(const Model& model) const;
  template <Scalar S> void evaluate(const BlockInput<S>& input, EvaluatedRows<S>& out) const;
};

}  // namespace trammel
