// Description of a path over the floor, which a vehicle follows, as numbers from a file.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace trammel {

// Lengths in m, angles in rad, times in s, in world axes.
struct CircleWay {  // around the origin, from (radius, 0), quintic in time
  double radius = 1, angle = 0, over = 1;
};
struct StraightWay {  // from the origin to (x, y), cycloidal from rest to rest
  double x = 0, y = 0, over = 1;
};
struct CurveWay {  // along y, over a smooth curve, and along y; starts and stops cycloidal
  double x_start = 0, x_end = 0, y_start = 0;
  double speed = 0, start_up = 1, curve = 1, slow_down = 1;
};
struct PointsWay {  // through points, from rest to rest; yaw for each of them, or none
  std::vector<double> times = {}, x = {}, y = {}, yaw = {};
};

// Orientation independent of the path: cycloidal from one yaw to another; `over` is 0 for none.
struct YawTurn {
  double from = 0, to = 0, start = 0, over = 0;
};

// Path of a vehicle: the shape of the way, the body or frame that follows it, and its heading.
struct PathDescription {
  std::string place = {};  // the body or frame that follows; empty: the caller names it
  double forward = 0;      // angle from its x axis to its forward direction
  std::variant<CircleWay, StraightWay, CurveWay, PointsWay> way = {};
  std::optional<YawTurn> yaw = {};  // none: it faces along the path
};

}  // namespace trammel
