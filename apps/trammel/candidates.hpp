// What may stand where the cursor is? Answered by walking the program's own tree of commands and
// options: the type name of each says what it takes.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace trammel::cli {

// `words` follow the program's name; the last, maybe empty, is the one being typed. The first line
// of the answer says how to go on ("files": of files too; "nospace": more comes), the others are
// candidates, each with its meaning behind a tab.
std::string candidates(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace trammel::cli
