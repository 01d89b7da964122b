// Position limits of tree and loop joints. Internal to the constraint module and the modules built
// on it.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "trammel/dynamics/stages.hpp"

namespace trammel {

struct Range {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  bool is_limited() const { return is_limited_below() || is_limited_above(); }
  bool is_limited_below() const { return lower > -std::numeric_limits<double>::infinity(); }
  bool is_limited_above() const { return upper < std::numeric_limits<double>::infinity(); }
  // Amount by which x is above (positive) or below (negative) the range; 0 inside.
  double outside(double x) const { return x > upper ? x - upper : x < lower ? x - lower : 0; }
};
// Range of the k-th coordinate of a joint; a single limit applies to all its coordinates.
Range position_range(const BasicJointLimits<double>& limits, int k);

// Limits of the k-th coordinate of a loop joint.
struct LoopLimit {
  int closure, k;
  Range range;
  bool turns;  // its coordinate is an angle
};
// All limited coordinates of the model's loop joints.
std::vector<LoopLimit> loop_limits(const Model& model);

// The angle of a loop joint is determined up to whole turns: if both limits are given, the one
// nearest to the middle between them, otherwise unchanged.
double judged_angle(double angle, const Range& range);
// Value of the coordinate, its angle chosen as above.
double loop_coordinate(const Model& model, const LoopLimit& limit, const Kinematics& kinematics);
// "loop joint 'foot'", with the coordinate's number where the joint has several.
std::string name_of(const Model& model, const LoopLimit& limit);

}  // namespace trammel
