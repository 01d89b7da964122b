// `trammel info`: bodies, joints, order of q and v, spanning tree and cut joints; topology,
// mobility and actuation.
#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "command.hpp"
#include "endings.hpp"
#include "files.hpp"
#include "model_facts.hpp"
#include "model_options.hpp"
#include "numbers.hpp"
#include "state_options.hpp"
#include "structure.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/write/plot/model_picture.hpp"

namespace trammel::cli {

namespace {

class Info final : public Command {
 public:
  void offer(CLI::App& app, Terminal& terminal) override {
    app.description("Print bodies, joints, order of q and v, spanning tree, cut joints, mobility.");
    app.footer("trammel info arm.urdf\ntrammel info @pendulum --svg pendulum.svg --q pivot=0.5");
    model_.offer(app);
    app.add_option("--svg", svg_,
                   "draw the tree and a stick figure into this file, .svg or .png (- for stdout)")
        ->type_name("FILE");
    state_.offer_position(app);
    threads_.offer(app);
    app.add_flag("--force", force_, "overwrite the picture if it is there");
    format_.offer_digits(app);
    format_.offer_angles(app, "unit of angles in the text: rad or deg (the JSON has rad)");
    terminal.offer(app);
  }

  Exit run(Terminal& terminal) override {
    expect_ending(svg_, "--svg", {".svg", ".png"});
    threads_.check();
    format_.check();
    state_.use(threads_);
    const Model model = model_.load(terminal);
    bool is_together = true;
    const StateAndInputs state_and_inputs = put_together(model, terminal, is_together);
    state_.warn_about_angles(model, terminal);
    if (is_together) {
      report_projection(model, state_and_inputs.state, terminal);
      report_guesses(model, state_and_inputs.state, terminal);
    }
    const Structure structure =
        is_together ? structure_of(model, state_and_inputs.state, threads_, terminal)
                    : Structure{.graph = topology(model)};
    if (!svg_.empty()) {
      Workspace workspace(model);
      Kinematics seen(model);
      const Status status = kinematics(model, state_and_inputs.state, {}, workspace, seen);
      const std::string picture = model_picture(model, status.ok() ? &seen : nullptr);
      if (!status.ok()) terminal.note("no stick figure: " + status.message());
      write_picture(svg_, picture, force_, terminal);
      if (svg_ == "-") return Exit::done;
    }
    terminal.answer(terminal.wants_json() ? json_text(statistics_json(model, structure))
                                          : statistics_text(model, structure, format_, terminal));
    return Exit::done;
  }

 private:
  // positions rounded by hand that were projected onto the constraints
  void report_projection(const Model& model, const State& state, const Terminal& terminal) const {
    const StateAndInputs given = state_.guess(model);
    if (!model.has_constraints() || !given.assembly.targets.empty()) return;
    std::vector<int> coordinates;
    for (const JointId id : given.assembly.keep)
      for (int k = 0; k < model[id].nq; ++k) coordinates.push_back(model[id].q_start + k);
    if (state_.lists_all_positions())
      for (int k = 0; k < model.nq(); ++k) coordinates.push_back(k);
    const std::string list = changes(model, given.state, state, coordinates);
    if (!list.empty())
      terminal.note("note: given positions were changed to close the loops: " + list);
  }
  // differences between the guesses of the model or of --state and the assembled state
  void report_guesses(const Model& model, const State& state, const Terminal& terminal) const {
    if (!model.has_constraints()) return;
    const State given = state_.guess(model).state;
    const std::string list = changes(model, given, state, state_.guessed_coordinates(model));
    if (!list.empty()) terminal.note("note: assembly moved the guesses: " + list);
  }
  static std::string changes(const Model& model, const State& given, const State& state,
                             const std::vector<int>& coordinates) {
    std::string list;
    for (const int k : coordinates) {
      const double before = given.q[std::size_t(k)], now = state.q[std::size_t(k)];
      if (std::abs(now - before) > 1e-9 * (1 + std::abs(before)))
        list += fmt::format("{}{} by {:.3g}", list.empty() ? "" : ", ", model.coordinate_name(k),
                            now - before);
    }
    return list;
  }

  // a model whose loops do not assemble has a description all the same
  StateAndInputs put_together(const Model& model, Terminal& terminal, bool& is_together) const {
    try {
      return state_.state_and_inputs(model);
    } catch (const WorkFailed& failure) {
      terminal.note(std::string("warning: ") + failure.what());
      if (model.has_constraints())
        terminal.note("mobility, drives and arms are not available: the model does not assemble");
      is_together = !model.has_constraints();
      StateAndInputs apart;
      apart.state = start_state(model);
      return apart;
    }
  }

  ModelOptions model_;
  StateOptions state_;
  ThreadsOption threads_;
  NumberFormat format_;
  std::string svg_;
  bool force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_info() { return std::make_unique<Info>(); }

}  // namespace trammel::cli
