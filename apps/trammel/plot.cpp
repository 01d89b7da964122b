// Columns of a recording as a picture.
#include <CLI/CLI.hpp>
#include <memory>

#include <fmt/format.h>

#include "command.hpp"
#include "files.hpp"
#include "trammel/base/suggest.hpp"
#include "trammel/write/load_run.hpp"
#include "trammel/write/plot.hpp"

namespace trammel::cli {

namespace {

// '*' stands for anything.
bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t from = star; from <= name.size(); ++from)
    if (matches(rest, name.substr(from))) return true;
  return false;
}

class Plot final : public Command {
 public:
  void offer(CLI::App& app, Terminal& terminal) override {
    app.description("Columns of a recording as a picture (SVG), one for each unit (HTML).");
    app.footer(
        "trammel plot run.csv 'q.*' -o angles.svg\n"
        "trammel plot run.csv -o all.html");
    app.add_option("RUN", run_, "what trammel simulate wrote (.csv, .h5, .journal)")
        ->type_name("FILE")
        ->option_text("RUN");
    app.add_option("COLUMN", patterns_, "its columns; * stands for anything; all unless given")
        ->type_name("COLUMN")
        ->option_text("[COLUMN...]");
    app.add_option("-o,--output", output_, "the file to write, .svg or .html; stdout unless given")
        ->type_name("FILE");
    app.add_option("--title", title_, "above the picture")->type_name("TEXT");
    app.add_flag("--force", force_, "overwrite the file if it is there");
    terminal.offer(app, false);
  }

  Exit run(Terminal& terminal) override {
    if (run_.empty()) throw UsageError("no RUN is given", "a file that trammel simulate wrote");
    const Recording recording = load_run(run_).recording;
    const std::vector<double> time = recording.column(recording.columns[0].name);
    std::vector<std::pair<std::string, std::vector<std::size_t>>> by_unit;
    for (const std::size_t c : chosen(recording)) {
      const std::string& unit = recording.columns[c].unit;
      auto found = std::ranges::find(by_unit, unit, &decltype(by_unit)::value_type::first);
      if (found == by_unit.end()) found = by_unit.insert(by_unit.end(), {unit, {}});
      found->second.push_back(c);
    }
    const bool is_page = output_.ends_with(".html");
    if (by_unit.size() > 1 && !is_page)
      throw UsageError(
          fmt::format("the columns have {} units, a picture has one axis", by_unit.size()),
          "name columns of one unit, or write a page: -o plots.html");
    std::string out;
    for (const auto& [unit, columns] : by_unit) {
      std::vector<std::vector<double>> values;
      std::vector<PlotLine> lines;
      for (const std::size_t c : columns)
        values.push_back(recording.column(recording.columns[c].name));
      for (std::size_t k = 0; k < columns.size(); ++k)
        lines.push_back({recording.columns[columns[k]].name, values[k]});
      out += plot(time, lines, {.title = title_, .y_label = unit == "1" ? "" : "[" + unit + "]"});
    }
    if (is_page)
      out = fmt::format("<!doctype html>\n<meta charset=\"utf-8\">\n<title>{}</title>\n{}", "plots",
                        out);
    write_file(output_, out, force_, terminal);
    return Exit::done;
  }

 private:
  std::vector<std::size_t> chosen(const Recording& recording) const {
    std::vector<std::size_t> columns;
    std::vector<std::string> known;
    for (const Column& column : recording.columns) known.push_back(column.name);
    for (const std::string& pattern : patterns_) {
      bool is_found = false;
      for (std::size_t c = 1; c < known.size(); ++c)
        if (matches(pattern, known[c])) columns.push_back(c), is_found = true;
      if (is_found) continue;
      const auto near = suggest(pattern, known);
      throw UsageError(fmt::format("{} has no column '{}'", run_, pattern),
                       near ? fmt::format("did you mean '{}'?", *near)
                            : fmt::format("it has {}", fmt::join(known, ", ")));
    }
    if (patterns_.empty())
      for (std::size_t c = 1; c < known.size(); ++c) columns.push_back(c);
    return columns;
  }

  std::string run_, output_ = "-", title_;
  std::vector<std::string> patterns_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_plot() { return std::make_unique<Plot>(); }

}  // namespace trammel::cli
