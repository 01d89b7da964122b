// How a step is taken.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "trammel/simulate/flow.hpp"

namespace trammel {

enum class Method {
  semi_implicit_euler,  // order 1, fixed step: velocities first, then positions with the new ones
  rk4,                  // order 4, fixed step: the classical method of Runge and Kutta
  dormand_prince,  // order 5(4), chooses its step, tells what lies between [Dormand, Prince 1980]
  extrapolation,   // order 8(6), chooses its step: for reference runs [Gragg 1965]
  radau,  // order 5(3), chooses its step, implicit: for stiff springs [Hairer, Wanner 1996]
  bdf  // orders 1 to 5, chooses both, for stiff springs: CVODE of SUNDIALS [Hindmarsh et al. 2005]
};
std::string to_string(Method method);
std::optional<Method> method_named(std::string_view name);
std::vector<std::string> method_names();
// All its steps are of one length, which has to be said.
constexpr bool takes_fixed_steps(Method method) {
  return method == Method::rk4 || method == Method::semi_implicit_euler;
}
// What this build lacks for a method, and what to do; empty: nothing.
std::string method_lacks(Method method);

class Stepper {
 public:
  virtual ~Stepper() = default;
  virtual int order() const = 0;
  // The order of what estimates the error; 0: nothing does, and the step is fixed.
  virtual int error_order() const { return 0; }
  virtual bool has_dense_output() const { return false; }

  // From y, where the slope is `y_dot`, over a time h. `other` is a second answer, of lower order,
  // if there is an estimate of the error. `y_dot_next` is the slope at y_next if the method has it
  // for nothing (and then returns true).
  struct Step {
    double time = 0, h = 0;
    std::span<const double> y, y_dot;
    std::span<double> y_next, other, y_dot_next;
  };
  [[nodiscard]] virtual Status take(Flow& flow, const Step& step, bool& has_next_slope) = 0;

  // Methods are told what they may be wrong by, how long a step may be (0: as long as they like),
  // and where something jumps, so that what they remember is no guide.
  virtual void aim(Flow::Tolerance /*tolerance*/, double /*longest*/) {}
  virtual void forget() {}
  // How many steps they remember at most, 0: none, and the next step needs nothing but y. So a run
  // that goes on from a checkpoint goes on to the same bits.
  virtual int memory() const { return 0; }
  // Some choose their steps themselves: one ends after `taken`, at most h away.
  virtual bool chooses_steps() const { return false; }
  struct Taken {
    double h = 0;
    long rejected = 0;  // steps that were tried before it
  };
  virtual Taken taken() const { return {}; }

  // Between: at time + part * h of the step that was taken last, 0 <= part <= 1.
  virtual void between(double /*part*/, std::span<double> /*y*/) const {}
};
// The method must lack nothing.
std::unique_ptr<Stepper> make_stepper(Method method, int size);

}  // namespace trammel
