// `trammel check`: validates model files and reports every error with its place.
#include <CLI/CLI.hpp>
#include <memory>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>

#include "answer.hpp"
#include "command.hpp"
#include "model_doubts.hpp"
#include "model_options.hpp"
#include "numbers.hpp"
#include "structure.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/constraint/mobility/blocking_constraints.hpp"
#include "trammel/model/build/names.hpp"
#include "trammel/simulate/checks/described_run.hpp"
#include "trammel/simulate/events/event_values.hpp"
#include "trammel/simulate/inputs/prescribed_start.hpp"
#include "trammel/simulate/recorder.hpp"

namespace trammel::cli {

namespace {

Json diagnostic_json(const Diagnostic& diagnostic) {
  const auto [file, line, column] = diagnostic.place;
  return {{"severity", diagnostic.severity == Severity::error ? "error" : "warning"},
          {"file", file.empty() ? Json(nullptr) : Json(file)},
          {"line", line > 0 ? Json(line) : Json(nullptr)},
          {"column", column > 0 ? Json(column) : Json(nullptr)},
          {"message", diagnostic.message},
          {"hint", diagnostic.hint.empty() ? Json(nullptr) : Json(diagnostic.hint)}};
}

// Assembly of a model with more degrees of freedom takes long.
constexpr int most_dofs = 1000;

class Check final : public Command {
 public:
  void offer(CLI::App& app, Terminal& terminal) override {
    app.description("Validate model files: print every error and warning with its place.");
    app.footer("trammel check arm.toml\ntrammel check *.urdf --base free --json");
    app.add_option("MODEL", paths_, "model files (.toml, .urdf), or @name of the gallery")
        ->type_name("MODEL")
        ->option_text("MODEL...");
    model_.offer_reading(app);
    terminal.offer(app);
  }

  Exit run(Terminal& terminal) override {
    if (paths_.empty()) throw UsageError("no MODEL is given", "a file, or @name of the gallery");
    const ReadOptions options = model_.read_options();
    Json files = Json::array();
    bool all_sound = true;
    for (const std::string& path : paths_) {
      const auto [found, summary, is_sound] = look(path, options);
      all_sound &= is_sound;
      Json list = Json::array();
      for (const Diagnostic& diagnostic : found) {
        list.push_back(diagnostic_json(diagnostic));
        if (!terminal.wants_json()) terminal.answer(terminal.painted(diagnostic, true) + "\n");
      }
      files.push_back({{"file", path}, {"sound", is_sound}, {"diagnostics", list}});
      summaries_.push_back(fmt::format("{}: {}", path, summary));
    }
    if (terminal.wants_json()) terminal.answer(json_text({{"files", files}}));
    for (const std::string& summary : summaries_) {
      if (terminal.wants_json())
        terminal.note(summary);
      else if (!terminal.is_quiet())
        terminal.answer(summary + "\n");
    }
    return all_sound ? Exit::done : Exit::failed;
  }

 private:
  struct Verdict {
    std::vector<Diagnostic> found;
    std::string summary;
    bool is_sound = true;
  };

  // Checks that need the whole model: inconsistent inputs, recorded columns that no run has.
  static void expect_runnable(const Model& model) {
    const SimulationInputs run_inputs(model);
    expect_events(model, run_inputs);
    try {
      std::ignore = run_options(model);       // checks its step
    } catch (const std::invalid_argument&) {  // an unknown method: simulate reports it
    }
    try {
      const Recorder recorder(model, run_inputs, run_record(model));
    } catch (const std::invalid_argument& error) {
      const std::string message = error.what();
      const std::size_t hint = message.find("; ");
      Diagnostics found;
      found.error(model.description().run->place.of("record"), message.substr(0, hint),
                  hint == message.npos ? "" : message.substr(hint + 2));
      throw ModelError(found);
    }
  }
  static void expect_events(const Model& model, const SimulationInputs& run_inputs) {
    Diagnostics found;
    EventValues values(model, run_inputs);
    for (const EventDescription& event : model.description().events) {
      int number = 0;
      const Status status = event.time ? Status() : values.add(event, number);
      if (!status.ok()) found.error(event.place.of("when"), status.message());
    }
    if (found.has_errors()) throw ModelError(found);
  }
  // at the start state of the model
  static void check_flat_wheels(const Model& model, std::vector<Diagnostic>& warnings) {
    if (model.wheels().empty()) return;
    Workspace workspace(model);
    const int flat = flat_wheel(model, start_state(model), workspace);
    if (flat < 0) return;
    const Wheel& wheel = model.wheels()[std::size_t(flat)];
    warnings.push_back(
        {Severity::warning, wheel.place,
         fmt::format("{} lies flat on its floor at the start and cannot roll", wheel.name),
         "raise it: its axis stands across the floor"});
  }

