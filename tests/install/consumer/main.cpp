// A user's program, built against an installed Trammel.
#include <cstdio>

#include "trammel/base/diagnostics.hpp"
#include "trammel/base/status.hpp"

int main() {
  const trammel::Status status = trammel::Status::failure("nothing to do yet");
  const trammel::Diagnostic mistake{
      trammel::Severity::error, {"arm.toml", 12, 7}, status.message(), ""};
  const std::string text = to_string(mistake);
  std::puts(text.c_str());
  return text == "arm.toml:12:7: error: nothing to do yet" ? 0 : 1;
}
