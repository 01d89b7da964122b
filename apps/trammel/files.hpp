// Files that a command writes: whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "terminal.hpp"

namespace trammel::cli {

// "-" is stdout. A file that is there is left alone unless forced. Written beside and renamed, so
// that nobody ever sees half of it. Throws WorkFailed.
void write_file(const std::string& path, std::string_view text, bool force, Terminal& terminal);

// For work that takes long: throws WorkFailed if write_file would leave alone what is there, or has
// no folder to write into.
void expect_free(const std::string& path, bool force);

}  // namespace trammel::cli
