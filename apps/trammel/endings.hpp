// File formats by file extension.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace trammel::cli {

// The extension with its dot, in lower case: ".csv"; empty if the name has none.
std::string ending_of(const std::string& path);

// Throws UsageError if the extension of `path` is not in `known`; the message lists these. "-",
// devices and names without an extension are accepted: they get the first format.
void expect_ending(const std::string& path, std::string_view option,
                   std::initializer_list<std::string_view> known);

}  // namespace trammel::cli
