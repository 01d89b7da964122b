// `trammel simulate`: motion over time from the model's start or a given state, into files.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "command.hpp"
#include "endings.hpp"
#include "files.hpp"
#include "interrupt.hpp"
#include "model_options.hpp"
#include "motion_options.hpp"
#include "motion_page.hpp"
#include "program.hpp"
#include "progress.hpp"
#include "run_files.hpp"
#include "run_journal.hpp"
#include "run_summary.hpp"
#include "run_watch.hpp"
#include "structure.hpp"
#include "trammel/constraint/mobility/blocking_constraints.hpp"
#include "trammel/simulate/checks/audit.hpp"
#include "trammel/simulate/recorder.hpp"
#include "trammel/write/model/toml.hpp"
#include "trammel/write/plot/animation.hpp"
#include "trammel/write/report/run_report.hpp"

namespace trammel::cli {

namespace {

class Simulate final : public Command {
 public:
  void offer(CLI::App& app, Terminal& terminal) override {
    app.description("Simulate the motion over time; write a table and an animated page.");
    app.footer(
        "trammel simulate @double_pendulum --duration 10 -o run.csv --report run.html\n"
        "trammel simulate @four_bar --duration 4 -o four_bar.gif");
    model_.offer(app);
    run_.offer(app);
    motion_.offer(app);
    threads_.offer(app);
    offer_repeated(app, "-o,--output", outputs_, "FILE",
                   "write the run: recorded columns (.csv), everything (.h5), summary (.json), an "
                   "animation (.gif), a video (.webm, by Chromium); may be repeated");
    app.add_option("--report", report_, "write an animated page with plots (.html)")
        ->type_name("FILE");
    journal_.offer(app);
    app.add_flag("--force", force_, "overwrite files that are there");
    terminal.offer(app);
  }

  Exit run(Terminal& terminal) override {
    motion_.check();
    threads_.check();
    motion_.use(threads_);
    // output files are checked before a long run
    expect_free(outputs_, force_, true);
    expect_ending(report_, "--report", {".html", ".htm"});
    if (!report_.empty()) expect_free(report_, force_);
    journal_.choose(outputs_, force_);
    std::vector<NamedFile> written = named("-o", outputs_);
    written.push_back({"--report", report_});
    written.push_back({"the journal", journal_.path()});
    expect_distinct(written, {{"the model", model_.path()}, {"--state", motion_.state_file()}});
    const Model model = model_.load(terminal);
    expect_distinct(written, files_of(model));
    StateAndInputs state_and_inputs = motion_.state_and_inputs(model);
    motion_.warn_about_angles(model, terminal);
    const SimulationInputs run_inputs = motion_.run_inputs(model, state_and_inputs);
    motion_.set_prescribed_state(model, run_inputs, state_and_inputs);
    warn_about_mobility(model, state_and_inputs.state, terminal);
    Recorder recorder(model, run_inputs, run_.recorded(model));
    const RunMetadata metadata = this->metadata(model, state_and_inputs, recorder.recording());
    const Interrupt interrupt;
    const bool has_animation = std::ranges::any_of(outputs_, is_animation),
               has_page = !report_.empty() || std::ranges::any_of(outputs_, is_video);
    journal_.open(metadata, has_page || has_animation, terminal);

    Workspace workspace = threads_.workspace(model);
    Audit audit(model, run_inputs);
    std::optional<RunReport> page;
    if (has_page) page.emplace(model, run_inputs);
    std::optional<Animation> animation;
    if (has_animation) animation.emplace(model, metadata.start.time, metadata.options.duration);
    RunRecord record;
    record.metadata = metadata;
    if (journal_.before()) {
      record = journal_.before()->run;
      // limit of this run, not of the interrupted one
      record.metadata.options.wall_limit = metadata.options.wall_limit;
      if (journal_.from() != nullptr || journal_.has_ended()) audit.go_on_from(record.audit);
      for (const State& seen : journal_.before()->states) {
        if (page)
          if (const Status drawn = page->observe(seen, workspace); !drawn)
            throw WorkFailed(drawn.message());
        if (animation)
          if (const Status drawn = animation->observe(seen, workspace); !drawn)
            throw WorkFailed(drawn.message());
      }
    }
    if (!journal_.has_ended())
      follow({model, run_inputs, workspace, recorder, audit, page, animation}, terminal, record);
    if (journal_.is_left()) {
      terminal.complain(record.stopped, journal_.what_next());
      return record.statistics.is_interrupted ? exit_of_interrupted() : Exit::failed;
    }
    if (!record.is_complete && record.recording.samples() == 0) {  // it never began
      journal_.discard();
      throw WorkFailed(record.stopped);
    }

    // a run that stopped early is written, too
    try {
      const auto made_page = [&] { return page_text(model, *page, audit, record, terminal); };
      RunPictures pictures;
      if (animation) pictures.animation = &*animation;
      if (page) pictures.page = made_page;
      write_run(record, outputs_, force_, terminal, pictures);
      if (!report_.empty()) write_file(report_, made_page(), force_, terminal);
    } catch (const WorkFailed& error) {
      if (!journal_.is_open()) throw;
      terminal.complain(error.what(), journal_.what_next());
      return Interrupt::has_come() ? exit_of_interrupted() : Exit::failed;
    }
    journal_.close();
    if (const std::string warning = energy_warning(record); !warning.empty())
      terminal.note(warning);
    if (const std::string warning = run_.sampling_warning(model, record); !warning.empty())
      terminal.note(warning);
    if (std::ranges::find(outputs_, "-") == outputs_.end())
      terminal.answer(terminal.wants_json() ? json_text(summary_json(record))
                                            : summary_text(record));
    if (!record.is_complete) {
      const bool is_interrupted = record.statistics.is_interrupted;
      terminal.complain(record.stopped, is_interrupted ? what_is_kept() : "");
      return is_interrupted ? exit_of_interrupted() : Exit::failed;
    }
    return Exit::done;
  }

