#include "trammel/dynamics/mass_matrix_blocks.hpp"

#include <algorithm>

#include "trammel/model/body_of_dof.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel {

void MassMatrixBlocks::evaluate(const Model& model, const Positions& positions) {
  const std::span<const Body> bodies = model.bodies();
  composite_.resize(bodies.size());
  for (std::size_t i = 1; i < bodies.size(); ++i)
    composite_[i] = turned(positions.X_WB[i].R, model.numbers().bodies[i].inertia);
  for (std::size_t i = bodies.size() - 1; i > 0; --i)
    if (const auto parent = std::size_t(bodies[i].parent); parent > 0)
      composite_[parent] = composite_[parent] +
                           shifted(positions.X_WB[i].p - positions.X_WB[parent].p, composite_[i]);
}

Eigen::MatrixXd MassMatrixBlocks::block(const Model& model, const Positions& positions,
                                        std::span<const int> dofs) const {
  const auto n = Eigen::Index(dofs.size());
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
  if (n == 0) return M;
  const std::span<const Body> bodies = model.bodies();
  // dofs are numbered outward: no body inboard of the first one has an entry
  const int first = body_of_dof(model, dofs[0]);
  for (Eigen::Index k = n; k-- > 0;) {
    const int f = dofs[std::size_t(k)], body = body_of_dof(model, f);
    Force<double> F = composite_[std::size_t(body)] * positions.axes[std::size_t(f)];
    Eigen::Index before = k;  // dofs at and before this one
    for (int i = body; i >= first && i > 0; i = bodies[std::size_t(i)].parent) {
      while (before >= 0 && dofs[std::size_t(before)] >= bodies[std::size_t(i)].v_end) --before;
      for (; before >= 0 && dofs[std::size_t(before)] >= bodies[std::size_t(i)].v_start; --before)
        M(k, before) = M(before, k) =
            dot(positions.axes[std::size_t(dofs[std::size_t(before)])], F);
      const int parent = bodies[std::size_t(i)].parent;
      const Vec3<double> r =
          positions.X_WB[std::size_t(i)].p - positions.X_WB[std::size_t(parent)].p;
      F.moment = F.moment + cross(r, F.force);
    }
  }
  return M;
}

Eigen::MatrixXd MassMatrixBlocks::diagonal(const Model& model, const Positions& positions,
                                           std::span<const int> dofs) const {
  Eigen::MatrixXd D(std::ssize(dofs), 1);
  for (std::size_t k = 0; k < dofs.size(); ++k) {
    const Motion<double>& axis = positions.axes[std::size_t(dofs[k])];
    D(Eigen::Index(k), 0) = dot(axis, composite_[std::size_t(body_of_dof(model, dofs[k]))] * axis);
  }
  return D;
}

}  // namespace trammel
