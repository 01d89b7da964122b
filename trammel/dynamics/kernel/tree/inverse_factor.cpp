#include "trammel/dynamics/kernel/tree/inverse_factor.hpp"

#include <algorithm>

#include "trammel/dynamics/kernel/instantiate.hpp"
#include "trammel/dynamics/kernel/pivot.hpp"
#include "trammel/dynamics/kernel/tree/articulated_update.hpp"
#include "trammel/model/traversal.hpp"

namespace trammel::kernel {

namespace {

// Block of a row, kept in registers while multiples of other rows are subtracted.
template <int width> class RowBlock {
 public:
  explicit RowBlock(const double* row) {
    for (int r = 0; r < registers; ++r) x_[r] = load(row, r);
  }
  void subtract(double factor, const double* row) {
    for (int r = 0; r < registers; ++r) x_[r] -= Lanes(factor) * load(row, r);
  }
  void write(double factor, double* row) const {
    for (int r = 0; r < registers; ++r) (Lanes(factor) * x_[r]).store(row + r * native_lanes);
  }

 private:
  static constexpr int registers = width / native_lanes;
  static Lanes load(const double* row, int r) { return Lanes::load(row + r * native_lanes); }
  Lanes x_[registers];
};

// Registers processed side by side in a pass: enough to hide the latency of the sums.
constexpr int sweep_registers = 32 / native_lanes;
// Average path length above which the two passes cost less than one product for each pair;
// measured.
constexpr double long_path = 20;

template <int width> struct Width {};
// visit(Width, first column): blocks of a row of that width, then narrower ones
template <int width, class Visit> void in_blocks(int columns, const Visit& visit, int c = 0) {
  for (; c + width <= columns; c += width) visit(Width<width>{}, c);
  if constexpr (width > InverseFactor::block) in_blocks<width / 2>(columns, visit, c);
}

// Splits a row into as few blocks as registers permit, of about equal width: the wider, the smaller
// the share of the indexing of the other rows.
constexpr int widest = (native_lanes == 8 ? 20 : 12) * native_lanes;
template <int width, class Visit> void as_wide_as(int wanted, int c, const Visit& visit) {
  if (wanted == width) return visit(Width<width>{}, c);
  if constexpr (width < widest) as_wide_as<width + InverseFactor::block>(wanted, c, visit);
}
template <class Visit> void in_even_pieces(int columns, const Visit& visit) {
  constexpr int block = InverseFactor::block;
  for (int c = 0, pieces = (columns + widest - 1) / widest; pieces > 0; --pieces) {
    const int width = (columns - c) / block / pieces * block;
    as_wide_as<block>(width, c, visit);
    c += width;
  }
}

}  // namespace

InverseFactor::InverseFactor(const Model& model)
    : inboard_(model.inboard_dofs().begin(), model.inboard_dofs().end()),
      groups_(model, native_lanes),
      path_(inboard_.size()),
      outboard_(inboard_.size() + 1),
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
  std::vector<int> body_of(inboard_.size());
  for (int i = 1; i < int(model.bodies().size()); ++i)
    for (int f = model.bodies()[std::size_t(i)].v_start; f < model.bodies()[std::size_t(i)].v_end;
         ++f)
      body_of[std::size_t(f)] = i;
  for (int g = 0; g < groups_.size(); ++g)
    outermost_.push_back(body_of[std::size_t(groups_[g].first + groups_[g].count - 1)]);
  std::ptrdiff_t pairs = 0, size = 0;
  for (int g = 0; g < groups_.size(); ++g) {
    // its last member's path inward, one register per step; the members before it begin later
    const int first = groups_[g].first, count = groups_[g].count;
    std::ptrdiff_t depth = 0;
    each_inboard(first + count - 1, [&](int) { ++depth; });
    for (int j = 0; j < count; ++j) {
      path_[std::size_t(first + j)] = size + (count - 1 - j) * native_lanes + j;
      each_inboard(first + j, [&](int inner) {
        ++pairs;
        ++outboard_[std::size_t(inner) + 1];
      });
    }
    size += depth * native_lanes;
  }
  has_long_paths_ = double(pairs) > long_path * n;
  if (has_long_paths_) {
    const std::span<const Body> bodies = model.bodies();
    for (int i = 1; i < int(bodies.size()); ++i) {
      const Body& body = bodies[std::size_t(i)];
      const bool goes_on = body.parent == i - 1 && i > 1 && body.is_last_child &&
                           body.joint.index() == bodies[std::size_t(i - 1)].joint.index();
      if (goes_on)
        ++chains_.back().count;
      else
        chains_.push_back({i, 1});
    }
    const auto slots = std::size_t(std::ranges::max(model.bodies(), {}, &Body::slot).slot + 1);
    z_wide_.resize(slots * sweep_registers);
    A_wide_.resize(slots * sweep_registers);
    return;
  }
  for (std::size_t j = 0; j < inboard_.size(); ++j) outboard_[j + 1] += outboard_[j];
  Y_.resize(std::size_t(size));
  pairs_.resize(std::size_t(pairs));
  std::vector<std::ptrdiff_t> next = outboard_;
  for (int i = 0; i < n; ++i) {
    std::ptrdiff_t y = path_[std::size_t(i)];
    each_inboard(i, [&](int j) {
      pairs_[std::size_t(next[std::size_t(j)]++)] = {i, y};
      y += native_lanes;
    });
  }
}

