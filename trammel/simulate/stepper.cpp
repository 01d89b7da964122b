#include "trammel/simulate/stepper.hpp"

#include <algorithm>
#include <array>

#include "trammel/model/run_words.hpp"
#include "trammel/simulate/stepper/extrapolation.hpp"
#include "trammel/simulate/stepper/radau.hpp"
#include "trammel/simulate/stepper/runge_kutta.hpp"
#include "trammel/simulate/stepper/semi_implicit_euler.hpp"
#include "trammel/simulate/stepper/sundials.hpp"

namespace trammel {

namespace {

struct Entry {
  Method method;
  std::string_view name;
};
constexpr std::array entries{Entry{Method::dormand_prince, "dormand-prince"},
                             Entry{Method::extrapolation, "extrapolation"},
                             Entry{Method::radau, "radau"},
                             Entry{Method::bdf, "bdf"},
                             Entry{Method::rk4, "rk4"},
                             Entry{Method::semi_implicit_euler, "semi-implicit-euler"}};
static_assert(std::ranges::equal(entries, run_methods, {}, &Entry::name));  // what files may say

}  // namespace

std::string to_string(Method method) {
  for (const Entry& entry : entries)
    if (entry.method == method) return std::string(entry.name);
  return {};
}

std::optional<Method> method_named(std::string_view name) {
  for (const Entry& entry : entries)
    if (entry.name == name) return entry.method;
  return std::nullopt;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries) names.emplace_back(entry.name);
  return names;
}

std::string method_lacks(Method method) { return method == Method::bdf ? bdf_lacks() : ""; }

std::unique_ptr<Stepper> make_stepper(Method method, int size) {
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
