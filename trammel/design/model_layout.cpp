#include "trammel/design/model_layout.hpp"

#include <algorithm>
#include <cmath>

#include "trammel/dynamics/kinematics.hpp"
#include "trammel/model/build/parameters.hpp"

namespace trammel {

bool ModelLayout::all_have_rollers() const {
  return !wheels.empty() && std::ranges::all_of(wheels, [](const WheelPlacing& wheel) {
    return wheel.roller_angle != 0;
  });
}

ModelLayout model_layout(const Model& model, const Positions& positions, const FrameRef& place) {
  ModelLayout out;
  const Pose<double> X_AW = inverse(pose(model, positions, place));
  for (std::size_t k = 0; k < model.wheels().size(); ++k) {
    const Wheel& wheel = model.wheels()[k];
    if (wheel.kind != Wheel::Kind::conventional && wheel.kind != Wheel::Kind::omni) continue;
    const WheelNumbers<double>& numbers = model.numbers().wheels[k];
    const BodyId carried = wheel.child;
    const Pose<double> X_WU = pose(model, positions, {carried});
    // the wheel frame is expressed in the tree body that the wheel's body is merged into
    const Pose<double> X_AM =
        X_AW * X_WU * inverse(model.numbers().X_BU[std::size_t(index(carried))]) * numbers.X_CM;
    const Vec3<double>&axis = X_AM.R.z, &center = X_AM.p;
    out.names.push_back(model.description().wheels[std::size_t(wheel.description)].name);
    out.wheels.push_back(
        {.roller_angle = wheel.kind == Wheel::Kind::omni
                             ? std::atan2(numbers.roller_sine, numbers.roller_cosine)
                             : 0.0,
         .axle = std::atan2(axis.y, axis.x),
         .bearing = std::atan2(center.y, center.x),
         .distance = std::hypot(center.x, center.y),
         .radius = numbers.radius});
  }
  return out;
}

}  // namespace trammel
