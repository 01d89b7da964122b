// How does it move? From the start the model says, or from the state given, into files.
#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "answer.hpp"
#include "command.hpp"
#include "files.hpp"
#include "model_options.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "run_options.hpp"
#include "state_options.hpp"
#include "trammel/simulate/audit.hpp"
#include "trammel/simulate/kinematic.hpp"
#include "trammel/simulate/recorder.hpp"
#include "trammel/simulate/simulate.hpp"
#include "trammel/simulate/static.hpp"
#include "trammel/write/csv.hpp"
#include "trammel/write/run_report.hpp"

namespace trammel::cli {

namespace {

class Simulate final : public Command {
 public:
  void offer(CLI::App& app, Terminal& terminal) override {
    app.description("Motion in time, into a table of numbers and a page to look at.");
    app.footer(
        "trammel simulate @double_pendulum --duration 10 -o run.csv --report run.html\n"
        "trammel simulate @four_bar --duration 2 --record positions,reactions -o -");
    model_.offer(app);
    run_.offer(app);
    state_.offer(app);
    app.add_option("--mode", mode_,
                   "dynamic; kinematic: through its range as the plans say, without forces; or "
                   "static: the same, with what holds it still")
        ->type_name("MODE");
    app.add_option("-o,--output", output_, "write what is recorded into this file, as CSV")
        ->type_name("FILE");
    app.add_option("--report", report_, "write a page into this file: it moves, with plots (.html)")
        ->type_name("FILE");
    app.add_flag("--force", force_, "overwrite files that are there");
    terminal.offer(app);
  }

  Exit run(Terminal& terminal) override {
    if (mode_ != "dynamic" && mode_ != "kinematic" && mode_ != "static")
      throw UsageError(fmt::format("option --mode is '{}'", mode_),
                       "it takes dynamic, kinematic or static");
    for (const std::string& file : {output_, report_})
      if (!file.empty())
        expect_free(file, force_);  // nobody waits for a run that has nowhere to go
    const Model model = model_.load(terminal);
    const Situation situation = state_.situation(model);
    refuse_what_is_not_over_time();
    const RunOptions options = run_.options(model);
    Drives drives(model);
    drive(situation, drives);
    if (mode_ == "static") drives.hold_still();

    Workspace workspace(model);
    Recorder recorder(model, drives, run_.recorded(model));
    Audit audit(model, drives);
    std::optional<RunReport> page;
    if (!report_.empty()) page.emplace(model, drives);
    Progress progress("simulate", situation.state.time, options.duration, terminal);
    State state = situation.state;
    RunFacts facts;
    const auto begin = std::chrono::steady_clock::now();
    const auto follow = mode_ == "kinematic" ? drive_through
                        : mode_ == "static"  ? hold_through
                                             : simulate;
    const Status status = follow(model, state, drives, options, workspace,
                                 [&](const State& seen) {
                                   progress.reach(seen.time);
                                   if (Status kept = recorder.see(seen, workspace); !kept)
                                     return kept;
                                   if (page)
                                     if (Status drawn = page->see(seen, workspace); !drawn)
                                       return drawn;
                                   return audit.see(seen, workspace);
                                 },
                                 facts, {});
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    progress.end();

    // what there is is kept, also of a run that stopped
    if (!output_.empty()) write_file(output_, write_csv(recorder.recording()), force_, terminal);
    if (page) {
      if (const std::string lacks = report_page_lacks(); !lacks.empty())
        terminal.note("the page is a plain one: " + lacks);
      write_file(report_,
                 report_page(model, page->finish(recorder.recording(), audit, options, facts,
                                                 status.message())),
                 force_, terminal);
    }
    if (output_ != "-") {
      const Summary summary{model,        options, facts, audit, recorder.recording().samples(),
                            spent.count()};
      terminal.answer(terminal.wants_json() ? summary_json(summary, status).dump(2) + "\n"
                                            : summary_text(summary));
    }
    if (!status.ok()) {
      terminal.complain(status.message());
      return Exit::failed;
    }
    return Exit::done;
  }

 private:
  struct Summary {
    const Model& model;
    const RunOptions& options;
    const RunFacts& facts;
    const Audit& audit;
    std::size_t samples;
    double seconds;
  };

  void refuse_what_is_not_over_time() const {
    for (const char* option : {"--a", "--ground-velocity", "--ground-acceleration"})
      if (state_.gives(option))
        throw UsageError(fmt::format("option {} says something of one moment", option),
                         "a motion over time is told in the model, as [input.NAME]");
  }
  // efforts and wrenches of the command line act all the time
  static void drive(const Situation& situation, Drives& drives) {
    for (std::size_t f = 0; f < situation.tau.size(); ++f)
      if (situation.tau[f] != 0) drives.push(int(f), Signal::constant(situation.tau[f]));
    for (std::size_t f = 0; f < situation.loop_tau.size(); ++f)
      if (situation.loop_tau[f] != 0)
        drives.push_loop(int(f), Signal::constant(situation.loop_tau[f]));
    for (const Wrench& wrench : situation.wrenches) drives.pull(wrench);
  }

  static std::string summary_text(const Summary& summary) {
    const RunFacts& facts = summary.facts;
    const Audit& audit = summary.audit;
    std::string text = fmt::format(
        "{}: {} steps of {} ({} rejected), {:.3g} to {:.3g} s long, {} samples, {:.3g} s for "
        "{:.6g} s\n",
        summary.model.name(), facts.steps, to_string(summary.options.method), facts.rejected,
        facts.shortest, facts.longest, summary.samples, summary.seconds, facts.end);
    text += fmt::format(
        "energy  {:.9g} J at the start, {} by at most {:.2g} J\n", audit.energy_at_start(),
        audit.must_keep_energy() ? "kept: it differs" : "changes", audit.energy_change());
    if (summary.model.has_constraints())
      text += fmt::format("loops   open by at most {:.2g} m, {:.2g} m/s\n", audit.largest_gap(),
                          audit.largest_gap_rate());
    return text;
  }

  static Json summary_json(const Summary& summary, const Status& status) {
    const RunFacts& facts = summary.facts;
    const Audit& audit = summary.audit;
    Json json{
        {"model", summary.model.name()},
        {"method", to_string(summary.options.method)},
        {"end", facts.end},
        {"is_complete", status.ok()},
        {"steps", facts.steps},
        {"rejected", facts.rejected},
        {"accelerations", facts.slopes},
        {"samples", summary.samples},
        {"seconds", summary.seconds},
        {"energy",
         {{"start", audit.energy_at_start()},
          {"largest_change", audit.energy_change()},
          {"largest_kinetic", audit.largest_kinetic()},
          {"must_be_kept", audit.must_keep_energy()}}},
        {"loops",
         {{"largest_gap", audit.largest_gap()}, {"largest_gap_rate", audit.largest_gap_rate()}}}};
    if (!status.ok()) json["stopped"] = status.message();
    return json;
  }

  ModelOptions model_;
  StateOptions state_;
  RunChoices run_;
  std::string output_, report_, mode_ = "dynamic";
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_simulate() { return std::make_unique<Simulate>(); }

}  // namespace trammel::cli
