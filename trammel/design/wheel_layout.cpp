#include "trammel/design/wheel_layout.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "trammel/design/conditioning.hpp"

namespace trammel {

namespace {

// [rad] Rollers closer to the hub axis than this count as parallel to it.
constexpr double along_hub = 1e-6;

void check(const WheelLayout& layout) {
  for (std::size_t k = 0; k < layout.size(); ++k) {
    const WheelPlacing& wheel = layout[k];
    if (!(wheel.radius > 0))
      throw std::invalid_argument(
          fmt::format("wheel {} has the radius {}; a radius is above zero", k + 1, wheel.radius));
    if (!(std::abs(std::sin(wheel.roller_angle)) > along_hub))
      throw std::invalid_argument(fmt::format(
          "wheel {} has rollers along its hub (angle {:.4g} deg), so it is a conventional wheel "
          "that cannot move sideways; give them an angle, or compute the mobility of a model",
          k + 1, wheel.roller_angle * 180 / std::numbers::pi));
  }
}

}  // namespace

Eigen::MatrixXd hub_jacobian(const WheelLayout& layout) {
  check(layout);
  Eigen::MatrixXd L(Eigen::Index(layout.size()), 3);
  for (std::size_t k = 0; k < layout.size(); ++k) {
    const WheelPlacing& wheel = layout[k];
    const double gamma = wheel.roller_angle + wheel.axle;
    L.row(Eigen::Index(k)) = -Eigen::RowVector3d(wheel.distance * std::sin(gamma - wheel.bearing),
                                                 std::cos(gamma), std::sin(gamma)) /
                             (wheel.radius * std::sin(wheel.roller_angle));
  }
  return L;
}

Eigen::MatrixXd roller_jacobian(const WheelLayout& layout, double roller_radius) {
  check(layout);
  if (!(roller_radius > 0))
    throw std::invalid_argument(
        fmt::format("the rollers have the radius {}; a radius is above zero", roller_radius));
  Eigen::MatrixXd L(Eigen::Index(layout.size()), 3);
  for (std::size_t k = 0; k < layout.size(); ++k) {
    const WheelPlacing& wheel = layout[k];
    L.row(Eigen::Index(k)) =
        Eigen::RowVector3d(wheel.distance * std::sin(wheel.axle - wheel.bearing),
                           std::cos(wheel.axle), std::sin(wheel.axle)) /
        (roller_radius * std::sin(wheel.roller_angle));
  }
  return L;
}

Eigen::Matrix2d wheel_matrix(const WheelPlacing& wheel, double roller_radius) {
  const double gamma = wheel.roller_angle + wheel.axle;
  Eigen::Matrix2d out;
  out << wheel.radius * std::sin(wheel.axle), roller_radius * std::sin(gamma),
      -wheel.radius * std::cos(wheel.axle), -roller_radius * std::cos(gamma);
  return out;
}

std::string singular_because(const WheelLayout& layout) {
  const double length = characteristic_length(layout);
  const Eigen::MatrixXd K = scaled(hub_jacobian(layout), 1, length > 0 ? length : 1);
  const Conditioning found = conditioning(K);
  if (!found.is_singular()) return {};
  if (K.rows() < 3)
    return fmt::format("{} wheels cannot determine three motions; give three or more", K.rows());
  const Eigen::VectorXd& weak = found.weakest;
  if (std::abs(weak[0]) > 1 - 1e-9)
    return "no wheel turns the platform: the axes of all rollers that touch point to its center";
  if (std::abs(weak[0]) < 1e-9)
    return fmt::format(
        "no wheel moves the platform along {:.4g} deg from its x axis: the axes of all rollers "
        "that touch are across",
        std::atan2(weak[2], weak[1]) * 180 / std::numbers::pi);
  // rotation about a point through which all roller axes pass
  return fmt::format(
      "no wheel turns the platform about the point {:.4g}, {:.4g} m: the axes of all rollers that "
      "touch point to it",
      -weak[2] / (weak[0] / length), weak[1] / (weak[0] / length));
}

double characteristic_length(const WheelLayout& layout) {
  double sum = 0;
  for (const WheelPlacing& wheel : layout) sum += wheel.distance;
  return layout.empty() ? 0 : std::numbers::sqrt2 * sum / double(layout.size());
}

}  // namespace trammel
