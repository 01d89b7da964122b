#include "trammel/write/report/ground.hpp"

#include <algorithm>
#include <limits>

#include "trammel/model/build/parameters.hpp"
#include "trammel/write/report/json_text.hpp"

namespace trammel {

namespace {

// Points per direction: enough to look smooth, and about 40 kB per terrain.
constexpr int points = 96;

// Bounding box of the wheel positions on a terrain, in its plane.
struct Seen {
  double low[2], high[2];
  void add(const Vec3<double>& p) {
    const double at[2] = {p.x, p.y};
    for (int k = 0; k < 2; ++k)
      low[k] = std::min(low[k], at[k]), high[k] = std::max(high[k], at[k]);
  }
};

std::string terrain_json(const Model& model, const MotionReport& report, std::size_t terrain) {
  constexpr double far = std::numeric_limits<double>::infinity();
  Seen seen{{far, far}, {-far, -far}};
  BodyId on{};
  Pose<double> X_UF = Pose<double>::identity();
  double widest = model.characteristic_length();
  for (std::size_t k = 0; k < model.wheels().size(); ++k) {
    const Wheel& wheel = model.wheels()[k];
    if (wheel.terrain != int(terrain)) continue;
    const WheelNumbers<double>& numbers = model.numbers().wheels[k];
    const auto in_user_frame = [&](BodyId body, const Pose<double>& X_B) {
      return inverse(model.numbers().X_BU[std::size_t(index(body))]) * X_B;
    };
    on = wheel.parent;
    X_UF = in_user_frame(on, numbers.X_PF);
    widest = std::max(widest, 3 * numbers.radius);
    const Pose<double> X_UM = in_user_frame(wheel.child, numbers.X_CM);
    for (const std::vector<Pose<double>>& sample : report.poses)
      seen.add((inverse(sample[std::size_t(index(on))] * X_UF) *
                sample[std::size_t(index(wheel.child))] * X_UM)
                   .p);
  }
  if (!(seen.low[0] <= seen.high[0])) return "";
  double start[2], spacing[2];
  for (int k = 0; k < 2; ++k) {
    const double margin = widest + 0.15 * (seen.high[k] - seen.low[k]);
    start[k] = seen.low[k] - margin;
    spacing[k] = (seen.high[k] - seen.low[k] + 2 * margin) / (points - 1);
  }
  std::vector<float> heights;
  for (int i = 0; i < points; ++i)
    for (int j = 0; j < points; ++j)
      heights.push_back(float(
          model.terrains()[terrain].at(start[0] + i * spacing[0], start[1] + j * spacing[1]).z));
  // where a formula has no finite value the page leaves a hole
  return fmt::format(
      R"({{"name":{},"body":{},"at":{},"start":[{},{}],"spacing":[{},{}],"count":{},"heights":{}}})",
      json::text(model.description().terrains[terrain].name), index(on), json::placement(X_UF),
      json::number(start[0]), json::number(start[1]), json::number(spacing[0]),
      json::number(spacing[1]), points, json::floats(heights));
}

}  // namespace

std::string terrain_list(const Model& model, const MotionReport& report) {
  std::string out;
  for (std::size_t k = 0; k < model.terrains().size(); ++k) {
    const std::string one = terrain_json(model, report, k);
    if (!one.empty()) out += (out.empty() ? "" : ",") + one;
  }
  return "[" + out + "]";
}

}  // namespace trammel