  // A prescribed motion that does not begin at the given start.
  static void check_prescribed_start(const Model& model, State start, const Place& place,
                                     std::vector<Diagnostic>& found) {
    if (model.description().inputs.empty()) return;
    Workspace workspace(model);
    const Status status =
        start_prescribed(model, SimulationInputs(model), start_options(model), start, workspace);
    if (!status) found.push_back({Severity::error, place, "the start: " + status.message(), ""});
  }

  // The start assembles, satisfies the prescribed motions, and something can move.
  static void check_start(const Model& model, std::vector<Diagnostic>& found) {
    if (!model.has_constraints())
      return check_prescribed_start(model, start_state(model),
                                    place_of_start(model.description(), ""), found);
    if (model.nv() > most_dofs) {
      found.push_back({Severity::warning,
                       {},
                       fmt::format("the start is not assembled here: the model has {} degrees of "
                                   "freedom, more than {}",
                                   model.nv(), most_dofs),
                       "trammel info assembles it"});
      return;
    }
    Workspace workspace(model);
    State start;
    if (const Status status = assembled_start(model, workspace, start); !status) {
      const std::string message = status.message();
      found.push_back({Severity::error, place_of_start(model.description(), message),
                       "the start: " + message.substr(message.find(": ") + 2), ""});
      return;
    }
    if (const int f = dof_without_inertia(model, start, workspace); f >= 0) {
      const std::string name = model.dof_name(f);
      const auto joint = model.find_joint(coordinate_named(name, model.description()).joint);
      found.push_back(
          {Severity::warning, joint ? model[*joint].place : Place(),
           fmt::format("nothing resists a motion in which joint '{}' moves: no body that moves "
                       "there has mass or inertia, and no loop constrains it",
                       name),
           "give one of the bodies it moves a mass; without, its acceleration is not determined"});
    }
    for (const std::string& text : undecided_rows(model, start, workspace))
      found.push_back({Severity::warning, place_of_start(model.description(), ""), text, ""});
    std::vector<std::string> blocked_by;
    if (blocking_constraints(model, start, workspace, blocked_by).ok() && !blocked_by.empty())
      found.push_back({Severity::warning, place_of_start(model.description(), ""),
                       blocked_text(blocked_by), ""});
    check_prescribed_start(model, start, place_of_start(model.description(), ""), found);
  }
  // place of the first start entry whose joint the message names ("knee = 0.2"), or else of the
  // first start entry
  static Place place_of_start(const Description& description, const std::string& message) {
    const Place* first = nullptr;
    for (const auto* starts : {&description.start_positions, &description.start_velocities,
                               &description.position_guesses, &description.velocity_guesses})
      for (const StartDescription& start : *starts) {
        if (message.find(start.joint + " = ") != message.npos) return start.place;
        if (first == nullptr) first = &start.place;
      }
    return first ? *first : Place();
  }

  static Verdict look(const std::string& path, const ReadOptions& options) {
    try {
      const Model model = load_model(path, options);
      expect_runnable(model);
      std::vector<Diagnostic> warnings(model.warnings().begin(), model.warnings().end());
      const std::size_t before = warnings.size();
      check_flat_wheels(model, warnings);
      const bool lies_flat = warnings.size() > before;
      warn_about_model(model, warnings);
      if (!lies_flat) check_start(model, warnings);
      if (!warnings.empty() && warnings.back().severity == Severity::error)
        return {warnings,
                warnings.size() > 1
                    ? "1 mistake, " + counted(warnings.size() - 1, "warning", "warnings")
                    : "1 mistake",
                false};
      std::string summary = fmt::format(
          "sound: {}, {}, nq {}, nv {}", counted(model.named_bodies().size() - 1, "body", "bodies"),
          counted(model.joints().size(), "joint", "joints"), model.nq(), model.nv());
      if (!warnings.empty()) summary += ", " + counted(warnings.size(), "warning", "warnings");
      return {warnings, summary};
    } catch (const ModelError& error) {
      const std::vector<Diagnostic>& list = error.diagnostics().list();
      const auto errors =
          std::size_t(std::ranges::count(list, Severity::error, &Diagnostic::severity));
      std::string summary = counted(errors, "mistake", "mistakes");
      if (list.size() > errors)
        summary += ", " + counted(list.size() - errors, "warning", "warnings");
      return {list, summary, false};
    }
  }

  ModelOptions model_;
  std::vector<std::string> paths_, summaries_;
};

}  // namespace

std::unique_ptr<Command> make_check() { return std::make_unique<Check>(); }

}  // namespace trammel::cli
