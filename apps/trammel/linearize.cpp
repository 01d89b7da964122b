// How does it move near a state? x' = A x + B u, and what that means: frequencies and damping.
#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <numbers>

#include <fmt/format.h>

#include "answer.hpp"
#include "command.hpp"
#include "files.hpp"
#include "model_options.hpp"
#include "numbers.hpp"
#include "quantities.hpp"
#include "state_options.hpp"
#include "trammel/analyze/equilibrium.hpp"
#include "trammel/analyze/linearize.hpp"
#include "trammel/write/mode_report.hpp"

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
        "trammel linearize @y_73 --matrices --report weave.html");
    model_.offer(app);
    state_.offer(app);
    app.add_flag("--equilibrium", equilibrium_, "go to where it rests first, from the state");
    app.add_flag("--matrices", matrices_, "print A, B, C, D too (JSON always has them)");
    app.add_option("--report", report_, "write a page in which one mode moves into this file")
        ->type_name("FILE");
    app.add_option("--mode", mode_, "which, counted from 1 as they are told; the first that swings")
        ->type_name("NUMBER");
    app.add_flag("--force", force_, "overwrite files that are there");
    terminal.offer(app);
  }

  Exit run(Terminal& terminal) override {
    if (!report_.empty()) expect_free(report_, force_);
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
    if (!report_.empty())
      write_file(report_, report_page(model, page_of_a_mode(model, state, found, workspace)),
                 force_, terminal);
    terminal.answer(terminal.wants_json() ? json(model, state, found).dump(2) + "\n"
                                          : text(model, state, found, terminal));
    return Exit::done;
  }

 private:
  // Those that are told: of a pair only the one that swings forward.
  static std::vector<Eigen::Index> told(const Linearization& found) {
    std::vector<Eigen::Index> list;
    for (Eigen::Index k = 0; k < found.eigenvalues.size(); ++k)
      if (!(found.eigenvalues[k].imag() < 0)) list.push_back(k);
    return list;
  }
  MotionReport page_of_a_mode(const Model& model, const State& state, const Linearization& found,
                              Workspace& workspace) const {
    const std::vector<Eigen::Index> list = told(found);
    std::size_t which = 0;
    if (!mode_.empty()) {
      const double said = number(mode_, "--mode");
      if (!(said >= 1 && said <= double(list.size())))
        throw UsageError(fmt::format("option --mode is {}", mode_),
                         fmt::format("there are {} modes", list.size()));
      which = std::size_t(said) - 1;
    } else {
      const double largest = found.eigenvalues.cwiseAbs().maxCoeff();
      while (which + 1 < list.size() && found.eigenvalues[list[which]].imag() < 1e-5 * largest)
        ++which;
    }
    const std::complex<double> eigenvalue = found.eigenvalues[list[which]];
    if (std::abs(eigenvalue) < 1e-5 * found.eigenvalues.cwiseAbs().maxCoeff())
      throw WorkFailed(
          fmt::format("mode {} has the eigenvalue 0: nothing holds it, it goes on as it is; draw "
                      "another --mode",
                      which + 1));
    const Eigen::VectorXcd shape =
        found.C.topRows(model.nv()).cast<std::complex<double>>() * found.modes.col(list[which]);
    return mode_report(model, state, shape, eigenvalue, workspace);
  }

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
  std::string report_, mode_;
  bool equilibrium_ = false, matrices_ = false, force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_linearize() { return std::make_unique<Linearize>(); }

}  // namespace trammel::cli
