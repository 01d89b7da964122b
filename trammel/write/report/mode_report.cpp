#include "trammel/write/report/mode_report.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "trammel/base/linear_algebra.hpp"
#include "trammel/dynamics/constrained.hpp"
#include "trammel/dynamics/kinematics.hpp"
#include "trammel/dynamics/workspace_buffers.hpp"
#include "trammel/model/units.hpp"

namespace trammel {

namespace {

constexpr double drawn = 0.3;
constexpr int frames = 121;

// Scale factor that makes a mode shape visible.
double magnification(const Model& model, const Eigen::VectorXcd& shape) {
  const std::vector<std::string> units = velocity_units(model);
  double largest = 0;
  for (int k = 0; k < model.nv(); ++k) {
    const double one = units[std::size_t(k)] == "m/s" ? model.characteristic_length() : 1;
    largest = std::max(largest, std::abs(shape[k]) / one);
  }
  return largest > 0 ? drawn / largest : 0;
}

}  // namespace

MotionReport mode_report(const Model& model, const State& state, const Eigen::VectorXcd& shape,
                         std::complex<double> eigenvalue, Workspace& workspace) {
  if (shape.size() != model.nv())
    throw std::invalid_argument(
        fmt::format("mode_report: the shape has {} entries, the model has "
                    "nv = {}",
                    shape.size(), model.nv()));
  if (eigenvalue == 0.0)
    throw std::invalid_argument(
        "mode_report: the eigenvalue is 0: such a mode goes on as it is, there is nothing to draw");
  const double swing = std::abs(eigenvalue.imag());
  const bool swings = swing > 1e-9 * std::abs(eigenvalue);
  const double length = swings ? 4 * std::numbers::pi / swing : 3 / std::abs(eigenvalue.real());
  // a growing mode is drawn from small to full size
  const double full = magnification(model, shape) *
                      (eigenvalue.real() > 0 ? std::exp(-eigenvalue.real() * length) : 1);

  MotionReport report;
  report.title = fmt::format("{}: {}", model.name(),
                             swings ? fmt::format("{:.4g} Hz", swing / (2 * std::numbers::pi))
                                    : fmt::format("{:.4g} 1/s", eigenvalue.real()));
  std::vector<int> moving;  // dof that do not take part are not plotted
  for (int k = 0; k < model.nv(); ++k)
    if (std::abs(shape[k]) > 1e-9 * max_abs(shape)) moving.push_back(k);
  for (const int k : moving)
    report.series.push_back({"shape." + model.dof_name(k),
                             velocity_units(model)[std::size_t(k)] == "m/s" ? "m" : "rad",
                             "shape",
                             {}});
  std::vector<double> moved(std::size_t(model.nv()));
  for (int frame = 0; frame < frames; ++frame) {
    const double time = length * frame / (frames - 1);
    const std::complex<double> now = full * std::exp(eigenvalue * time);
    State at = state;
    for (int k = 0; k < model.nv(); ++k) moved[std::size_t(k)] = (shape[k] * now).real();
    for (std::size_t line = 0; line < moving.size(); ++line)
      report.series[line].values.push_back(moved[std::size_t(moving[line])]);
    integrate(model, state.q, moved, at.q);
    std::ranges::fill(at.v, 0.0);
    if (workspace->constrained)  // if projection fails at this amplitude, the loops are drawn open
      (void)workspace->constrained->project_to_manifold(model, at, workspace, 1e-9, {}).ok();
    Positions seen(model);
    if (!positions(model, at, workspace, seen).ok()) continue;
    report.times.push_back(time);
    std::vector<Pose<double>> poses;
    for (int b = 0; b < int(model.named_bodies().size()); ++b)
      poses.push_back(pose(model, seen, {BodyId(b)}));
    report.poses.push_back(std::move(poses));
  }
  report.statistics = {
      {"eigenvalue", fmt::format("{:.9g} {:+.9g} i 1/s", eigenvalue.real(), eigenvalue.imag())},
      {"frequency", fmt::format("{:.6g} Hz", swing / (2 * std::numbers::pi))},
      {"damping ratio", fmt::format("{:.4g}", -eigenvalue.real() / std::abs(eigenvalue))},
      {"drawn", "larger than it is: a mode has a shape, but no size"}};
  return report;
}

}  // namespace trammel
