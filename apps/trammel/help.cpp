#include <algorithm>

#include <fmt/format.h>

#include "program.hpp"
#include "trammel/dynamics/kernel/dispatch/table.hpp"
#include "trammel/simulate/integrate/integrator.hpp"
#include "trammel/write/report/report.hpp"
#include "trammel/write/run/hdf5.hpp"

namespace trammel::cli {

namespace {

constexpr std::size_t width = 96;  // columns of a line

// Two columns of items and their meanings; long meanings continue on the next lines.
using Rows = std::vector<std::pair<std::string, std::string>>;
std::string columns(const Rows& rows) {
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

// "trammel check [options] MODEL..."
std::string synopsis(const CLI::App& app) {
  if (app.get_parent() == nullptr) return "trammel COMMAND [options] ...";
  std::string line = "trammel " + app.get_name() + " [options]";
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional()) line += " " + option->get_option_text();
  return line;
}

std::string places_text(const CLI::App& app) {
  Rows rows;
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional()) rows.emplace_back(option->get_name(), option->get_description());
  return columns(rows);
}

std::string options_text(const CLI::App& app) {
  Rows rows;
  for (const CLI::Option* option : app.get_options())
    if (!option->get_positional() && !option->get_group().empty())
      rows.emplace_back(left_side(*option), option->get_description());
  return columns(rows);
}

std::string examples_text(const CLI::App& app, const std::string& indent) {
  std::string text = indent;
  for (const char c : app.get_footer()) text += c == '\n' ? "\n" + indent : std::string(1, c);
  return text + "\n";
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

}  // namespace

std::string help_of(const CLI::App& app) {
  const bool is_whole = app.get_parent() == nullptr;
  Rows names;
  for (const CLI::App* command : commands_of(app))
    names.emplace_back(command->get_name(), command->get_description());

  std::string text = "Usage: " + synopsis(app) + "\n\n" + app.get_description() + "\n";
  if (!is_whole) text += "\n" + places_text(app);
  if (!names.empty()) text += "\nCommands:\n" + columns(names);
  text += "\nOptions:\n" + options_text(app);
  text += "\nExamples:\n" + examples_text(app, "  ");
  if (is_whole) text += "\ntrammel COMMAND --help describes a command.\n";
  return text;
}

// headings between stars are sections of the man page, lines after '$' are not wrapped
std::string help_of_all(const CLI::App& app) {
  std::string text = help_of(app);
  for (const CLI::App* command : commands_of(app))
    text += fmt::format("\n*trammel {}*\n\n{}\n\n{}\n\n{}{}\n{}", command->get_name(),
                        synopsis(*command), command->get_description(), places_text(*command),
                        options_text(*command), examples_text(*command, "  $ "));
  return text;
}

std::string version_text() {
  const kernel::Table& kernels = kernel::kernels();
  std::vector<std::string> lacking;
  if (!hdf5_lacks().empty()) lacking.emplace_back("HDF5 (.h5)");
  if (!method_lacks(Method::bdf).empty()) lacking.emplace_back("SUNDIALS (--method bdf)");
  if (!report_page_lacks().empty()) lacking.emplace_back("npm (pages that move and zoom)");
  return fmt::format(
      "trammel {}\n"
      "build: {}{}\n"
      "instruction set: {}, {} states side by side\n",
      TRAMMEL_VERSION, TRAMMEL_BUILD,
      lacking.empty() ? "" : fmt::format("; without {}", fmt::join(lacking, ", ")),
      kernels.instruction_set, kernels.lanes);
}

}  // namespace trammel::cli
