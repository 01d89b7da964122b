#include <algorithm>

#include <fmt/format.h>

#include "program.hpp"
#include "trammel/dynamics/kernel/table.hpp"

namespace trammel::cli {

namespace {

constexpr std::size_t width = 96;  // of a line

// Lines of what goes left and what it means, in two columns; long meanings continue below.
std::string columns(const std::vector<std::pair<std::string, std::string>>& rows) {
  std::size_t left = 0;
  for (const auto& row : rows) left = std::max(left, row.first.size());
  std::string out;
  for (const auto& [name, meaning] : rows) {
    std::string line = fmt::format("  {:<{}}  ", name, left);
    const std::size_t indent = line.size();
    std::size_t from = 0;
    while (from < meaning.size()) {
      std::size_t to = meaning.size();
      if (to - from > width - indent) to = meaning.rfind(' ', from + width - indent);
      out += line + meaning.substr(from, to - from) + "\n";
      line = std::string(indent, ' ');
      from = to + 1;
    }
  }
  return out;
}

std::string left_side(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += "-" + name;
  for (const std::string& name : option.get_lnames())
    names += fmt::format("{}--{}", names.empty() ? "" : ", ", name);
  if (option.get_items_expected_max() > 0) names += " " + option.get_type_name();
  return names;
}

bool is_shown(const CLI::Option& option) { return !option.get_group().empty(); }

std::string usage(const CLI::App& app) {
  std::string line = "usage: trammel";
  if (app.get_parent() == nullptr) return line + " COMMAND [options] ...\n";
  line += " " + app.get_name() + " [options]";
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional()) line += " " + option->get_option_text();
  return line + "\n";
}

}  // namespace

std::string help_of(const CLI::App& app) {
  std::vector<std::pair<std::string, std::string>> places, options, names;
  for (const CLI::Option* option : app.get_options()) {
    if (!is_shown(*option)) continue;
    if (option->get_positional())
      places.emplace_back(option->get_name(), option->get_description());
    else
      options.emplace_back(left_side(*option), option->get_description());
  }
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty())
      names.emplace_back(command->get_name(), command->get_description());

  const bool is_whole = app.get_parent() == nullptr;
  std::string text =
      usage(app) + "\n" + (is_whole ? "Trammel: " : "") + app.get_description() + "\n";
  if (!places.empty()) text += "\n" + columns(places);
  if (!names.empty()) text += "\ncommands:\n" + columns(names);
  if (!options.empty()) text += "\noptions:\n" + columns(options);
  if (!app.get_footer().empty()) {
    text += "\nexamples:\n  ";
    for (const char c : app.get_footer()) text += c == '\n' ? "\n  " : std::string(1, c);
    text += "\n";
  }
  if (is_whole) text += "\ntrammel COMMAND --help tells more of a command.\n";
  return text;
}

std::string help_of_all(const CLI::App& app) {
  std::string text = help_of(app);
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty()) text += "\n\n" + help_of(*command);
  return text;
}

std::string version_text() {
  const kernel::Table& kernels = kernel::kernels();
  return fmt::format(
      "trammel {}\n"
      "build: {}\n"
      "instruction set: {}, {} states side by side\n",
      TRAMMEL_VERSION, TRAMMEL_BUILD, kernels.instruction_set, kernels.lanes);
}

}  // namespace trammel::cli
