// Fuzz target: model files of the native format.
#include "tests/fuzz/check_model.hpp"
#include "tests/fuzz/target.hpp"
#include "trammel/read/load.hpp"

namespace trammel::fuzz {

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const char* const file = "nowhere/model.toml";  // includes find no files there
  const std::string_view text = text_of(data, size);
  Diagnostics found;
  const Description description = read_description(file, std::string(text), {}, found);
  check_model(description, found, file, text);
  return 0;
}

}  // namespace trammel::fuzz
