// `trammel eval`: any number of quantities at one state.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "command.hpp"
#include "followers.hpp"
#include "left_out.hpp"
#include "model_options.hpp"
#include "numbers.hpp"
#include "quantities.hpp"
#include "structure.hpp"
#include "trammel/base/suggest.hpp"
#include "trammel/constraint/assembly/start_velocities.hpp"
#include "trammel/constraint/equations/loop_motion.hpp"
#include "trammel/constraint/mobility/mobility.hpp"
#include "trammel/constraint/rank/row_condition.hpp"
#include "trammel/constraint/solver/constrained_dynamics.hpp"
#include "trammel/model/units.hpp"

namespace trammel::cli {

namespace {

class Eval final : public Command {
 public:
  void offer(CLI::App& app, Terminal& terminal) override {
    app.description("Quantities at one state: forces, accelerations, matrices, energies, ...");
    app.footer(
        "trammel eval arm.urdf inverse_dynamics --q 0.1,0.2 --a shoulder=1\n"
        "trammel eval @pendulum jacobian energy --at tip --q pivot=pi/6 --json");
    model_.offer(app);
    app.add_option("QUANTITY", names_, "quantities to compute; without any, lists them")
        ->type_name("QUANTITY")
        ->option_text("[QUANTITY...]");
    state_.offer(app);
    app.add_option("--at", at_, "a body or frame, and a point in its axes: tool:0.1,0,0")
        ->type_name("PLACE");
    app.add_option("--frame", frame_, "axes of quantities at a place: body or world")
        ->type_name("AXES");
    app.add_option("--solver", solver_,
                   "constraint solver: automatic, schur, star, cluster, null_space, kkt or sparse")
        ->type_name("SOLVER");
    app.add_option("--stress-length", stress_length_,
                   "length that scales moments in the minimum norm of reactions that are not "
                   "unique")
        ->type_name("LENGTH");
    offer_repeated(app, "--stress-weight", stress_weights_, "JOINT=NUMBER",
                   "weight of a joint in that norm; default: 1");
    offer_repeated(app, "--follow", follow_, "ROW@PLACE=WRENCH",
                   "force proportional to the multiplier of a constraint row, as friction is: "
                   "per unit of it mx,my,mz,fx,fy,fz, world axes; for sliding_dynamics");
    app.add_option(
           "--independent", independent_,
           "independent joints of orthogonal_complement and minimal_equations: crank,slider")
        ->type_name("JOINTS");
    app.add_flag("--no-inputs", no_inputs_,
                 "leave out the model's inputs, controllers and wrenches without a warning");
    threads_.offer(app);
    format_.offer_digits(app);
    format_.offer_angles(app, "unit of angles in the answers: rad or deg");
    terminal.offer(app);
  }

