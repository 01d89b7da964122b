#include "trammel/constraint/kinds/distance.hpp"

#include "trammel/dynamics/kernel/loops/distance_row.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel {

std::vector<DistanceBlock> DistanceBlock::all(const Model& model) {
  std::vector<DistanceBlock> blocks;
  for (std::size_t k = 0; k < model.rods().size(); ++k) blocks.push_back({int(k)});
  return blocks;
}

std::string DistanceBlock::owner(const Model& model) const {
  return model.rods()[std::size_t(rod)].name;
}

std::vector<RowTraits> DistanceBlock::rows(const Model&) const { return {{.name = "force along"}}; }

std::vector<BodyId> DistanceBlock::bodies(const Model& model) const {
  const Rod& what = model.rods()[std::size_t(rod)];
  return {what.parent, what.child};
}

template <Scalar S>
void DistanceBlock::evaluate(const BlockInput<S>& input, EvaluatedRows<S>& out) const {
  const Model& model = input.model;
  const Rod& what = model.rods()[std::size_t(rod)];
  const auto& [on_parent, on_child, length] = model.numbers().rods[std::size_t(rod)];
  const int P = model[what.parent].tree_body, C = model[what.child].tree_body;
  const PointMotion<S> from = point_motion(input.kinematics, P, on_parent),
                       to = point_motion(input.kinematics, C, on_child);
  const kernel::DistanceRow<S> row =
      kernel::distance_row<S>(to.p - from.p, to.v - from.v, to.a - from.a, S(length));
  out.row_wrenches.push_back(
      {out.next_row(), -1, what.parent, what.child, {{}, row.direction}, to.p});
  out.add(row.error, row.rate, row.acceleration);
}

template void DistanceBlock::evaluate(const BlockInput<double>&, EvaluatedRows<double>&) const;
template void DistanceBlock::evaluate(const BlockInput<Duals>&, EvaluatedRows<Duals>&) const;

}  // namespace trammel
