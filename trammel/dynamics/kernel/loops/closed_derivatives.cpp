#include "trammel/dynamics/kernel/loops/closed_derivatives.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "trammel/dynamics/kernel/loops/component_jacobian.hpp"
#include "trammel/dynamics/kernel/loops/row_derivatives.hpp"

// Equation numbers are those of docs/theory/derivatives.md.
namespace trammel::kernel {

namespace {

// Least pivot of T^T M T, relative to its diagonal entry, for inertia along all motions that is
// beyond doubt.
constexpr double sure_inertia = 1e-12;

// Directions side by side in registers: block after block, in each a register per row.
class Directions {
 public:
  Directions(int rows, int columns)
      : rows_(rows),
        blocks_((columns + native_lanes - 1) / native_lanes),
        numbers_(std::size_t(rows * blocks_)) {}

  int blocks() const { return blocks_; }
  std::span<Lanes> block(int b) {
    return {numbers_.data() + std::ptrdiff_t(b) * rows_, std::size_t(rows_)};
  }
  void read_column(int k, double* out) {
    const Lanes* const from = block(k / native_lanes).data();
    const int lane = k % native_lanes;
    for (int row = 0; row < rows_; ++row) out[row] = from[row].lanes[lane];
  }
  void write_column(int k, const double* x) {
    Lanes* const to = block(k / native_lanes).data();
    const int lane = k % native_lanes;
    for (int row = 0; row < rows_; ++row) to[row].lanes[lane] = x[row];
  }
  void clear() { std::fill(numbers_.begin(), numbers_.end(), Lanes(0.0)); }

 private:
  int rows_, blocks_;
  std::vector<Lanes> numbers_;
};

// Null-space basis T and Cholesky factors of T^T M T.
class ReducedInertia {
 public:
  ReducedInertia(int dofs, int mobility)
      : dofs_(dofs),
        mobility_(mobility),
        stride_((TallQr<double>::padded(dofs) + 3) / 4 * 4),
        row_(TallQr<double>::padded(mobility)),
        T_(std::size_t(stride_ * mobility)),
        Y_(T_.size()),
        L_(std::size_t(row_ * mobility)),
        x_(std::size_t(mobility)) {}

  double* column(int k) { return T_.data() + std::ptrdiff_t(k) * stride_; }

  // Columns of T^T M T from a block of M T. After all blocks, factor().
  void set_columns(int block, std::span<const Lanes> M_T) {
    for (int k = 0; k < mobility_; ++k)
      product(k, M_T).store(&L_[std::size_t(k * row_ + block * native_lanes)]);
  }
  bool factor() {
    for (int k = 0; k < mobility_; ++k) {
      double* const row = &L_[std::size_t(k * row_)];
      for (int i = 0; i < k; ++i) {
        const double* const other = &L_[std::size_t(i * row_)];
        for (int j = 0; j < i; ++j) row[i] -= row[j] * other[j];
        row[i] /= other[i];
      }
      const double before = row[k];
      for (int j = 0; j < k; ++j) row[k] -= row[j] * row[j];
      if (!(row[k] > sure_inertia * before)) return false;
      row[k] = std::sqrt(row[k]);
    }
    return true;
  }
  // a <- a - T (T^T M T)^-1 T^T f
  void subtract_response(std::span<const Lanes> f, std::span<Lanes> a) {
    for (int k = 0; k < mobility_; ++k) x_[k] = product(k, f);
    for (int k = 0; k < mobility_; ++k) {
      const double* const row = &L_[std::size_t(k * row_)];
      for (int i = 0; i < k; ++i) x_[k] -= row[i] * x_[i];
      x_[k] = x_[k] / row[k];
    }
    for (int k = mobility_; k-- > 0;) {
      const double* const row = &L_[std::size_t(k * row_)];
      x_[k] = x_[k] / row[k];
      for (int i = 0; i < k; ++i) x_[i] -= row[i] * x_[k];
    }
    subtract_motion(x_, a);
  }
  // a <- a - T x
  void subtract_motion(std::span<const Lanes> x, std::span<Lanes> a) {
    for (int k = 0; k < mobility_; ++k) { subtract_multiple(column(k), x[k], a.data(), dofs_); }
  }
  // T (T^T M T)^-1 T^T = Y^T Y with Y = L^-1 T^T
  void write_response(const MatrixSpan<double>& out) {
    for (int k = 0; k < mobility_; ++k) {
      const double* const row = &L_[std::size_t(k * row_)];
      for (int f = 0; f < stride_; f += native_lanes) {
        Lanes y = Lanes::load(column(k) + f);
        for (int i = 0; i < k; ++i) y -= row[i] * Lanes::load(Y(i) + f);
        (Lanes(1 / row[k]) * y).store(Y(k) + f);
      }
    }
    // four columns at a time; those after the last are columns of the padding
    for (int f = 0; f < dofs_; f += native_lanes)
      for (int i = 0; i < dofs_; i += 4) {
        Lanes sum[4];
        const double* y = Y_.data();
        for (int k = 0; k < mobility_; ++k, y += stride_) {
          const Lanes row = Lanes::load(y + f);
          sum[0] += y[i] * row;
          sum[1] += y[i + 1] * row;
          sum[2] += y[i + 2] * row;
          sum[3] += y[i + 3] * row;
        }
        for (int j = 0; j < std::min(4, dofs_ - i); ++j)
          sum[j].store_first(dofs_ - f, &out(f, i + j));
      }
  }

