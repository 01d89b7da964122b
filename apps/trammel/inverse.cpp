// `trammel inverse`: inverse dynamics of a vehicle along a path, the four levels of OMNI [Saha
// 1991].
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "command.hpp"
#include "endings.hpp"
#include "files.hpp"
#include "left_out.hpp"
#include "model_options.hpp"
#include "motion_page.hpp"
#include "numbers.hpp"
#include "quantities.hpp"
#include "state_options.hpp"
#include "trajectory_results.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/write/report/recorded_report.hpp"
#include "trammel/write/run/csv.hpp"

namespace trammel::cli {

namespace {

constexpr double degree = std::numbers::pi / 180;

class Inverse final : public Command {
 public:
  void offer(CLI::App& app, Terminal& terminal) override {
    app.description("Drive a vehicle along a path: rates, angles, efforts, simulated errors.");
    app.footer(
        "trammel inverse @caster_vehicle --path round -o torques.csv\n"
        "trammel inverse @six_omni_wheels --path across --limit wheel2=0.01,wheel6=0.025");
    model_.offer(app);
    path_.offer(app);
    app.add_option("--level", level_,
                   "1: rates and accelerations, 2: positions too, 3: efforts of the drives too, 4: "
                   "and a simulation under these; default: 4")
        ->type_name("LEVEL");
    app.add_option("--sample", sample_, "interval between samples [s]; default: 0.05")
        ->type_name("TIME");
    app.add_option("--steps", steps_, "integration steps per sample; default: 4")->type_name("N");
    offer_repeated(app, "--limit", limits_, "DRIVE=EFFORT",
                   "effort limit, from -EFFORT to EFFORT; default: that of the model");
    offer_repeated(app, "--weight", weights_, "DRIVE=NUMBER",
                   "weight of its squared effort if drives are redundant; default: 1");
    app.add_option("--idle", idle_, "drives without effort: switched off, or failed")
        ->type_name("DRIVES");
    app.add_flag("--no-limits", ignores_limits_, "ignore the effort limits of the model");
    app.add_flag("--no-inputs", no_inputs_,
                 "leave out the model's inputs, controllers and wrenches without a warning");
    state_.offer_position(app);
    offer_repeated(app, "-o,--output", outputs_, "FILE",
                   "write all samples as CSV, or the results as JSON (.json); may be repeated");
    app.add_option("--report", report_, "write an animated page with plots (.html)")
        ->type_name("FILE");
    app.add_flag("--force", force_, "overwrite files that are there");
    terminal.offer(app);
  }

  Exit run(Terminal& terminal) override {
    const int level = whole(level_, "--level", 1, 4);
    FollowOptions options{.sample = number(sample_, "--sample", dimension::time),
                          .steps = whole(steps_, "--steps", 1, 1000000),
                          .has_efforts = level >= 3,
                          .allocation = allocation()};
    if (!(options.sample > 0))
      throw UsageError(fmt::format("option --sample is '{}'", sample_), "it takes a time above 0");
    for (const std::string& file : outputs_) {
      expect_ending(file, "-o", {".csv", ".json"});
      expect_free(file, force_);
    }
    expect_ending(report_, "--report", {".html", ".htm"});
    if (!report_.empty()) expect_free(report_, force_);
    std::vector<NamedFile> written = named("-o", outputs_);
    written.push_back({"--report", report_});
    expect_distinct(written, {{"the model", model_.path()}, {"--state", state_.file()}});
    if (!report_.empty() && level < 2)
      throw UsageError("option --report needs positions, which level 1 does not compute",
                       "take --level 2 or more");
    const Model model = model_.load(terminal);
    expect_distinct(written, files_of(model));
    const ChosenPath chosen = path_.choose(model);
    report_rounded_corners(chosen.rounded, terminal);
    TrajectoryResults statistics{.model = model, .chosen = chosen, .level = level};
    if (level >= 3) statistics.left_out = parts_left_out(model);
    if (!statistics.left_out.empty() && !no_inputs_)
      terminal.note(fmt::format(
          "warning: {} {} left out: efforts are those of the mechanism alone along the path "
          "(--no-inputs turns this warning off)",
          fmt::join(statistics.left_out, ", "), statistics.left_out.size() == 1 ? "is" : "are"));
    State state = state_.state_and_inputs(model).state;
    Workspace workspace(model);
    try {
      const Status status = follow_path(model, state, chosen.place, chosen.path, options, workspace,
                                        statistics.trajectory);
      if (!status) throw WorkFailed(status.message() + way_out(model, state, chosen, workspace));
    } catch (const std::invalid_argument& error) {  // an unknown drive
      throw UsageError(error.what());
    }
    if (level == 4) {
      statistics.errors.emplace();
      expect_ok(replay_efforts(model, chosen.place, chosen.path, statistics.trajectory, {},
                               workspace, *statistics.errors));
    }
    bool is_on_stdout = false;
    for (const std::string& file : outputs_) {
      is_on_stdout |= file == "-";
      write_file(file,
                 ending_of(file) == ".json" ? json_text(trajectory_json(statistics))
                                            : write_csv(samples_of(statistics)),
                 force_, terminal);
    }
    if (!report_.empty()) {
      MotionReport page = recorded_report(model, samples_of(statistics));
      page.title = fmt::format("{}: {}", model.name(), chosen.name);
      page.paths = paths_of(statistics);
      write_file(report_, motion_page(model, page, model_, terminal), force_, terminal);
    }
    if (!is_on_stdout)
      terminal.answer(terminal.wants_json() ? json_text(trajectory_json(statistics))
                                            : text(statistics, terminal));
    return Exit::done;
  }

