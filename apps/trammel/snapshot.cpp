// `trammel snapshot`: a motion as a series of pictures.
#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <numbers>

#include <fmt/format.h>

#include "command.hpp"
#include "endings.hpp"
#include "files.hpp"
#include "model_options.hpp"
#include "motion_options.hpp"
#include "numbers.hpp"
#include "run_watch.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/write/plot/stick_figure.hpp"

namespace trammel::cli {

namespace {

class SnapshotCommand final : public Command {
 public:
  void offer(CLI::App& app, Terminal& terminal) override {
    app.description("Stick figures of a motion at some times, side by side (SVG, PNG).");
    app.footer(
        "trammel snapshot @free_flyer_underactuated_arms --at 0,5,10,20 --view top -o arms.svg\n"
        "trammel snapshot @double_pendulum --every 0.5 --duration 2 -o swing.svg");
    model_.offer(app);
    run_.offer_steps(app);
    motion_.offer(app);
    app.add_option("--at", at_, "times of the pictures [s]: 0,5,10")->type_name("TIMES");
    app.add_option("--every", every_, "interval between pictures [s]")->type_name("TIME");
    app.add_option("--columns", columns_, "pictures per row; default: up to 3")->type_name("N");
    app.add_option(
           "--view", view_,
           "aside, top (against gravity, or z), front or side (level: along y or x where z is up)")
        ->type_name("VIEW");
    app.add_option("-o,--output", output_, "the file to write, .svg or .png; stdout unless given")
        ->type_name("FILE");
    app.add_flag("--force", force_, "overwrite the file if it is there");
    terminal.offer(app, false);
  }

  Exit run(Terminal& terminal) override {
    motion_.check();
    expect_ending(output_, "-o", {".svg", ".png"});
    if (output_ != "-") expect_free(output_, force_);
    expect_distinct({{"-o", output_}},
                    {{"the model", model_.path()}, {"--state", motion_.state_file()}});
    const Model model = model_.load(terminal);
    RunOptions options = run_.options(model);
    const std::vector<double> times = times_of(options.duration);
    const int in_a_row = columns(times.size());
    StickFigureOptions look{.names = false, .faces_flat = true, .colors = true};
    if (in_a_row > 2) look.width = 460, look.height = 380;
    look_from(look);
    StateAndInputs state_and_inputs = motion_.state_and_inputs(model);
    const SimulationInputs run_inputs = motion_.run_inputs(model, state_and_inputs);
    motion_.set_prescribed_state(model, run_inputs, state_and_inputs);
    Workspace workspace(model);
    State state = state_and_inputs.state;
    const double start = state.time;
    std::vector<Snapshot> pictures;
    const auto draw = [&](const trammel::RunSnapshot& seen) {
      if (pictures.size() == times.size() || seen.state.time != start + times[pictures.size()])
        return Status();
      Snapshot picture{Kinematics(seen.model), fmt::format("t = {:g} s", times[pictures.size()])};
      const Status status =
          kinematics(seen.model, seen.state, {}, seen.workspace, picture.kinematics);
      pictures.push_back(std::move(picture));
      return status;
    };
    // one run, so that events persist; it ends at the last picture
    RunStatistics statistics;
    options.at = times;
    if (times.back() > 0) options.duration = times.back();
    RunWatch watch("snapshot", options, start, terminal);
    options.each_step = std::ref(watch);
    const Status status =
        motion_.follow()(model, state, run_inputs, options, workspace, draw, statistics, {});
    if (pictures.empty())
      throw WorkFailed(status.ok() ? "no picture is left: " + end_of(statistics)
                                   : status.message());
    write_picture(output_, stick_figures(model, pictures, in_a_row, look), force_, terminal);
    if (!status.ok()) {
      terminal.complain(status.message(), "what was up to there is drawn");
      return statistics.is_interrupted ? exit_of_interrupted() : Exit::failed;
    }
    if (pictures.size() < times.size())
      terminal.note(fmt::format("{}: no picture from t = {:g} s on", end_of(statistics),
                                times[pictures.size()]));
    return Exit::done;
  }

 private:
  static std::string end_of(const RunStatistics& statistics) {
    return fmt::format("the run ends at t = {:.9g} s{}", statistics.end,
                       statistics.events.empty() ? "" : ", " + statistics.events.back().what);
  }
  void look_from(StickFigureOptions& look) const {
    const double quarter = std::numbers::pi / 2;
    if (view_ == "aside") return;
    look.faces_flat = false;
    if (view_ == "top")
      look.azimuth = -quarter, look.elevation = quarter;
    else if (view_ == "front")
      look.azimuth = -quarter, look.elevation = 0;
    else if (view_ == "side")
      look.azimuth = 0, look.elevation = 0;
    else
      throw UsageError(fmt::format("option --view is '{}'", view_),
                       "it takes aside, top, front or side");
  }
  int columns(std::size_t pictures) const {
    if (columns_.empty()) return pictures == 4 ? 2 : int(std::min<std::size_t>(pictures, 3));
    const double n = number(columns_, "--columns");
    if (n < 1 || n > 100 || n != int(n))
      throw UsageError(fmt::format("option --columns is '{}'", columns_), "it takes 1 to 100");
    return int(n);
  }
  std::vector<double> times_of(double duration) const {
    std::vector<double> times;
    if (!at_.empty()) {
      for (const std::string& text : split(at_)) {
        times.push_back(number(text, "--at", dimension::time));
        if (times.back() < 0 || (times.size() > 1 && times.back() <= times[times.size() - 2]))
          throw UsageError(fmt::format("option --at is '{}'", at_), "times from 0 on, in order");
      }
      return times;
    }
    const double every = every_.empty() ? duration / 7 : number(every_, "--every", dimension::time);
    if (!(every > 0) || duration / every > 1000)
      throw UsageError(fmt::format("option --every is '{}'", every_),
                       "a time above 0, for at most 1000 pictures");
    for (int k = 0; k * every <= duration * (1 + 1e-12); ++k) times.push_back(k * every);
    return times;
  }

  ModelOptions model_;
  RunChoices run_;
  MotionOptions motion_;
  std::string at_, every_, columns_, output_ = "-", view_ = "aside";
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_snapshot() { return std::make_unique<SnapshotCommand>(); }

}  // namespace trammel::cli
