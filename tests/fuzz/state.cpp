// Fuzz target: state files, TOML and JSON, for a mechanism with a joint of each size and a loop.
#include "trammel/model/state.hpp"
#include "apps/trammel/state_json.hpp"
#include "tests/fuzz/check_model.hpp"
#include "tests/fuzz/target.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/read/load.hpp"
#include "trammel/read/state.hpp"

namespace trammel::fuzz {

namespace {

const Model& mechanism() {
  static const Model model = [] {
    const char* const text = R"(trammel = 1
[body.base]
mass = 1
inertia = [1, 1, 1]
[body.arm]
mass = 1
inertia = [1, 1, 1]
[body.hand]
mass = 1
inertia = [1, 1, 1]
[joint.ride]
type = "free"
parent = "ground"
child = "base"
[joint.elbow]
type = "revolute"
parent = "base"
child = "arm"
limits = { position = [-2, 2] }
[joint.wrist]
type = "spherical"
parent = "arm"
child = "hand"
[joint.rail]
type = "prismatic"
parent = "ground"
child = "hand"
cut = true
)";
    Diagnostics found;
    const Description description = read_description("mechanism.toml", text, {}, found);
    return build_model(description, found);
  }();
  return model;
}

void check_state(const char* file, std::string_view text) {
  const Source source{file, std::string(text)};
  Diagnostics found;
  if (!check_text(source, found)) return expect_readable(found, file, text);
  Description description = mechanism().description();
  if (std::string_view(file).ends_with(".json"))
    cli::read_state_json(source, description, found);
  else if (!read_state_file(source, description, found))
    return;
  check_model(description, found, file, text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = text_of(data, size);
  check_state(text.starts_with('{') ? "start.json" : "start.toml", text);
  return 0;
}

}  // namespace trammel::fuzz
