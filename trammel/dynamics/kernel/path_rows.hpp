// The freedoms as rows, one array a component, so that a force can meet all freedoms on its way to
// ground a register at a time.
#pragma once

#include <vector>

#include "trammel/dynamics/scene.hpp"
#include "trammel/scalar/pack.hpp"

namespace trammel::kernel {

// How many rows a register takes: several doubles; of what is wide already, one.
template <Scalar S> struct RowRegister {
  using Type = S;
  static constexpr int rows = 1;
  static const S& load(const S* x) { return *x; }
  static void store(const S& value, S* x) { *x = value; }
};
template <> struct RowRegister<double> {
  using Type = Pack<native_lanes>;
  static constexpr int rows = native_lanes;
  static Type load(const double* x) { return Type(Type::Lanes(x, stdx::element_aligned)); }
  static void store(const Type& value, double* x) { value.lanes.copy_to(x, stdx::element_aligned); }
};

template <Scalar S> class PathRows {
 public:
  explicit PathRows(const Model& model)
      : inboard_(model.inboard_freedoms().begin(), model.inboard_freedoms().end()),
        run_start_(inboard_.size()),
        numbers_((inboard_.size() + widest) * components),
        answers_(inboard_.size() + widest) {
    for (std::size_t k = 0; k < inboard_.size(); ++k)
      run_start_[k] = k > 0 && inboard_[k] == int(k) - 1 ? run_start_[k - 1] : int(k);
  }

  // Freedom k has this column, at p.
  void set(int k, const Motion<S>& column, const Vec3<S>& p) {
    S* x = group(k / rows) + k % rows;
    x[0 * rows] = column.angular.x;
    x[1 * rows] = column.angular.y;
    x[2 * rows] = column.angular.z;
    x[3 * rows] = column.linear.x;
    x[4 * rows] = column.linear.y;
    x[5 * rows] = column.linear.z;
    x[6 * rows] = p.x;
    x[7 * rows] = p.y;
    x[8 * rows] = p.z;
  }

  // tell(k, S_k . F) for freedom i and all inboard of it, F being a force at p.
  template <class Tell> void meet(int i, const Force<S>& F, const Vec3<S>& p, const Tell& tell) {
    for (int last = i; last >= 0; last = inboard_[std::size_t(run_start_[std::size_t(last)])]) {
      const int first = run_start_[std::size_t(last)];
      for (int g = first / rows; g <= last / rows; ++g)
        meet_group(F, p, group(g), answers_.data() + g * rows);
      for (int k = first; k <= last; ++k) tell(k, answers_[std::size_t(k)]);
    }
  }

 private:
  using Register = RowRegister<S>;
  static constexpr int rows = Register::rows;
  static constexpr std::size_t widest = 8;      // rows of any instruction set
  static constexpr std::size_t components = 9;  // angular, linear, place

  // as many freedoms as a register takes lie together, component after component
  S* group(int g) { return numbers_.data() + std::size_t(g) * components * std::size_t(rows); }

  static void meet_group(const Force<S>& F, const Vec3<S>& p, const S* numbers, S* answers) {
    using R = typename Register::Type;
    const auto at = [&](int c) { return Register::load(numbers + c * rows); };
    const R x = R(p.x) - at(6), y = R(p.y) - at(7), z = R(p.z) - at(8);
    const auto& [n, f] = F;
    const R nx = n.x + (y * f.z - z * f.y), ny = n.y + (z * f.x - x * f.z),
            nz = n.z + (x * f.y - y * f.x);
    Register::store(at(0) * nx + at(1) * ny + at(2) * nz + at(3) * f.x + at(4) * f.y + at(5) * f.z,
                    answers);
  }

  std::vector<int> inboard_, run_start_;  // runs of freedoms that hang one from the other
  std::vector<S> numbers_, answers_;
};

}  // namespace trammel::kernel
