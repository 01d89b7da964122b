// A state from a file: TOML with [state.position], [state.velocity] and guesses as in a model, or
// JSON.
#include "state_json.hpp"
#include "state_options.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/read/source.hpp"
#include "trammel/read/state.hpp"

namespace trammel::cli {

// The model is rebuilt with the file's state, so that this is checked like that of a model.
Model with_start_of(const Model& model, const std::string& path) {
  Diagnostics diagnostics;
  const std::optional<Source> source = open_source(path, diagnostics);
  if (!source) throw ModelError(diagnostics);
  Description description = model.description();
  if (path.ends_with(".json")) {
    read_state_json(*source, description, diagnostics);
  } else if (!read_state_file(*source, description, diagnostics)) {
    diagnostics.error({source->name, 0, 0}, "the file has no state",
                      "write [state.position], and below it lines as in elbow = 0.5");
  }
  return rebuild_model(description, diagnostics);
}

}  // namespace trammel::cli
