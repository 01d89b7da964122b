// Poses of all named bodies by plain forward kinematics, to compare models with.
#pragma once

#include <vector>

#include "trammel/model/build/parameters.hpp"
#include "trammel/model/state.hpp"
#include "trammel/model/traversal.hpp"

namespace trammel {

// X_WU, the user's frame of every named body in the world.
inline std::vector<Pose<double>> poses(const Model& model, const std::vector<double>& q) {
  const ModelParameters<double>& numbers = model.numbers();
  SinCosCache<double> turns(model.nq());
  turns.prepare(q);
  std::vector<Pose<double>> X_WB(model.bodies().size(), Pose<double>::identity());
  outward<double>(model, [&](int i, const Body& body, const auto& joint) {
    const auto coordinates = turns.at(body.q_start, numbers.constants.data() + body.constant_start);
    const Pose<double> X_PB = numbers.bodies[std::size_t(i)].X_PF * pose(joint, coordinates);
    X_WB[std::size_t(i)] = X_WB[std::size_t(body.parent)] * X_PB;
  });

  std::vector<Pose<double>> X_WU;
  for (std::size_t k = 0; k < model.named_bodies().size(); ++k)
    X_WU.push_back(X_WB[std::size_t(model.named_bodies()[k].tree_body)] * numbers.X_BU[k]);
  return X_WU;
}

// The largest difference of any entry.
inline double distance(const Vec3<double>& a, const Vec3<double>& b) {
  const Vec3<double> d = a - b;
  return std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
}
inline double distance(const Pose<double>& A, const Pose<double>& B) {
  return std::max(
      {distance(A.R.x, B.R.x), distance(A.R.y, B.R.y), distance(A.R.z, B.R.z), distance(A.p, B.p)});
}

}  // namespace trammel
