// `trammel linearize`: x' = A x + B u at a state; eigenvalues, frequencies, damping, modes,
// equilibria.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <random>

#include <fmt/format.h>

#include "answer.hpp"
#include "command.hpp"
#include "endings.hpp"
#include "files.hpp"
#include "left_out.hpp"
#include "model_options.hpp"
#include "motion_page.hpp"
#include "numbers.hpp"
#include "quantities.hpp"
#include "state_options.hpp"
#include "structure.hpp"
#include "trammel/analyze/equilibrium.hpp"
#include "trammel/analyze/linearize.hpp"
#include "trammel/base/linear_algebra.hpp"
#include "trammel/constraint/assembly/assembly.hpp"
#include "trammel/model/units.hpp"
#include "trammel/write/report/mode_report.hpp"

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

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

// [A B; C D] as one table: a row for each state's rate and each output, a column for each state and
// input.
std::string csv(const Linearization& found) {
  std::string out = "part,name";
  for (const auto* names : {&found.states, &found.inputs})
    for (const std::string& name : *names) out += "," + csv_cell(name);
  const auto add = [&](const char* part, const std::vector<std::string>& names,
                       const Eigen::MatrixXd& left, const Eigen::MatrixXd& right) {
    for (Eigen::Index r = 0; r < left.rows(); ++r) {
      out += std::string("\n") + part + "," + csv_cell(names[std::size_t(r)]);
      for (const Eigen::MatrixXd* block : {&left, &right})
        for (Eigen::Index c = 0; c < block->cols(); ++c) out += "," + number_text((*block)(r, c));
    }
  };
  add("state", found.states, found.A, found.B);
  add("output", found.outputs, found.C, found.D);
  return out + "\n";
}

class Linearize final : public Command {
 public:
  void offer(CLI::App& app, Terminal& terminal) override {
    app.description("Linearize at a state: x' = A x + B u, eigenvalues, modes, equilibria.");
    app.footer(
        "trammel linearize @four_bar_spring_damper --equilibrium -o near.csv\n"
        "trammel linearize @bicycle --matrices --report weave.html");
    model_.offer(app);
    state_.offer(app);
    app.add_flag("--equilibrium", equilibrium_, "find the equilibrium near the state first");
    app.add_flag("--all", all_, "list all equilibria found, stable or not, and exit");
    app.add_flag("--matrices", matrices_, "print A, B, C, D too (JSON always has them)");
    offer_repeated(app, "-o,--output", outputs_, "FILE",
                   "write A, B, C, D as one table (CSV), or the whole answer (.json); may be "
                   "repeated");
    app.add_option("--report", report_, "write a page that animates one mode")->type_name("FILE");
    app.add_option("--mode", mode_,
                   "number of the mode, from 1, as listed; default: the first that oscillates")
        ->type_name("NUMBER");
    app.add_flag("--force", force_, "overwrite files that are there");
    format_.offer_digits(app);
    terminal.offer(app);
  }

  Exit run(Terminal& terminal) override {
    format_.check();
    if (!report_.empty()) expect_free(report_, force_);
    expect_ending(report_, "--report", {".html", ".htm"});
    for (const std::string& file : outputs_) {
      expect_ending(file, "-o", {".csv", ".json"});
      expect_free(file, force_);
    }
    std::vector<NamedFile> written = named("-o", outputs_);
    written.push_back({"--report", report_});
    expect_distinct(written, {{"the model", model_.path()}, {"--state", state_.file()}});
    const Model model = model_.load(terminal);
    const StateAndInputs state_and_inputs = state_.state_and_inputs(model);
    state_.warn_about_angles(model, terminal);
    Workspace workspace(model);
    State state = state_and_inputs.state;
    if (all_) {
      terminal.answer(all_equilibria(model, state_and_inputs, workspace, terminal));
      return Exit::done;
    }
    if (equilibrium_) expect_ok(equilibrium(model, state, state_and_inputs.inputs(), workspace));
    const std::vector<std::string> left_out = parts_left_out(model);
    if (!left_out.empty())
      terminal.note(
          fmt::format("warning: only simulate applies {}; left out here (--tau and "
                      "--wrench give efforts and forces here)",
                      fmt::join(left_out, ", ")));
    for (const std::string& text : undecided_rows(model, state, workspace))
      terminal.note("warning: " + text);
    Linearization found;
    expect_ok(linearize(model, state, state_and_inputs.inputs(), workspace, found));
    if (found.acceleration > 1e-6)
      terminal.note(fmt::format(
          "warning: the state is not an equilibrium, accelerations are up to {:.3g}: eigenvalues "
          "describe motions about an equilibrium (--equilibrium finds one)",
          found.acceleration));
    if (equilibrium_)
      if (const double growth = fastest_growth(found); growth > 1e-6)
        terminal.note(fmt::format(
            "note: the equilibrium is unstable: an eigenvalue has the real part {:+.4g} 1/s; "
            "--all lists the equilibria",
            growth));
    if (!report_.empty())
      write_file(
          report_,
          motion_page(model, page_of_a_mode(model, state, found, workspace), model_, terminal),
          force_, terminal);
    for (const std::string& file : outputs_)
      write_file(file,
                 ending_of(file) == ".json" ? json_text(json(model, state, found)) : csv(found),
                 force_, terminal);
    terminal.answer(terminal.wants_json() ? json_text(json(model, state, found))
                                          : text(model, state, found, terminal));
    return Exit::done;
  }