  Exit run(Terminal& terminal) override {
    if (frame_ != "body" && frame_ != "world")
      throw UsageError(fmt::format("option --frame is '{}'", frame_), "it takes body or world");
    const std::optional<ConstraintSolver> solver = solver_named(solver_);
    if (!solver)
      throw UsageError(fmt::format("option --solver is '{}'", solver_),
                       "it takes automatic, schur, star, cluster, null_space, kkt or sparse");
    format_.check();
    std::vector<const Quantity*> requested;
    for (const std::string& name : names_) requested.push_back(&find_quantity(name));
    for (const Quantity* quantity : requested)
      if (quantity->takes_any("P") && at_.empty())
        throw UsageError(fmt::format("{} needs a place, and none is given", quantity->name),
                         "add --at BODY or --at FRAME");
    threads_.check();
    state_.use(threads_);
    const Model model = model_.load(terminal);
    if (requested.empty()) return list(terminal);

    const StateAndInputs state_and_inputs = state_for(requested, model);
    EvalRequest request{.model = model,
                        .state_and_inputs = state_and_inputs,
                        .workspace = threads_.workspace(model)};
    if (!at_.empty()) request.place = place(model, at_, "--at"), request.place_name = at_;
    request.solver = *solver;
    if (!independent_.empty())
      for (const std::string& name : split(independent_))
        request.independent.push_back(joint(model, name, "--independent"));
    request.stress = stress(model);
    if (!follow_.empty()) request.followers = followers(model, follow_);
    request.axes = frame_ == "body" ? Axes::body : Axes::world;
    request.has_tau = state_.gives("--tau");
    request.has_efforts = request.has_tau || (state_.gives("--wrench") && !state_.gives("--a"));
    warn_unused(requested, terminal);
    state_.warn_about_angles(model, terminal);
    const std::vector<std::string> left_out = left_out_of(requested, request);
    if (!left_out.empty() && !no_inputs_)
      terminal.note(fmt::format(
          "warning: {} {} left out, because only simulate applies them: give efforts and motions "
          "by --tau, --a and --wrench; --no-inputs turns this warning off",
          fmt::join(left_out, ", "), left_out.size() == 1 ? "is" : "are"));
    const Diagnostics outside = check_limits(model, state_and_inputs.state);
    for (const Diagnostic& warning : outside.list()) terminal.report(warning);
    warn_loop_limits(request, terminal);
    const std::optional<double> digits_left = warn_singular(requested, request, terminal);

    Json json{{"model", model.name()}};
    if (terminal.wants_json()) json["state"] = state_json(model, state_and_inputs.state);
    json["solvers"] = json["answers"] = Json::object();
    json["left_out"] = left_out;
    if (digits_left) json["digits"] = number_json(*digits_left);
    const std::vector<double> prescribed_a = prescribed_only(requested, request, terminal);
    Exit exit = Exit::done;
    for (const Quantity* quantity : requested) {
      const std::string name(quantity->name);
      request.taken.reset();
      request.prescribed_a.clear();
      if (answers_accelerations(*quantity, model)) request.prescribed_a = prescribed_a;
      // accelerations that are not given follow from the others
      if (quantity->takes_any("A") && model.has_constraints()) {
        request.prescribed_a = state_and_inputs.a;
        follow_accelerations(model, state_and_inputs.state, state_and_inputs.given_a,
                             state_and_inputs.loop_a, request.workspace, request.prescribed_a);
      }
      Answers answers;
      try {
        answers = quantity->eval(request);
        if (format_.has_degrees())
          for (Answer& answer : answers) answer = with_degrees(std::move(answer));
      } catch (const WorkFailed& failure) {
        if (requested.size() == 1) throw;
        terminal.complain(failure.what());
        json["failed"][name] = failure.what();
        exit = Exit::failed;
        continue;
      }
      if (terminal.wants_json()) {
        json["answers"][name] = answers_json(answers);
        if (request.taken) json["solvers"][name] = to_string(*request.taken);
        continue;
      }
      for (const Answer& answer : answers) print(*quantity, answer, format_.digits(), terminal);
      if (request.taken) terminal.answer("  by the solver '" + to_string(*request.taken) + "'\n");
    }
    if (terminal.wants_json()) terminal.answer(json_text(json));
    return exit;
  }

 private:
  // Whether the quantity depends on efforts: accelerations of places do only if efforts are given.
  static bool takes_efforts(const Quantity& quantity, const EvalRequest& request) {
    return quantity.takes_any("t") && (quantity.name != "accelerations" || request.has_efforts);
  }
  static std::vector<std::string> left_out_of(const std::vector<const Quantity*>& requested,
                                              const EvalRequest& request) {
    bool takes_inputs = false, takes_wrenches = false;
    for (const Quantity* quantity : requested) {
      const bool is_forced = takes_efforts(*quantity, request);
      takes_inputs |= is_forced;
      takes_wrenches |= is_forced || (quantity->takes_any("w") && !quantity->takes_any("t"));
    }
    if (!takes_wrenches) return {};
    return parts_left_out(request.model, takes_inputs ? ActingParts::all : ActingParts::wrenches);
  }
  // On a tree, reactions follow from the given accelerations.
  static bool answers_accelerations(const Quantity& quantity, const Model& model) {
    return quantity.takes_any("a") && (model.has_constraints() || quantity.name != "reactions");
  }
  // Accelerations of --a are an input of some quantities and the result of others. If both kinds
  // are requested together, the latter get only those of joints driven by motion, and a note says
  // so. Empty: every quantity gets all of them.
  static std::vector<double> prescribed_only(const std::vector<const Quantity*>& requested,
                                             const EvalRequest& request, const Terminal& terminal) {
    std::string answered;
    bool is_meant_for_one = false;
    for (const Quantity* quantity : requested) {
      is_meant_for_one |= quantity->takes_any("A");
      if (answers_accelerations(*quantity, request.model))
        answered += (answered.empty() ? "" : ", ") + std::string(quantity->name);
    }
    std::vector<double> a = request.state_and_inputs.a;
    std::string given;
    for (int f = 0; f < request.model.nv(); ++f) {
      if (a[std::size_t(f)] == 0 || request.model.prescription(f) == Drive::motion) continue;
      a[std::size_t(f)] = 0;
      given += fmt::format("{}'{}'", given.empty() ? "" : ", ", request.model.dof_name(f));
    }
    if (!is_meant_for_one || answered.empty() || given.empty()) return {};
    terminal.note(
        fmt::format("note: {}: the accelerations of {} result from the efforts there, --a does not "
                    "apply to them",
                    answered, given));
    return a;
  }
  // the search for assembly branches starts from a guess, which need not satisfy the constraints
  StateAndInputs state_for(const std::vector<const Quantity*>& requested,
                           const Model& model) const {
    const auto is_search = [](const Quantity* quantity) { return quantity->name == "branches"; };
    if (!std::ranges::all_of(requested, is_search)) return state_.state_and_inputs(model);
    try {
      return state_.state_and_inputs(model);
    } catch (const WorkFailed&) { return state_.guess(model); }
  }