 private:
  struct Watched {
    const Model& model;
    const SimulationInputs& run_inputs;
    Workspace& workspace;
    Recorder& recorder;
    Audit& audit;
    std::optional<RunReport>& page;
    std::optional<Animation>& animation;
  };

  // Runs from the start, or from the last checkpoint of the journal. `record` holds the part before
  // it and then the whole run.
  void follow(const Watched& watched, Terminal& terminal, RunRecord& record) {
    const Model& model = watched.model;
    const SimulationInputs& run_inputs = watched.run_inputs;
    Workspace& workspace = watched.workspace;
    Recorder& recorder = watched.recorder;
    Audit& audit = watched.audit;
    std::optional<RunReport>& page = watched.page;
    RunOptions options = record.metadata.options;
    State state = record.metadata.start;
    const double spent_before = record.seconds;
    const auto begin = std::chrono::steady_clock::now();
    const auto progress = [&](const RunStatistics& statistics) {
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
      return RunProgress{statistics, audit.numbers(), spent_before + spent.count()};
    };
    Progress line("simulate", state.time, options.duration, terminal);
    if (journal_.from() != nullptr) line.go_on_from(journal_.from()->state.time);
    RunWatch watch("simulate", options, state.time, terminal, [&] { line.end(); });
    options.each_step = std::ref(watch);
    Checkpoints checkpoints{.from = journal_.from()};
    if (journal_.is_open()) {
      checkpoints.is_due = [&] { return journal_.is_due(); };
      checkpoints.keep = [&](const Checkpoint& now) {
        if (journal_.is_newly_removed()) {
          line.end();
          terminal.note(
              "warning: the journal was removed while the run goes on: it cannot be resumed if it "
              "is killed; its files are written at the end all the same");
        }
        recorder.forget();  // the journal has these samples
        return journal_.keep(progress(now.statistics), now);
      };
    }
    RunStatistics statistics;
    const Status status = motion_.follow()(
        model, state, run_inputs, options, workspace,
        [&](const trammel::RunSnapshot& seen) {
          line.reach(seen.state.time);
          if (Status recorded = recorder.observe(seen); !recorded) return recorded;
          if (journal_.is_open()) journal_.observe(seen.state, recorder.last());
          if (page)
            if (Status drawn = page->observe(seen); !drawn) return drawn;
          if (watched.animation)
            if (Status drawn = watched.animation->observe(seen); !drawn) return drawn;
          return audit.observe(seen);
        },
        statistics, checkpoints);
    line.end();
    const RunProgress end = progress(statistics);
    record.stopped = status.message();
    record.statistics.is_interrupted = statistics.is_interrupted;
    if (statistics.is_interrupted && journal_.is_open()) journal_.leave();
    if (journal_.is_left()) return;
    if (journal_.is_open()) {
      if (const Status recorded = journal_.finish(end, status.message()); !recorded)
        record.stopped = recorded.message();
      else
        record = journal_.record();
      return;
    }
    record.recording = recorder.recording();
    record.end = state;
    record.statistics = end.statistics;
    record.audit = end.audit;
    record.seconds = end.seconds;
    record.is_complete = status.ok();
  }

