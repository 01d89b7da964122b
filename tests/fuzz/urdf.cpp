// Fuzz target: URDF, on ground and free. An accepted file is accepted again after it was written as
// URDF.
#include "trammel/write/model/urdf.hpp"
#include "tests/fuzz/check_model.hpp"
#include "tests/fuzz/target.hpp"
#include "trammel/model/build/builder.hpp"
#include "trammel/read/load.hpp"

namespace trammel::fuzz {

namespace {

void expect_written_again(const Description& description) {
  Diagnostics lost, found;
  const std::string text = write_urdf(description, lost);
  expect_readable(lost, "", "");
  if (lost.has_errors()) return;
  const Description again = read_description("nowhere/written.urdf", text, {}, found);
  try {
    (void)build_model(again, found);
  } catch (const ModelError& refusal) {
    throw Finding(std::string("written URDF is refused: ") + refusal.what());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const char* const file = "nowhere/robot.urdf";
  const std::string_view text = text_of(data, size);
  for (const Base base : {Base::fixed, Base::free}) {
    Diagnostics found;
    const Description description =
        read_description(file, std::string(text), {.base = base}, found);
    if (check_model(description, found, file, text)) expect_written_again(description);
  }
  return 0;
}

}  // namespace trammel::fuzz
