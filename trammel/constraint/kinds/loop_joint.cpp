#include "trammel/constraint/kinds/loop_joint.hpp"

namespace trammel {

std::vector<LoopJointBlock> LoopJointBlock::all(const Model& model) {
  std::vector<LoopJointBlock> blocks;
  for (std::size_t c = 0; c < model.closures().size(); ++c) blocks.push_back({int(c)});
  return blocks;
}

std::string LoopJointBlock::owner(const Model& model) const {
  return model.closures()[std::size_t(closure)].name;
}

std::vector<RowTraits> LoopJointBlock::rows(const Model& model) const {
  const Joint& joint = model.closures()[std::size_t(closure)].joint;
  std::vector<RowTraits> rows;
  for (int k = 0; k < row_count(joint); ++k) {
    const std::string name = row_name(joint, k);
    rows.push_back({.name = name, .is_turn = name.starts_with("moment")});
  }
  return rows;
}

std::vector<BodyId> LoopJointBlock::bodies(const Model& model) const {
  const Closure& what = model.closures()[std::size_t(closure)];
  return {what.parent, what.child};
}

template <Scalar S>
void LoopJointBlock::evaluate(const BlockInput<S>& input, EvaluatedRows<S>& out) const {
  const Closure& what = input.model.closures()[std::size_t(closure)];
  double* near = out.closure_q.data() + what.q_start;
  BasicClosureAt<S>& at = out.closures[std::size_t(closure)];
  at = evaluate_closure(input.model, closure, input.kinematics, near);
  const int nq = std::visit([](const auto& joint) { return joint.nq(); }, what.joint);
  for (int k = 0; k < nq; ++k) near[k] = value_of(at.q[k]);
  if (at.fault) out.undefine(at.fault);
  for (int k = 0; k < at.rows; ++k) {
    out.push(input.model, closure, at.row[k], 1);
    out.add(dot(at.error, at.row[k]), dot(at.V, at.row[k]), dot(at.A, at.row[k]));
  }
}

template void LoopJointBlock::evaluate(const BlockInput<double>&, EvaluatedRows<double>&) const;
template void LoopJointBlock::evaluate(const BlockInput<Duals>&, EvaluatedRows<Duals>&) const;

}  // namespace trammel
