// Force element of the user's own: a law in C++, between a frame on one body and a frame on
// another.
//
//   struct MagneticSpring {
//     template <class S> ElementWrench<S> wrench(const BodyPair<S>& frames, std::span<const S> z)
//     const; template <class S> S potential_energy(const BodyPair<S>& frames, std::span<const S> z)
//     const; double dissipated_power(const BodyPair<double>& frames, std::span<const double> z)
//     const; bool is_conservative() const;
//   };
//   description.user_forces.push_back(
//       {"magnet", "ground", "tip", user_force_element(MagneticSpring{})});
//
// The law sees the two frames as the bodies of the pair: their poses and the velocities of their
// origins, in their own axes. With nz(), initial_z() and z_rates() it has states of its own (see
// StatefulForceElement). All functions that see built-in elements see it as well.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "trammel/base/diagnostics.hpp"
#include "trammel/force/force_element.hpp"
#include "trammel/force/number_label.hpp"
#include "trammel/scalar/expr_evaluate.hpp"

namespace trammel {

// For double and for Dual numbers with one derivative, whose layout is the same with all compiler
// options; the library takes derivatives along several directions one after the other.
class UserForceElement {
 public:
  using One = Dual<1>;
  virtual ~UserForceElement() = default;
  virtual ElementWrench<double> wrench(const BodyPair<double>& frames,
                                       std::span<const double> z) const = 0;
  virtual ElementWrench<One> wrench(const BodyPair<One>& frames, std::span<const One> z) const = 0;
  virtual double potential_energy(const BodyPair<double>& frames,
                                  std::span<const double> z) const = 0;
  virtual One potential_energy(const BodyPair<One>& frames, std::span<const One> z) const = 0;
  virtual double dissipated_power(const BodyPair<double>& frames,
                                  std::span<const double> z) const = 0;
  virtual bool is_conservative() const = 0;
  virtual int nz() const = 0;
  virtual void initial_z(std::span<double> z) const = 0;
  virtual void z_rates(const BodyPair<double>& frames, std::span<const double> z,
                       std::span<double> z_dot) const = 0;
  virtual void z_rates(const BodyPair<One>& frames, std::span<const One> z,
                       std::span<One> z_dot) const = 0;
};

// A law written once as templates, as a UserForceElement.
template <ForceElement Law> class UserForceLaw final : public UserForceElement {
 public:
  explicit UserForceLaw(Law law) : law_(std::move(law)) {}
  ElementWrench<double> wrench(const BodyPair<double>& frames,
                               std::span<const double> z) const override {
    return law_.wrench(frames, z);
  }
  ElementWrench<One> wrench(const BodyPair<One>& frames, std::span<const One> z) const override {
    return law_.wrench(frames, z);
  }
  double potential_energy(const BodyPair<double>& frames,
                          std::span<const double> z) const override {
    return law_.potential_energy(frames, z);
  }
  One potential_energy(const BodyPair<One>& frames, std::span<const One> z) const override {
    return law_.potential_energy(frames, z);
  }
  double dissipated_power(const BodyPair<double>& frames,
                          std::span<const double> z) const override {
    return law_.dissipated_power(frames, z);
  }
  bool is_conservative() const override { return law_.is_conservative(); }
  int nz() const override { return nz_of(law_); }
  void initial_z(std::span<double> z) const override {
    if constexpr (StatefulForceElement<Law>) law_.initial_z(z);
  }
  void z_rates(const BodyPair<double>& frames, std::span<const double> z,
               std::span<double> z_dot) const override {
    if constexpr (StatefulForceElement<Law>) law_.z_rates(frames, z, z_dot);
  }
  void z_rates(const BodyPair<One>& frames, std::span<const One> z,
               std::span<One> z_dot) const override {
    if constexpr (StatefulForceElement<Law>) law_.z_rates(frames, z, z_dot);
  }

 private:
  Law law_;
};
template <ForceElement Law> std::shared_ptr<const UserForceElement> user_force_element(Law law) {
  return std::make_shared<UserForceLaw<Law>>(std::move(law));
}

// Copies of a description and models built from it share the element, which is constant.
struct UserForceDescription {
  static constexpr const char *kind = "user_force", *acts = "connects";
  std::string name, frame, other_frame;
  std::shared_ptr<const UserForceElement> element = {};
  ItemPlace place = {};

