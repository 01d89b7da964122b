#include "trammel/dynamics/kernel/tree/mass_factors.hpp"

#include "trammel/dynamics/kernel/simd/mass_of_pairs.hpp"
#include "trammel/dynamics/kernel/simd/slots.hpp"
#include "trammel/model/traversal.hpp"

// Equation numbers are those of docs/theory/mass-matrix.md.
namespace trammel::kernel {

MassFactorLanes::MassFactorLanes(const Model& model)
    : groups_(model, native_lanes),
      group_(std::size_t(transposed * native_lanes)),
      factors_(native_lanes * groups_.rows()) {
  int group = 0;
  for (int i = 1; i < int(model.bodies().size()); ++i)
    for (; group < groups_.size() && groups_[group].first < model.bodies()[std::size_t(i)].v_end;
         ++group)
      reference_.push_back(i);
}

void MassFactorLanes::compute(const KernelInput<double, Lanes>& input, In<Lanes> q,
                              BasicWorkspace<Lanes>& ws) {
  WorldAxes<Lanes>& world = ws.world;
  const auto& bodies = input.numbers.bodies;

  // outward: rotation and position of each body in world axes
  ws.sin_cos_cache.prepare(q);
  WorldFrame<Lanes> last = WorldFrame<Lanes>::load(Mat3<Lanes>::identity());
  outward<Lanes>(input.model, [&](int i, const Body& body, const auto& joint) {
    const auto q_J = input.coordinates(ws.sin_cos_cache, body);
    axes(joint, q_J, &ws.axes[body.v_start]);
    world.place(i, body.parent, bodies[i].X_PF, pose(joint, q_J), last);
  });

  // inward: composite inertias (1), forces I^c S of (2)
  inward<Lanes>(input.model, [&](int i, const Body& body, const auto& joint) {
    const auto S_J = axes(joint, &ws.axes[body.v_start]);
    const Mat3<Lanes> R_WB = world.R_WB[i];
    const Vec3<Lanes> p = world.p[i];
    Inertia<Lanes> I = turned(R_WB, bodies[i].inertia);
    if (body.has_children) I = I + ws.I_C[slot<Lanes>(i, body)];
    for (int k = S_J.n - 1; k >= 0; --k) {
      const int dof = body.v_start + k, g = groups_.group(dof), row = groups_.row(dof);
      const auto S = turned(R_WB, S_J, k);
      const Vec3<Lanes> point = world.p[reference_[g]], r = p - point;
      put(row - groups_.first_row(g), shifted_to(-r, whole(S)), acting_at(r, I * S));
      if (row == groups_.first_row(g)) transpose_group(g, point);
    }
    if (body.parent == 0) return;
    const Inertia<Lanes> I_P = shifted(Vec3<Lanes>(world.r[i]), I);
    Inertia<Lanes>& I_all = ws.I_C[parent_slot<Lanes>(body)];
    I_all = body.is_last_child ? I_P : I_all + I_P;
  });
}

inline void MassFactorLanes::put(int row, const Motion<Lanes>& S, const Force<Lanes>& F) {
  const auto& [w, u] = S;
  const auto& [m, f] = F;
  const Lanes numbers[transposed] = {w.x, w.y, w.z, u.x, u.y, u.z, m.x, m.y, m.z, f.x, f.y, f.z};
  for (int c = 0; c < transposed; ++c) group_[std::size_t(c * native_lanes + row)] = numbers[c];
}

// Distributes a complete group to the states.
[[gnu::flatten]] void MassFactorLanes::transpose_group(int g, const Vec3<Lanes>& point) {
  const auto group = [&](int lane) { return factors_.group(lane * groups_.size() + g); };
  for (int c = 0; c < transposed; ++c) {
    const Lanes* const dofs = group_.data() + c * native_lanes;
    const Tile<double> by_state = Tile<double>([&](int i) { return dofs[i]; }).turned_over();
    Tile<double>::each([&](auto lane) { group(lane).put(c, by_state[lane]); });
  }
  for (int lane = 0; lane < native_lanes; ++lane)
    factors_.row(groups_.first_row(lane * groups_.size() + g))
        .set(MassFactors::place, Vec3<double>{point.x[lane], point.y[lane], point.z[lane]});
}

void MassFactorLanes::write(int lane, const MatrixSpan<double>& M) {
  write_mass_matrix<double>(groups_, factors_, lane * groups_.size(), M);
}

}  // namespace trammel::kernel