 private:
  double* Y(int k) { return Y_.data() + std::ptrdiff_t(k) * stride_; }
  // Column k of T times f.
  Lanes product(int k, std::span<const Lanes> f) {
    return scalar_product(column(k), f.data(), dofs_);
  }

  int dofs_, mobility_;
  int stride_, row_;         // padded lengths of the columns of T and of the rows of L
  AlignedVector<double> T_;  // column by column
  AlignedVector<double> Y_;  // row by row
  AlignedVector<double> L_;  // T^T M T, then its factor in the lower triangle
  std::vector<Lanes> x_;
};

class ClosedDerivatives {
 public:
  ClosedDerivatives(const Model& model, const EliminationSchedule& schedule,
                    const RowComponents& components)
      : schedule_(schedule),
        components_(components.components),
        nv_(model.nv()),
        mobility_(nv_),
        motion_(model),
        rows_(schedule) {
    std::vector<char> is_in_component(std::size_t(nv_), 0);
    std::size_t most_dofs = 0;
    for (const RowComponents::Component& component : components_) {
      jacobians_.emplace_back(model, schedule, component);
      mobility_ -= component.kept;
      most_dofs = std::max(most_dofs, component.dofs.size());
      for (const int dof : component.dofs) is_in_component[std::size_t(dof)] = 1;
    }
    for (int f = 0; f < nv_; ++f)
      if (is_in_component[std::size_t(f)] == 0) free_.push_back(f);
    x_.resize(std::max(most_dofs, std::size_t(mobility_)));
    y_.resize(most_dofs);
    force_.resize(std::size_t(nv_));
    zero_.resize(std::size_t(nv_));
    reduced_ = std::make_unique<ReducedInertia>(nv_, mobility_);
    for (std::unique_ptr<Directions>* of : {&dq_, &dv_, &da_})
      *of = std::make_unique<Directions>(nv_, 2 * mobility_);
    T_ = std::make_unique<Directions>(nv_, mobility_);
  }

  bool evaluate(const KernelInput<double, double>& input, In<double> q, In<double> v, In<double> a,
                In<double> lambda, const ClosedState& state, const GivenBasis& basis,
                const ClosedDerivativeMatrices& out) {
    motion_.load(input, q, v, a, state);
    rows_.load(input, lambda, state, motion_);
    motion_.sum_forces();
    bool is_sure = true;
    for (ComponentJacobian<double>& jacobian : jacobians_) {
      jacobian.evaluate(input, state.motion, rows_.rows());
      is_sure = is_sure && jacobian.factor();
    }
    if (!is_sure) return false;
    if (!basis.is_given) write_null_space(out.T);
    load_basis(out.T);
    for (int b = 0; b < T_->blocks(); ++b) {
      motion_.mass_times(T_->block(b), force_);
      reduced_->set_columns(b, force_);
    }
    if (!reduced_->factor()) return false;

    set_directions(basis, out);
    for (int b = 0; b < dq_->blocks(); ++b)
      differentiate(input, v, dq_->block(b), dv_->block(b), da_->block(b));
    reduced_->write_response(out.dtau);
    for (int k = 0; k < mobility_; ++k) {
      da_->read_column(k, &out.dq(0, k));
      da_->read_column(mobility_ + k, &out.dv(0, k));
    }
    Lanes finite{};  // not zero if a derivative is not finite
    for (int b = 0; b < da_->blocks(); ++b)
      for (const Lanes& x : da_->block(b)) finite += Lanes(0.0) * x;
    return stdx::all_of(finite <= Lanes(0.0));
  }

