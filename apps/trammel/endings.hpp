// File formats by the ending of a file's name.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace trammel::cli {

// The ending with its dot, in small letters: ".csv"; empty if the name has none.
std::string ending_of(const std::string& path);

// Throws UsageError where `path` has an ending that is none of `known`, with the list of these.
// "-", devices and names without an ending are taken as they are: they get the first format.
void expect_ending(const std::string& path, std::string_view option,
                   std::initializer_list<std::string_view> known);

}  // namespace trammel::cli