  // Names of the frames or bodies at its ends: parent, child.
  std::array<std::string*, 2> ends() { return {&frame, &other_frame}; }
  std::array<const std::string*, 2> ends() const { return {&frame, &other_frame}; }
};
template <ConstOrNot<UserForceDescription> Item, class Visit>
void each_number(Item& /*element*/, const Visit& /*visit*/) {}
void check_numbers(const UserForceDescription& force, const Values<double>& value,
                   Diagnostics& diagnostics);

namespace internal {
[[noreturn]] void refuse_symbols();  // throws std::invalid_argument
}

// User-defined element of a model, a ForceElement: the law, with its frames F in the tree body P of
// the parent and M in the tree body C of the child. Its energy throws for symbols.
template <Scalar P> struct UserForceNumbers {
  Pose<P> X_PF = Pose<P>::identity(), X_CM = Pose<P>::identity();
  std::shared_ptr<const UserForceElement> element = {};

  static UserForceNumbers of(const UserForceDescription& force, const Pose<P>& X_PF,
                             const Pose<P>& X_CM, const Values<P>& /*value*/) {
    return {X_PF, X_CM, force.element};
  }
  UserForceNumbers<float> to_float() const requires std::same_as<P, double> {
    return {{X_PF.R, X_PF.p}, {X_CM.R, X_CM.p}, element};
  }
  std::array<Vec3<P>, 2> drawn_ends() const { return {X_PF.p, X_CM.p}; }

  template <Scalar S>
  ElementWrench<S> wrench(const BodyPair<S>& bodies, std::span<const S> z) const {
    const Frames<S> frames(*this, bodies);
    if constexpr (std::same_as<S, double>) {
      return element->wrench(frames.pair(), z);
    } else {
      ElementWrench<S> out;
      frames.each_lane(z, [&](int lane, const auto& pair, std::span<const Dual<1>> z_lane) {
        const ElementWrench<Dual<1>> one = element->wrench(pair, z_lane);
        out.is_acting = one.is_acting;
        out.failure = one.failure;
        put(one.F.moment, lane, out.F.moment);
        put(one.F.force, lane, out.F.force);
        put(one.p, lane, out.p);
      });
      return out;
    }
  }
  template <Scalar S> S potential_energy(const BodyPair<S>& bodies, std::span<const S> z) const {
    if constexpr (std::same_as<S, double>) {
      return element->potential_energy(Frames<S>(*this, bodies).pair(), z);
    } else if constexpr (std::same_as<S, Expr>) {
      internal::refuse_symbols();
    } else {
      S out;
      const Frames<S> frames(*this, bodies);
      frames.each_lane(z, [&](int lane, const auto& pair, std::span<const Dual<1>> z_lane) {
        put(element->potential_energy(pair, z_lane), lane, out);
      });
      return out;
    }
  }
  double dissipated_power(const BodyPair<double>& bodies, std::span<const double> z) const {
    return element->dissipated_power(Frames<double>(*this, bodies).pair(), z);
  }
  bool is_conservative() const { return element->is_conservative(); }
  int nz() const { return element->nz(); }
  void initial_z(std::span<double> z) const { element->initial_z(z); }
  template <Scalar S>
  void z_rates(const BodyPair<S>& bodies, std::span<const S> z, std::span<S> z_dot) const {
    const Frames<S> frames(*this, bodies);
    if constexpr (std::same_as<S, double>) {
      element->z_rates(frames.pair(), z, z_dot);
    } else {
      std::vector<Dual<1>> one(z_dot.size());
      frames.each_lane(z, [&](int lane, const auto& pair, std::span<const Dual<1>> z_lane) {
        element->z_rates(pair, z_lane, one);
        for (std::size_t k = 0; k < one.size(); ++k) put(one[k], lane, z_dot[k]);
      });
    }
  }

 private:
  // One derivative of many, and back.
  template <int N> static Dual<1> lane_of(const Dual<N>& x, int lane) {
    return {x.value, Dual<1>::Derivative(x.derivative[std::size_t(lane)])};
  }
  template <int N> static Vec3<Dual<1>> lane_of(const Vec3<Dual<N>>& a, int lane) {
    return {lane_of(a.x, lane), lane_of(a.y, lane), lane_of(a.z, lane)};
  }
  template <int N> static Pose<Dual<1>> lane_of(const Pose<Dual<N>>& X, int lane) {
    return {{lane_of(X.R.x, lane), lane_of(X.R.y, lane), lane_of(X.R.z, lane)}, lane_of(X.p, lane)};
  }
  template <int N> static Motion<Dual<1>> lane_of(const Motion<Dual<N>>& V, int lane) {
    return {lane_of(V.angular, lane), lane_of(V.linear, lane)};
  }
  template <int N> static void put(const Dual<1>& from, int lane, Dual<N>& to) {
    to.value = from.value;
    to.derivative[std::size_t(lane)] = double(from.derivative[0]);
  }
  template <int N> static void put(const Vec3<Dual<1>>& from, int lane, Vec3<Dual<N>>& to) {
    put(from.x, lane, to.x);
    put(from.y, lane, to.y);
    put(from.z, lane, to.z);
  }

  // The frames F and M as a pair of bodies.
  // Not template <Scalar S>: clang 14 crashes on it where a member uses it before its definition.
  template <class S> struct Frames {
    Frames(const UserForceNumbers& numbers, const BodyPair<S>& bodies)
        : X_WF(bodies.X_WP * numbers.X_PF),
          X_WM(bodies.X_WC * numbers.X_CM),
          V_F(in_frame(numbers.X_PF, bodies.V_P)),
          V_M(in_frame(numbers.X_CM, bodies.V_C)) {}
    BodyPair<S> pair() const { return {X_WF, X_WM, V_F, V_M}; }
    template <class Visit> void each_lane(std::span<const S> z, const Visit& visit) const {
      std::vector<Dual<1>> z_lane(z.size());
      for (int lane = 0; lane < int(S::Derivative::size()); ++lane) {
        const Pose<Dual<1>> X_F = lane_of(X_WF, lane), X_M = lane_of(X_WM, lane);
        const Motion<Dual<1>> of_F = lane_of(V_F, lane), of_M = lane_of(V_M, lane);
        for (std::size_t k = 0; k < z.size(); ++k) z_lane[k] = lane_of(z[k], lane);
        visit(lane, BodyPair<Dual<1>>{X_F, X_M, of_F, of_M}, z_lane);
      }
    }
    static Motion<S> in_frame(const Pose<P>& X, const Motion<S>& V) {
      return {transpose_times(X.R, V.angular),
              transpose_times(X.R, V.linear + cross(V.angular, X.p))};
    }
    Pose<S> X_WF, X_WM;
    Motion<S> V_F, V_M;
  };
};

}  // namespace trammel
