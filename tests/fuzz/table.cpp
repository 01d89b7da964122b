// Fuzz target: tables of links, wheels and points, in every notation, as CSV and as TOML.
#include "trammel/read/table/table.hpp"
#include "tests/fuzz/check_model.hpp"
#include "tests/fuzz/target.hpp"

namespace trammel::fuzz {

namespace {

void check_table(const char* file, std::string_view text) {
  const Source source{file, std::string(text)};
  Diagnostics of_text;
  if (!check_text(source, of_text)) return expect_readable(of_text, file, text);
  for (const std::string& name : notation_names()) {
    Diagnostics found;
    const Description description = read_table(*find_notation(name), source, {}, found);
    check_model(description, found, file, text);
  }
  Diagnostics found;
  const Description description = read_vehicle(source, {}, found);
  check_model(description, found, file, text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = text_of(data, size);
  check_table("nowhere/table.csv", text);
  if (text.find("[[") != text.npos) check_table("nowhere/table.toml", text);
  return 0;
}

}  // namespace trammel::fuzz
