// `trammel plot`: columns of a recording as a picture or a page.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "command.hpp"
#include "endings.hpp"
#include "files.hpp"
#include "trammel/base/suggest.hpp"
#include "trammel/write/report/recorded_plots.hpp"
#include "trammel/write/report/report.hpp"
#include "trammel/write/run/load_run.hpp"

namespace trammel::cli {

namespace {

class Plot final : public Command {
 public:
  void offer(CLI::App& app, Terminal& terminal) override {
    app.description(
        "Plot columns of a recording: a picture (SVG, PNG) or a page with zoom (HTML).");
    app.footer(
        "trammel plot run.csv 'q.*' -o angles.svg\n"
        "trammel plot run.csv -o all.html");
    app.add_option("RUN", run_, "a recording of trammel simulate (.csv, .h5, .journal)")
        ->type_name("FILE")
        ->option_text("RUN");
    app.add_option("COLUMN", patterns_, "columns to plot; * matches anything; default: all")
        ->type_name("COLUMN")
        ->option_text("[COLUMN...]");
    app.add_option("-o,--output", output_,
                   "the file to write, .svg, .png or .html; stdout unless given")
        ->type_name("FILE");
    app.add_option("--title", title_, "above the picture")->type_name("TEXT");
    app.add_flag("--force", force_, "overwrite the file if it is there");
    terminal.offer(app, false);
  }

  Exit run(Terminal& terminal) override {
    expect_ending(output_, "-o", {".svg", ".png", ".html", ".htm"});
    if (run_.empty()) throw UsageError("no RUN is given", "a file that trammel simulate wrote");
    expect_distinct({{"-o", output_}}, {{"RUN", run_}});
    const Recording recording = load_run(run_).recording;
    const std::vector<std::size_t> columns = chosen(recording);
    if (const std::string e = ending_of(output_); e == ".html" || e == ".htm") {
      if (const std::string lacks = report_page_lacks(); !lacks.empty())
        terminal.note("the page is a plain one: " + lacks);
      const std::string name = std::filesystem::path(run_).filename().string();
      write_file(output_, plots_page(recording, columns, title_.empty() ? name : title_), force_,
                 terminal);
      return Exit::done;
    }
    const std::vector<std::string> pictures = recorded_plots(recording, columns, title_);
    if (pictures.size() > 1)
      throw UsageError(
          fmt::format("the columns have {} units, a picture has one axis", pictures.size()),
          "name columns of one unit, or write a page: -o plots.html");
    write_picture(output_, fmt::format("{}", fmt::join(pictures, "")), force_, terminal);
    return Exit::done;
  }

 private:
  std::vector<std::size_t> chosen(const Recording& recording) const {
    std::vector<std::size_t> columns;
    std::vector<std::string> known;
    for (const Column& column : recording.columns) known.push_back(column.name);
    for (const std::string& pattern : patterns_) {
      const std::vector<std::size_t> found = columns_like(recording, pattern);
      columns.insert(columns.end(), found.begin(), found.end());
      if (!found.empty()) continue;
      const auto near = suggest(pattern, known);
      throw UsageError(fmt::format("{} has no column '{}'", run_, pattern),
                       near ? fmt::format("did you mean '{}'?", *near)
                            : fmt::format("it has {}", fmt::join(known, ", ")));
    }
    return patterns_.empty() ? columns_like(recording, "*") : columns;
  }

  std::string run_, output_ = "-", title_;
  std::vector<std::string> patterns_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_plot() { return std::make_unique<Plot>(); }

}  // namespace trammel::cli
