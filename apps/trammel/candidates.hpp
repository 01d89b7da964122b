// Completion candidates for the word at the cursor, found by walking the program's tree of commands
// and options: the type name of each tells what it takes.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace trammel::cli {

// `words` are those after the program's name; the last one, possibly empty, is being typed. The
// first line of the result tells the shell how to continue ("files": complete file names too;
// "nospace": add no space), the other lines are candidates, each followed by a tab and its meaning.
std::string candidates(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace trammel::cli
