#include "trammel/simulate/path/described_path.hpp"

#include <cmath>

namespace trammel {

namespace {

struct Led {
  double forward = 0;

  PlanarPath operator()(const CircleWay& way) const {
    return circle_path(way.radius, way.angle, way.over, forward);
  }
  PlanarPath operator()(const StraightWay& way) const {
    return straight_path(way.x, way.y, way.over, std::atan2(way.y, way.x) - forward);
  }
  PlanarPath operator()(const CurveWay& way) const {
    return two_straights_path({.x_start = way.x_start,
                               .x_end = way.x_end,
                               .y_start = way.y_start,
                               .speed = way.speed,
                               .start_up = way.start_up,
                               .curve = way.curve,
                               .slow_down = way.slow_down},
                              forward);
  }
  PlanarPath operator()(const PointsWay& way) const {
    return path_through(way.times, way.x, way.y, way.yaw, forward);
  }
};

// Points may turn on the spot if the heading does not follow the path: a given yaw takes
// precedence.
PlanarPath without_facing(const PathDescription& description) {
  if (const auto* points = std::get_if<PointsWay>(&description.way)) {
    const std::vector<double> any(points->times.size(), 0.0);
    return path_through(points->times, points->x, points->y, any, 0);
  }
  return std::visit(Led{description.forward}, description.way);
}

}  // namespace

PlanarPath planar_path(const PathDescription& description) {
  if (!description.yaw) return std::visit(Led{description.forward}, description.way);
  const YawTurn& turn = *description.yaw;
  return without_facing(description)
      .with_yaw(turn.over > 0 ? cycloidal_profile(turn.from, turn.to, turn.start, turn.over)
                              : constant_profile(turn.to));
}

}  // namespace trammel