  // of loop joints; their positions need a state that satisfies the constraints, and a quantity
  // that needs one reports its absence itself
  static void warn_loop_limits(EvalRequest& request, const Terminal& terminal) {
    LoopMotion motion;
    if (!loop_motion(request.model, request.state_and_inputs.state, request.workspace, motion).ok())
      return;
    const Diagnostics outside = check_loop_limits(request.model, motion);
    for (const Diagnostic& warning : outside.list()) terminal.report(warning);
  }
  StressWeights stress(const Model& model) const {
    StressWeights out;
    if (!stress_length_.empty()) {
      out.length = number(stress_length_, "--stress-length", dimension::length);
      if (!(out.length > 0))
        throw UsageError(fmt::format("option --stress-length is '{}'", stress_length_),
                         "it takes a length above 0");
    }
    for (const NamedTexts& description : named_texts(stress_weights_)) {
      if (description.name.empty() || description.values.size() != 1)
        throw UsageError("option --stress-weight takes joint=number",
                         "for example --stress-weight elbow=0.5");
      const JointId id = joint(model, description.name, "--stress-weight");
      const double weight = number(description.values[0], "--stress-weight");
      if (!(weight > 0))
        throw UsageError(fmt::format("option --stress-weight is '{}={}'", description.name,
                                     description.values[0]),
                         "it takes a number above 0");
      out.joints.resize(model.joints().size(), 1.0);
      out.joints[std::size_t(index(id))] = weight;
    }
    return out;
  }
  static JointId joint(const Model& model, const std::string& name, const char* option) {
    if (const auto id = model.find_joint(name)) return *id;
    std::vector<std::string> known;
    for (const NamedJoint& each : model.joints()) known.push_back(each.name);
    const auto near = suggest(name, known);
    throw UsageError(
        fmt::format("option {} names '{}', but no joint has that name", option, name),
        near ? fmt::format("did you mean '{}'?", *near) : "trammel info MODEL lists the joints");
  }

  // an option that has no effect is reported
  void warn_unused(const std::vector<const Quantity*>& requested, const Terminal& terminal) const {
    const std::pair<const char*, const char*> options[] = {{"--v", "v"},
                                                           {"--a", "aA"},
                                                           {"--tau", "t"},
                                                           {"--wrench", "w"},
                                                           {"--ground-velocity", "g"},
                                                           {"--ground-acceleration", "g"},
                                                           {"--at", "pP"},
                                                           {"--solver", "r"},
                                                           {"--stress-length", "s"},
                                                           {"--stress-weight", "s"},
                                                           {"--follow", "f"}};
    for (const auto& [option, letters] : options) {
      const bool is_given = option == std::string("--at")              ? !at_.empty()
                            : option == std::string("--solver")        ? solver_ != "automatic"
                            : option == std::string("--stress-length") ? !stress_length_.empty()
                            : option == std::string("--stress-weight") ? !stress_weights_.empty()
                            : option == std::string("--follow")        ? !follow_.empty()
                                                                       : state_.gives(option);
      const auto uses = [takes = letters](const Quantity* quantity) {
        return quantity->takes_any(takes);
      };
      if (is_given && std::ranges::none_of(requested, uses))
        terminal.note(fmt::format("warning: {} has no effect on these quantities", option));
    }
  }

