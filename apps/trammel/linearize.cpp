// How does it move near a state? x' = A x + B u, and what that means: frequencies and damping.
#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <numbers>

#include <fmt/format.h>

#include "answer.hpp"
#include "command.hpp"
#include "model_options.hpp"
#include "numbers.hpp"
#include "quantities.hpp"
#include "state_options.hpp"
#include "trammel/analyze/equilibrium.hpp"
#include "trammel/analyze/linearize.hpp"

namespace trammel::cli {

namespace {

Answer matrix(const char* part, const Eigen::MatrixXd& values, const std::vector<std::string>& rows,
              const std::vector<std::string>& columns) {
  return {.part = part,
          .shape = Answer::Shape::table,
          .values = values,
          .rows = rows,
          .columns = columns,
          .units = {"1"}};
}

class Linearize final : public Command {
 public:
  void offer(CLI::App& app, Terminal& terminal) override {
    app.description("Motion near a state: x' = A x + B u, eigenvalues, modes.");
    app.footer(
        "trammel linearize @f7 --equilibrium\n"
        "trammel linearize @double_pendulum --matrices --json");
    model_.offer(app);
    state_.offer(app);
    app.add_flag("--equilibrium", equilibrium_, "go to where it rests first, from the state");
    app.add_flag("--matrices", matrices_, "print A, B, C, D too (JSON always has them)");
    terminal.offer(app);
  }

  Exit run(Terminal& terminal) override {
    const Model model = model_.load(terminal);
    const Situation situation = state_.situation(model);
    Workspace workspace(model);
    State state = situation.state;
    if (equilibrium_) expect_ok(equilibrium(model, state, situation.inputs(), workspace));
    Linearization found;
    expect_ok(linearize(model, state, situation.inputs(), workspace, found));
    if (found.acceleration > 1e-6)
      terminal.note(fmt::format(
          "warning: it accelerates here, with up to {:.3g}: eigenvalues tell of motions about an "
          "equilibrium (--equilibrium finds one)",
          found.acceleration));
    terminal.answer(terminal.wants_json() ? json(model, state, found).dump(2) + "\n"
                                          : text(model, state, found, terminal));
    return Exit::done;
  }

 private:
  static Answers matrices(const Linearization& found) {
    return {matrix("A", found.A, found.states, found.states),
            matrix("B", found.B, found.states, found.inputs),
            matrix("C", found.C, found.outputs, found.states),
            matrix("D", found.D, found.outputs, found.inputs)};
  }

  std::string text(const Model& model, const State& state, const Linearization& found,
                   const Terminal& terminal) const {
    std::string out = terminal.heading("state") + "\n";
    for (int k = 0; k < model.nq(); ++k)
      out += fmt::format("  q.{} = {}\n", model.coordinate_name(k),
                         number_text(state.q[std::size_t(k)]));
    out += terminal.heading("eigenvalues") + " [1/s], frequency [Hz], damping ratio, largest in\n";
    const double largest_of_all =
        found.eigenvalues.size() > 0 ? found.eigenvalues.cwiseAbs().maxCoeff() : 0;
    for (Eigen::Index k = 0; k < found.eigenvalues.size(); ++k) {
      const std::complex<double> value = found.eigenvalues[k];
      if (value.imag() < 0) continue;  // told with its twin
      Eigen::Index largest = 0;
      found.modes.col(k).cwiseAbs().maxCoeff(&largest);
      // what nothing holds has 0, but for rounding
      const double size = std::abs(value) > 1e-5 * largest_of_all ? std::abs(value) : 0;
      out += fmt::format(
          "  {:>14.8g} {}  {:>10.5g}  {:>8.4g}  {}\n", size > 0 ? value.real() : 0.0,
          value.imag() > 0 ? fmt::format("+- {:<14.8g} i", value.imag()) : fmt::format("{:19}", ""),
          value.imag() / (2 * std::numbers::pi), size > 0 ? -value.real() / size : 0.0,
          found.states[std::size_t(largest)]);
    }
    if (!matrices_) return out;
    for (const Answer& answer : matrices(found))
      out += terminal.heading(answer.part) + "\n" + answer_text(answer, std::nullopt);
    return out;
  }

  static Json json(const Model& model, const State& state, const Linearization& found) {
    const auto parts = [](const auto& values, bool imaginary) {
      Json list = Json::array();
      for (Eigen::Index k = 0; k < values.size(); ++k)
        list.push_back(number_json(imaginary ? values[k].imag() : values[k].real()));
      return list;
    };
    Json out{{"model", model.name()},
             {"q", state.q},
             {"v", state.v},
             {"acceleration", number_json(found.acceleration)},
             {"eigenvalues",
              {{"real", parts(found.eigenvalues, false)},
               {"imaginary", parts(found.eigenvalues, true)}}}};
    Json modes = Json::array();
    for (Eigen::Index k = 0; k < found.modes.cols(); ++k)
      modes.push_back({{"real", parts(Eigen::VectorXcd(found.modes.col(k)), false)},
                       {"imaginary", parts(Eigen::VectorXcd(found.modes.col(k)), true)}});
    out["modes"] = modes;
    for (const Answer& answer : matrices(found)) out[answer.part] = answer_json(answer);
    return out;
  }

  ModelOptions model_;
  StateOptions state_;
  bool equilibrium_ = false, matrices_ = false;
};

}  // namespace

std::unique_ptr<Command> make_linearize() { return std::make_unique<Linearize>(); }

}  // namespace trammel::cli
