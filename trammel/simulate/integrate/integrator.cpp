#include "trammel/simulate/integrate/integrator.hpp"

#include "trammel/simulate/integrate/extrapolation.hpp"
#include "trammel/simulate/integrate/radau.hpp"
#include "trammel/simulate/integrate/runge_kutta.hpp"
#include "trammel/simulate/integrate/semi_implicit_euler.hpp"
#include "trammel/simulate/integrate/sundials.hpp"

namespace trammel {

std::string method_lacks(Method method) { return method == Method::bdf ? bdf_lacks() : ""; }

std::unique_ptr<Integrator> make_integrator(Method method, int size) {
  switch (method) {
    case Method::semi_implicit_euler: return std::make_unique<SemiImplicitEuler>(size);
    case Method::rk4: return make_rk4(size);
    case Method::extrapolation: return std::make_unique<Extrapolation>(size);
    case Method::radau: return std::make_unique<Radau>(size);
    case Method::bdf: return make_bdf(size);
    case Method::dormand_prince: break;
  }
  return make_dormand_prince(size);
}

}  // namespace trammel
