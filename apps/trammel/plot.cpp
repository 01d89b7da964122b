// `trammel plot`: columns of a recording as a picture or a page.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "command.hpp"
#include "endings.hpp"
#include "files.hpp"
#include "trammel/base/suggest.hpp"
#include "trammel/write/plot/plot.hpp"
#include "trammel/write/report/overlaid_plots.hpp"
#include "trammel/write/report/recorded_plots.hpp"
#include "trammel/write/report/report.hpp"
#include "trammel/write/run/load_run.hpp"

namespace trammel::cli {

namespace {

class Plot final : public Command {
 public:
  void offer(CLI::App& app, Terminal& terminal) override {
    app.description("Plot columns of recordings: a picture (SVG, PNG) or a page with zoom (HTML).");
    app.footer(
        "trammel plot run.csv 'q.*' -o angles.svg\n"
        "trammel plot run.csv energy.kinetic --x energy.gravity -o exchange.svg");
    app.add_option("RUN", run_, "a recording of trammel simulate (.csv, .h5, .journal)")
        ->type_name("FILE")
        ->option_text("RUN...");
    app.add_option(
           "COLUMN", words_,
           "columns to plot; * matches anything; default: all; further recordings (by their "
           "ending) are drawn over the first")
        ->type_name("COLUMN")
        ->option_text("[COLUMN...]");
    app.add_option("--x", x_, "column of the horizontal axis; default: the time")
        ->type_name("COLUMN");
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
    const std::string ending = ending_of(output_);
    const bool is_page = ending == ".html" || ending == ".htm";
    if (is_page && !x_.empty())
      throw UsageError("option --x is for pictures: a page has the time on its horizontal axis",
                       "-o FILE.svg or -o FILE.png");
    std::vector<NamedFile> read{{"RUN", run_}};
    std::vector<std::string> patterns;
    for (const std::string& word : words_)
      if (is_recording(word))
        read.push_back({"RUN", word});
      else
        patterns.push_back(word);
    expect_distinct({{"-o", output_}}, read);
    std::vector<Recording> recordings;
    for (const NamedFile& file : read) recordings.push_back(load_run(file.path).recording);
    const std::vector<NamedRecording> runs = named(read, recordings);
    const std::vector<std::string> columns = chosen(runs, patterns);
    if (!x_.empty()) expect_column(runs, x_);
    if (is_page)
      write_page(runs, columns, terminal);
    else
      write_picture(output_,
                    stacked_pictures(overlaid_plots(runs, columns, {.title = title_, .x = x_})),
                    force_, terminal);
    if (runs.size() == 2) report_differences(runs, columns, terminal);
    return Exit::done;
  }

 private:
  static bool is_recording(const std::string& word) {
    const std::string ending = ending_of(word);
    return ending == ".csv" || ending == ".h5" || ending == ".hdf5" || ending == ".journal";
  }

  // Runs by the names of their files, without folder and ending if these differ.
  static std::vector<NamedRecording> named(const std::vector<NamedFile>& files,
                                           const std::vector<Recording>& recordings) {
    std::vector<NamedRecording> runs;
    std::set<std::string> stems;
    for (std::size_t k = 0; k < files.size(); ++k) {
      runs.push_back({std::filesystem::path(files[k].path).stem().string(), &recordings[k]});
      stems.insert(runs.back().name);
    }
    for (std::size_t k = 0; k < files.size(); ++k) {
      if (stems.size() < files.size()) runs[k].name = files[k].path;
      if (files.size() == 1) runs[k].name.clear();
    }
    return runs;
  }

  // Names of the columns that match, in the order of the patterns and of the first run.
  std::vector<std::string> chosen(const std::vector<NamedRecording>& runs,
                                  std::vector<std::string> patterns) const {
    if (patterns.empty()) patterns = {"*"};
    std::vector<std::string> columns;
    for (const std::string& pattern : patterns) {
      bool is_found = false;
      for (const NamedRecording& run : runs)
        for (const std::size_t c : columns_like(*run.recording, pattern)) {
          is_found = true;
          if (const std::string& name = run.recording->columns[c].name;
              name != x_ && std::ranges::find(columns, name) == columns.end())
            columns.push_back(name);
        }
      if (!is_found) refuse_column(runs, pattern);
    }
    if (columns.empty())
      throw UsageError("no column is left for the vertical axis",
                       "name one other than that of --x");
    return columns;
  }
  void expect_column(const std::vector<NamedRecording>& runs, const std::string& name) const {
    for (const NamedRecording& run : runs)
      if (std::ranges::find(run.recording->columns, name, &Column::name) ==
          run.recording->columns.end())
        refuse_column({run}, name);
  }
  [[noreturn]] void refuse_column(const std::vector<NamedRecording>& runs,
                                  const std::string& wanted) const {
    std::vector<std::string> known;
    for (const NamedRecording& run : runs)
      for (const Column& column : run.recording->columns) known.push_back(column.name);
    const auto near = suggest(wanted, known);
    const std::string where = runs.size() == 1 && !runs[0].name.empty() ? runs[0].name : run_;
    throw UsageError(runs.size() == 1 ? fmt::format("{} has no column '{}'", where, wanted)
                                      : fmt::format("no recording has a column '{}'", wanted),
                     near ? fmt::format("did you mean '{}'?", *near)
                          : fmt::format("it has {}", fmt::join(known, ", ")));
  }

  void write_page(const std::vector<NamedRecording>& runs, const std::vector<std::string>& columns,
                  Terminal& terminal) const {
    if (const std::string lacks = report_page_lacks(); !lacks.empty())
      terminal.note("the page is a plain one: " + lacks);
    std::string title = title_;
    if (title.empty() && runs.size() == 1) title = std::filesystem::path(run_).filename().string();
    for (const NamedRecording& run : runs)
      if (title_.empty() && runs.size() > 1) title += (title.empty() ? "" : ", ") + run.name;
    if (runs.size() > 1) {
      const Recording joined = joined_recording(runs, columns);
      write_file(output_, plots_page(joined, columns_like(joined, "*"), title), force_, terminal);
      return;
    }
    std::vector<std::size_t> places;
    for (const std::string& name : columns)
      places.push_back(
          std::size_t(std::ranges::find(runs[0].recording->columns, name, &Column::name) -
                      runs[0].recording->columns.begin()));
    write_file(output_, plots_page(*runs[0].recording, places, title), force_, terminal);
  }

  // The largest differences between two runs, as text beside their picture.
  static void report_differences(const std::vector<NamedRecording>& runs,
                                 const std::vector<std::string>& columns,
                                 const Terminal& terminal) {
    constexpr std::size_t most = 12;
    const std::vector<ColumnDifference> found =
        largest_differences(*runs[0].recording, *runs[1].recording, columns);
    for (std::size_t k = 0; k < std::min(found.size(), most); ++k)
      terminal.note(std::isnan(found[k].largest)
                        ? fmt::format("{}: no time lies in both recordings", found[k].column)
                        : fmt::format("{} differs by at most {:.3g}{}, at t = {:.6g} s",
                                      found[k].column, found[k].largest,
                                      found[k].unit == "1" ? "" : " " + found[k].unit,
                                      found[k].time));
    if (found.size() > most)
      terminal.note(
          fmt::format("and {} more columns: name the ones to compare", found.size() - most));
  }

  std::string run_, output_ = "-", title_, x_;
  std::vector<std::string> words_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_plot() { return std::make_unique<Plot>(); }

}  // namespace trammel::cli
