// Shared parts of the fuzz targets. A target reads one input and returns. Documented errors
// (ModelError, mistakes in the result) are valid results; a finding is every other exception, a
// crash, a sanitizer report, a hang, and a property below that does not hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "trammel/base/diagnostics.hpp"

// The entry of libFuzzer; replay.cpp calls it with stored inputs.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace trammel::fuzz {

// A property that does not hold.
class Finding : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};
void expect(bool holds, const std::string& fact);

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Well-formed UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF. JSON
// output needs it.
bool is_utf8(std::string_view text);

// The messages can be printed: each has words, all are UTF-8, and a place in `file` lies in `text`.
void expect_readable(const Diagnostics& diagnostics, std::string_view file, std::string_view text);

}  // namespace trammel::fuzz