  // At a bifurcation the accelerations are defined, but they do not determine the branch the motion
  // follows. The search for branches takes small steps along every motion: for large models only
  // `info` does it. Returns the digits that forces and accelerations keep there, if any of these
  // are requested.
  static std::optional<double> warn_singular(const std::vector<const Quantity*>& requested,
                                             EvalRequest& request, const Terminal& terminal) {
    const auto is_forced = [&](const Quantity* quantity) {
      return takes_efforts(*quantity, request);
    };
    const auto depends = [&](const Quantity* quantity) {
      return is_forced(quantity) || quantity->takes_any("A");
    };
    const Model& model = request.model;
    if (!model.has_constraints() || std::ranges::none_of(requested, depends)) return {};
    double digits = 0;
    if (!remaining_digits(model, request.state(), request.workspace, digits).ok()) return {};
    Mobility found;
    if (model.nv() <= 60 && std::ranges::any_of(requested, is_forced) &&
        mobility(model, request.state(), request.workspace, found).ok())
      report_verdict(found, terminal);
    const std::vector<std::string> undecided =
        undecided_rows(model, request.state(), request.workspace);
    for (const std::string& text : undecided) terminal.note("warning: " + text);
    if (digits < few_digits && undecided.empty())
      terminal.note(fmt::format(
          "warning: the rows of the constraints are nearly dependent at this pose: as few as "
          "{:.0f} "
          "digits may be left in accelerations, efforts and reactions; move away from the singular "
          "pose",
          std::floor(digits)));
    return digits;
  }
  static void report_verdict(const Mobility& found, const Terminal& terminal) {
    if (found.verdict == Mobility::Verdict::regular) return;
    if (found.verdict == Mobility::Verdict::nearly_overconstrained)
      return terminal.note(
          fmt::format("warning: nearly overconstrained: {}, but {} with {}; the result depends on "
                      "the last digits of its lengths",
                      counted(std::size_t(found.finite), "degree of freedom", "degrees of freedom"),
                      found.finite_nearby, change_text(found.lengths.front())));
    const char* next = found.verdict == Mobility::Verdict::bifurcation
                           ? "start near it to follow one branch"
                       : found.finite == 0 ? "it locks at once"
                                           : "the others lock at once";
    terminal.note(fmt::format(
        "warning: the pose is singular ({}): instantaneously {}, of which {} to a finite motion; "
        "{}",
        to_string(found.verdict),
        counted(std::size_t(found.instantaneous), "degree of freedom", "degrees of freedom"),
        found.finite == 0 ? "none leads" : counted(std::size_t(found.finite), "leads", "lead"),
        next));
  }

  static Json state_json(const Model& model, const State& state) {
    return {
        {"time", state.time},
        {"position",
         answer_json(list_answer(coordinate_names(model), state.q, position_units(model)))},
        {"velocity", answer_json(list_answer(dof_names(model), state.v, velocity_units(model)))}};
  }

  static void print(const Quantity& quantity, const Answer& answer, std::optional<int> digits,
                    Terminal& terminal) {
    std::string title(quantity.name), about;
    if (!answer.part.empty()) title += " " + answer.part;
    const std::string unit = common_unit(answer).value_or("1");
    if (unit != "1") about += fmt::format(" [{}]", unit);
    if (!answer.frame.empty()) about += fmt::format(", axes: {}", answer.frame);
    terminal.answer(terminal.heading(title) + about + "\n" + answer_text(answer, digits));
  }

  static Exit list(Terminal& terminal) {
    Json json = Json::array();
    for (const Quantity& quantity : quantities()) {
      json.push_back({{"name", quantity.name},
                      {"function", quantity.function},
                      {"meaning", quantity.meaning},
                      {"needs_place", quantity.takes_any("P")}});
      if (!terminal.wants_json())
        terminal.answer(fmt::format("{:<28}  {}{}\n", quantity.name, quantity.meaning,
                                    quantity.takes_any("P") ? " (--at)" : ""));
    }
    if (terminal.wants_json()) terminal.answer(json_text({{"quantities", json}}));
    return Exit::done;
  }

  ModelOptions model_;
  StateOptions state_;
  ThreadsOption threads_;
  std::vector<std::string> names_, stress_weights_, follow_;
  std::string stress_length_;
  std::string at_, frame_ = "world", solver_ = "automatic", independent_;
  NumberFormat format_;
  bool no_inputs_ = false;
};

}  // namespace

std::unique_ptr<Command> make_eval() { return std::make_unique<Eval>(); }

}  // namespace trammel::cli
