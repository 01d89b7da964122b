#include "trammel/constraint/equations/constraint_rows_at.hpp"

namespace trammel {

template <Scalar S>
ConstraintRowsAt<S>::ConstraintRowsAt(const Model& model)
    : blocks_(constraint_blocks(model)), loop_prescribed_(PrescribedLoopDofBlock::all(model)) {
  evaluated_.closures.resize(model.closures().size());
  for (const Closure& closure : model.closures()) {
    double neutral[7] = {};
    std::visit([&](const auto& joint) { joint.neutral(neutral); }, closure.joint);
    const int nq = std::visit([](const auto& joint) { return joint.nq(); }, closure.joint);
    evaluated_.closure_q.insert(evaluated_.closure_q.end(), neutral, neutral + nq);
  }
  for (const PrescribedDofBlock& block : PrescribedDofBlock::all(model))
    prescribed_.push_back(block.dof);
}

template <Scalar S>
void ConstraintRowsAt<S>::evaluate(const Model& model, const BasicKinematics<S>& kinematics,
                                   std::span<const S> q, std::span<const S> v, std::span<const S> a,
                                   const PrescribedAccelerations& prescribed) {
  EvaluatedRows<S>& out = evaluated_;
  out.error.clear();
  out.rate.clear();
  out.acceleration.clear();
  out.row_wrenches.clear();
  out.directs.clear();
  out.undefined_block = out.flat_wheel = -1;
  const BlockInput<S> input{model, kinematics, q, v, a, prescribed, loops_};
  for (out.block = 0; out.block < int(blocks_.size()); ++out.block)
    std::visit([&](const auto& block) { block.evaluate(input, out); },
               blocks_[std::size_t(out.block)]);
}

template class ConstraintRowsAt<double>;
template class ConstraintRowsAt<Duals>;

}  // namespace trammel
