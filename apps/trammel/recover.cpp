// `trammel recover`: the files of a run that was killed, from its journal.
#include <CLI/CLI.hpp>
#include <memory>

#include <fmt/format.h>

#include "command.hpp"
#include "files.hpp"
#include "model_options.hpp"
#include "run_files.hpp"
#include "run_summary.hpp"
#include "trammel/write/run/journal.hpp"

namespace trammel::cli {

namespace {

class Recover final : public Command {
 public:
  void offer(CLI::App& app, Terminal& terminal) override {
    app.description("Recover the files of an interrupted run from its journal.");
    app.footer(
        "trammel recover run.csv.journal\n"
        "trammel recover run.csv.journal -o run.h5 -o summary.json");
    app.add_option("JOURNAL", journal_,
                   "journal that trammel simulate wrote while it ran (.journal)")
        ->type_name("FILE")
        ->option_text("JOURNAL");
    offer_repeated(app, "-o,--output", outputs_, "FILE",
                   std::string(run_files_help) + "; default: the journal's name without .journal");
    app.add_flag("--force", force_, "overwrite files that are there");
    terminal.offer(app);
  }

  Exit run(Terminal& terminal) override {
    if (journal_.empty())
      throw UsageError("no JOURNAL is given", "trammel simulate leaves one where it is killed");
    std::vector<std::string> files = outputs_;
    if (files.empty()) {
      if (!journal_.ends_with(".journal"))
        throw UsageError(
            fmt::format("the name '{}' does not end in .journal, so the output file is not known",
                        journal_),
            "add -o run.csv");
      files.push_back(journal_.substr(0, journal_.size() - std::string(".journal").size()));
    }
    expect_free(files, force_);
    expect_distinct(named("-o", files), {{"JOURNAL", journal_}});
    const Journal journal = read_journal(journal_);
    for (const std::string& damage : journal.damage)
      terminal.complain(fmt::format("{}: {}", journal_, damage));
    write_run(journal.run, files, force_, terminal);
    // the data are written, but the exit code and the message tell that the run is not complete
    const Exit exit = journal.has_holes ? Exit::failed : Exit::done;
    if (std::ranges::find(files, "-") != files.end()) return exit;
    if (terminal.wants_json()) {
      Json json = summary_json(journal.run);
      json["damage"] = journal.damage;
      terminal.answer(json_text(json));
    } else {
      terminal.answer(text_of(journal));
    }
    return exit;
  }

 private:
  static std::string text_of(const Journal& journal) {
    const RunRecord& run = journal.run;
    const double end = run.metadata.start.time + run.metadata.options.duration;
    return summary_text(run) +
           fmt::format("up to   {:.9g} s of {:.9g} s: {}\n", run.end.time, end,
                       run.is_complete     ? "the whole run"
                       : journal.has_ended ? run.stopped
                                           : "the run was interrupted; repeat its trammel simulate "
                                             "with --resume to continue");
  }

  std::string journal_;
  std::vector<std::string> outputs_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_recover() { return std::make_unique<Recover>(); }

}  // namespace trammel::cli