bool InverseFactor::factorize(const Model& model, EffortDerivatives& moved, In<double> effort,
                              Out<double> a) {
  const WorldAxes<double>& world = moved.world();
  bool is_weak_somewhere = false;
  inward<double>(model, [&](int i, const Body& body, const auto& joint) {
    const Inertia<double> own = moved.inertia_alone(body);
    ArticulatedInertia<double> I = body.has_children ? I_A_[i] + own : articulated<double>(own);
    Force<double> z = body.has_children ? z_[i] + moved.force_taken(body) : moved.force_taken(body);
    const double turning = trace(I.rotational), sliding = trace(I.linear);
    for (int f = body.v_end - 1; f >= body.v_start; --f) {
      const auto S = world.column(i, f, joint);
      const Force<double> U = I * S;
      const double D = dot(S, U);
      const auto& [s, u] = world.axes[f];
      is_weak_somewhere |= is_weak(D, dot(s, s) * turning + dot(u, u) * sliding);
      D_inverse_[f] = 1 / D;
      W_[f] = D_inverse_[f] * U;
      u_[f] = effort[f] - dot(S, z);
      z += u_[f] * W_[f];
      if (body.parent > 0 || f > body.v_start) I = without(I, U, W_[f]);
    }
    if (body.parent == 0) return;
    const ArticulatedInertia<double> I_P = shifted(world.r[i], I);
    const Force<double> carried = acting_at(world.r[i], z);
    I_A_[body.parent] = body.is_last_child ? I_P : I_A_[body.parent] + I_P;
    z_[body.parent] = body.is_last_child ? carried : z_[body.parent] + carried;
  });
  outward<double>(model, [&](int i, const Body& body, const auto& joint) {
    Motion<double> A = shifted_to(world.r[i], A_[body.parent]);
    for (int f = body.v_start; f < body.v_end; ++f) {
      a[f] = D_inverse_[f] * u_[f] - dot(A, W_[f]);
      A = A + a[f] * world.column(i, f, joint);
    }
    A_[i] = A;
  });
  return !is_weak_somewhere;
}

