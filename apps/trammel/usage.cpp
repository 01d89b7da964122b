#include <fmt/format.h>

#include "numbers.hpp"
#include "program.hpp"
#include "trammel/base/suggest.hpp"

namespace trammel::cli {

namespace {

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const CommandEntry& entry : commands()) names.emplace_back(entry.name);
  return names;
}

}  // namespace

void refuse_word(const CLI::App& app, const std::string& word, const CLI::App& chosen) {
  const bool is_option = word.size() > 1 && word[0] == '-';
  const bool is_whole = app.get_parent() == nullptr;
  const std::string command = is_whole ? "trammel" : "trammel " + app.get_name();
  if (is_option) {
    const std::string name = word.substr(0, word.find('='));
    if (&app != &chosen && chosen.get_option_no_throw(name) != nullptr)
      throw UsageError(
          fmt::format("{} has no option {}", command, name),
          fmt::format("put it behind the command: trammel {} {}", chosen.get_name(), name));
    const auto near = suggest(name, option_names(app));
    throw UsageError(fmt::format("{} has no option {}", command, name),
                     near ? fmt::format("did you mean {}?", *near)
                          : fmt::format("{} --help lists its options", command));
  }
  if (is_whole) {
    const auto near = suggest(word, command_names());
    throw UsageError(fmt::format("there is no command '{}'", word),
                     near ? fmt::format("did you mean '{}'?", *near) : "trammel --help lists them");
  }
  const std::string position = hint_about_position(word);
  throw UsageError(
      fmt::format("{} was given '{}', one argument too many", command, word),
      !position.empty() ? position : fmt::format("{} --help shows what it takes", command));
}

}  // namespace trammel::cli
