// Between which limits joints may stand, those that close loops like those of the tree. For this
// room and those that build on it.
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
  // By how much x is above (positive) or below (negative).
  double outside(double x) const { return x > upper ? x - upper : x < lower ? x - lower : 0; }
};
// Of the k-th coordinate of a joint, whose limits may be one for all.
Range position_range(const BasicJointLimits<double>& limits, int k);

// The k-th coordinate of a closure.
struct LoopLimit {
  int closure, k;
  Range range;
  bool turns;  // its coordinate is an angle
};
// Those that the model's loop joints have.
std::vector<LoopLimit> loop_limits(const Model& model);

// An angle of a joint that closes a loop is known but for whole turns: where both limits are given,
// it is the one nearest to the middle between them, else as it is told.
double judged_angle(double angle, const Range& range);
// Where the coordinate stands, so judged.
double look_at_limit(const Model& model, const LoopLimit& limit, const Kinematics& kinematics);
// "loop joint 'foot'", with the coordinate's number where the joint has several.
std::string name_of(const Model& model, const LoopLimit& limit);

}  // namespace trammel
