#include "trammel/dynamics/kernel/inverse_factor.hpp"

#include <algorithm>
#include <tuple>

#include "trammel/dynamics/kernel/give_way.hpp"
#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/pivot.hpp"

namespace trammel::kernel {

namespace {

// A piece of a row, held in registers while other rows are taken from it.
template <int width> class RowBlock {
 public:
  explicit RowBlock(const double* row) {
    for (int r = 0; r < registers; ++r) x_[r] = load(row, r);
  }
  void subtract(double factor, const double* row) {
    for (int r = 0; r < registers; ++r) x_[r] -= Lanes(factor) * load(row, r);
  }
  void write(double factor, double* row) const {
    for (int r = 0; r < registers; ++r)
      (Lanes(factor) * x_[r]).lanes.copy_to(row + r * native_lanes, stdx::element_aligned);
  }

 private:
  static constexpr int registers = width / native_lanes;
  static Lanes load(const double* row, int r) {
    return Lanes(Lanes::Lanes(row + r * native_lanes, stdx::element_aligned));
  }
  Lanes x_[registers];
};

// How many registers sweep side by side: enough that none waits for another's sum.
constexpr int sweep_registers = 16 / native_lanes;
// Long are paths on which a sweep costs less than one product for each pair; both were measured.
constexpr double long_path = 20;

Lanes load(const double* row) { return Lanes(Lanes::Lanes(row, stdx::element_aligned)); }
void store(const Lanes& x, double* row) { x.lanes.copy_to(row, stdx::element_aligned); }

template <int width> struct Width {};
// visit(Width, first column): wide pieces of a row, then narrow ones
template <class Visit> void in_blocks(int columns, const Visit& visit) {
  int c = 0;
  for (; c + 2 * InverseFactor::block <= columns; c += 2 * InverseFactor::block)
    visit(Width<2 * InverseFactor::block>{}, c);
  for (; c < columns; c += InverseFactor::block) visit(Width<InverseFactor::block>{}, c);
}

}  // namespace

InverseFactor::InverseFactor(const Model& model)
    : inboard_(model.inboard_freedoms().begin(), model.inboard_freedoms().end()),
      path_(inboard_.size() + 1),
      beyond_(inboard_.size() + 1),
      I_A_(model.bodies().size()),
      W_(inboard_.size()),
      z_(model.bodies().size()),
      A_(model.bodies().size()),
      D_inverse_(inboard_.size()),
      u_(inboard_.size()) {
  const int n = int(inboard_.size());
  const auto each_inboard = [&](int i, auto&& visit) {
    for (int j = inboard_[std::size_t(i)]; j >= 0; j = inboard_[std::size_t(j)]) visit(j);
  };
  for (int i = 0; i < n; ++i) {
    path_[std::size_t(i) + 1] = path_[std::size_t(i)];
    each_inboard(i, [&](int j) {
      ++path_[std::size_t(i) + 1];
      ++beyond_[std::size_t(j) + 1];
    });
  }
  has_long_paths_ = double(path_.back()) > long_path * n;
  if (has_long_paths_) {
    z_wide_.resize(model.bodies().size() * sweep_registers);
    A_wide_.resize(model.bodies().size() * sweep_registers);
    return;
  }
  for (std::size_t j = 0; j < inboard_.size(); ++j) beyond_[j + 1] += beyond_[j];
  Y_.resize(std::size_t(path_.back()));
  pairs_.resize(Y_.size());
  std::vector<std::ptrdiff_t> next = beyond_;
  for (int i = 0; i < n; ++i) {
    std::ptrdiff_t y = path_[std::size_t(i)];
    each_inboard(i, [&](int j) { pairs_[std::size_t(next[std::size_t(j)]++)] = {i, y++}; });
  }
}

bool InverseFactor::give_way(const Model& model, EffortSlopes& moved) {
  const WorldAxes<double>& world = moved.world();
  bool is_weak_somewhere = false;
  inward<double>(model, [&](int i, const Body& body, const auto& joint) {
    const Inertia<double> own = moved.inertia(body);
    ArticulatedInertia<double> I = body.has_children ? I_A_[i] + own : articulated<double>(own);
    const double turning = trace(I.rotational), sliding = trace(I.linear);
    for (int f = body.v_end - 1; f >= body.v_start; --f) {
      const auto S = world.column(i, f, joint);
      const Force<double> U = I * S;
      const double D = dot(S, U);
      const auto& [s, u] = world.axes[f];
      is_weak_somewhere |= is_weak(D, dot(s, s) * turning + dot(u, u) * sliding);
      D_inverse_[f] = 1 / D;
      W_[f] = D_inverse_[f] * U;
      if (body.parent > 0 || f > body.v_start) I = without(I, U, W_[f]);
    }
    if (body.parent == 0) return;
    const ArticulatedInertia<double> felt = shifted(world.r[i], I);
    I_A_[body.parent] = body.is_last_child ? felt : I_A_[body.parent] + felt;
  });
  return !is_weak_somewhere;
}

[[gnu::flatten]] void InverseFactor::accelerations(const Model& model, EffortSlopes& moved,
                                                   In<double> effort, Out<double> a) {
  const WorldAxes<double>& world = moved.world();
  const std::span<const Body> bodies = model.bodies();
  for (std::size_t i = 1; i < bodies.size(); ++i) z_[i] = moved.force(bodies[i]);
  for (int i = int(bodies.size()) - 1; i > 0; --i) {
    for (int f = bodies[i].v_end - 1; f >= bodies[i].v_start; --f) {
      u_[f] = effort[f] - dot(world.axes[f], z_[i]);
      z_[i] += u_[f] * W_[f];
    }
    if (bodies[i].parent > 0) z_[bodies[i].parent] += acting_at(world.r[i], z_[i]);
  }
  for (int i = 1; i < int(bodies.size()); ++i) {
    Motion<double> A = felt_at(world.r[i], A_[bodies[i].parent]);
    for (int f = bodies[i].v_start; f < bodies[i].v_end; ++f) {
      a[f] = D_inverse_[f] * u_[f] - dot(A, W_[f]);
      A = A + a[f] * world.axes[f];
    }
    A_[i] = A;
  }
}

[[gnu::flatten]] void InverseFactor::couple(const Model& model, const WorldAxes<double>& world) {
  const std::span<const Body> bodies = model.bodies();
  for (int b = 1; b < int(bodies.size()); ++b)
    for (int i = bodies[b].v_start; i < bodies[b].v_end; ++i) {
      Force<double> z = W_[i];
      double* Y = Y_.data() + path_[i];
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

void InverseFactor::solve(const Model& model, const WorldAxes<double>& world, double* B,
                          std::ptrdiff_t stride, int columns) {
  if (has_long_paths_) return sweep(model, world, B, stride, columns);
  couple(model, world);
  in_blocks(columns, [&]<int width>(Width<width>, int c) {
    subtract_beyond<width>(B + c, stride);
    subtract_inboard<width>(B + c, stride);
  });
}

void InverseFactor::sweep(const Model& model, const WorldAxes<double>& world, double* B,
                          std::ptrdiff_t stride, int columns) {
  in_blocks(columns, [&]<int width>(Width<width>, int c) {
    sweep_block<width / native_lanes>(model, world, B + c, stride);
  });
}

// As in accelerations(), for several right-hand sides in each register. Pointers are taken out of
// their vectors first: a register written might, for all the compiler knows, have changed them.
template <int registers>
void InverseFactor::sweep_block(const Model& model, const WorldAxes<double>& world, double* B,
                                std::ptrdiff_t stride) {
  inward<double>(model, [&](int i, const Body& body, const auto& joint) {
    const auto [first, end, parent] = std::tuple{body.v_start, body.v_end, body.parent};
    const Force<double>* W = W_.data();
    Force<Lanes>* const z_i = z_wide_.data() + i * registers;
    Force<Lanes>* const z_P = z_wide_.data() + parent * registers;
    const Vec3<double> r_i = world.r[i];
    const bool has_children = body.has_children, is_last_child = body.is_last_child;
    double* const rows = B;
    const std::ptrdiff_t step = stride;
    for (int r = 0; r < registers; ++r) {
      Force<Lanes> z = has_children ? z_i[r] : Force<Lanes>{};
      for (int f = end - 1; f >= first; --f) {
        double* row = rows + f * step + r * native_lanes;
        const Lanes u = load(row) - dot(wide<Lanes>(world.column(i, f, joint)), z);
        store(u, row);
        z += u * wide<Lanes>(W[f]);
      }
      if (parent == 0) continue;
      z = acting_at(Vec3<Lanes>(r_i), z);
      z_P[r] = is_last_child ? z : z_P[r] + z;
    }
  });
  outward<double>(model, [&](int i, const Body& body, const auto& joint) {
    const auto [first, end, parent] = std::tuple{body.v_start, body.v_end, body.parent};
    const Force<double>* W = W_.data();
    const double* D_inverse = D_inverse_.data();
    Motion<Lanes>* const A_i = A_wide_.data() + i * registers;
    const Motion<Lanes>* const A_P = A_wide_.data() + parent * registers;
    const Vec3<double> r_i = world.r[i];
    double* const rows = B;
    const std::ptrdiff_t step = stride;
    for (int r = 0; r < registers; ++r) {
      Motion<Lanes> A =
          parent == 0 ? Motion<Lanes>{} : felt_at(Vec3<Lanes>(r_i), Motion<Lanes>(A_P[r]));
      for (int f = first; f < end; ++f) {
        double* row = rows + f * step + r * native_lanes;
        const Lanes a = Lanes(D_inverse[f]) * load(row) - dot(A, wide<Lanes>(W[f]));
        store(a, row);
        A = A + a * wide<Lanes>(world.column(i, f, joint));
      }
      A_i[r] = A;
    }
  });
}

// D^-1 (1 - Y)^T: counting up, those beyond are still as they were
template <int width>
[[gnu::flatten]] void InverseFactor::subtract_beyond(double* rows, std::ptrdiff_t stride) const {
  for (int j = 0; j < int(inboard_.size()); ++j) {
    RowBlock<width> row(rows + j * stride);
    for (std::ptrdiff_t p = beyond_[j]; p < beyond_[j + 1]; ++p)
      row.subtract(Y_[pairs_[p].Y], rows + pairs_[p].outer * stride);
    row.write(D_inverse_[j], rows + j * stride);
  }
}
// 1 - Y: counting down, those further in are still as they were
template <int width>
[[gnu::flatten]] void InverseFactor::subtract_inboard(double* rows, std::ptrdiff_t stride) const {
  for (int i = int(inboard_.size()) - 1; i >= 0; --i) {
    RowBlock<width> row(rows + i * stride);
    const double* Y = Y_.data() + path_[i];
    for (int j = inboard_[i]; j >= 0; j = inboard_[j]) row.subtract(*Y++, rows + j * stride);
    row.write(1, rows + i * stride);
  }
}

void InverseFactor::write_inverse(const Model& model, const WorldAxes<double>& world, double* out,
                                  std::ptrdiff_t stride, int columns) {
  const int n = int(inboard_.size());
  for (int i = 0; i < n; ++i) std::fill_n(out + i * stride, columns, 0.0);
  if (has_long_paths_) {
    for (int i = 0; i < n; ++i) out[i * stride + i] = 1;
    return sweep(model, world, out, stride, columns);
  }
  for (int i = 0; i < n; ++i) {
    out[i * stride + i] = D_inverse_[i];
    const double* Y = Y_.data() + path_[i];
    for (int j = inboard_[i]; j >= 0; j = inboard_[j]) out[j * stride + i] = -*Y++ * D_inverse_[j];
  }
  in_blocks(columns,
            [&]<int width>(Width<width>, int c) { subtract_inboard<width>(out + c, stride); });
}

}  // namespace trammel::kernel
