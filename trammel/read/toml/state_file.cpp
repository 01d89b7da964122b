#include "trammel/read/state.hpp"
#include "trammel/read/toml/items.hpp"

namespace trammel {

namespace {

constexpr toml::Key state_file_keys[] = {{"trammel"}, {"state"}};

}  // namespace

bool read_state_file(const Source& source, Description& description, Diagnostics& diagnostics) {
  const std::optional<toml::Value> document = toml::parse_document(source, diagnostics);
  if (!document) return true;  // the error has been reported
  toml::Report report(source, diagnostics);
  const toml::Scope scope;  // numbers and formulas of numbers: parameters belong to the model
  toml::Context context{report, scope, description};
  for (std::size_t k = 0; k < description.joints.size(); ++k)
    context.joints.emplace(description.joints[k].name, k);

  toml::Owner owner{"the file", report.place({1, 1})};
  const toml::TableReader top(owner, *document, state_file_keys, scope, report);
  const toml::Entry* const state = document->find("state");
  if (state == nullptr) return false;
  description.start_positions.clear();
  description.start_velocities.clear();
  description.position_guesses.clear();
  description.velocity_guesses.clear();
  toml::read_state(*state, context);
  return true;
}

}  // namespace trammel