 private:
  // Largest real part of the eigenvalues.
  static double fastest_growth(const Linearization& found) {
    double growth = 0;
    for (Eigen::Index k = 0; k < found.eigenvalues.size(); ++k)
      if (!is_zero(found, k)) growth = std::max(growth, found.eigenvalues[k].real());
    return growth;
  }
  // Coordinates on which no acceleration depends, as the position of a wagon on a level rail: any
  // value of them is an equilibrium. Dependent coordinates of loops are excluded from the
  // comparison together with them.
  struct FreeCoordinates {
    std::vector<bool> is_free, follows;
    bool is_compared(std::size_t k) const {
      return !is_free[k] && !(follows[k] && std::ranges::find(is_free, true) != is_free.end());
    }
  };
  static FreeCoordinates free_coordinates(const Model& model, const Linearization& near) {
    const std::vector<bool> none(std::size_t(model.nq()), false);
    FreeCoordinates out{none, none};
    for (int k = 0; k < model.nq(); ++k) {
      const auto found = std::ranges::find(near.states, "q." + model.coordinate_name(k));
      if (found == near.states.end()) {
        out.follows[std::size_t(k)] = model.has_constraints();
        continue;
      }
      const auto column = Eigen::Index(found - near.states.begin());
      out.is_free[std::size_t(k)] = max_abs(near.A.col(column)) <= 1e-9 * max_abs(near.A);
    }
    return out;
  }
  // Searches from the state and from seeded random states, each assembled. It may miss equilibria.
  static std::string all_equilibria(const Model& model, const StateAndInputs& state_and_inputs,
                                    Workspace& workspace, const Terminal& terminal) {
    constexpr int starts = 40;
    std::mt19937 engine(1);
    std::vector<State> found;
    Json list = Json::array();
    std::string text = terminal.heading("equilibria") +
                       fmt::format(", found from {} starts (more may exist)\n", starts);
    for (int start = 0; start < starts; ++start) {
      State state = state_and_inputs.state;
      std::ranges::fill(state.v, 0.0);
      if (start > 0) {
        std::vector<double> away(state.v.size());
        for (double& part : away)
          part = std::numbers::pi * (2 * (double(engine()) / 4294967296.0) - 1);
        integrate(model, state_and_inputs.state.q, away, state.q);
        if (!assemble(model, state, workspace).ok()) continue;
      }
      if (!equilibrium(model, state, state_and_inputs.inputs(), workspace).ok()) continue;
      Linearization near;
      if (!linearize(model, state, state_and_inputs.inputs(), workspace, near).ok()) continue;
      const FreeCoordinates free = free_coordinates(model, near);
      const auto is_same = [&](const State& other) {
        for (std::size_t k = 0; k < state.q.size(); ++k)
          if (free.is_compared(k) &&
              std::abs(std::remainder(state.q[k] - other.q[k], 2 * std::numbers::pi)) > 1e-6)
            return false;
        return true;
      };
      if (std::ranges::any_of(found, is_same)) continue;
      const double growth = fastest_growth(near);
      const char* const verdict = growth > 1e-6 ? "unstable" : "stable";
      Json q = Json::object();
      text += fmt::format("  {} ({:+.4g} 1/s)", verdict, growth);
      for (int k = 0; k < model.nq(); ++k) {
        q[model.coordinate_name(k)] = state.q[std::size_t(k)];
        text += fmt::format("{} {} = {:.9g}{}", k == 0 ? ":" : ",", model.coordinate_name(k),
                            state.q[std::size_t(k)], free.is_free[std::size_t(k)] ? " (any)" : "");
      }
      text += "\n";
      list.push_back({{"position", q}, {"stable", growth <= 1e-6}, {"growth", growth}});
      found.push_back(std::move(state));
    }
    if (found.empty())
      throw WorkFailed(fmt::format("equilibrium: none is found from {} starts", starts));
    return terminal.wants_json() ? json_text({{"equilibria", list}}) : text;
  }
  // Tolerance for a zero eigenvalue: rounding spreads multiple eigenvalues.
  static bool is_zero(const Linearization& found, Eigen::Index k) {
    const double largest = max_abs(found.eigenvalues);
    return std::abs(found.eigenvalues[k]) <= std::max(1e-5 * largest, 1e-6);
  }
  // Printed eigenvalues: one of each complex conjugate pair, that with positive imaginary part.
  static std::vector<Eigen::Index> listed_modes(const Linearization& found) {
    std::vector<Eigen::Index> list;
    for (Eigen::Index k = 0; k < found.eigenvalues.size(); ++k)
      if (is_zero(found, k) || !(found.eigenvalues[k].imag() < 0)) list.push_back(k);
    return list;
  }
  MotionReport page_of_a_mode(const Model& model, const State& state, const Linearization& found,
                              Workspace& workspace) const {
    const std::vector<Eigen::Index> list = listed_modes(found);
    if (list.empty())
      throw WorkFailed(
          "the model has no modes, because nothing in it can move: there is no mode to draw; "
          "leave out --report");
    std::size_t which = 0;
    if (!mode_.empty()) {
      const double description = number(mode_, "--mode");
      if (!(description >= 1 && description <= double(list.size())))
        throw UsageError(fmt::format("option --mode is {}", mode_),
                         list.size() == 1 ? "there is one mode"
                                          : fmt::format("there are {} modes", list.size()));
      which = std::size_t(description) - 1;
    } else {
      const double largest = max_abs(found.eigenvalues);
      while (which + 1 < list.size() && (is_zero(found, list[which]) ||
                                         found.eigenvalues[list[which]].imag() < 1e-5 * largest))
        ++which;
    }
    const std::complex<double> eigenvalue = found.eigenvalues[list[which]];
    if (is_zero(found, list[which]))
      throw WorkFailed(
          fmt::format("mode {} has the eigenvalue 0: it does not oscillate, decay or grow; draw "
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

  // A coordinate that is 0 but for rounding errors; the whole number with --digits.
  double without_rounding(double q) const {
    return !format_.digits() && std::abs(q) < 1e-14 ? 0 : q;
  }
  std::string text(const Model& model, const State& state, const Linearization& found,
                   const Terminal& terminal) const {
    std::string out = terminal.heading("state") + "\n";
    const std::vector<std::string> units = position_units(model);
    for (int k = 0; k < model.nq(); ++k)
      out += fmt::format(
          "  q.{} = {}\n", model.coordinate_name(k),
          format_.text(without_rounding(state.q[std::size_t(k)]), units[std::size_t(k)]));
    const int digits = format_.digits().value_or(8), width = digits + 6;
    out += terminal.heading("eigenvalues") + " [1/s], frequency [Hz], damping ratio, largest in\n";
    for (const Eigen::Index k : listed_modes(found)) {
      const std::complex<double> value = is_zero(found, k) ? 0.0 : found.eigenvalues[k];
      Eigen::Index largest = 0;
      max_abs(found.modes.col(k), largest);
      out += fmt::format(
          "  {:>{}.{}g} {}  {:>10.5g}  {:>8.4g}  {}\n", value.real() + 0.0, width, digits,
          value.imag() > 0 ? fmt::format("+- {:<{}.{}g} i", value.imag(), width, digits)
                           : std::string(std::size_t(width) + 5, ' '),
          value.imag() / (2 * std::numbers::pi),
          std::abs(value) > 0 ? 0.0 - value.real() / std::abs(value) : 0.0,  // never -0
          found.states[std::size_t(largest)]);
    }
    if (!found.uncontrollable_modes.empty())
      out += terminal.heading("uncontrollable modes") + " (eigenvalue: mode; behavior)\n";
    for (const UncontrollableMode& mode : found.uncontrollable_modes)
      out += fmt::format("  {}: {}; {}\n", eigenvalue_text(mode.eigenvalue), mode.name,
                         to_string(mode.verdict));
    if (!matrices_) return out;
    for (const Answer& answer : matrices(found))
      out += terminal.heading(answer.part) + "\n" + answer_text(answer, format_.digits());
    return out;
  }

  static std::string eigenvalue_text(const std::complex<double>& value) {
    return value.imag() > 0 ? fmt::format("{:.6g} +- {:.6g} i", value.real(), value.imag())
                            : fmt::format("{:.6g}", value.real());
  }
  static Json uncontrollable_modes_json(const Linearization& found) {
    Json list = Json::array();
    for (const UncontrollableMode& mode : found.uncontrollable_modes) {
      Json real, imaginary;
      for (const std::complex<double>& part : mode.of) {
        real.push_back(number_json(part.real()));
        imaginary.push_back(number_json(part.imag()));
      }
      using Verdict = UncontrollableMode::Verdict;
      list.push_back({{"eigenvalue",
                       {{"real", number_json(mode.eigenvalue.real())},
                        {"imaginary", number_json(mode.eigenvalue.imag())}}},
                      {"of", {{"real", real}, {"imaginary", imaginary}}},
                      {"name", mode.name},
                      {"stabilisable", mode.verdict == Verdict::decays  ? Json(true)
                                       : mode.verdict == Verdict::stays ? Json(nullptr)
                                                                        : Json(false)},
                      {"verdict", to_string(mode.verdict)}});
    }
    return list;
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
    out["left_out"] = parts_left_out(model);
    out["uncontrollable_modes"] = uncontrollable_modes_json(found);
    for (const Answer& answer : matrices(found)) out[answer.part] = answer_json(answer);
    return out;
  }

  ModelOptions model_;
  StateOptions state_;
  std::string report_, mode_;
  std::vector<std::string> outputs_;
  NumberFormat format_;
  bool equilibrium_ = false, all_ = false, matrices_ = false, force_ = false;
};

}  // namespace

std::unique_ptr<Command> make_linearize() { return std::make_unique<Linearize>(); }

}  // namespace trammel::cli