// Computes Y. The degrees of freedom of a group are propagated inward side by side, each from its
// own position on: before that its z is zero.
[[gnu::flatten]] void InverseFactor::couple(const Model& model, const WorldAxes<double>& world) {
  const std::span<const Body> bodies = model.bodies();
  for (int g = 0; g < groups_.size(); ++g) {
    const int first = groups_[g].first, last = first + groups_[g].count - 1;
    double* Y = Y_.data() + path_[last] - (last - first);
    Force<Lanes> z{};
    const auto begin = [&](int f) {
      const auto lane = Lanes::is_lane(f - first);
      const Force<double>& W = W_[f];
      const auto set = [&](Lanes& x, double value) { x = select(lane, Lanes(value), x); };
      set(z.moment.x, W.moment.x);
      set(z.moment.y, W.moment.y);
      set(z.moment.z, W.moment.z);
      set(z.force.x, W.force.x);
      set(z.force.y, W.force.y);
      set(z.force.z, W.force.z);
    };
    const auto meet = [&](int f) {
      if (f < last) {
        const Lanes y = dot(wide<Lanes>(world.axes[f]), z);
        y.store(Y);
        Y += native_lanes;
        z = z - y * wide<Lanes>(W_[f]);
      }
      if (f >= first) begin(f);
    };
    int j = outermost_[g];
    for (int f = last; f >= bodies[j].v_start; --f) meet(f);
    while (bodies[j].parent > 0) {
      z = acting_at(Vec3<Lanes>(world.r[j]), z);
      j = bodies[j].parent;
      for (int f = bodies[j].v_end - 1; f >= bodies[j].v_start; --f) meet(f);
    }
  }
}

void InverseFactor::solve(const Model& model, const WorldAxes<double>& world, double* rows,
                          std::ptrdiff_t stride, int columns, int inverse_columns) {
  const int n = int(inboard_.size());
  double* const inverse = rows + columns;
  for (int i = 0; i < n; ++i) std::fill_n(inverse + i * stride, inverse_columns, 0.0);
  if (has_long_paths_) {
    for (int i = 0; i < n; ++i) inverse[i * stride + i] = 1;
    return sweep(model, world, rows, stride, columns + inverse_columns);
  }
  couple(model, world);
  in_even_pieces(
      columns, [&]<int width>(Width<width>, int c) { subtract_outboard<width>(rows + c, stride); });
  // the same for B = 1 is known: D^-1 (1 - Y)^T
  for (int i = 0; i < n; ++i) {
    inverse[i * stride + i] = D_inverse_[i];
    const double* Y = Y_.data() + path_[i];
    for (int j = inboard_[i]; j >= 0; j = inboard_[j], Y += native_lanes)
      inverse[j * stride + i] = -*Y * D_inverse_[j];
  }
  in_even_pieces(columns + inverse_columns, [&]<int width>(Width<width>, int c) {
    subtract_inboard<width>(rows + c, stride);
  });
}

void InverseFactor::sweep(const Model& model, const WorldAxes<double>& world, double* B,
                          std::ptrdiff_t stride, int columns) {
  const Body* const bodies = model.bodies().data();
  in_blocks<sweep_registers * native_lanes>(columns, [&]<int width>(Width<width>, int c) {
    constexpr int registers = width / native_lanes;
    const auto along = [&](const BodyRun& chain, const auto& visit) {
      std::visit([&](const auto& joint) { visit(joint); }, bodies[chain.first].joint);
    };
    for (std::size_t k = chains_.size(); k-- > 0;)
      along(chains_[k], [&]<class J>(const J&) {
        inward_along<registers, J>(bodies, chains_[k], world, B + c, stride);
      });
    for (const BodyRun& chain : chains_)
      along(chain, [&]<class J>(const J&) {
        outward_along<registers, J>(bodies, chain, world, B + c, stride);
      });
  });
}

