#include "trammel/read/state.hpp"
#include "trammel/read/toml/items.hpp"

namespace trammel {

namespace {

constexpr TomlKey keys[] = {{"trammel"}, {"state"}};

}  // namespace

bool read_state_file(const Source& source, Description& description, Diagnostics& diagnostics) {
  const std::optional<TomlValue> document = parse_document(source, diagnostics);
  if (!document) return true;  // the error has been reported
  Report report(source, diagnostics);
  const Scope scope;  // numbers and formulas of numbers: parameters belong to the model
  TomlContext context{report, scope, description};
  for (std::size_t k = 0; k < description.joints.size(); ++k)
    context.joints.emplace(description.joints[k].name, k);

  TomlOwner owner{"the file", report.place({1, 1})};
  const TableReader top(owner, *document, keys, scope, report);
  const TomlEntry* const state = document->find("state");
  if (state == nullptr) return false;
  description.start_positions.clear();
  description.start_velocities.clear();
  description.position_guesses.clear();
  description.velocity_guesses.clear();
  read_state(*state, context);
  return true;
}

}  // namespace trammel
