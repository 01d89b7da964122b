#include "tests/fuzz/check_model.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "tests/fuzz/target.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/model/state.hpp"
#include "trammel/read/load.hpp"
#include "trammel/write/model/toml.hpp"

namespace trammel::fuzz {

namespace {

void expect_same_when_read_back(const Description& description) {
  std::string text;
  try {
    text = write_toml(description);
  } catch (const std::invalid_argument&) { return; }  // a formula that a file cannot represent
  Diagnostics found;
  const Description again = read_description("nowhere/written.toml", text, {}, found);
  for (const Diagnostic& each : found.list())
    expect(each.severity != Severity::error, "written TOML is refused: " + to_string(each));
  expect(write_toml(again) == text, "written TOML changes when it is read and written again");
}

bool all_finite(const std::vector<double>& values) {
  return std::ranges::all_of(values, [](double x) { return std::isfinite(x); });
}

void expect_sound_states(const Model& model) {
  for (const State& state : {neutral_state(model), start_state(model)}) {
    expect(state.q.size() == std::size_t(model.nq()) && state.v.size() == std::size_t(model.nv()),
           "a start state has another size than the model states");
    expect(all_finite(state.q) && all_finite(state.v), "a start state is not finite");
    std::vector<double> next(state.q.size());
    integrate(model, state.q, std::vector<double>(state.v.size(), 0.5), next);
    expect(all_finite(next), "half a unit of velocity leads to a position that is not finite");
  }
}

}  // namespace

bool check_model(const Description& description, const Diagnostics& found, std::string_view file,
                 std::string_view text) {
  expect_readable(found, file, text);
  std::optional<Model> model;
  try {
    model.emplace(build_model(description, found));
  } catch (const ModelError& refusal) {
    expect(refusal.diagnostics().has_errors(), "a model is refused without an error");
    expect_readable(refusal.diagnostics(), file, text);
    return false;
  }
  expect(!found.has_errors(), "a model is built though its reader found errors");
  expect_sound_states(*model);
  expect_same_when_read_back(description);
  return true;
}

}  // namespace trammel::fuzz