 private:
  static int whole(const std::string& text, const char* option, int least, int most) {
    const double description = number(text, option, dimension::none);
    if (description >= least && description <= most && description == int(description))
      return int(description);
    throw UsageError(fmt::format("option {} is '{}'", option, text),
                     fmt::format("it takes a whole number from {} to {}", least, most));
  }

  // the point with the largest deviation
  static void report_rounded_corners(const std::vector<RoundedCorner>& rounded,
                                     const Terminal& terminal) {
    if (rounded.empty()) return;
    const RoundedCorner& most = *std::ranges::max_element(rounded, {}, &RoundedCorner::deviation);
    terminal.note(
        fmt::format("the points turn {}by {:.3g} deg at t = {:.4g} s; the path is rounded there, "
                    "up to {:.2g} m from the lines between them: more points bring it closer",
                    rounded.size() == 1 ? "" : fmt::format("{} corners, ", rounded.size()),
                    most.angle * 180 / std::numbers::pi, most.time, most.deviation));
  }

  AllocationOptions allocation() const {
    AllocationOptions out;
    out.heeds_model_limits = !ignores_limits_;
    const auto read = [](const std::vector<std::string>& given, const char* option, auto& list) {
      for (const NamedTexts& description : named_texts(given)) {
        if (description.name.empty() || description.values.size() != 1)
          throw UsageError(fmt::format("option {} takes drive=number", option),
                           fmt::format("for example {} left=0.5", option));
        list.emplace_back(description.name, number(description.values[0], option));
      }
    };
    read(limits_, "--limit", out.limits);
    read(weights_, "--weight", out.weights);
    if (!idle_.empty()) out.idle = split(idle_);
    return out;
  }

  // Hints for a vehicle that cannot follow the path.
  static std::string way_out(const Model& model, const State& state, const ChosenPath& chosen,
                             Workspace& workspace) {
    const auto axle = fixed_axle(model, state, chosen.place, workspace);
    if (!axle) return {};
    const auto& [wheel, point, forward] = *axle;
    const double rounding = 1e-9 * model.characteristic_length();
    std::string out;
    if (const double off = std::remainder(forward - chosen.forward, std::numbers::pi);
        std::abs(off) > 1e-6)
      out += fmt::format(
          "; wheel '{}' rolls {:.4g} deg from the x axis of '{}': --forward '{:.4g} "
          "deg' sets this direction",
          wheel, forward / degree, chosen.place_name, forward / degree);
    if (norm(point) > rounding && chosen.place_name.find(':') == std::string::npos) {
      const auto number = [&](double x) { return std::abs(x) < rounding ? 0.0 : x; };
      out += fmt::format(
          "; '{}' is {:.4g} m away from the axle of wheel '{}', and a point on the "
          "axle can turn on the spot: --at {}:{:.6g},{:.6g},{:.6g}",
          chosen.place_name, norm(point), wheel, chosen.place_name, number(point.x),
          number(point.y), number(point.z));
    }
    return out;
  }

  static std::string text(const TrajectoryResults& statistics, const Terminal& terminal) {
    struct Heading {
      std::string_view part;
      const char *text, *note;
    };
    static constexpr Heading headings[] = {
        {"joints", "joints", ""},
        {"rollers", "rollers", ": of wheels with rollers"},
        {"drives", "drives", ""},
        {"errors", "simulated under these efforts", ": desired minus simulated"},
        {"joint_errors", "joints, simulated", ": the same"}};
    std::string out =
        fmt::format("{} along {}: {:.6g} s, {} samples, path error at most {:.2g} m, {:.2g} rad\n",
                    statistics.chosen.place_name, statistics.chosen.name,
                    statistics.chosen.path.duration(), statistics.trajectory.times.size(),
                    statistics.trajectory.position_error, statistics.trajectory.yaw_error);
    for (Answer answer : extremes_of(statistics)) {
      const Heading& heading = *std::ranges::find(headings, answer.part, &Heading::part);
      // a closed path returns to its start except for rounding
      if (answer.part == "joints" || answer.part == "rollers")
        answer.values = (answer.values.array().abs() > 1e-12 * max_abs(answer.values))
                            .select(answer.values, 0.0);
      out += terminal.heading(heading.text) + heading.note + "\n" + answer_text(answer, 6);
    }
    return out;
  }

  ModelOptions model_;
  PathOptions path_;
  StateOptions state_;
  std::string level_ = "4", sample_ = "0.05", steps_ = "4", idle_;
  std::vector<std::string> limits_, weights_, outputs_;
  std::string report_;
  bool ignores_limits_ = false, no_inputs_ = false, force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_inverse() { return std::make_unique<Inverse>(); }

}  // namespace trammel::cli
