// Integration methods (time stepping) for y' = f(t, y).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "trammel/simulate/integrate/ode_system.hpp"

namespace trammel {

enum class Method {
  semi_implicit_euler,  // order 1, fixed step: velocities first, then positions with the new ones
  rk4,                  // order 4, fixed step: classical Runge-Kutta method
  dormand_prince,       // order 5(4), step size control, dense output [Dormand, Prince 1980]
  extrapolation,        // order 8(6), step size control: for reference runs [Gragg 1965]
  radau,  // order 5(3), step size control, implicit: stiff springs [Hairer, Wanner 1996]
  bdf     // orders 1 to 5, order and step size control: stiff springs [Hindmarsh et al. 2005]
};
std::string to_string(Method method);
std::optional<Method> method_named(std::string_view name);
std::vector<std::string> method_names();
// The method has no step size control: the step must be given.
constexpr bool takes_fixed_steps(Method method) {
  return method == Method::rk4 || method == Method::semi_implicit_euler;
}
// The library missing in this build for a method, with the remedy; empty if the method is
// available.
std::string method_lacks(Method method);

// Integration method with its memory, for one run at a time: take() makes one step. The caller
// accepts or rejects it and controls the step size, unless chooses_steps().
class Integrator {
 public:
  virtual ~Integrator() = default;
  virtual int order() const = 0;
  // Order of the embedded solution that estimates the error; 0: no estimate, fixed step.
  virtual int error_order() const { return 0; }
  virtual bool has_dense_output() const { return false; }

  // One step from y, with derivative `y_dot`, over a time h. `other` receives the embedded solution
  // of lower order if there is an error estimate. `y_dot_next` receives the derivative at y_next if
  // the method computes it anyway (first same as last); the flag of take() tells whether it did.
  struct Step {
    double time = 0, h = 0;
    std::span<const double> y, y_dot;
    std::span<double> y_next, other, y_dot_next;
  };
  [[nodiscard]] virtual Status take(OdeSystem& ode, const Step& step, bool& has_next_rhs) = 0;

  // aim() sets the error tolerance and the largest step (0: no limit). forget() discards the
  // history of earlier steps, at a discontinuity.
  virtual void aim(OdeSystem::Tolerance /*tolerance*/, double /*longest*/) {}
  virtual void forget() {}
  // Number of steps after which a run discards the history, so that a run continued from a
  // checkpoint gives bitwise identical results. 0: no history, the next step depends on y alone.
  virtual int memory() const { return 0; }
  // Methods with a step size control of their own: a step ends after taken().h, at most h.
  virtual bool chooses_steps() const { return false; }
  struct Taken {
    double h = 0;
    long rejected = 0;  // trial steps before it
  };
  virtual Taken taken() const { return {}; }

  // Dense output: y at time + part * h of the last step, 0 <= part <= 1.
  virtual void between(double /*part*/, std::span<double> /*y*/) const {}
};
// The method must be available: method_lacks() is empty.
std::unique_ptr<Integrator> make_integrator(Method method, int size);

}  // namespace trammel