// Pass 2 as above along a chain, for several right-hand sides in each register. The force z stays
// in registers from body to body.
template <int registers, class J>
[[gnu::flatten]] void InverseFactor::inward_along(const Body* bodies, const BodyRun& chain,
                                                  const WorldAxes<double>& world, double* B,
                                                  std::ptrdiff_t stride) {
  const auto slot_of = [&](int slot) { return z_wide_.data() + slot * registers; };
  Force<Lanes> z[registers];
  const Body& outermost = bodies[chain.end() - 1];
  if (outermost.has_children)
    for (int r = 0; r < registers; ++r) z[r] = slot_of(outermost.slot)[r];
  for (int i = chain.end() - 1; i >= chain.first; --i) {
    const Body& body = bodies[i];
    for (int f = body.v_end - 1; f >= body.v_start; --f) {
      const auto S = wide<Lanes>(world.column(i, f, *std::get_if<J>(&body.joint)));
      const Force<Lanes> W = wide<Lanes>(W_[f]);
      double* const row = B + f * stride;
      for (int r = 0; r < registers; ++r) {
        const Lanes u = Lanes::load(row + r * native_lanes) - dot(S, z[r]);
        u.store(row + r * native_lanes);
        z[r] += u * W;
      }
    }
    if (body.parent == 0) return;
    const Vec3<Lanes> p(world.r[i]);
    for (int r = 0; r < registers; ++r) z[r] = acting_at(p, z[r]);
  }
  const Body& innermost = bodies[chain.first];
  Force<Lanes>* const z_P = slot_of(innermost.parent_slot);
  for (int r = 0; r < registers; ++r) z_P[r] = innermost.is_last_child ? z[r] : z_P[r] + z[r];
}
// Pass 3, likewise.
template <int registers, class J>
[[gnu::flatten]] void InverseFactor::outward_along(const Body* bodies, const BodyRun& chain,
                                                   const WorldAxes<double>& world, double* B,
                                                   std::ptrdiff_t stride) {
  const auto slot_of = [&](int slot) { return A_wide_.data() + slot * registers; };
  Motion<Lanes> A[registers];
  if (bodies[chain.first].parent > 0)
    for (int r = 0; r < registers; ++r) A[r] = slot_of(bodies[chain.first].parent_slot)[r];
  for (int i = chain.first; i < chain.end(); ++i) {
    const Body& body = bodies[i];
    const Vec3<Lanes> p(world.r[i]);
    if (body.parent > 0)
      for (int r = 0; r < registers; ++r) A[r] = shifted_to(p, A[r]);
    for (int f = body.v_start; f < body.v_end; ++f) {
      const auto S = wide<Lanes>(world.column(i, f, *std::get_if<J>(&body.joint)));
      const Force<Lanes> W = wide<Lanes>(W_[f]);
      const Lanes D_inverse = D_inverse_[f];
      double* const row = B + f * stride;
      for (int r = 0; r < registers; ++r) {
        const Lanes a = D_inverse * Lanes::load(row + r * native_lanes) - dot(A[r], W);
        a.store(row + r * native_lanes);
        A[r] = A[r] + a * S;
      }
    }
  }
  const Body& outermost = bodies[chain.end() - 1];
  if (outermost.has_children)
    for (int r = 0; r < registers; ++r) slot_of(outermost.slot)[r] = A[r];
}

// D^-1 (1 - Y)^T: in ascending order, outboard rows are still unchanged
template <int width>
[[gnu::flatten]] void InverseFactor::subtract_outboard(double* rows, std::ptrdiff_t stride) const {
  for (int j = 0; j < int(inboard_.size()); ++j) {
    RowBlock<width> row(rows + j * stride);
    for (std::ptrdiff_t p = outboard_[j]; p < outboard_[j + 1]; ++p)
      row.subtract(Y_[pairs_[p].Y], rows + pairs_[p].outer * stride);
    row.write(D_inverse_[j], rows + j * stride);
  }
}
// 1 - Y: in descending order, inboard rows are still unchanged
template <int width>
[[gnu::flatten]] void InverseFactor::subtract_inboard(double* rows, std::ptrdiff_t stride) const {
  for (int i = int(inboard_.size()) - 1; i >= 0; --i) {
    RowBlock<width> row(rows + i * stride);
    const double* Y = Y_.data() + path_[i];
    for (int j = inboard_[i]; j >= 0; j = inboard_[j], Y += native_lanes)
      row.subtract(*Y, rows + j * stride);
    row.write(1, rows + i * stride);
  }
}

}  // namespace trammel::kernel
