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
        run_start_(inboard_.size()) {
    for (std::size_t k = 0; k < inboard_.size(); ++k)
      run_start_[k] = k > 0 && inboard_[k] == int(k) - 1 ? run_start_[k - 1] : int(k);
    for (std::vector<S>& component : components_) component.resize(inboard_.size() + spare);
  }

  // Freedom k has this column, at p.
  void set(int k, const Motion<S>& column, const Vec3<S>& p) {
    const S values[] = {column.angular.x,
                        column.angular.y,
                        column.angular.z,
                        column.linear.x,
                        column.linear.y,
                        column.linear.z,
                        p.x,
                        p.y,
                        p.z};
    for (std::size_t c = 0; c < 9; ++c) components_[c][std::size_t(k)] = values[c];
  }

  // tell(k, S_k . F) for freedom i and all inboard of it, F being a force at p.
  template <class Tell> void meet(int i, const Force<S>& F, const Vec3<S>& p, const Tell& tell) {
    for (int last = i; last >= 0; last = inboard_[std::size_t(run_start_[std::size_t(last)])]) {
      const int first = run_start_[std::size_t(last)];
      for (int k = first; k <= last; k += RowRegister<S>::rows) meet_register(k, F, p);
      for (int k = first; k <= last; ++k) tell(k, components_[9][std::size_t(k)]);
    }
  }

 private:
  using Register = RowRegister<S>;
  static constexpr std::size_t spare = 8;  // registers may reach past the last row

  void meet_register(int k, const Force<S>& F, const Vec3<S>& p) {
    using R = typename Register::Type;
    const auto at = [&](std::size_t c) { return Register::load(&components_[c][std::size_t(k)]); };
    const R x = R(p.x) - at(6), y = R(p.y) - at(7), z = R(p.z) - at(8);
    const auto& [n, f] = F;
    const R nx = n.x + (y * f.z - z * f.y), ny = n.y + (z * f.x - x * f.z),
            nz = n.z + (x * f.y - y * f.x);
    Register::store(at(0) * nx + at(1) * ny + at(2) * nz + at(3) * f.x + at(4) * f.y + at(5) * f.z,
                    &components_[9][std::size_t(k)]);
  }

  std::vector<int> inboard_,
      run_start_;                  // runs of freedoms each of which hangs from the one before
  std::vector<S> components_[10];  // angular x y z, linear x y z, place x y z, and the answer
};

}  // namespace trammel::kernel
