#include "trammel/dynamics/kernel/inverse_factor.hpp"

#include <algorithm>

#include "trammel/dynamics/kernel/instantiate.hpp"

namespace trammel::kernel {

namespace {

// x -= factor y, along a row
void subtract(double factor, const double* y, int columns, double* x) {
  const Lanes k = factor;
  for (int c = 0; c < columns; c += native_lanes) {
    const Lanes from(Lanes::Lanes(y + c, stdx::element_aligned));
    const Lanes to(Lanes::Lanes(x + c, stdx::element_aligned));
    (to - k * from).lanes.copy_to(x + c, stdx::element_aligned);
  }
}
void scale(double factor, int columns, double* x) {
  const Lanes k = factor;
  for (int c = 0; c < columns; c += native_lanes)
    (k * Lanes(Lanes::Lanes(x + c, stdx::element_aligned)))
        .lanes.copy_to(x + c, stdx::element_aligned);
}

// I - U W^T, symmetric because W is U / D
ArticulatedInertia<double> without(const ArticulatedInertia<double>& I, const Force<double>& U,
                                   const Force<double>& W) {
  return {I.rotational - symmetric_outer(U.moment, W.moment),
          {I.coupling.x - W.force.x * U.moment, I.coupling.y - W.force.y * U.moment,
           I.coupling.z - W.force.z * U.moment},
          I.linear - symmetric_outer(U.force, W.force)};
}

}  // namespace

InverseFactor::InverseFactor(const Model& model)
    : inboard_(model.inboard_freedoms().begin(), model.inboard_freedoms().end()),
      path_(inboard_.size() + 1),
      I_A_(model.bodies().size()),
      W_(inboard_.size()),
      D_inverse_(inboard_.size()) {
  std::vector<int> depth(inboard_.size());
  for (std::size_t i = 0; i < inboard_.size(); ++i) {
    depth[i] = inboard_[i] < 0 ? 0 : depth[std::size_t(inboard_[i])] + 1;
    path_[i + 1] = path_[i] + depth[i];
  }
  Y_.resize(std::size_t(path_.back()));
}

void InverseFactor::prepare(const Model& model, const WorldAxes<double>& world,
                            const std::vector<Inertia<double>>& inertias) {
  give_way(model, world, inertias);
  take_on_the_way(model, world);
}

[[gnu::flatten]] void InverseFactor::give_way(const Model& model, const WorldAxes<double>& world,
                                              const std::vector<Inertia<double>>& inertias) {
  const std::span<const Body> bodies = model.bodies();
  for (int i = int(bodies.size()) - 1; i > 0; --i) {
    const Body& body = bodies[i];
    ArticulatedInertia<double> I =
        body.has_children ? I_A_[i] + inertias[i] : articulated<double>(inertias[i]);
    for (int f = body.v_end - 1; f >= body.v_start; --f) {
      const Force<double> U = I * world.axes[f];
      D_inverse_[f] = 1 / dot(world.axes[f], U);
      W_[f] = D_inverse_[f] * U;
      if (body.parent > 0 || f > body.v_start) I = without(I, U, W_[f]);
    }
    if (body.parent == 0) continue;
    const ArticulatedInertia<double> felt = shifted(world.r[i], I);
    I_A_[body.parent] = body.is_last_child ? felt : I_A_[body.parent] + felt;
  }
}

[[gnu::flatten]] void InverseFactor::take_on_the_way(const Model& model,
                                                     const WorldAxes<double>& world) {
  const std::span<const Body> bodies = model.bodies();
  for (int b = 1; b < int(bodies.size()); ++b)
    for (int i = bodies[b].v_start; i < bodies[b].v_end; ++i) {
      Force<double> z = W_[i];
      double* Y = &Y_[path_[i]];
      const auto meet = [&](int f) {
        *Y = dot(world.axes[f], z);
        z = z - *Y++ * W_[f];
      };
      for (int f = i - 1; f >= bodies[b].v_start; --f) meet(f);
      for (int j = b; bodies[j].parent > 0;) {
        z = acting_at(world.r[j], z);
        j = bodies[j].parent;
        for (int f = bodies[j].v_end - 1; f >= bodies[j].v_start; --f) meet(f);
      }
    }
}

void InverseFactor::solve(double* B, std::ptrdiff_t stride, int columns) const {
  const int n = int(inboard_.size());
  // (1 - Y)^T: counting up, a row is used before those beyond it change it
  for (int i = 0; i < n; ++i) {
    const double* Y = &Y_[path_[i]];
    for (int j = inboard_[i]; j >= 0; j = inboard_[j])
      subtract(*Y++, B + i * stride, columns, B + j * stride);
  }
  for (int i = 0; i < n; ++i) scale(D_inverse_[i], columns, B + i * stride);
  // 1 - Y: counting down, those further in are still as they were
  for (int i = n - 1; i >= 0; --i) {
    const double* Y = &Y_[path_[i]];
    for (int j = inboard_[i]; j >= 0; j = inboard_[j])
      subtract(*Y++, B + j * stride, columns, B + i * stride);
  }
}

void InverseFactor::write_inverse(double* out, std::ptrdiff_t stride) const {
  const int n = int(inboard_.size()),
            columns = int((n + native_lanes - 1) / native_lanes) * native_lanes;
  for (int i = 0; i < n; ++i) std::fill_n(out + i * stride, columns, 0.0);
  for (int i = 0; i < n; ++i) {
    out[i * stride + i] = D_inverse_[i];
    const double* Y = &Y_[path_[i]];
    for (int j = inboard_[i]; j >= 0; j = inboard_[j]) out[j * stride + i] = -*Y++ * D_inverse_[j];
  }
  for (int i = n - 1; i >= 0; --i) {
    const double* Y = &Y_[path_[i]];
    for (int j = inboard_[i]; j >= 0; j = inboard_[j])
      subtract(*Y++, out + j * stride, columns, out + i * stride);
  }
}

}  // namespace trammel::kernel