  // hint for an interrupted run without a journal
  std::string what_is_kept() const {
    return outputs_.empty() && report_.empty()
               ? "nothing of it is stored: with -o FILE or --journal FILE an interrupted run can "
                 "be resumed"
               : "the recording up to there is written; it cannot be resumed without a journal";
  }

  std::string page_text(const Model& model, const RunReport& page, const Audit& audit,
                        const RunRecord& record, const Terminal& terminal) const {
    return motion_page(model,
                       page.finish(record.recording, audit, record.metadata.options,
                                   record.statistics, record.stopped),
                       model_, terminal);
  }

  RunMetadata metadata(const Model& model, const StateAndInputs& state_and_inputs,
                       const Recording& recording) const {
    RunMetadata metadata;
    for (const char c : version_text())
      metadata.program += c == '\n' ? std::string("; ") : std::string(1, c);
    metadata.program.resize(metadata.program.size() - 2);
    metadata.model_name = model.name();
    metadata.model_text = write_toml(model.description());
    metadata.has_loops = model.has_constraints();
    metadata.mode = motion_.mode();
    metadata.options = run_.options(model);
    metadata.start = state_and_inputs.state;
    const auto add = [&](const std::string& name, const std::vector<double>& efforts,
                         auto name_of) {
      for (std::size_t f = 0; f < efforts.size(); ++f)
        if (efforts[f] != 0)
          metadata.acting.emplace_back(name + name_of(int(f)), fmt::format("{}", efforts[f]));
    };
    add("tau.", state_and_inputs.tau, [&](int f) { return model.dof_name(f); });
    add("loop_tau.", state_and_inputs.loop_tau, [&](int f) { return model.closure_dof_name(f); });
    for (std::size_t k = 0; k < state_and_inputs.wrenches.size(); ++k) {
      const auto& [at, F, axes] = state_and_inputs.wrenches[k];
      const auto& [p, m, f] = std::tie(at.X_UA.p, F.moment, F.force);
      metadata.acting.emplace_back(fmt::format("wrench.{}.{}", k + 1, model[at.body].name),
                                   fmt::format("moment {} {} {} force {} {} {} at {} {} {}", m.x,
                                               m.y, m.z, f.x, f.y, f.z, p.x, p.y, p.z));
    }
    metadata.columns = recording.columns;
    return metadata;
  }

  // warns if the mechanism cannot move, or if the digits of the model leave its rank undecided
  void warn_about_mobility(const Model& model, const State& state, const Terminal& terminal) const {
    Workspace workspace = threads_.workspace(model);
    for (const std::string& text : undecided_rows(model, state, workspace))
      terminal.note("warning: " + text);
    std::vector<std::string> blocked_by;
    if (!blocking_constraints(model, state, workspace, blocked_by).ok() || blocked_by.empty())
      return;
    terminal.note("warning: " + blocked_text(blocked_by));
  }

  ModelOptions model_;
  RunChoices run_;
  MotionOptions motion_;
  ThreadsOption threads_;
  RunJournal journal_;
  std::vector<std::string> outputs_;
  std::string report_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_simulate() { return std::make_unique<Simulate>(); }

}  // namespace trammel::cli