 private:
  // Orthonormal: the last columns of each Q, and the coordinates that no row restricts.
  void write_null_space(const MatrixSpan<double>& T) {
    T.fill(0.0);
    int column = 0;
    for (const int f : free_) T(f, column++) = 1;
    for (std::size_t c = 0; c < components_.size(); ++c) {
      const std::vector<int>& dofs = components_[c].dofs;
      const int n = int(dofs.size()), rank = components_[c].kept;
      for (int first = rank; first < n; first += native_lanes) {
        const int count = std::min(native_lanes, n - first);
        std::fill(x_.begin(), x_.end(), Lanes(0.0));
        for (int lane = 0; lane < count; ++lane) x_[first + lane].lanes[lane] = 1;
        jacobians_[c].qr().apply(x_.data());
        for (int lane = 0; lane < count; ++lane, ++column)
          for (int i = 0; i < n; ++i) T(dofs[i], column) = x_[i].lanes[lane];
      }
    }
  }
  void load_basis(const MatrixSpan<double>& T) {
    for (int k = 0; k < mobility_; ++k) {
      std::copy_n(&T(0, k), nv_, reduced_->column(k));
      T_->write_column(k, &T(0, k));
    }
  }

  // Columns of dq and dv: motions along T, with velocities that follow; then velocities along T.
  void set_directions(const GivenBasis& basis, const ClosedDerivativeMatrices& out) {
    dq_->clear();
    for (int b = 0; b < T_->blocks(); ++b) {
      motion_.outward_velocities(T_->block(b), zero_);
      const std::span<Lanes> following = da_->block(b);
      cancel([&](int group, Lanes* y) { rows_.velocities(group, motion_, y); }, following);
      if (basis.is_given && !basis.independent.empty()) {
        for (int k = 0; k < mobility_; ++k) x_[k] = following[basis.independent[k]];
        reduced_->subtract_motion(x_, following);
      }
    }
    for (int k = 0; k < mobility_; ++k) {
      da_->read_column(k, &out.v_by_q(0, k));
      dq_->write_column(k, &out.T(0, k));
      dv_->write_column(k, &out.v_by_q(0, k));
      dv_->write_column(mobility_ + k, &out.T(0, k));
    }
  }

  // Minimum-norm velocities or accelerations that cancel values y of the rows: -J^+ y.
  template <class Values> void cancel(const Values& values, std::span<Lanes> out) {
    for (const int f : free_) out[f] = Lanes(0.0);
    for (std::size_t c = 0; c < components_.size(); ++c) {
      const RowComponents::Component& component = components_[c];
      Lanes* y = y_.data();
      for (const int group : component.groups) {
        values(group, y);
        y += schedule_.groups[group].rows;
      }
      const TallQr<double>& qr = jacobians_[c].qr();
      qr.solve_upper_transpose(y_.data());
      std::fill(y, y_.data() + component.dofs.size(), Lanes(0.0));
      qr.apply(y_.data());
      for (std::size_t i = 0; i < component.dofs.size(); ++i) out[component.dofs[i]] = -y_[i];
    }
  }

  // (10)
  void differentiate(const KernelInput<double, double>& input, In<double> v,
                     std::span<const Lanes> dq, std::span<const Lanes> dv, std::span<Lanes> da) {
    motion_.outward_velocities(dq, dv);
    motion_.outward_accelerations(dq, dv);
    cancel([&](int group, Lanes* y) { rows_.accelerations(group, motion_, y); }, da);
    rows_.add_loads(motion_);
    motion_.efforts(input.numbers, v, dq, dv, da, force_);
    reduced_->subtract_response(force_, da);
  }

  const EliminationSchedule& schedule_;
  const std::vector<RowComponents::Component>& components_;
  int nv_, mobility_;
  MotionDerivatives motion_;
  RowDerivatives rows_;
  std::vector<ComponentJacobian<double>> jacobians_;
  std::vector<int> free_;  // dofs in no component
  std::unique_ptr<ReducedInertia> reduced_;
  std::unique_ptr<Directions> T_, dq_, dv_, da_;
  std::vector<Lanes> x_, y_, force_, zero_;
};

}  // namespace

SealedWorkspace make_closed_derivative_workspace(const Model& model,
                                                 const EliminationSchedule& schedule,
                                                 const RowComponents& components) {
  return {new ClosedDerivatives(model, schedule, components),
          [](void* ws) { delete static_cast<ClosedDerivatives*>(ws); }};
}

bool closed_derivatives(const KernelInput<double, double>& input, In<double> q, In<double> v,
                        In<double> a, In<double> lambda, void* closed, const GivenBasis& basis,
                        void* workspace, const ClosedDerivativeMatrices& out) {
  return static_cast<ClosedDerivatives*>(workspace)->evaluate(input, q, v, a, lambda,
                                                              closed_state(closed), basis, out);
}

}  // namespace trammel::kernel
