// Names of integration methods, apart from the integrators: a journal needs the names alone.
#include <algorithm>
#include <array>

#include "trammel/model/description/run_words.hpp"
#include "trammel/simulate/integrate/integrator.hpp"

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
static_assert(std::ranges::equal(entries, run_methods, {}, &Entry::name));  // as in model files

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

}  // namespace trammel
